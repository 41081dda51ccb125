"""`lsp_move`: a file or folder goes elsewhere, with the imports of it; staged (lsp:move).

The servers are asked before anything moves (`workspace/willRenameFiles`), so their edits are of the texts as they are;
the move itself comes behind them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, Result, ToolError

from toolpost_lsp.detection.samples import samples
from toolpost_lsp.navigation.asking import LONG, NotOffered, Unanswered, ask_with, doing
from toolpost_lsp.protocol.errors import ConnectionLost
from toolpost_lsp.protocol.uris import uri_of
from toolpost_lsp.rename.leftovers import Leftovers, leftovers
from toolpost_lsp.rename.preview import preview
from toolpost_lsp.rename.workspace_edit import Plan, plan
from toolpost_lsp.server.errors import Unavailable, Unreadable
from toolpost_lsp.server.server import Server
from toolpost_lsp.server.watching import compiled
from toolpost_lsp.words import listed

if TYPE_CHECKING:
    from toolpost_lsp.arguments import LspMove
    from toolpost_lsp.supervisor import Supervisor

_METHOD = "workspace/willRenameFiles"
_SHORTEST = 3
"""Letters of a file's name from which on its mentions alone are worth a look."""
_NOT_OURS = frozenset({".git", ".hg", ".jj", ".svn"})


@attrs.frozen(kw_only=True)
class Move:
    """What goes where.

    Attributes:
        old: as people see it; `old_path` is absolute.
        folder: whether it is one.
    """

    old: str
    new: str
    old_path: str
    new_path: str
    folder: bool

    @property
    def step(self) -> dict[str, Any]:
        """As a workspace edit of its own."""
        operation = {"kind": "rename", "oldUri": uri_of(self.old_path), "newUri": uri_of(self.new_path)}
        return {"documentChanges": [operation]}


@attrs.frozen(kw_only=True)
class Asked:
    """What a server wants changed for a move; `unable`: it cannot tell, which leaves imports as they are."""

    server: Server
    edit: Any = None
    unable: bool = False


async def lsp_move(params: LspMove, call: Call[Supervisor]) -> Result:
    move = await asyncio.to_thread(_checked, call, params.path, params.new_path)
    servers, unserved = await _servers(call, move)
    asked = await asyncio.gather(*(_ask(call, move, path, each) for path, each in servers))
    planned = await plan(call, *((each.edit, each.server) for each in asked if each.edit), behind=move.step)
    if not planned.changes:
        raise ToolError(f"{move.old} holds no files, so there is nothing to move")
    shown = preview(planned)
    left = await _left(call, move, planned, asked)
    edit_id = call.stage_edit(planned.changes, label=f"lsp_move: {move.old} to {move.new}", details=shown)
    edited, unable = _by(asked), [each.server.definition.id for each in asked if each.unable]
    imports = f" with {planned.edited} by {', '.join(edited)}" if edited and planned.edits else ""
    lines = [
        f"Staged {edit_id}: {move.old} to {move.new}{imports}. Nothing is written until resolve accepts it.",
        shown,
        *(f"The server wants this confirmed: {each}" for each in planned.confirmations),
    ]
    if unable:
        lines.append(f"Imports are not updated by {listed(unable)}, which cannot tell what a move changes.")
    if unserved is not None:
        lines.append(f"Imports are not updated: {call.handle.unavailable(unserved)}")
    if left.counts:
        lines += left.lines()
    data = {
        "edit_id": edit_id,
        "path": move.old,
        "new_path": move.new,
        "edits": planned.edits,
        "paths": [each.path for each in planned.files],
        "servers": edited,
        "unable": unable,
        "leftovers": left.data(),
    }
    return Result.of("\n".join(lines), data=data)


def _by(asked: Iterable[Asked]) -> list[str]:
    return [each.server.definition.id for each in asked if each.edit]


# ---- what is to be moved ----


def _checked(call: Call[Supervisor], path: str, new_path: str) -> Move:
    """The move, if it can be made.

    Raises:
        ToolError: why it cannot; the text says what to give instead.
    """
    files = call.scope.files
    old, new = call.resolve_path(path), call.resolve_path(new_path)
    source, target = files.resolve(path, missing_ok=True), files.resolve(new_path, missing_ok=True)
    if not source.parts:
        raise ToolError("the workspace itself cannot be moved")
    if not target.parts:
        raise ToolError(f"give new_path: where {old} goes, with its new name")
    for place in (source, target):
        if not _NOT_OURS.isdisjoint(place.parts):
            raise ToolError(f"{place.shown} belongs to version control, and is moved with its own tools")
    old_path, new_path = os.path.join(source.root, *source.parts), os.path.join(target.root, *target.parts)
    if not os.path.lexists(old_path):
        raise ToolError(f"{old} is not there; give the path of a file or folder, relative to the workspace")
    if old_path == new_path:
        raise ToolError(f"{old} has that name already")
    if f"{new_path}/".startswith(f"{old_path}/"):
        raise ToolError(f"{old} cannot be moved into itself")
    if os.path.lexists(new_path):
        name = os.path.basename(old_path)
        instead = f"; to move it into that folder, give {new}/{name}" if os.path.isdir(new_path) else ""
        raise ToolError(f"{new} is there already; nothing is moved over it{instead}")
    if unsayable := next((each for each in (old_path, new_path) if not _sayable(each)), None):
        raise ToolError(
            f"{os.path.basename(unsayable)!a} is no name in UTF-8, so no server can be told of it; move it by other means"
        )
    return Move(old=old, new=new, old_path=old_path, new_path=new_path, folder=os.path.isdir(old_path))


