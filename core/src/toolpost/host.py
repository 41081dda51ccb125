"""The host: composes plugins, and keeps what went wrong with them (contracts core:isolation, core:conflict)."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolpost import discovery
from toolpost.plugin import RESOLVE, Manager, Plugin, declared_config, declared_tools
from toolpost.problems import FAILURES, Phase, PluginError, Problem, told, warn
from toolpost.tiers import Tier
from toolpost.tools import Tool

if TYPE_CHECKING:
    from toolpost.approval import Approver
    from toolpost.clock import Clock
    from toolpost.run import Run
    from toolpost.scope import Trust
    from toolpost.terms import Dispatch

_RESOLVE_MODULE = "toolpost.builtin.resolve"


class Host:
    """A composition of plugins, from which runs are opened. An object, never a module global.

    Args:
        plugins: names of installed plugins, `"distribution:name"` where two share a name, module objects, or
            `(name, object)` pairs. Their order is the composition order. `resolve` comes by itself, last, when a
            tool stages actions.
        require: plugins without which nothing works for this harness: one that does not load stops the host, one
            that does not bind stops the run from opening (core:gate).
        strict: raise on any plugin's failure instead of keeping it in `problems`.

    Attributes:
        plugins: what loaded, in composition order.
        problems: what did not, and why.
    """

    def __init__(
        self,
        plugins: Iterable[str | object | tuple[str, object]] = (),
        *,
        require: Sequence[str] = (),
        strict: bool = False,
    ) -> None:
        self.require = frozenset(require)
        self.strict = strict
        self.problems: list[Problem] = []
        self._manager = Manager()
        self._plugins: list[Plugin] = []
        self._owners: dict[str, str] = {}
        self._conversations: set[str | None] = set()
        for entry in plugins:
            self._compose(entry)
        if any(tool.stages for plugin in self._plugins for tool in plugin.tools):
            self.compose_resolve()
        missing = self.require - {plugin.name for plugin in self._plugins}
        if missing:
            known = {problem.plugin: problem for problem in self.problems}
            name = min(missing)
            raise PluginError(
                known.get(name) or Problem(plugin=name, phase="find", error="it is required and not composed")
            )

    @classmethod
    def installed(cls, *, without: Iterable[str] = (), strict: bool = False) -> Host:
        """Every installed plugin, in alphabetic order."""
        left_out = set(without)
        return cls(
            [name for name in dict.fromkeys(each.name for each in discovery.installed()) if name not in left_out],
            strict=strict,
        )

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        return tuple(self._plugins)

    def owner(self, tool: str) -> str | None:
        """The composed plugin that declares that tool."""
        return self._owners.get(tool)

    def open(
        self,
        workspace: str | os.PathLike[str],
        *,
        roots: Sequence[str | os.PathLike[str]] = (),
        conversation: str | None = None,
        target: Any = None,
        ports: Mapping[type, Any] | None = None,
        config: Mapping[str, Any] | None = None,
        approver: Approver | None = None,
        tools: Iterable[Tool[Any, Any]] = (),
        dispatch: Dispatch | None = None,
        sandbox: Any = None,
        trust: Trust = "none",
        clock: Clock | None = None,
        held: Iterable[str] = ("vibe",),
        raise_tiers: Mapping[str, Tier] | None = None,
    ) -> Run:
        """A run on *workspace*, to be used as an async context manager. Starts no process and opens no port.

        Args:
            workspace: the checkout.
            roots: further directories that paths may name.
            conversation: whose run this is; a second run with a live run's id is refused.
            target: the space in which cards are shown.
            ports: what the harness connects, by type.
            config: a section per plugin: a mapping or an instance of its configuration class.
            approver: answers for write and exec calls; without one they are refused.
            tools: the harness's own tools.
            dispatch: the harness's own registry, for inner calls of names that the surface lacks.
            sandbox: the conversation's sandbox.
            trust: how far the checkout's own code is trusted.
            clock: the time; the system's by default.
            held: plugins that open later, by `run.bind`.
            raise_tiers: higher tiers for some tools; nothing can lower one.
        """
        from toolpost.clock import SystemClock
        from toolpost.run import Run
        from toolpost.terms import Terms

        own = tuple(tools)
        if any(tool.stages for tool in own):
            self.compose_resolve()
        terms = Terms(
            workspace=workspace,
            roots=tuple(roots),
            conversation=conversation,
            target=target,
            ports=ports or {},
            config=config or {},
            approver=approver,
            tools=own,
            dispatch=dispatch,
            sandbox=sandbox,
            trust=trust,
            clock=clock or SystemClock(),
            held=frozenset(held),
            raise_tiers=raise_tiers or {},
        )
        return Run(self, terms)

    def compose_resolve(self) -> None:
        """Compose `resolve`, if it is not yet: some tool stages actions that somebody must be able to finish."""
        if all(plugin.name != RESOLVE for plugin in self._plugins):
            self._load(
                discovery.Found(name=RESOLVE, value=_RESOLVE_MODULE, distribution="toolpost"),
                lambda: importlib.import_module(_RESOLVE_MODULE),
            )

    def claim(self, conversation: str | None) -> None:
        """One run is one conversation (core:run-bound)."""
        if conversation is not None and conversation in self._conversations:
            raise ValueError(f"conversation {conversation!r} has a live run already; close that one first")
        self._conversations.add(conversation)

    def disclaim(self, conversation: str | None) -> None:
        self._conversations.discard(conversation)

    # ---- composing ----

    def _compose(self, entry: str | object | tuple[str, object]) -> None:
        if isinstance(entry, str):
            found = self._find(entry)
            if found is not None:
                self._load(found, found.load)
        elif isinstance(entry, tuple):
            name, plugin = entry
            self._load(discovery.Found(name=name, value=name), lambda: plugin)
        else:
            self._load(_found_for(entry), lambda: entry)

    def _find(self, name: str) -> discovery.Found | None:
        distribution, _, short = name.rpartition(":")
        everything = discovery.installed()
        found = [each for each in everything if each.name == short and distribution in ("", each.distribution)]
        if len(found) == 1:
            return found[0]
        if found:
            owners = " and ".join(f"{each.distribution} {each.version}" for each in found)
            choice = " or ".join(repr(each.qualified) for each in found)
            self._problem(
                discovery.Found(name=short, value=""),
                "conflict",
                f"{owners} both install a plugin of this name",
                f"name {choice}",
            )
        else:
            known = ", ".join(sorted({each.name for each in everything})) or "none"
            self._problem(
                discovery.Found(name=name, value=""),
                "find",
                "no such plugin is installed",
                f"install it; installed are: {known}",
            )
        return None

    def _load(self, found: discovery.Found, load: Any) -> None:
        phase: Phase = "import"
        hooks = {}
        try:
            if any(plugin.name == found.name for plugin in self._plugins):
                phase = "conflict"
                raise ValueError("this host has a plugin of this name already")
            module = load()
            phase = "hooks"
            hooks = self._manager.hooks_of(module, found.name)
            phase = "config"
            config = declared_config(hooks)
            phase = "tools"
            tools = declared_tools(hooks)
        except FAILURES as error:
            self._forget(found.name)
            self._problem(found, phase, told(error), cause=error)
            return
        for tool in tools:
            owner = self._owners.get(tool.name)
            if owner is not None:
                self._forget(found.name)
                mine = next(plugin for plugin in self._plugins if plugin.name == owner)
                self._problem(
                    found,
                    "conflict",
                    f"tool {tool.name!r} is declared by plugin {owner!r} ({mine.distribution or 'given as an object'}) already",
                    f"compose one of {owner!r} and {found.name!r}",
                )
                return
        self._owners |= dict.fromkeys((tool.name for tool in tools), found.name)
        self._plugins.append(
            Plugin(
                name=found.name,
                hooks=hooks,
                tools=tools,
                config=config,
                distribution=found.distribution,
                version=found.version,
            )
        )

    def _forget(self, name: str) -> None:
        if self._manager.has_plugin(name) and all(plugin.name != name for plugin in self._plugins):
            self._manager.unregister(name=name)

    def _problem(
        self, found: discovery.Found, phase: Phase, error: str, remedy: str = "", cause: BaseException | None = None
    ) -> None:
        problem = Problem(
            plugin=found.name,
            phase=phase,
            error=error,
            distribution=found.distribution,
            version=found.version,
            remedy=remedy,
        )
        self.problems.append(problem)
        warn(problem, cause)
        if self.strict:
            raise PluginError(problem) from cause


def _found_for(plugin: object) -> discovery.Found:
    """The name of a plugin given as an object: its module's, or the package's where that is just `plugin`."""
    name = getattr(plugin, "__name__", type(plugin).__name__)
    parts = name.split(".")
    short = parts[-2] if parts[-1] == "plugin" and len(parts) > 1 else parts[-1]
    return discovery.Found(name=short, value=name)
