"""The hooks a plugin may implement, in the order of a run's life.

A plugin is a module (or any object) that an entry point of the group `toolpost` names. Hooks are synchronous and
*return objects*; everything asynchronous lives on those objects. The host calls each plugin's implementation by
itself, in composition order, inside its own `try`: a broken plugin costs nobody else anything. An implementation may
take fewer arguments than the specification; all hooks are optional.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from toolpost.approval import Deny
    from toolpost.call import Call
    from toolpost.handles import Owned, Status, Unavailable
    from toolpost.pending import PendingEvent
    from toolpost.scope import Scope
    from toolpost.tiers import Tier
    from toolpost.tools import Result, Tool
    from toolpost.writes import Write

hookspec = pluggy.HookspecMarker("toolpost")
hookimpl = pluggy.HookimplMarker("toolpost")

# ---- when the host is composed ------------------------------------------------------------------------------------


@hookspec
def toolpost_tools() -> Iterable[Tool[Any, Any]]:  # type: ignore[empty-body]
    """Declare the tools, once per host and without a handle: a host explains them also where they are absent."""


@hookspec
def toolpost_config() -> type:  # type: ignore[empty-body]
    """The attrs class of this plugin's section of the configuration; every field needs a default."""


# ---- when a run opens ---------------------------------------------------------------------------------------------


@hookspec
def toolpost_resource(
    run: Scope, config: Any
) -> AbstractAsyncContextManager[Any] | Owned[Any] | Unavailable | Any | None:
    """Bind this plugin to one run: hand over the live handle on which its tools act.

    None or `Unavailable(reason, remedy)` means that its tools do not exist in this run. A function decorated with
    `@asynccontextmanager` owns its handle's lifetime: it is left, in the same task, when the run closes; it may also
    yield `Unavailable`. Start no process here: servers, adapters and interpreters start at the first call.

    Args:
        run: what the plugin gets of the run.
        config: this plugin's section, an instance of what `toolpost_config` gave, or None.
    """


@hookspec
def toolpost_tier(run: Scope, tool: Tool[Any, Any]) -> Tier | None:
    """Raise a tool's tier for this run. A lower tier is ignored; an exception makes it `exec`."""


# ---- at each call -------------------------------------------------------------------------------------------------


@hookspec
def toolpost_gate(run: Scope, handle: Any, call: Call[Any]) -> Deny | Awaitable[Deny | None] | None:
    """Refuse a call. Gates only tighten: None lets it pass; anything else, or an exception, refuses (core:gate)."""


@hookspec
def toolpost_around_write(run: Scope, handle: Any, write: Write) -> AbstractAsyncContextManager[None] | None:
    """Wrap a write: entered before files change, left after. `write.note("…")` adds a line to the tool's result.

    Each plugin's manager runs in a task of its own, all at once: 0.3 s for the first halves, 5 s for the second. It
    sees the write's own exception and can neither swallow nor replace it. Use `try … finally` around the `yield`.
    """


@hookspec
def toolpost_pending(run: Scope, handle: Any, event: PendingEvent) -> None:
    """An action was pushed, accepted, discarded, undone, failed or evicted: for previews and logs."""


@hookspec
def toolpost_called(run: Scope, handle: Any, call: Call[Any], result: Result, seconds: float) -> None:
    """Observe a finished call (log, metrics, traces)."""


# ---- when a person asks -------------------------------------------------------------------------------------------


@hookspec
def toolpost_status(run: Scope, handle: Any) -> Status | None:
    """What `doctor` and `explain` print of this plugin."""
