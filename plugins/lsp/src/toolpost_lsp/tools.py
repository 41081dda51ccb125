"""The four tools: which module answers which action. The modules are imported by their first call."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, Result, Tier, Tool, ToolError

from toolpost_lsp.arguments import Lsp, LspFix, LspMove, LspRename

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor

_SYMBOL = frozenset({"file", "line", "symbol"})


@attrs.frozen
class _Action:
    """Who answers an action: a function of a module of this package; `takes`: the arguments that mean something to it."""

    module: str
    takes: frozenset[str] = _SYMBOL

    @property
    def handler(self) -> Callable[[Any, Call[Supervisor]], Awaitable[Result | str]]:
        module, _, name = self.module.rpartition(".")
        found: Callable[[Any, Call[Supervisor]], Awaitable[Result | str]]
        found = getattr(importlib.import_module(f"toolpost_lsp.{module}"), name)
        return found


_ACTIONS = {
    "diagnostics": _Action("diagnostics.of_file.diagnostics", frozenset({"file"})),
    "definition": _Action("navigation.goto.definition"),
    "type_definition": _Action("navigation.goto.type_definition"),
    "implementation": _Action("navigation.goto.implementation"),
    "references": _Action("navigation.references.references"),
    "hover": _Action("navigation.hover.hover"),
    "symbols": _Action("navigation.symbols.symbols", frozenset({"file", "query"})),
    "code_actions": _Action("navigation.actions.code_actions"),
    "status": _Action("status.status", frozenset({"file"})),
    "reload": _Action("status.reload", frozenset({"file"})),
}
_CHECK = _Action("checkers.run.check", frozenset({"file"}))


async def lsp(params: Lsp, call: Call[Supervisor]) -> Result | str:
    action = _CHECK if params.action == "diagnostics" and params.file == "*" else _ACTIONS[params.action]
    given = [name for name in ("file", "line", "symbol", "query") if getattr(params, name) is not None]
    if wrong := [name for name in given if name not in action.takes]:
        takes = ", ".join(sorted(action.takes))
        raise ToolError(f"{params.action} takes {takes}; leave out {', '.join(wrong)}")
    if "line" in action.takes and params.file is None:
        raise ToolError(f"{params.action} needs file, line and symbol; file is missing")
    return await action.handler(params, call)


async def lsp_rename(params: LspRename, call: Call[Supervisor]) -> Result | str:
    return await _Action("rename.rename.lsp_rename").handler(params, call)


async def lsp_fix(params: LspFix, call: Call[Supervisor]) -> Result | str:
    return await _Action("navigation.actions.lsp_fix").handler(params, call)


async def lsp_move(params: LspMove, call: Call[Supervisor]) -> Result | str:
    return await _Action("rename.move.lsp_move").handler(params, call)


def tools() -> list[Tool[Any, Supervisor]]:
    """The declarations."""
    return [
        Tool(name="lsp", params=Lsp, handler=lsp, tier=Tier.READ),
        Tool(name="lsp_rename", params=LspRename, handler=lsp_rename, tier=Tier.WRITE, stages=True),
        Tool(name="lsp_fix", params=LspFix, handler=lsp_fix, tier=Tier.WRITE, stages=True),
        Tool(name="lsp_move", params=LspMove, handler=lsp_move, tier=Tier.WRITE, stages=True),
    ]
