"""The plugins of one run: which are alive there, which are not and why, and what the live ones hook into."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from toolpost import config as configuration
from toolpost.binding import CLOSE, Binding, Bound
from toolpost.explain import Absence
from toolpost.params import InvalidArguments
from toolpost.pending import PendingEvent
from toolpost.plugin import Plugin
from toolpost.problems import FAILURES, Phase, PluginError, Problem, told
from toolpost.scope import Scope
from toolpost.terms import Terms
from toolpost.tools import Result
from toolpost.writes import Wrapper

if TYPE_CHECKING:
    from toolpost.call import Call
    from toolpost.host import Host

Told = Callable[[str, Phase, str], Problem]
Observer = Callable[["Call[Any]", Result, float], None]


@attrs.define(eq=False)
class Bindings:
    """The plugins of one run.

    Args:
        host: the composition.
        scope: what plugins get of the run.
        terms: what the harness gave: their configuration, raised tiers, and which open later.
        problem: keeps a plugin's failure.

    Attributes:
        live: the plugins that are alive, by name.
        absent: why the others are not.
        gates: what judges each call, with the plugin's name.
        observers: what is told of each finished call.
        seconds: how long one handle may take to close.
    """

    host: Host
    scope: Scope
    terms: Terms
    problem: Told
    seconds: float = CLOSE
    live: dict[str, Binding] = attrs.field(factory=dict, init=False)
    absent: dict[str, Absence] = attrs.field(factory=dict, init=False)
    gates: list[tuple[str, Callable[..., Any]]] = attrs.field(factory=list, init=False)
    observers: list[Observer] = attrs.field(factory=list, init=False)
    _lowering: configuration.Lowering = attrs.field(factory=configuration.Lowering, init=False)
    _own: Binding | None = attrs.field(default=None, init=False)
    _opening: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _under_way: Binding | None = attrs.field(default=None, init=False)
    _closed: bool = attrs.field(default=False, init=False)

    # ---- opening and closing ----

    async def open(self, lowering: configuration.Lowering) -> None:
        """Bind the harness's own tools and every plugin that is not held, in composition order.

        Raises:
            PluginError: a required plugin is not alive, or any failed in a strict host.
            ValueError: a tool of the harness's own has a plugin's name.
        """
        self._lowering = lowering
        self._bind_own()
        for plugin in self.host.plugins:
            if plugin.name in self.terms.held:
                self.absent[plugin.name] = Absence(
                    layer="mode", reason=f"{plugin.name} mode is off", remedy=f'run.bind("{plugin.name}")'
                )
            else:
                async with self._opening:
                    await self._bind(plugin)
            if plugin.name in self.host.require and plugin.name not in self.live:
                reason = self.absent[plugin.name].reason
                raise PluginError(Problem(plugin=plugin.name, phase="resource", error=f"it is required, and {reason}"))
        self._listen()

    async def bind(self, plugin: Plugin) -> None:
        """Open one plugin, unless it is open; where that fails, `absent` says why."""
        async with self._opening:
            if self._closed:
                raise RuntimeError("the run is closed")
            if plugin.name not in self.live:
                await self._bind(plugin)
                order = [each.name for each in self.host.plugins]
                self.live = dict(sorted(self.live.items(), key=lambda item: order.index(item[0])))
                self._listen()

    async def release(self, name: str, why: str) -> Binding | None:
        """Take one plugin's tools away; gives its binding, which is still to be closed."""
        async with self._opening:
            binding = self.live.pop(name, None)
            if binding is not None:
                binding.alive = False
                self.absent[name] = Absence(layer="mode", reason=why, remedy=f'run.bind("{name}")')
                self._listen()
            return binding

    async def close(self) -> None:
        """Close the handles in reverse order; one that fails or hangs, also while it opens, stops nobody else's."""
        self._closed = True
        if self._under_way is not None:
            await self.close_one(self._under_way)
        async with self._opening:
            pass
        for binding in reversed(self.live.values()):
            await self.close_one(binding)
        self.live.clear()
        self._listen()

    async def close_one(self, binding: Binding) -> None:
        """Close one handle, under its own deadline."""
        wrong = await binding.close(self.seconds)
        if wrong:
            self.problem(binding.name, "close", wrong)

    async def _bind(self, plugin: Plugin) -> None:
        name = plugin.name
        if name in self._lowering.disable:
            self.absent[name] = Absence(
                layer="configuration",
                reason=f"{configuration.FILE} in the workspace switches it off",
                remedy=f"take {name!r} out of its disable list",
            )
            return
        try:
            config, refused = configuration.section(
                plugin.config, self.terms.config.get(name), self._lowering.sections.get(name)
            )
        except InvalidArguments as error:
            self._failed(plugin, "config", error)
            return
        for text in refused:
            self.problem(name, "config", f"[{name}] of {text}")
        binding = self._under_way = Binding(plugin, self.scope, config)
        try:
            missing = await binding.open()
        except FAILURES as error:
            self._failed(plugin, "resource", error)
            return
        finally:
            self._under_way = None
        if missing is not None:
            remedy = missing.remedy or "connect what it needs"
            self.absent[name] = Absence(layer="resource", reason=missing.reason, remedy=remedy)
            return
        binding.settle_tiers(self.terms.raise_tiers, functools.partial(self.problem, name, "tier"))
        self.live[name] = binding
        self.absent.pop(name, None)

    def _bind_own(self) -> None:
        own = Binding(Plugin(name="harness", hooks={}, tools=self.terms.tools), self.scope, alive=True)
        names = [tool.name for tool in own.plugin.tools]
        for name in names:
            owner = self.host.owner(name)
            if owner or names.count(name) > 1:
                who = f"the plugin {owner!r} declares it too" if owner else "two of them have it"
                raise ValueError(f"tool {name!r} of the harness's own: {who}; rename one")
        own.settle_tiers(self.terms.raise_tiers, functools.partial(self.problem, own.name, "tier"))
        self._own = own

    def _failed(self, plugin: Plugin, phase: Phase, error: BaseException) -> None:
        problem = self.problem(plugin.name, phase, told(error))
        if self.host.strict:
            raise PluginError(problem) from error
        if phase == "config":
            self.absent[plugin.name] = Absence(
                layer="configuration", reason=told(error), remedy="mend the configuration"
            )
        else:
            self.absent[plugin.name] = Absence(
                layer="resource", reason=told(error), remedy="see `toolpost doctor`; its author can mend it"
            )

    # ---- what the live ones have ----

    def tools(self) -> Iterator[Bound]:
        """Every tool of the run, whatever its tier: the harness's own, then the plugins' in composition order."""
        for binding in (*([self._own] if self._own else []), *self.live.values()):
            yield from binding.tools

    def wrappers(self) -> list[Wrapper]:
        """What wraps each write."""
        return [
            (each.name, wrap) for each in self.live.values() if (wrap := each.hook("toolpost_around_write")) is not None
        ]

    def tell(self, event: PendingEvent) -> None:
        """Tell the plugins what happened on the stack of pending actions."""
        for binding in list(self.live.values()):
            hook = binding.hook("toolpost_pending")
            try:
                if hook is not None:
                    hook(event=event)
            except FAILURES as error:
                self.problem(binding.name, "pending", told(error))

    def _listen(self) -> None:
        """Collect the gates and observers, so that a call finds them ready."""
        live = self.live.values()
        self.gates = [(each.name, gate) for each in live if (gate := each.hook("toolpost_gate"))]
        self.observers = [
            self._observer(each.name, observe) for each in live if (observe := each.hook("toolpost_called"))
        ]

    def _observer(self, name: str, observe: Callable[..., Any]) -> Observer:
        def observed(call: Call[Any], result: Result, seconds: float) -> None:
            try:
                observe(call=call, result=result, seconds=seconds)
            except FAILURES as error:
                self.problem(name, "called", told(error))

        return observed
