"""Where a symbol is defined, where its type is, and what implements it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolpost import Call, Result

from toolpost_lsp.navigation.asking import first
from toolpost_lsp.navigation.places import by_file, listing, spots, unread
from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.navigation.target import locate
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.words import counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_MOST = 50


async def definition(params: Lsp, call: Call[Supervisor]) -> Result:
    return await _goto(params, call, "textDocument/definition", "definition")


async def type_definition(params: Lsp, call: Call[Supervisor]) -> Result:
    return await _goto(params, call, "textDocument/typeDefinition", "type definition")


async def implementation(params: Lsp, call: Call[Supervisor]) -> Result:
    return await _goto(params, call, "textDocument/implementation", "implementation")


async def _goto(params: Lsp, call: Call[Supervisor], method: str, what: str) -> Result:
    target = await locate(call, params.file, params.line, params.symbol)
    answer = await first(target, method, what=what)
    if answer is None:
        text = f"no {what} of {target.name} ({target.path}:{target.line})"
        return Result.of(text, data={"name": target.name, "total": 0, "places": []})
    read = locations(answer.raw)
    found = by_file(await spots(read.items, answer.server, Sources(call.scope.files)))
    head = f"{counted(len(found), what)} of {target.name}{answer.caution}{unread(read.skipped)}"
    data = {
        "name": target.name,
        "server": answer.server.definition.id,
        "ready": answer.unready is None,
        "total": len(found),
        "skipped": read.skipped,
        "places": [each.data() for each in found[:_MOST]],
    }
    return Result.of("\n".join([head, *listing(found, _MOST, what)]), data=data)
