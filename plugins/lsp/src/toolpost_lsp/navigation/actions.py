"""Quick fixes: their titles, and one of them staged (lsp:fix)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, Result, ToolError

from toolpost_lsp.diagnostics.of_file import listen
from toolpost_lsp.navigation.asking import SHORT, Answer, NotOffered, Unanswered, ask_with
from toolpost_lsp.navigation.target import Target, locate
from toolpost_lsp.protocol.structure import code_actions as read_actions
from toolpost_lsp.protocol.types import CodeAction, Diagnostic, Position, Range
from toolpost_lsp.rename.preview import preview
from toolpost_lsp.rename.workspace_edit import Plan, plan
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean, counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp, LspFix
    from toolpost_lsp.supervisor import Supervisor

_METHOD = "textDocument/codeAction"
_RESOLVE = "codeAction/resolve"
_KIND = "quickfix"
_MOST = 50
_TITLE = 200


@attrs.frozen(kw_only=True)
class Fix:
    """A quick fix that a server offers."""

    action: CodeAction
    server: Server

    @property
    def title(self) -> str:
        return clean(self.action.title, _TITLE)

    @property
    def name(self) -> str:
        """Its title and its server, as it is listed and may be asked for."""
        return f"{self.title} ({self.server.definition.id})"

    @property
    def refused(self) -> str | None:
        """Why it cannot be staged, as far as is known before it is asked for its edit."""
        if self.action.disabled is not None:
            return f"the server has disabled it: {clean(self.action.disabled, 200)}"
        if self.action.edit is None and self.action.command is not None and "data" not in self.action.raw:
            return "it is only a command of the server, which would change files on its own"
        return None


async def code_actions(params: Lsp, call: Call[Supervisor]) -> Result:
    target = await locate(call, params.file, params.line, params.symbol)
    fixes, troubles = await _fixes(target)
    lines = [
        f"{counted(len(fixes), 'quick fix')} at {target.name} ({target.path}:{target.line})",
        *_titles(fixes),
        *troubles,
    ]
    if fixes:
        lines.append("lsp_fix with one of these as title stages it.")
    data = {
        "name": target.name,
        "total": len(fixes),
        "fixes": [
            {
                "title": each.title,
                "server": each.server.definition.id,
                "kind": each.action.kind,
                "preferred": each.action.preferred,
                "refused": each.refused,
            }
            for each in fixes[:_MOST]
        ],
        "troubles": troubles,
    }
    return Result.of("\n".join(lines), data=data)


async def lsp_fix(params: LspFix, call: Call[Supervisor]) -> Result:
    target = await locate(call, params.file, params.line, params.symbol)
    fixes, troubles = await _fixes(target)
    wanted = params.title.strip()
    chosen = [each for each in fixes if wanted in (each.title, each.name, each.action.title.strip())]
    if not chosen:
        offered = "\n".join(["It offers:", *_titles(fixes)]) if fixes else "There is no quick fix at all."
        raise ToolError(
            "\n".join(
                [
                    f"no quick fix at {target.name} ({target.path}:{target.line}) has the title {wanted!r}. {offered}",
                    *troubles,
                ]
            ),
            data={"fixes": [each.title for each in fixes[:_MOST]]},
        )
    fix = chosen[0]
    planned = await _planned(target, fix)
    for other in chosen[1:]:
        if (await _planned(target, other)).changes != planned.changes:
            raise ToolError(
                f"{len(chosen)} different fixes have the title {wanted!r}; give the server too, as in {fix.name!r}, or a "
                "symbol that only one of them is about",
                data={"fixes": [each.name for each in chosen]},
            )
    label = f"lsp_fix: {fix.title} in {target.path}"
    shown = preview(planned)
    edit_id = call.stage_edit(planned.changes, label=label, details=shown)
    lines = [f"Staged {edit_id}: {fix.name}, {planned.words}. Nothing is written until resolve accepts it.", shown]
    lines += [f"The server wants this confirmed: {each}" for each in planned.confirmations]
    if fix.action.command is not None:
        lines.append("The server's command that goes with the fix is not run.")
    data = {
        "edit_id": edit_id,
        "title": fix.title,
        "server": fix.server.definition.id,
        "paths": [each.path for each in planned.files],
        "edits": planned.edits,
    }
    return Result.of("\n".join(lines), data=data)


def _titles(fixes: list[Fix]) -> list[str]:
    told = [
        f"  {each.name}{' [preferred]' if each.action.preferred else ''}{f' [not possible: {each.refused}]' if each.refused else ''}"
        for each in fixes[:_MOST]
    ]
    return told if len(fixes) <= _MOST else [*told, f"  … and {len(fixes) - _MOST} more"]


# ---- asking -----------------------------------------------------------------------------------------------------


async def _fixes(target: Target) -> tuple[list[Fix], list[str]]:
    """What all servers offer, type checkers first, and why some offered nothing.

    Raises:
        ToolError: no server offers fixes, or none answered.
    """
    answers = await asyncio.gather(*(_offered(target, each) for each in target.servers), return_exceptions=True)
    fixes: list[Fix] = []
    troubles: list[str] = []
    for answer in answers:
        if isinstance(answer, NotOffered):
            continue
        if isinstance(answer, Unanswered):
            troubles.append(str(answer))
        elif isinstance(answer, BaseException):
            raise answer
        else:
            fixes += answer
    if all(isinstance(answer, NotOffered) for answer in answers):
        names = ", ".join(each.definition.id for each in target.servers)
        raise ToolError(f"no server of {target.path} offers quick fixes (asked: {names})")
    if troubles and len(troubles) == sum(not isinstance(answer, NotOffered) for answer in answers):
        raise ToolError(f"quick fixes are not known: {'; '.join(troubles)}. Ask again, or see lsp status")
    return fixes, troubles


async def _offered(target: Target, server: Server) -> list[Fix]:
    """One server's fixes: for each of its diagnostics at the symbol, and for the symbol itself."""
    heard = await listen(target.call.handle, server, target.path, SHORT)
    server = heard.server
    row = target.line - 1
    name = Range(Position(row, target.at.start), Position(row, target.at.end))
    asked: list[tuple[Range, list[Diagnostic]]] = []
    if heard.document is not None and heard.verdict is not None:
        index, encoding = heard.document.index, server.encoding
        name = index.range(*index.offsets(name, "utf-32"), encoding)
        # Some servers look only at the range, and for a problem exactly there: each is asked for by its own range.
        asked = [(each.range, [each]) for each in _about(heard.verdict.items, name)]
    found: dict[tuple[str, str], Fix] = {}
    for span, problems in [*asked, (name, [])]:
        context = {"diagnostics": [dict(each.raw) for each in problems], "only": [_KIND], "triggerKind": 1}
        answer = await _ask_fixes(target, server, {"range": span.json(), "context": context})
        for action in read_actions(answer.raw).items:
            if action.kind == "" or action.kind == _KIND or action.kind.startswith(_KIND + "."):
                found.setdefault((action.title, str(action.raw)), Fix(action=action, server=answer.server))
    return list(found.values())


