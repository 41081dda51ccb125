"""One run: one conversation's workspace, ports, handles and calls, from opening to teardown."""

from __future__ import annotations

import asyncio
import itertools
import os
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from toolpost import config as configuration
from toolpost.approval import Approvals, Approver
from toolpost.binding import Binding
from toolpost.clock import Clock, SystemClock
from toolpost.edits import Edits
from toolpost.explain import Absence
from toolpost.handles import Unavailable
from toolpost.params import InvalidArguments
from toolpost.pending import PendingActions, PendingEvent
from toolpost.plugin import Plugin
from toolpost.problems import PluginError, Problem, told, warn
from toolpost.scope import Scope, Trust
from toolpost.surface import Bound, Surface
from toolpost.tiers import Tier
from toolpost.tools import Note, Result, Tool
from toolpost.workspace import Confinement, StateFolder, needs_recovery, recover
from toolpost.writes import Wrapper, Writes

if TYPE_CHECKING:
    from toolpost.call import Call
    from toolpost.host import Host

A = ParamSpec("A")
R = TypeVar("R")

Dispatch = Callable[[str, Mapping[str, Any] | str, "Call[Any]"], Awaitable[Result | None]]
"""The harness's own registry, for inner calls of names that the surface lacks: `(name, arguments, calling call)`;
None means that it does not know the name either. It answers for its own checks, under `calling.surface.ceiling`."""

CANCEL = 2.0
"""Seconds that calls in flight get to answer when the run closes."""


