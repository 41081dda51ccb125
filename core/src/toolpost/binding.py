"""One plugin bound to one run: its handle, from the moment it is alive to the moment it is closed."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any

import attrs

from toolpost.handles import Owned, Unavailable
from toolpost.plugin import Plugin
from toolpost.problems import FAILURES, told
from toolpost.scope import Scope
from toolpost.tiers import Tier
from toolpost.tools import Tool
from toolpost.turns import Turn

CLOSE = 5.0
"""Seconds that one handle may take to close."""


@attrs.frozen(eq=False)
class Bound:
    """A tool in a run: the plugin it is bound to, and its tier there."""

    tool: Tool[Any, Any]
    binding: Binding
    tier: Tier


@attrs.define(eq=False)
class Binding:
    """A plugin in a run. `alive` is True exactly while its tools exist there."""

    plugin: Plugin
    scope: Scope
    config: Any = None
    handle: Any = None
    alive: bool = False
    tools: tuple[Bound, ...] = ()
    turn: Turn = attrs.field(factory=Turn, init=False)
    _keeper: asyncio.Task[str | None] | None = attrs.field(default=None, init=False)
    _stop: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    @property
    def name(self) -> str:
        return self.plugin.name

    def hook(self, name: str) -> Callable[..., Any] | None:
        """The plugin's implementation of a hook that takes its handle, with run and handle filled in."""
        hook = self.plugin.hooks.get(name)
        return functools.partial(hook, run=self.scope, handle=self.handle) if hook else None

    async def open(self) -> Unavailable | None:
        """Ask the resource hook for a handle; gives why there is none.

        A plugin without the hook (a policy, a logger) is alive with the handle None.

        Raises:
            Exception, SystemExit: what the hook, or entering its context manager, raised.
        """
        hook = self.plugin.hooks.get("toolpost_resource")
        if hook is None:
            self.alive = True
            return None
        given = hook(run=self.scope, config=self.config)
        manager = _manager(given, self.name)
        if manager is None:
            return self._settle(given)
        ready: asyncio.Future[Unavailable | None] = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(manager, ready), name=f"toolpost:{self.name}")
        try:
            return await ready
        except asyncio.CancelledError:
            self._keeper.cancel()
            await self.close()
            raise

    async def close(self, seconds: float = CLOSE) -> str | None:
        """Close the handle; gives what went wrong, if anything did."""
        self.alive = False
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return None
        self._stop.set()
        _, late = await asyncio.wait([keeper], timeout=seconds)
        if late:
            keeper.cancel()
            await asyncio.wait([keeper], timeout=1.0)
            return f"closing took more than {seconds:g} s and was cancelled"
        return "it was cancelled while it was open" if keeper.cancelled() else keeper.result()

    def settle_tiers(self, raised: Mapping[str, Tier], problem: Callable[[str], object]) -> None:
        """Settle the tools' tiers in this run: their own, or what the harness or the plugin raised them to."""
        self.tools = tuple(Bound(tool, self, self._tier_of(tool, raised, problem)) for tool in self.plugin.tools)

    def _tier_of(self, tool: Tool[Any, Any], raised: Mapping[str, Tier], problem: Callable[[str], object]) -> Tier:
        tier = tool.tier
        if tool.name in raised:
            tier = max(tier, raised[tool.name])
        hook = self.plugin.hooks.get("toolpost_tier")
        if hook is not None:
            try:
                answer = hook(run=self.scope, tool=tool)
                if answer is not None and not isinstance(answer, Tier):
                    raise TypeError(f"toolpost_tier gave {answer!r}, which is no Tier")
                tier = max(tier, answer or tier)
            except FAILURES as error:
                problem(told(error))
                tier = Tier.EXEC
        return tier

    async def _keep(
        self, manager: AbstractAsyncContextManager[Any], ready: asyncio.Future[Unavailable | None]
    ) -> str | None:
        """Enter and leave the manager in one task, whoever opens and closes the run: cancel scopes insist on it."""
        missing = None
        try:
            async with manager as handle:
                missing = self._settle(handle)
                if missing is None:
                    if not ready.done():  # done already: whoever opens was cancelled, and so is this task
                        ready.set_result(None)
                    await self._stop.wait()
        except FAILURES as error:
            if ready.done():
                return told(error)
            ready.set_exception(error)
        finally:
            self.alive = False
            if not ready.done():
                ready.set_result(missing or Unavailable("opening it was cancelled"))
        return None

    def _settle(self, handle: Any) -> Unavailable | None:
        if handle is None:
            return Unavailable("its resource is not connected")
        if isinstance(handle, Unavailable):
            return handle
        self.handle, self.alive = handle, True
        return None


def _manager(given: Any, name: str) -> AbstractAsyncContextManager[Any] | None:
    """The context manager that a resource hook's answer stands for, if it is one to be entered."""
    if isinstance(given, Owned):
        return given.manager
    kind = type(given).__name__
    if kind == "_AsyncGeneratorContextManager":
        manager: AbstractAsyncContextManager[Any] = given
        return manager
    if inspect.iscoroutine(given):
        given.close()
    elif not (inspect.isasyncgen(given) or inspect.isgenerator(given) or _is_sync_manager(given)):
        return None
    raise TypeError(
        f"toolpost_resource of {name!r} gave a {kind}; decorate it with @contextlib.asynccontextmanager, "
        "return the handle itself, or wrap a context manager in toolpost.Owned"
    )


def _is_sync_manager(given: Any) -> bool:
    return isinstance(given, AbstractContextManager) and type(given).__name__ == "_GeneratorContextManager"