def _about(problems: tuple[Diagnostic, ...], name: Range) -> list[Diagnostic]:
    """The problems at a symbol; if there are none, those on its line."""
    at = [each for each in problems if each.range.start <= name.end and name.start <= each.range.end]
    row = name.start.line
    return at or [each for each in problems if each.range.start.line <= row <= each.range.end.line]


async def _ask_fixes(target: Target, server: Server, more: dict[str, Any]) -> Answer:
    async def params(server: Server) -> dict[str, Any]:
        asked = await target.params(server)
        return {"textDocument": asked["textDocument"], **more}

    return await ask_with(target.call, target.path, server, _METHOD, params)


# ---- making the edit --------------------------------------------------------------------------------------------


async def _planned(target: Target, fix: Fix) -> Plan:
    """What a fix would change.

    Raises:
        ToolError: it is no edit of files, or changes nothing.
    """
    if fix.refused is not None:
        raise ToolError(f"{fix.name} cannot be staged: {fix.refused}")
    edit = fix.action.edit
    if edit is None:
        edit = await _resolved(target, fix)
    if edit is None:
        why = "it is only a command of the server" if fix.action.command else "the server gives no edit for it"
        raise ToolError(f"{fix.name} cannot be staged: {why}")
    planned = await plan(target.call, (edit, fix.server))
    if not planned.changes:
        raise ToolError(f"{fix.name} changes nothing")
    return planned


async def _resolved(target: Target, fix: Fix) -> Any:
    """Ask for the edit that the server left out of its list; None if it has none."""
    if not fix.server.capabilities.has(_RESOLVE):
        return None

    async def params(_: Server) -> dict[str, Any]:
        return dict(fix.action.raw)

    answer = await ask_with(target.call, target.path, fix.server, _RESOLVE, params)
    items = read_actions(answer.raw).items
    return items[0].edit if items else None
