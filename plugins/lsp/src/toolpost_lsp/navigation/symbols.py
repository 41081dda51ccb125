"""Symbols: a search of the whole workspace, or a document's outline."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, OutsideError, Result, ToolError

from toolpost_lsp.navigation.asking import LONG, SHORT, doing
from toolpost_lsp.navigation.kinds import kind_name
from toolpost_lsp.navigation.outline import outline
from toolpost_lsp.navigation.places import Spot, spots
from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError
from toolpost_lsp.protocol.structure import symbols as read_symbols
from toolpost_lsp.protocol.types import SymbolInformation
from toolpost_lsp.server.errors import Unavailable, Unreadable
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean, counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_MOST = 100
_METHOD = "workspace/symbol"
_TRIED = 5
_LOOKED = 500
"""Folders that are looked through for a file to show a server that has seen none."""


async def symbols(params: Lsp, call: Call[Supervisor]) -> Result:
    if params.query is not None and params.file is not None:
        raise ToolError("give query (the whole workspace) or file (one document's outline), not both")
    if params.file is not None:
        return await outline(params.file, call)
    if not params.query or not params.query.strip():
        raise ToolError("give query (a part of a symbol's name, for the whole workspace) or file (for its outline)")
    return await _search(params.query.strip(), call)


@attrs.frozen(kw_only=True)
class _Found:
    """A symbol, where it is, and which server told of it."""

    symbol: SymbolInformation
    spot: Spot
    server: str

    @property
    def words(self) -> str:
        inside = f" in {clean(self.symbol.container, 100)}" if self.symbol.container else ""
        outside = "" if self.spot.inside else " (outside the workspace)"
        where = f"{clean(self.spot.path, 1000)}:{self.spot.line}"
        return f"{where}  {kind_name(self.symbol.kind)} {clean(self.symbol.name, 200)}{inside}{outside}"

    def data(self) -> dict[str, Any]:
        return {
            "name": self.symbol.name,
            "kind": kind_name(self.symbol.kind),
            "container": self.symbol.container,
            "server": self.server,
            **self.spot.data(),
        }


@attrs.frozen(kw_only=True)
class _Said:
    """One server's answer to a search; `problem`: why there is none, or why there may be more."""

    server: Server
    offered: bool = True
    found: tuple[_Found, ...] = ()
    problem: str | None = None


async def _search(query: str, call: Call[Supervisor]) -> Result:
    servers = await call.handle.servers_for_workspace()
    if not servers:
        raise call.handle.unavailable(".")
    sources = Sources(call.scope.files)
    said = [
        each for each in await asyncio.gather(*(_ask(call, each, query, sources) for each in servers)) if each.offered
    ]
    if not said:
        names = ", ".join(each.definition.id for each in servers)
        raise ToolError(f"no running server searches for symbols (asked: {names}); give file for an outline")
    problems = [each.problem for each in said if each.problem]
    merged = {(each.symbol.name, each.spot.path, each.spot.line): each for answer in said for each in answer.found}
    found = sorted(merged.values(), key=lambda each: _rank(each, query))
    if not found and problems:
        raise ToolError(f"symbols like {query!r} are not known: {'; '.join(problems)}. Ask again, or see lsp status")
    names = ", ".join(each.server.definition.id for each in said)
    lines = [f"{counted(len(found), 'symbol')} like {query!r} ({names})", *(each.words for each in found[:_MOST])]
    if len(found) > _MOST:
        lines.append(f"… and {counted(len(found) - _MOST, 'more symbol')}; give more of the name")
    lines += [f"There may be more: {problem}" for problem in problems]
    data = {
        "query": query,
        "total": len(found),
        "ready": not problems,
        "symbols": [each.data() for each in found[:_MOST]],
    }
    return Result.of("\n".join(lines), data=data)


def _rank(found: _Found, query: str) -> tuple[Any, ...]:
    """The workspace's own before others; the very name first, then those that begin with it."""
    name = found.symbol.name
    return (
        not found.spot.inside,
        name != query,
        name.casefold() != query.casefold(),
        not name.casefold().startswith(query.casefold()),
        found.spot.path,
        found.spot.range,
    )


async def _ask(call: Call[Supervisor], server: Server, query: str, sources: Sources) -> _Said:
    try:
        await server.started()
        if not server.capabilities.has(_METHOD):
            return _Said(server=server, offered=False)
        await _wake(server)
        unready = await server.ready(LONG)
        raw = await server.request(_METHOD, {"query": query}, timeout=SHORT)
    except Unavailable as error:
        return _Said(server=server, problem=error.reason)
    except TimeoutError:
        call.handle.timed_out(server)
        return _Said(server=server, problem=f"{server.definition.id} did not answer within {SHORT:g} s")
    except ConnectionLost as error:
        call.handle.failed(server, error)
        return _Said(server=server, problem=f"{server.definition.id} crashed: {clean(str(error), 300)}")
    except ResponseError as error:
        return _Said(server=server, problem=f"{server.definition.id}: {clean(error.message, 300)}")
    call.handle.answered(server)
    items = [each for each in read_symbols(raw).items if isinstance(each, SymbolInformation)]
    found = []
    for each in items:
        (spot,) = await spots([each.location], server, sources)
        found.append(_Found(symbol=each, spot=spot, server=server.definition.id))
    return _Said(server=server, found=tuple(found), problem=None if unready is None else doing(server, unready))


async def _wake(server: Server) -> None:
    """Show it one file if it has seen none: several servers read a project only then."""
    if len(server.documents) == 0:
        for path in await asyncio.to_thread(_some_files, server):
            try:
                await server.documents.open(path)
            except (Unreadable, OutsideError):
                continue
            return


def _some_files(server: Server) -> list[str]:
    """A few files that it takes, those nearest to its root first."""
    found: list[str] = []
    folders, looked = deque([server.root]), 0
    while folders and len(found) < _TRIED and looked < _LOOKED:
        looked += 1
        try:
            with os.scandir(folders.popleft()) as entries:
                for entry in sorted(entries, key=lambda each: each.name):
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and entry.name != "node_modules":
                            folders.append(entry.path)
                    elif server.definition.language_of(entry.name) is not None:
                        found.append(entry.path)
        except OSError:  # gone meanwhile, or not ours to read
            continue
    return found[:_TRIED]
