"""Write wrapping: every change of files, whoever makes it, passes here (contracts §3).

Plugins see each write before and after it happens and may add notes to the writing tool's result. Each plugin's
context manager is entered and left in a task of its own, all at once, with one time budget for the first halves and
one for the second; a plugin that fails or hangs costs the write nothing but its note.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

import attrs

from toolpost.problems import FAILURES, Phase, told
from toolpost.tools import Note, ToolError

if TYPE_CHECKING:
    from toolpost.call import Call

BEFORE = 0.3
"""Seconds that all wrappers together may take before the files change."""
AFTER = 5.0
"""Seconds that all wrappers together may take after it (write:bounded)."""
FAILED = 1.0
"""The same when the write failed or was cancelled: there is little to say, and somebody waits to go on."""
LOCKED = 30.0
"""Seconds that a write waits for another one on the same path."""

_Wrap = Callable[..., AbstractAsyncContextManager[None] | None]
Wrapper = tuple[str, _Wrap]
"""A plugin's name, and its hook, which takes `write`."""


@attrs.define(eq=False)
class Writing:
    """A write under way: what its views share."""

    paths: list[str]
    late: list[str] = attrs.field(factory=list)
    notes: list[Note] = attrs.field(factory=list)
    held: list[str] = attrs.field(factory=list)
    joined: int = 0
    quiet: asyncio.Event = attrs.field(factory=asyncio.Event)
    done: asyncio.Event = attrs.field(factory=asyncio.Event)
    error: BaseException | None = None


@attrs.define(eq=False)
class Write:
    """One write as one plugin sees it."""

    source: str
    _writing: Writing
    _too_late: bool = attrs.field(default=False, init=False)

    @property
    def paths(self) -> list[str]:
        """The files, relative to the workspace. They may grow while the write lasts: one inside it joins it."""
        return self._writing.paths

    @property
    def late(self) -> list[str]:
        """The paths whose baseline is unknown: they came after the first halves, or this plugin's own came too late."""
        return self._writing.paths if self._too_late else self._writing.late

    def note(self, text: str, *, data: Any = None) -> None:
        """Add a line to the result of the tool that writes."""
        self._writing.notes.append(Note(source=self.source, text=text, data=data))


@attrs.define(eq=False)
class _Wrapping:
    """One plugin's part in one write: a task that enters its manager, and leaves it when the files have changed."""

    view: Write
    entered: asyncio.Future[None]
    task: asyncio.Task[None]


