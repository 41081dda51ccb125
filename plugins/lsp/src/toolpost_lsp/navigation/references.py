"""Every use of a symbol; `0 references` is never said by a server that has not read the project (lsp:readiness)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from toolpost import Call, Result

from toolpost_lsp.navigation.asking import Answer, Unanswered, ask, first
from toolpost_lsp.navigation.places import Spot, by_file, listing, spots, unread
from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.navigation.target import Target, locate
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_MOST = 50


async def references(params: Lsp, call: Call[Supervisor]) -> Result:
    target = await locate(call, params.file, params.line, params.symbol)
    sources = Sources(call.scope.files)
    context = {"context": {"includeDeclaration": True}}
    answer = await first(target, "textDocument/references", context, what="references", whole=True)
    if answer is None:
        text = f"0 references to {target.name} ({target.path}:{target.line}){_reach(target.servers)}"
        return Result.of(text, data={"name": target.name, "total": 0, "places": []})
    read = locations(answer.raw)
    found = await spots(read.items, answer.server, sources)
    defined = await _definitions(target, answer, sources)
    definitions = by_file(each for each in found if _among(each, defined))
    uses = by_file((each for each in found if not _among(each, defined)), first=[each.path for each in definitions])
    ordered = [*definitions, *uses]
    files = len({each.path for each in ordered})
    head = f"{counted(len(ordered), 'reference')} to {target.name} in {counted(files, 'file')}{answer.caution}{unread(read.skipped)}"
    if definitions:
        head += (
            f"; the first {'is its definition' if len(definitions) == 1 else f'{len(definitions)} are its definitions'}"
        )
    head += _reach([answer.server])
    data = {
        "name": target.name,
        "server": answer.server.definition.id,
        "ready": answer.unready is None,
        "total": len(ordered),
        "files": files,
        "definitions": len(definitions),
        "skipped": read.skipped,
        "places": [each.data() for each in ordered[:_MOST]],
    }
    return Result.of("\n".join([head, *listing(ordered, _MOST, "reference")]), data=data)


def _reach(servers: Iterable[Server]) -> str:
    """How far servers look for references, if not through the whole project."""
    return "".join(
        f"; {each.definition.id} looks at {each.definition.reach}" for each in servers if each.definition.reach
    )


async def _definitions(target: Target, answer: Answer, sources: Sources) -> tuple[Spot, ...]:
    """Where the symbol is defined; nothing if the server does not say, since the references are the answer."""
    try:
        defined = await ask(target, answer.server, "textDocument/definition")
    except Unanswered:
        return ()
    return await spots(locations(defined.raw).items, answer.server, sources)


def _among(place: Spot, others: tuple[Spot, ...]) -> bool:
    """Whether it is one of the others. Those may be whole declarations, of which it is the name."""
    return any(
        place.path == each.path
        and place.line == each.line
        and each.range.start <= place.range.start
        and place.range.end <= each.range.end
        for each in others
    )