class Run:
    """A live run; made by `host.open(…)` and used as an async context manager.

    Attributes:
        scope: what plugins see of it.
        pending: the stack of pending actions.
        problems: what went wrong in this run, by plugin.
    """

    def __init__(
        self,
        host: Host,
        workspace: str | os.PathLike[str],
        *,
        roots: Sequence[str | os.PathLike[str]],
        conversation: str | None,
        target: Any,
        ports: Mapping[type, Any],
        config: Mapping[str, Any],
        approver: Approver | None,
        tools: Iterable[Tool[Any, Any]],
        dispatch: Dispatch | None,
        sandbox: Any,
        trust: Trust,
        clock: Clock | None,
        held: Iterable[str],
        raise_tiers: Mapping[str, Tier],
    ) -> None:
        self._host = host
        self._config = config
        self._held = frozenset(held)
        self._raised = dict(raise_tiers)
        files = Confinement(workspace, roots)
        self.scope = Scope(
            id=uuid.uuid4().hex,
            workspace=files.workspace,
            files=files,
            state=StateFolder.of(files.workspace),
            clock=clock or SystemClock(),
            conversation=conversation,
            target=target,
            roots=tuple(os.fspath(root) for root in roots),
            trust=trust,
            sandbox=sandbox,
            ports=ports,
        )
        self.dispatch = dispatch
        self.approvals = Approvals(approver)
        self.notices: list[Note] = []
        self.pending = PendingActions(self._tell_pending, self.notice)
        self.writes = Writes(self._wrappers, lambda plugin, what: self.note_problem(plugin, "write", what))
        self.edits = Edits(files, self.scope.state, self.writes, self.notice)
        self.problems: list[Problem] = []
        self.calls: dict[Call[Any], asyncio.Task[Any]] = {}
        self.closing = False
        self.idle = asyncio.Event()
        self.recovery: asyncio.Lock | None = None
        self.gates: list[tuple[str, Callable[[Call[Any]], Any]]] = []
        self.observers: list[Callable[[Call[Any], Result, float], None]] = []
        self._bindings: dict[str, Binding] = {}
        self._absent: dict[str, Absence] = {}
        self._bound: dict[str, Bound] = {}
        self._own = tuple(tools)
        if any(tool.stages for tool in self._own):
            host.compose_resolve()
        self._numbers: Iterator[int] = itertools.count(1)
        self._cancelled: set[asyncio.Task[Any]] = set()
        self._closed: asyncio.Task[None] | None = None

    # ---- life ----

    async def __aenter__(self) -> Run:
        self._host.claim(self.scope.conversation)
        try:
            self._bind_own()
            lowering = configuration.read_lowering(self._workspace_file())
            for text in lowering.problems:
                self.note_problem("toolpost", "config", text)
            for plugin in self._host.plugins:
                if plugin.name in self._held:
                    self._absent[plugin.name] = Absence(
                        layer="mode", reason=f"{plugin.name} mode is off", remedy=f'run.bind("{plugin.name}")'
                    )
                elif plugin.name in lowering.disable:
                    self._absent[plugin.name] = Absence(
                        layer="configuration",
                        reason=f"{configuration.FILE} in the workspace switches it off",
                        remedy=f"take {plugin.name!r} out of its disable list",
                    )
                else:
                    await self._bind(plugin, lowering.sections.get(plugin.name))
                self._required(plugin.name)
            if needs_recovery(self.scope.state):
                self.recovery = asyncio.Lock()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the run: calls answer, pending actions are rejected, handles closed, processes dead. Idempotent."""
        if self._closed is None:
            self._closed = asyncio.create_task(self._close(), name="toolpost:close")
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
        plugin = next((plugin for plugin in self._host.plugins if plugin.name == name), None)
        if plugin is None:
            raise ValueError(
                f"this host has no plugin {name!r}; it has {', '.join(p.name for p in self._host.plugins)}"
            )
        if name not in self._bindings:
            await self._bind(plugin, None)
        return self._absent.get(name)

    async def release(self, name: str, why: str) -> None:
        """Close one plugin in this live run; surfaces made before answer its tools as unknown."""
        binding = self._bindings.pop(name, None)
        if binding is None:
            return
        binding.alive = False
        self._absent[name] = Absence(layer="mode", reason=why, remedy=f'run.bind("{name}")')
        self._listen()
        for call, task in list(self.calls.items()):
            if call.binding is binding and task is not asyncio.current_task():
                self.cancel(call, task)
        await self._close_binding(binding)
        self._bound = {tool: bound for tool, bound in self._bound.items() if bound.binding is not binding}

    # ---- use ----

    def surface(self, ceiling: Tier, *, where: Callable[[Tool[Any, Any]], bool] | None = None) -> Surface:
        """What an audience sees: the tools up to *ceiling*, less those that *where* refuses. "All" is no default."""
        if not isinstance(ceiling, Tier):
            raise TypeError(f"a surface needs a Tier as its ceiling, not {ceiling!r}")
        bound = {
            name: each
            for name, each in self._bound.items()
            if each.tier <= ceiling and (where is None or where(each.tool))
        }
        last = bound.pop("resolve", None)
        if last is not None and any(each.tool.stages for each in self._bound.values()):
            bound["resolve"] = last
        return Surface(self, ceiling, bound)

    def wrap_write(
        self,
        function: Callable[A, Awaitable[R]],
        *,
        paths: Callable[A, Iterable[str]],
        merge: Callable[[R, Sequence[Note]], R],
    ) -> Callable[A, Awaitable[R]]:
        """Give a harness's own writing function what every write has here; see `Writes.wrap_write`."""
        return self.writes.wrap_write(function, paths=paths, merge=merge)

    def absence(self, plugin: str) -> Absence | None:
        """Why a composed plugin is not alive in this run."""
        return self._absent.get(plugin)

    def bound(self, name: str) -> Bound | None:
        """A tool of this run, whatever its tier."""
        return self._bound.get(name)

    @property
    def host(self) -> Host:
        """The composition that this run was opened from."""
        return self._host

    @property
    def bindings(self) -> Mapping[str, Binding]:
        """The live plugins, in composition order."""
        return self._bindings

    # ---- for the pipeline ----

    def next_call_id(self) -> str:
        return f"call_{next(self._numbers)}"

    def cancel(self, call: Call[Any], task: asyncio.Task[Any]) -> None:
        """Cancel one call without ending the task that makes it: the call answers `closed`."""
        if not call.ended:
            self._cancelled.add(task)
            task.cancel()

    def was_cancelled(self, task: asyncio.Task[Any]) -> bool:
        """Whether the run itself cancelled that task; asked once."""
        if task in self._cancelled:
            self._cancelled.discard(task)
            return True
        return False

    async def recover(self) -> None:
        """Make whole what an interrupted apply left in this workspace, before the first call does anything."""
        lock = self.recovery
        if lock is None:
            return
        async with lock:
            if self.recovery is None:
                return
            for each in await asyncio.to_thread(recover, self.scope.files, self.scope.state):
                self.notice(f"Recovered an interrupted change: {each}")
            self.recovery = None

    def notice(self, text: str) -> None:
        """A line for the next result of this run."""
        self.notices.append(Note(source="toolpost", text=text))

    def note_problem(self, plugin: str, phase: Any, error: str) -> None:
        """Keep a plugin's failure."""
        record = next((each for each in self._host.plugins if each.name == plugin), None)
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

    # ---- binding ----

    async def _bind(self, plugin: Plugin, lower: Mapping[str, Any] | None) -> None:
        try:
            config, refused = configuration.section(plugin.config, self._config.get(plugin.name), lower)
        except InvalidArguments as error:
            self._failed(plugin, "config", error)
            return
        for text in refused:
            self.note_problem(plugin.name, "config", f"[{plugin.name}] of {text}")
        binding = Binding(plugin, self.scope, config)
        try:
            missing = await binding.open()
        except (Exception, SystemExit) as error:
            self._failed(plugin, "resource", error)
            return
        if missing is not None:
            self._absent[plugin.name] = _unavailable(missing)
            return
        self._bindings[plugin.name] = binding
        self._absent.pop(plugin.name, None)
        for tool in plugin.tools:
            tier = binding.tier_of(
                tool, self._raised.get(tool.name), lambda text: self.note_problem(plugin.name, "tier", text)
            )
            self._bound[tool.name] = Bound(tool, binding, tier)
        self._listen()

    def _bind_own(self) -> None:
        if not self._own:
            return
        own = Binding(Plugin(name="harness", hooks={}, tools=self._own), self.scope, alive=True)
        for tool in self._own:
            if self._host.owner(tool.name):
                raise ValueError(
                    f"tool {tool.name!r} is the plugin {self._host.owner(tool.name)!r}'s; rename the harness's own"
                )
            self._bound[tool.name] = Bound(tool, own, max(tool.tier, self._raised.get(tool.name, tool.tier)))

    def _failed(self, plugin: Plugin, phase: Any, error: BaseException) -> None:
        self.note_problem(plugin.name, phase, told(error))
        if self._host.strict:
            raise PluginError(self.problems[-1]) from error
        self._absent[plugin.name] = Absence(
            layer="configuration" if phase == "config" else "resource",
            reason=told(error),
            remedy="mend the configuration" if phase == "config" else "see `toolpost doctor`",
        )

    def _required(self, name: str) -> None:
        if name in self._host.require and name not in self._bindings:
            absent = self._absent[name]
            raise PluginError(Problem(plugin=name, phase="resource", error=f"it is required, and {absent.reason}"))

    def _listen(self) -> None:
        """Collect the gates and observers of the plugins that are alive, so that a call finds them ready."""
        self.gates = [(b.name, _judge(b)) for b in self._bindings.values() if "toolpost_gate" in b.plugin.hooks]
        self.observers = [self._observer(b) for b in self._bindings.values() if "toolpost_called" in b.plugin.hooks]

    def _observer(self, binding: Binding) -> Callable[[Call[Any], Result, float], None]:
        hook = binding.plugin.hooks["toolpost_called"]

        def observe(call: Call[Any], result: Result, seconds: float) -> None:
            try:
                hook(run=self.scope, handle=binding.handle, call=call, result=result, seconds=seconds)
            except Exception as error:
                self.note_problem(binding.name, "called", told(error))

        return observe

    def _wrappers(self) -> list[Wrapper]:
        def wrapper(binding: Binding) -> Wrapper:
            hook = binding.plugin.hooks["toolpost_around_write"]
            return binding.name, lambda write: hook(run=self.scope, handle=binding.handle, write=write)

        return [wrapper(b) for b in self._bindings.values() if "toolpost_around_write" in b.plugin.hooks]

    def _tell_pending(self, event: PendingEvent) -> None:
        for binding in list(self._bindings.values()):
            hook = binding.plugin.hooks.get("toolpost_pending")
            if hook is not None:
                try:
                    hook(run=self.scope, handle=binding.handle, event=event)
                except Exception as error:
                    self.note_problem(binding.name, "pending", told(error))

    # ---- teardown ----

    async def _close(self) -> None:
        self.closing = True
        for call, task in list(self.calls.items()):
            self.cancel(call, task)
        if self.calls:
            try:
                async with asyncio.timeout(CANCEL):
                    await self.idle.wait()
            except TimeoutError:
                names = ", ".join(sorted({call.tool.name for call in self.calls}))
                self.note_problem("toolpost", "close", f"calls did not end when they were cancelled: {names}")
        try:
            async with asyncio.timeout(CANCEL):
                await self.pending.close()
        except TimeoutError:
            self.note_problem("toolpost", "close", "rejecting pending actions took too long")
        for binding in reversed(list(self._bindings.values())):
            await self._close_binding(binding)
        self._bindings.clear()
        try:
            await self.scope.close_processes()
        finally:
            self.scope.files.close()
            self._host.disclaim(self.scope.conversation)

    async def _close_binding(self, binding: Binding) -> None:
        wrong = await binding.close()
        if wrong:
            self.note_problem(binding.name, "close", wrong)

    def _workspace_file(self) -> bytes | None:
        try:
            return self.scope.files.read(configuration.FILE, limit=1024 * 1024)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self.note_problem("toolpost", "config", f"{configuration.FILE} in the workspace is ignored: {told(error)}")
            return None


def _judge(binding: Binding) -> Callable[[Call[Any]], Any]:
    hook = binding.plugin.hooks["toolpost_gate"]
    values = {"run": binding.scope, "handle": binding.handle}
    if hook.argnames == ("call",):
        return hook.function
    return lambda call: hook.function(*[call if name == "call" else values[name] for name in hook.argnames])


def _unavailable(missing: Unavailable) -> Absence:
    return Absence(layer="resource", reason=missing.reason, remedy=missing.remedy or "connect what it needs")