@attrs.define(eq=False)
class Writes:
    """The writes of one run.

    Args:
        wrappers: gives the plugins' wrappers, in composition order.
        problem: keeps a plugin's failure: its name, the phase, what happened.
    """

    wrappers: Callable[[], Sequence[Wrapper]]
    problem: Callable[[str, Phase, str], object]
    before: float = BEFORE
    after: float = AFTER
    locked: float = LOCKED
    _locks: dict[str, tuple[asyncio.Lock, list[Writing]]] = attrs.field(factory=dict, init=False)

    @asynccontextmanager
    async def writing(self, *paths: str, call: Call[Any] | None = None) -> AsyncIterator[list[Note]]:
        """Lock *paths*, enter the wrappers, let the body write, leave them.

        Gives the notes, complete when it ends; they go behind the result of *call*.

        Paths are locked in sorted order. A write inside a write (of the same call, or of one that it called) joins it.

        Raises:
            ToolError: a joining write wants a path that somebody else is writing; waiting could deadlock.
        """
        outer = _outer(call)
        if outer is not None:
            async with self._joining(outer, paths):
                yield outer.notes
            return
        writing = Writing(sorted(set(paths)))
        try:
            for path in writing.paths:
                await self._lock(path, writing)
            if call is not None:
                call.writing_now = writing
            async with self._wrapped(writing):
                try:
                    yield writing.notes
                finally:
                    while writing.joined:
                        writing.quiet.clear()
                        await writing.quiet.wait()
        finally:
            if call is not None:
                call.writing_now = None
                call.notes += writing.notes
            for path in writing.held:
                self._unlock(path, writing)

    @asynccontextmanager
    async def _wrapped(self, writing: Writing) -> AsyncIterator[None]:
        parts = [self._part(name, wrap, writing) for name, wrap in self.wrappers()]
        if not parts:
            yield
            return
        tasks = [part.task for part in parts]
        budget = FAILED
        try:
            await asyncio.wait([part.entered for part in parts], timeout=self.before)
            for part in parts:
                part.view._too_late = not part.entered.done()
            yield
            budget = self.after
        except BaseException as error:
            writing.error = error
            raise
        finally:
            writing.done.set()
            try:
                _, late = await asyncio.wait(tasks, timeout=min(budget, self.after))
                for name in sorted(task.get_name() for task in late):
                    writing.notes.append(Note(source=name, text=f"{name}: not known yet (waited {budget:g} s)"))
            finally:
                for task in tasks:
                    task.cancel()
                writing.error = None

    def _part(self, name: str, wrap: _Wrap, writing: Writing) -> _Wrapping:
        view = Write(name, writing)
        entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        return _Wrapping(view, entered, asyncio.create_task(self._both_halves(wrap, view, entered), name=name))

    async def _both_halves(self, wrap: _Wrap, view: Write, entered: asyncio.Future[None]) -> None:
        """One plugin's two halves, in one task: what enters in a task leaves in it."""
        writing = view._writing
        try:
            manager = wrap(write=view)
            if manager is None:
                return
            await manager.__aenter__()
        except FAILURES as error:
            self._failed(view, "before the write", error)
            return
        finally:
            if not entered.done():
                entered.set_result(None)
        await writing.done.wait()
        cause = writing.error
        try:
            await manager.__aexit__(type(cause) if cause else None, cause, cause.__traceback__ if cause else None)
        except asyncio.CancelledError:
            if not isinstance(cause, asyncio.CancelledError):
                raise
        except FAILURES as raised:
            if raised is not cause:
                self._failed(view, "after the write", raised)

    def _failed(self, view: Write, when: str, error: BaseException) -> None:
        self.problem(view.source, "write", f"{when}: {told(error)}")
        view.note(f"{view.source}: not available (its write wrapper failed; see doctor)")

    @asynccontextmanager
    async def _joining(self, outer: Writing, paths: tuple[str, ...]) -> AsyncIterator[None]:
        """Take part in a write under way; it does not end before its parts do."""
        outer.joined += 1
        try:
            for path in sorted(set(paths) - set(outer.paths)):
                if path in self._locks:
                    raise ToolError(f"{path} is being written by another call; try again when that has answered")
                await self._lock(path, outer)  # it is free, so this does not wait
                outer.paths.append(path)
                outer.late.append(path)
            yield
        finally:
            outer.joined -= 1
            outer.quiet.set()

    async def _lock(self, path: str, writing: Writing) -> None:
        lock, users = self._locks.setdefault(path, (asyncio.Lock(), []))
        users.append(writing)
        try:
            if lock.locked():
                async with asyncio.timeout(self.locked):
                    await lock.acquire()
            else:
                await lock.acquire()
        except TimeoutError:
            self._leave(path, users, writing)
            raise ToolError(f"{path} has been written by another call for {self.locked:g} s; try again later") from None
        except BaseException:
            self._leave(path, users, writing)
            raise
        writing.held.append(path)

    def _unlock(self, path: str, writing: Writing) -> None:
        lock, users = self._locks[path]
        lock.release()
        self._leave(path, users, writing)

    def _leave(self, path: str, users: list[Writing], writing: Writing) -> None:
        users.remove(writing)
        if not users:
            del self._locks[path]


def _outer(call: Call[Any] | None) -> Writing | None:
    while call is not None:
        if call.writing_now is not None:
            return call.writing_now
        call = call.parent
    return None
