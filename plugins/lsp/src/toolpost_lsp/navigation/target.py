"""What a caller points to: a symbol in a file, and the servers that know the file (lsp:line-symbol, lsp:multi-server)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, ToolError

from toolpost_lsp.navigation.asking import Unanswered, ask
from toolpost_lsp.navigation.sources import Source, Sources
from toolpost_lsp.navigation.symbol import Occurrence, ambiguous, find
from toolpost_lsp.protocol.errors import ConnectionLost
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.protocol.types import Position
from toolpost_lsp.server.errors import Unavailable, Unreadable
from toolpost_lsp.server.server import Server

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor

_COMPARED = 8
"""Occurrences of one symbol on a line whose definitions are looked up, to see whether they mean the same."""


@attrs.frozen(kw_only=True)
class Target:
    """A symbol in a file.

    Attributes:
        path: the file, as people see it.
        line: 1-based.
        at: where on the line.
        digest: of the file that it was found in.
        since: when it was looked for, by the run's clock.
        servers: those of the file, type checkers first.
    """

    call: Call[Supervisor]
    path: str
    line: int
    at: Occurrence
    digest: str
    since: float
    servers: tuple[Server, ...]

    @property
    def name(self) -> str:
        return self.at.name

    async def params(self, server: Server, **more: Any) -> dict[str, Any]:
        """What a server is asked with: the document, shown to it as it is now, and the position in its own units.

        Raises:
            ToolError: the file has changed since the symbol was found.
        """
        document = await server.documents.open(self.path, since=self.since)
        if document.digest != self.digest:
            raise ToolError(f"{self.path} changed meanwhile; ask again")
        row = self.line - 1
        start = document.index.offset(Position(row, self.at.start), "utf-32")
        where = document.index.position(start, server.encoding)
        return {"textDocument": {"uri": document.uri}, "position": where.json(), **more}


async def locate(call: Call[Supervisor], file: str | None, line: int | None, symbol: str | None) -> Target:
    """The one thing that a symbol on a line means.

    Raises:
        ToolError: no such file, line or symbol; it means several things; no server knows the file.
    """
    if file is None:
        raise ToolError("give file: the path of the file that holds the symbol")
    path = call.resolve_path(file)
    if line is None:
        raise ToolError(f"give line: the number of the line of {path} that holds the symbol, counted from 1")
    since = call.scope.clock.monotonic()
    servers = await call.handle.servers_for(path)
    source = await _source(call, path, servers, since)
    found = () if source.lines is None else find(source.lines, path, line, symbol)
    if not servers:
        raise call.handle.unavailable(path)
    if source.digest is None or symbol is None:  # no server can be shown it either, and says why
        await servers[0].documents.open(path)
        raise ToolError(f"{path} changed meanwhile; ask again")
    targets = [
        Target(call=call, path=path, line=line, at=each, digest=source.digest, since=since, servers=tuple(servers))
        for each in found
    ]
    if len(targets) == 1 or await _same(targets):
        return targets[0]
    raise ambiguous(path, line, symbol, found)


async def _source(call: Call[Supervisor], path: str, servers: list[Server], since: float) -> Source:
    """The text that the symbol is looked for in: what a server that runs was shown, so that it is read once."""
    if servers and servers[0].state == "running":
        with contextlib.suppress(Unavailable, Unreadable, ConnectionLost):
            document = await servers[0].documents.open(path, since=since)
            return Source(path=document.path, inside=True, lines=document.index, digest=document.digest)
    return await Sources(call.scope.files).read(path)


async def _same(targets: list[Target]) -> bool:
    """Whether all occurrences are defined at the same place."""
    server = targets[0].servers[0]
    if len(targets) > _COMPARED:
        return False
    try:
        answers = await asyncio.gather(*(ask(each, server, "textDocument/definition") for each in targets))
    except Unanswered:
        return False
    places = {frozenset(locations(each.raw).items) for each in answers}
    return len(places) == 1 and bool(places.pop())
