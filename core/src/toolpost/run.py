"""One run: one conversation's workspace, ports, handles and calls, from opening to teardown."""

from __future__ import annotations

import asyncio
import itertools
import os
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from toolpost import config as configuration
from toolpost.approval import Approvals
from toolpost.binding import Binding
from toolpost.bindings import Bindings
from toolpost.edits import Edits
from toolpost.explain import Absence
from toolpost.inflight import CLOSED, InFlight
from toolpost.pending import PendingActions
from toolpost.problems import Phase, Problem, told, warn
from toolpost.scope import Notice, Scope
from toolpost.surface import Surface
from toolpost.terms import Terms
from toolpost.tiers import Tier
from toolpost.tools import Note, Tool, ToolError
from toolpost.workspace import Confinement, StateFolder, needs_recovery, recover
from toolpost.writes import Writes

if TYPE_CHECKING:
    from toolpost.host import Host

A = ParamSpec("A")
R = TypeVar("R")


class Run:
    """A live run; made by `host.open(…)` and used, once, as an async context manager.

    Attributes:
        host: the composition that it was opened from.
        scope: what plugins see of it.
        pending: the stack of pending actions.
        problems: what went wrong in this run, by plugin.
    """

    scope: Scope
    approvals: Approvals
    pending: PendingActions
    writes: Writes
    edits: Edits
    plugins: Bindings

    def __init__(self, host: Host, terms: Terms) -> None:
        self.host = host
        self.terms = terms
        self.problems: list[Problem] = []
        self._notices: list[Notice] = []
        self.calls = InFlight()
        self.numbers = itertools.count(1)
        self.closing = False
        self.recovery: asyncio.Lock | None = None
        self._teardown: AsyncExitStack | None = None
        self._closed: asyncio.Task[None] | None = None

    # ---- life ----

    async def __aenter__(self) -> Run:
        if self._teardown is not None:
            raise RuntimeError("a run is opened once; ask host.open(…) for another")
        self._teardown = AsyncExitStack()
        try:
            await self._open(self._teardown)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the run: calls answer, pending actions are rejected, handles closed, processes dead. Idempotent."""
        self.closing = True
        if self._teardown is None:
            return
        if self._closed is None:
            self._closed = asyncio.create_task(self._teardown.aclose(), name="toolpost:close")
        # Half a teardown would leave processes: whoever is cancelled here still waits for the whole of it.
        cancelled = None
        while not self._closed.done():
            try:
                await asyncio.shield(self._closed)
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled
        self._closed.result()

    async def bind(self, name: str) -> Absence | None:
        """Open one held or released plugin in this live run, for later surfaces; gives why it did not open."""
        plugin = next((plugin for plugin in self.host.plugins if plugin.name == name), None)
        if plugin is None:
            raise ValueError(f"this host has no plugin {name!r}; it has {', '.join(p.name for p in self.host.plugins)}")
        await self.plugins.bind(plugin)
        return self.absence(name)

    async def release(self, name: str, why: str) -> None:
        """Close one plugin in this live run; surfaces made before answer its tools as unknown."""
        binding = await self.plugins.release(name, why)
        if binding is not None:
            calls = [call for call in self.calls if call.binding is binding]
            self._late(await self.calls.end(calls, f"{name} was released: {why}"))
            await self.plugins.close_one(binding)

    # ---- use ----

    def surface(self, ceiling: Tier, *, where: Callable[[Tool[Any, Any]], bool] | None = None) -> Surface:
        """What an audience sees: the tools up to *ceiling*, less those that *where* refuses. "All" is no default."""
        if not isinstance(ceiling, Tier):
            raise TypeError(f"a surface needs a Tier as its ceiling, not {ceiling!r}")
        return Surface(self, ceiling, list(self.plugins.tools()), where)

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
            paths: the files it will write, from the same arguments; those outside the workspace are nobody's here.
            merge: puts the notes into what *function* answered.
        """

        def inside(*args: A.args, **kwargs: A.kwargs) -> Iterable[str]:
            for path in paths(*args, **kwargs):
                try:
                    yield self.edits.shown(path)
                except ToolError:
                    continue

        @wraps(function)
        async def wrapped(*args: A.args, **kwargs: A.kwargs) -> R:
            async with self.writes.writing(*inside(*args, **kwargs)) as notes:
                answer = await function(*args, **kwargs)
            return merge(answer, notes) if notes else answer

        return wrapped

    def absence(self, plugin: str) -> Absence | None:
        """Why a composed plugin is not alive in this run."""
        return self.plugins.absent.get(plugin)

    @property
    def bindings(self) -> Mapping[str, Binding]:
        """The live plugins, in composition order."""
        return self.plugins.live

    def notice(self, text: str) -> None:
        """A line for the next result of this run."""
        self._notices.append(("toolpost", text))

    def take_notices(self) -> list[Note]:
        """What the next result carries, once."""
        taken, self._notices[:] = list(self._notices), []
        notes = []
        for source, notice in taken:
            try:
                text = notice if isinstance(notice, str) else notice()
            except Exception as error:
                self.note_problem(source, "notice", told(error))
                continue
            if text is not None:
                notes.append(Note(source=source, text=text))
        return notes

    def note_problem(self, plugin: str, phase: Phase, error: str) -> Problem:
        """Keep a plugin's failure."""
        record = next((each for each in self.host.plugins if each.name == plugin), None)
        problem = Problem(
            plugin=plugin,
            phase=phase,
            error=error,
            distribution=record.distribution if record else "",
            version=record.version if record else "",
        )
        if problem not in self.problems:
            self.problems.append(problem)
            warn(problem)
        return problem

    async def recover(self) -> None:
        """Make whole what an interrupted apply left in this workspace, before the first call does anything."""
        lock = self.recovery
        if lock is None:
            return
        async with lock:
            if self.recovery is None:
                return
            try:
                for each in await asyncio.to_thread(recover, self.scope.files, self.scope.state):
                    self.notice(f"Recovered an interrupted change: {each}")
            except Exception as error:
                self.note_problem("toolpost", "recovery", told(error))
                self.notice(f"An interrupted change could not be recovered, so nothing can be written: {told(error)}")
            self.recovery = None

    # ---- opening and teardown ----

    async def _open(self, teardown: AsyncExitStack) -> None:
        """Each part puts its own end on *teardown*, which ends them in reverse order, whatever one of them raises."""
        terms = self.terms
        self.host.claim(terms.conversation)
        teardown.callback(self.host.disclaim, terms.conversation)
        files = Confinement(terms.workspace, terms.roots)
        teardown.callback(files.close)
        self.scope = Scope(
            id=secrets.token_hex(16),
            workspace=files.workspace,
            files=files,
            state=StateFolder.of(files.workspace),
            clock=terms.clock,
            conversation=terms.conversation,
            target=terms.target,
            roots=tuple(os.fspath(root) for root in terms.roots),
            trust=terms.trust,
            sandbox=terms.sandbox,
            ports=terms.ports,
            notices=self._notices,
        )
        teardown.push_async_callback(self._end_processes)
        self.plugins = Bindings(self.host, self.scope, terms, self.note_problem)
        teardown.push_async_callback(self.plugins.close)
        self.approvals = Approvals(terms.approver)
        self.pending = PendingActions(self.plugins.tell, self.notice)
        teardown.push_async_callback(self._reject_pending)
        self.writes = Writes(self.plugins.wrappers, self.note_problem)
        self.edits = Edits(files, self.scope.state, self.writes, self.notice)
        teardown.push_async_callback(self._end_calls)
        if needs_recovery(self.scope.state):
            self.recovery = asyncio.Lock()
        lowering = configuration.read_lowering(files)
        for text in lowering.problems:
            self.note_problem("toolpost", "config", text)
        await self.plugins.open(lowering)

    async def _end_calls(self) -> None:
        self._late(await self.calls.end(self.calls, CLOSED))

    async def _reject_pending(self) -> None:
        for wrong in await self.pending.close(self.calls.seconds):
            self.note_problem("toolpost", "pending", wrong)

    async def _end_processes(self) -> None:
        try:
            await self.scope.close_processes()
        except Exception as error:
            self.note_problem("toolpost", "close", told(error))

    def _late(self, calls: Sequence[Any]) -> None:
        if calls:
            names = ", ".join(sorted({call.tool.name for call in calls}))
            self.note_problem("toolpost", "close", f"calls did not end when they were cancelled: {names}")