def _sayable(path: str) -> bool:
    """Whether a path, and all below it, can be written as a URI."""
    try:
        uri_of(path)
        for folder, folders, names in os.walk(path):
            for name in (*folders, *names):
                uri_of(os.path.join(folder, name))
    except ValueError:
        return False
    return True


async def _servers(call: Call[Supervisor], move: Move) -> tuple[list[tuple[str, Server]], str | None]:
    """The servers of what is moved, each with a file that it can be shown; and a file that should have one and has none."""
    supervisor = call.handle
    if move.folder:
        found = await asyncio.to_thread(samples, move.old_path, supervisor.registry)
        paths = [f"{move.old}/{each}" for each in found]
    else:
        paths = [move.old]
    servers: dict[Server, str] = {}
    unserved = None
    for path in paths:
        found_for = await supervisor.servers_for(path, role="types")
        if not found_for and any(
            each.role == "types" and not each.own_text for each in supervisor.registry.takers(path)
        ):
            unserved = unserved or path
        for server in found_for:
            servers.setdefault(server, path)
    return [(path, server) for server, path in servers.items()], unserved


# ---- what the servers want changed ----


async def _ask(call: Call[Supervisor], move: Move, path: str, server: Server) -> Asked:
    """What one server wants changed.

    Raises:
        ToolError: it is not ready, or does not answer: imports might be left behind.
    """
    nothing = "nothing is staged"
    try:
        await server.documents.open(path)
        doubt = await server.ready(LONG)
    except Unreadable:
        doubt = None  # a file that no server can be shown is moved none the less
    except (Unavailable, ConnectionLost) as error:
        raise ToolError(f"{error}; {nothing}. See lsp status") from error
    if doubt is not None:
        raise ToolError(f"{doing(server, doubt)}, and imports might be left behind; {nothing}. Ask again later")
    if not server.capabilities.has(_METHOD):
        return Asked(server=server, unable=not server.definition.own_text)
    files = await asyncio.to_thread(_files, server.capabilities.all_options(_METHOD), move)
    if not files:
        return Asked(server=server)

    async def params(_: Server) -> dict[str, Any]:
        return {"files": [{"oldUri": uri_of(old), "newUri": uri_of(new)} for old, new in files]}

    try:
        answer = await ask_with(call, path, server, _METHOD, params, timeout=LONG)
    except NotOffered:
        return Asked(server=server, unable=True)
    except Unanswered as error:
        raise ToolError(f"{error}; {nothing}") from error
    return Asked(server=answer.server, edit=answer.raw)


def _files(offers: Iterable[Mapping[str, Any]], move: Move) -> list[tuple[str, str]]:
    """What a server asked to hear of: old and new paths. A folder counts as such, or as the files in it."""
    filters = [each for options in offers for each in _filters(options)]
    if any(_matches(each, move.old_path, folder=move.folder) for each in filters):
        return [(move.old_path, move.new_path)]
    if not move.folder:
        return []
    found = []
    for folder, _, names in os.walk(move.old_path):
        for name in sorted(names):
            old = os.path.join(folder, name)
            if any(_matches(each, old, folder=False) for each in filters):
                found.append((old, move.new_path + old[len(move.old_path) :]))
    return found


def _filters(options: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The filters of one offer; without any, it is for everything."""
    filters = options.get("filters")
    if not isinstance(filters, list):
        return [{"pattern": {"glob": "**/*"}}]
    return [each for each in filters if isinstance(each, Mapping)]


def _matches(one: Mapping[str, Any], path: str, *, folder: bool) -> bool:
    pattern = one.get("pattern")
    if one.get("scheme") not in (None, "file") or not isinstance(pattern, Mapping):
        return False
    glob, kind = pattern.get("glob"), pattern.get("matches")
    if kind == ("file" if folder else "folder") or not isinstance(glob, str):
        return False
    return compiled(glob.rstrip("/")).fullmatch(path) is not None


# ---- what is left ----


async def _left(call: Call[Supervisor], move: Move, planned: Plan, asked: Iterable[Asked]) -> Leftovers:
    """Where the old path is still written: as a path, as a dotted name; where nobody updates imports, by its stem too."""
    stem = os.path.splitext(move.old)[0]
    names = [move.old, stem if "/" in stem else "", stem.replace("/", ".") if "/" in stem else ""]
    if any(each.unable for each in asked) or not _by(asked):
        name = os.path.basename(stem)
        names.append(name if len(name) >= _SHORTEST else "")
    moved = {each.moved_from for each in planned.files if each.moved_from}
    written = {each.path: each.after for each in planned.files if each.path not in moved} | dict.fromkeys(moved)
    return await asyncio.to_thread(
        leftovers,
        call.scope.files,
        names,
        ours=lambda name: bool(call.handle.registry.takers(name)),
        written=written,
    )
