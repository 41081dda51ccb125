"""Write wrapping: every change of files, whoever makes it, passes here (contracts §3).

Plugins see each write before and after it happens and may add notes to the writing tool's result. Each plugin's
context manager is entered and left in a task of its own, all at once, with one time budget for the first halves and
one for the second; a plugin that fails or hangs costs the write nothing but its note.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import attrs

from toolpost.problems import told
from toolpost.tools import Note, ToolError

if TYPE_CHECKING:
    from toolpost.call import Call

BEFORE = 0.3
"""Seconds that all wrappers together may take before the files change."""
AFTER = 5.0
"""Seconds that all wrappers together may take after it (write:bounded)."""

A = ParamSpec("A")
R = TypeVar("R")
Wrapper = tuple[str, Callable[["Write"], AbstractAsyncContextManager[None] | None]]


@attrs.define(eq=False)
class Write:
    """One write as one plugin sees it.

    Attributes:
        paths: the files, as shown to people: relative to the workspace. It may grow while the write lasts (a write
            inside a write joins it); the baseline of a path that came late is unknown.
        late: the paths that came after the first halves.
    """

    source: str
    paths: list[str]
    late: list[str]
    _notes: list[Note]

    def note(self, text: str, *, data: Any = None) -> None:
        """Add a line to the result of the tool that writes."""
        self._notes.append(Note(source=self.source, text=text, data=data))


@attrs.define(eq=False)
class Writing:
    """A write under way: what its views share."""

    paths: list[str]
    late: list[str] = attrs.field(factory=list)
    notes: list[Note] = attrs.field(factory=list)
    held: list[str] = attrs.field(factory=list)
    done: asyncio.Event = attrs.field(factory=asyncio.Event)
    error: BaseException | None = None


@attrs.define
class Writes:
    """The writes of one run.

    Args:
        wrappers: gives the plugins' wrappers, in composition order.
        problem: told of a plugin that failed: its name and what happened.
    """

    wrappers: Callable[[], Sequence[Wrapper]]
    problem: Callable[[str, str], None]
    before: float = BEFORE
    after: float = AFTER
    _locks: dict[str, tuple[asyncio.Lock, list[Writing]]] = attrs.field(factory=dict, init=False)

    @asynccontextmanager
    async def writing(self, *paths: str, call: Call[Any] | None = None) -> AsyncIterator[list[Note]]:
        """Lock *paths*, enter the wrappers, let the body write, leave them; gives the notes, complete when it ends.

        Paths are locked in sorted order. A write inside a write (of the same call, or of one that it called) joins it.

        Raises:
            ToolError: a joining write wants a path that somebody else is writing; waiting could deadlock.
        """
        outer = _outer(call)
        if outer is not None:
            await self._join(outer, paths)
            yield outer.notes
            return
        writing = Writing(sorted(set(paths)))
        try:
            for path in writing.paths:
                await self._lock(path, writing)
            if call is not None:
                call.writing_now = writing
            async with self._wrapped(writing):
                yield writing.notes
        finally:
            if call is not None:
                call.writing_now = None
            for path in writing.held:
                self._unlock(path, writing)

    def wrap_write(
        self,
        function: Callable[A, Awaitable[R]],
        *,
        paths: Callable[A, Iterable[str]],
        merge: Callable[[R, Sequence[Note]], R],
    ) -> Callable[A, Awaitable[R]]:
        """A harness's own writing function, wrapped like every other write (files:opt-in). It approves nothing.

        Args:
            function: writes files.
            paths: the files it will write, from the same arguments, relative to the workspace.
            merge: puts the notes into what *function* answered.
        """

        @wraps(function)
        async def wrapped(*args: A.args, **kwargs: A.kwargs) -> R:
            async with self.writing(*paths(*args, **kwargs)) as notes:
                answer = await function(*args, **kwargs)
            return merge(answer, notes) if notes else answer

        return wrapped

    @asynccontextmanager
    async def _wrapped(self, writing: Writing) -> AsyncIterator[None]:
        tasks: list[asyncio.Task[None]] = []
        entered: list[asyncio.Future[None]] = []
        for name, wrap in self.wrappers():
            ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            entered.append(ready)
            tasks.append(asyncio.create_task(self._one(name, wrap, writing, ready), name=name))
        if not tasks:
            yield
            return
        try:
            await asyncio.wait(entered, timeout=self.before)
            yield
        except BaseException as error:
            writing.error = error
            raise
        finally:
            writing.done.set()
            try:
                _, late = await asyncio.wait(tasks, timeout=self.after)
                for task in late:
                    writing.notes.append(
                        Note(source=task.get_name(), text=f"{task.get_name()}: not known yet (waited {self.after:g} s)")
                    )
            finally:
                for task in tasks:
                    task.cancel()
                writing.error = None

    async def _one(
        self, name: str, wrap: Callable[[Write], Any], writing: Writing, ready: asyncio.Future[None]
    ) -> None:
        """One plugin's two halves, in one task: what enters in a task leaves in it."""
        try:
            try:
                manager = wrap(Write(name, writing.paths, writing.late, writing.notes))
                if manager is None:
                    return
                await manager.__aenter__()
            except Exception as error:
                self._failed(name, "before the write", error, writing)
                return
        finally:
            if not ready.done():
                ready.set_result(None)
        await writing.done.wait()
        cause = writing.error
        try:
            await manager.__aexit__(type(cause) if cause else None, cause, cause.__traceback__ if cause else None)
        except Exception as raised:
            if raised is not cause:
                self._failed(name, "after the write", raised, writing)

    def _failed(self, name: str, when: str, error: Exception, writing: Writing) -> None:
        self.problem(name, f"{when}: {told(error)}")
        writing.notes.append(Note(source=name, text=f"{name}: not available (its write wrapper failed; see doctor)"))

    async def _join(self, outer: Writing, paths: tuple[str, ...]) -> None:
        for path in sorted(set(paths) - set(outer.paths)):
            if path in self._locks:
                raise ToolError(f"{path} is being written by another call; try again when that has answered")
            await self._lock(path, outer)  # it is free, so this does not wait
            outer.paths.append(path)
            outer.late.append(path)

    async def _lock(self, path: str, writing: Writing) -> None:
        lock, users = self._locks.setdefault(path, (asyncio.Lock(), []))
        users.append(writing)
        try:
            await lock.acquire()
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
