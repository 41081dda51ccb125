"""A document's outline: its symbols, one in the other, with the lines that they take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, Result

from toolpost_lsp.navigation.asking import first_of_document
from toolpost_lsp.navigation.kinds import kind_name
from toolpost_lsp.navigation.places import unread
from toolpost_lsp.protocol.structure import symbols
from toolpost_lsp.protocol.types import DocumentSymbol, Range, SymbolInformation
from toolpost_lsp.words import clean, counted

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor

_MOST = 200


@attrs.frozen(kw_only=True)
class _Entry:
    name: str
    kind: int
    detail: str
    range: Range
    name_range: Range
    depth: int

    @property
    def words(self) -> str:
        first, last = self.range.start.line + 1, self.range.end.line + 1
        detail = f"  {clean(self.detail, 100)}" if self.detail else ""
        lines = f"{first}-{last}" if last > first else str(first)
        return f"{'  ' * self.depth}{lines}  {kind_name(self.kind)} {clean(self.name, 200)}{detail}"


async def outline(file: str, call: Call[Supervisor]) -> Result:
    """The symbols of one document."""
    path = call.resolve_path(file)
    server, document, raw = await first_of_document(call, path, "textDocument/documentSymbol", what="an outline")
    read = symbols(raw)
    entries = list(_entries(read.items, 0))
    shown = entries[:_MOST]
    lines = [
        f"{path}: {counted(len(entries), 'symbol')} ({server.definition.id}){unread(read.skipped)}",
        *(each.words for each in shown),
    ]
    if len(entries) > len(shown):
        lines.append(
            f"… and {counted(len(entries) - len(shown), 'more symbol')}, down to line {entries[-1].range.end.line + 1}"
        )

    def exact(span: Range) -> dict[str, Any]:
        return document.index.range(*document.index.offsets(span, server.encoding), "utf-32").json()

    data = {
        "path": path,
        "server": server.definition.id,
        "total": len(entries),
        "skipped": read.skipped,
        "symbols": [
            {
                "name": each.name,
                "kind": kind_name(each.kind),
                "depth": each.depth,
                "range": exact(each.range),
                "selectionRange": exact(each.name_range),
                "unit": "utf-32",
            }
            for each in shown
        ],
    }
    return Result.of("\n".join(lines), data=data)


def _entries(symbols: tuple[DocumentSymbol | SymbolInformation, ...], depth: int) -> Iterator[_Entry]:
    """Depth first, in the order of the text; what comes flat stays flat."""
    for each in sorted(symbols, key=_start):
        if isinstance(each, SymbolInformation):
            span = each.location.range
            yield _Entry(
                name=each.name, kind=each.kind, detail=each.container, range=span, name_range=span, depth=depth
            )
        else:
            yield _Entry(
                name=each.name,
                kind=each.kind,
                detail=each.detail,
                range=each.range,
                name_range=each.selection_range,
                depth=depth,
            )
            yield from _entries(each.children, depth + 1)


def _start(symbol: DocumentSymbol | SymbolInformation) -> Range:
    return symbol.location.range if isinstance(symbol, SymbolInformation) else symbol.range
