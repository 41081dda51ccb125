"""`lsp_rename`: a symbol gets another name in the whole project, or nothing happens (contracts §4, rename:*)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from toolpost import Call, Result, ToolError

from toolpost_lsp.navigation.target import locate
from toolpost_lsp.rename import names
from toolpost_lsp.rename.finding import Rename, find
from toolpost_lsp.rename.leftovers import Leftovers, leftovers
from toolpost_lsp.rename.preview import preview
from toolpost_lsp.rename.workspace_edit import Plan
from toolpost_lsp.words import clean, counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import LspRename
    from toolpost_lsp.supervisor import Supervisor

_FILES = 20


async def lsp_rename(params: LspRename, call: Call[Supervisor]) -> Result:
    """Rename, or stage it; every refusal leaves all files as they are."""
    new = params.new_name
    path = call.resolve_path(params.file)
    for server in (await call.handle.servers_for(path))[:1]:
        names.check(server.definition.language_of(path), new)
    target = await locate(call, params.file, params.line, params.symbol)
    if target.name == new:
        names.check_instead(None, target.name, new)
    rename = await find(target, new)
    if params.preview:
        return await _staged(call, rename, new)
    return await _applied(call, rename, new)


async def _applied(call: Call[Supervisor], rename: Rename, new: str) -> Result:
    if rename.plan.confirmations:
        wanted = "; ".join(rename.plan.confirmations)
        raise ToolError(f"the server wants this confirmed: {wanted}. Ask with preview: true; nothing is changed")
    left = await _left(call, rename)
    edited = await call.apply(rename.plan.changes, label=_label(rename, new))
    lines = [f"Renamed {rename.old} to {new}: {rename.plan.words} ({rename.server.definition.id})"]
    lines += [*_by_file(rename.plan), *_kept(rename), *left.lines()]
    return Result.of("\n".join(lines), data={**_data(rename, new, left), "undo_id": edited.undo_id})


async def _staged(call: Call[Supervisor], rename: Rename, new: str) -> Result:
    shown = preview(rename.plan)
    left = await _left(call, rename)
    edit_id = call.stage_edit(rename.plan.changes, label=_label(rename, new), details=shown)
    lines = [
        f"Staged {edit_id}: {rename.old} to {new}, {rename.plan.words} ({rename.server.definition.id}). "
        "Nothing is written until resolve accepts it.",
        shown,
        *(f"The server wants this confirmed: {each}" for each in rename.plan.confirmations),
        *_kept(rename),
        *left.lines(),
    ]
    return Result.of("\n".join(lines), data={**_data(rename, new, left), "edit_id": edit_id})


def _label(rename: Rename, new: str) -> str:
    return f"lsp_rename: {rename.old} to {new}"


def _by_file(planned: Plan) -> list[str]:
    edited = sorted((each for each in planned.files if each.replacements), key=lambda each: each.path)
    lines = [f"  {clean(each.path, 1000)}: {len(each.replacements)}" for each in edited[:_FILES]]
    return lines if len(edited) <= _FILES else [*lines, f"  … and {counted(len(edited) - _FILES, 'more file')}"]


def _kept(rename: Rename) -> list[str]:
    if not rename.coverage.known:
        return [f"{rename.server.definition.id} gives no references, so nothing says whether that is every use."]
    kept = rename.coverage.kept
    if not kept:
        return []
    keep = "keeps" if kept == 1 else "keep"
    return [f"{counted(kept, 'use')} {keep} the old name, which their file takes the new one in under."]


async def _left(call: Call[Supervisor], rename: Rename) -> Leftovers:
    definition = rename.server.definition
    return await asyncio.to_thread(
        leftovers,
        call.scope.files,
        [rename.old],
        ours=lambda name: definition.language_of(name) is not None,
        written={each.path: each.after for each in rename.plan.files},
    )


def _data(rename: Rename, new: str, left: Leftovers) -> dict[str, Any]:
    return {
        "old": rename.old,
        "new": new,
        "server": rename.server.definition.id,
        "edits": rename.plan.edits,
        "files": {each.path: len(each.replacements) for each in rename.plan.files},
        "references_known": rename.coverage.known,
        "kept": rename.coverage.kept,
        "leftovers": left.data(),
    }
