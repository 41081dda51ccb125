"""toolpost: the tools of a coding agent that are bound to a live resource of one run.

A plugin is one module, named by one entry point of the group `toolpost`:

    from contextlib import asynccontextmanager
    from typing import Annotated
    import attrs
    from toolpost import Call, Result, Tier, Tool, hookimpl

    @attrs.frozen(kw_only=True)
    class Query:
        "Run one SELECT on the run's database."
        sql: Annotated[str, "One SELECT statement."]

    async def query(params: Query, call: Call) -> Result:
        rows = await call.handle.fetch(params.sql)
        return Result.of(f"{len(rows)} rows", data={"rows": rows})

    @hookimpl
    def toolpost_tools():
        return [Tool(name="sql", params=Query, handler=query, tier=Tier.READ)]

    @hookimpl
    @asynccontextmanager
    async def toolpost_resource(run):
        database = run.port(Database)
        yield database and await database.connect()      # None: no database, no tool

A harness composes the plugins that it names, opens a run, and calls through a surface:

    host = Host(["sql", "files"])
    async with host.open("path/to/checkout", approver=ask_me) as run:
        surface = run.surface(Tier.READ)
        result = await surface.call("sql", {"sql": "select 1"})

Every public name is importable from here; importing this package loads nothing but tiers and tools.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from toolpost.tiers import Tier
from toolpost.tools import Failure, Image, Note, Result, Subject, Text, Tool, ToolError

if TYPE_CHECKING:
    from toolpost.approval import Allow, ApprovalPending, Approver, Defer, Deny, allow_all
    from toolpost.call import Call
    from toolpost.clock import Clock, SystemClock
    from toolpost.config import lowerable
    from toolpost.discovery import Extension, extensions
    from toolpost.edits import Edited, StaleEdit
    from toolpost.explain import Absence
    from toolpost.handles import Owned, Status, Unavailable
    from toolpost.hookspecs import hookimpl
    from toolpost.host import Host
    from toolpost.params import InvalidArguments
    from toolpost.pending import Pending, PendingAction, PendingActions, PendingEvent
    from toolpost.problems import PluginError, Problem
    from toolpost.run import Run
    from toolpost.scope import Scope, Trust
    from toolpost.surface import Advice, Surface
    from toolpost.workspace import Change, Confinement, Digest, OutsideError, digest
    from toolpost.writes import Write

_HOMES = {
    "approval": ("Allow", "ApprovalPending", "Approver", "Defer", "Deny", "allow_all"),
    "call": ("Call",),
    "clock": ("Clock", "SystemClock"),
    "config": ("lowerable",),
    "discovery": ("Extension", "extensions"),
    "edits": ("Edited", "StaleEdit"),
    "explain": ("Absence",),
    "handles": ("Owned", "Status", "Unavailable"),
    "hookspecs": ("hookimpl",),
    "host": ("Host",),
    "params": ("InvalidArguments",),
    "pending": ("Pending", "PendingAction", "PendingActions", "PendingEvent"),
    "problems": ("PluginError", "Problem"),
    "run": ("Run",),
    "scope": ("Scope", "Trust"),
    "surface": ("Advice", "Surface"),
    "workspace": ("Change", "Confinement", "Digest", "OutsideError", "digest"),
    "writes": ("Write",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Absence",
    "Advice",
    "Allow",
    "ApprovalPending",
    "Approver",
    "Call",
    "Change",
    "Clock",
    "Confinement",
    "Defer",
    "Deny",
    "Digest",
    "Edited",
    "Extension",
    "Failure",
    "Host",
    "Image",
    "InvalidArguments",
    "Note",
    "OutsideError",
    "Owned",
    "Pending",
    "PendingAction",
    "PendingActions",
    "PendingEvent",
    "PluginError",
    "Problem",
    "Result",
    "Run",
    "Scope",
    "StaleEdit",
    "Status",
    "Subject",
    "Surface",
    "SystemClock",
    "Text",
    "Tier",
    "Tool",
    "ToolError",
    "Trust",
    "Unavailable",
    "Write",
    "allow_all",
    "digest",
    "extensions",
    "hookimpl",
    "lowerable",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'toolpost' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"toolpost.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
