"""One plugin bound to one run: its handle, from the moment it is alive to the moment it is closed."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any

import attrs

from toolpost.handles import Owned, Unavailable
from toolpost.plugin import Plugin
from toolpost.problems import told
from toolpost.scope import Scope
from toolpost.tiers import Tier
from toolpost.tools import Tool

CLOSE = 5.0
"""Seconds that one handle may take to close."""


@attrs.define(eq=False)
class Binding:
    """A plugin in a run. `alive` is True exactly while its tools exist there."""

    plugin: Plugin
    scope: Scope
    config: Any = None
    handle: Any = None
    alive: bool = False
    lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _keeper: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _stop: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    @property
    def name(self) -> str:
        return self.plugin.name

    async def open(self) -> Unavailable | None:
        """Ask the resource hook for a handle; gives why there is none.

        A plugin without the hook (a policy, a logger) is alive with the handle None.

        Raises:
            Exception: what the hook, or entering its context manager, raised.
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
        self._stop.clear()
        self._keeper = asyncio.create_task(self._keep(manager, ready), name=f"toolpost:{self.name}")
        try:
            return await asyncio.shield(ready)
        except asyncio.CancelledError:
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
        if keeper.cancelled():
            return "its keeper was cancelled"
        error = keeper.exception()
        return told(error) if error else None

    def tier_of(self, tool: Tool[Any, Any], raised: Tier | None, problem: Callable[[str], None]) -> Tier:
        """The tool's tier in this run: its own, or what the harness or a plugin raised it to (core:tier-raise)."""
        tiers = [tool.tier, raised or tool.tier]
        hook = self.plugin.hooks.get("toolpost_tier")
        if hook is not None:
            try:
                answer = hook(run=self.scope, tool=tool)
                if answer is not None and not isinstance(answer, Tier):
                    raise TypeError(f"toolpost_tier gave {answer!r}, which is no Tier")
                tiers.append(answer or tool.tier)
            except Exception as error:
                problem(told(error))
                tiers.append(Tier.EXEC)
        return max(tiers)

    async def _keep(self, manager: AbstractAsyncContextManager[Any], ready: asyncio.Future[Unavailable | None]) -> None:
        # One task enters and leaves the manager, whoever opens and closes the run: cancel scopes insist on it.
        try:
            async with manager as handle:
                missing = self._settle(handle)
                ready.set_result(missing)
                if missing is None:
                    await self._stop.wait()
        except BaseException as error:
            if not ready.done():
                if isinstance(error, Exception):
                    ready.set_exception(error)
                    return
                ready.cancel()
            raise

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
