"""The calls under way in one run, and how they are ended without ending the tasks that make them.

A harness's task that makes a call must survive the call's end. So ending a call cancels its task, and that call, not
one inside it, takes the cancellation back and answers `closed`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from toolpost.problems import log
from toolpost.tools import Result

if TYPE_CHECKING:
    from toolpost.call import Call

CLOSED = "the run is closed"
SECONDS = 2.0


@attrs.define(eq=False)
class InFlight:
    """The calls of one run that have not answered, each with the task that makes it, oldest first.

    Attributes:
        seconds: how long calls get to answer when they are ended.
    """

    seconds: float = SECONDS
    _tasks: dict[Call[Any], asyncio.Task[Any]] = attrs.field(factory=dict, init=False)
    _ending: dict[asyncio.Task[Any], tuple[Call[Any], str]] = attrs.field(factory=dict, init=False)

    def __iter__(self) -> Iterator[Call[Any]]:
        return iter(list(self._tasks))

    async def answer(self, call: Call[Any], steps: Coroutine[Any, Any, Result]) -> Result:
        """Run a call's steps while it counts as under way; it takes the calls that it made with it.

        Raises:
            asyncio.CancelledError: the caller was cancelled.
        """
        task = asyncio.current_task()
        assert task is not None
        before = task.cancelling()
        call.ended = False
        self._tasks[call] = task
        if call.parent is not None:
            call.parent.has_called = True
        try:
            return await steps
        except asyncio.CancelledError:
            why = self._taken_back(call, task)
            if task.cancelling() > before:
                raise
            if why is None:  # nobody cancels this task: what the handler waited for was cancelled
                return Result.error(f"{call.tool.name} failed: what it waited for was cancelled", "crash")
            return Result.error(f"{call.tool.name}: {why}.", "closed")
        finally:
            if self._ending:
                self._taken_back(call, task)
            call.ended = True
            del self._tasks[call]
            if call.over is not None:
                call.over.set()
            if call.has_called:
                await self._end_children(call)

    async def end(self, calls: Iterable[Call[Any]], why: str) -> list[Call[Any]]:
        """End *calls*, all but those of the current task; gives those that had not answered in time."""
        mine = asyncio.current_task()
        ending = [call for call in calls if self._tasks.get(call, mine) is not mine]
        for call in ending:
            call.over = call.over or asyncio.Event()
            self._cancel(call, self._tasks[call], why)
        try:
            async with asyncio.timeout(self.seconds):
                for call in ending:
                    assert call.over is not None
                    await call.over.wait()
        except TimeoutError:
            pass
        return [call for call in ending if not call.ended]

    async def _end_children(self, call: Call[Any]) -> None:
        children = [child for child in self._tasks if child.parent is call]
        for late in await self.end(children, f"{call.tool.name}, which called it, has ended") if children else ():
            log.warning("%s, called by %s, did not end when it was cancelled", late.tool.name, call.tool.name)

    def _cancel(self, call: Call[Any], task: asyncio.Task[Any], why: str) -> None:
        # Of calls inside each other in one task, the outermost that is to end takes the one cancellation back.
        ending = self._ending.get(task)
        if ending is None:
            task.cancel()
        if ending is None or next(each for each in self._tasks if each in (call, ending[0])) is call:
            self._ending[task] = (call, why)

    def _taken_back(self, call: Call[Any], task: asyncio.Task[Any]) -> str | None:
        """Why this very call is ended, if it is; its task is then no longer cancelled on its account."""
        ending = self._ending.get(task)
        if ending is None or ending[0] is not call:
            return None
        del self._ending[task]
        task.uncancel()
        return ending[1]
