"""What several servers say of one document, as one list (lsp:multi-server)."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from toolpost_lsp.diagnostics.problem import Problem
from toolpost_lsp.protocol.types import Diagnostic, Encoding
from toolpost_lsp.server.documents import Document


@attrs.frozen(kw_only=True)
class Said:
    """One server's diagnostics of a document, with positions in its own encoding."""

    server: str
    document: Document
    encoding: Encoding
    items: tuple[Diagnostic, ...]


def merged(said: Iterable[Said]) -> tuple[Problem, ...]:
    """All problems, worst first, then in the order of the text.

    What two servers say word for word of one range is one problem of both. What one server says twice stays two.
    """
    found: dict[tuple[object, ...], Problem] = {}
    for each in said:
        index = each.document.index
        for number, item in _numbered(each.items):
            span = index.range(*index.offsets(item.range, each.encoding), "utf-32")
            problem = Problem(path=each.document.path, range=span, diagnostic=item, servers=(each.server,))
            key = (number, span, item.severity, item.code, item.message)
            known = found.get(key)
            found[key] = problem if known is None else attrs.evolve(known, servers=(*known.servers, each.server))
    return tuple(sorted(found.values(), key=lambda problem: (problem.severity, problem.range)))


def _numbered(items: tuple[Diagnostic, ...]) -> Iterable[tuple[int, Diagnostic]]:
    """Each diagnostic, and how often the same one came before it."""
    before: dict[Diagnostic, int] = {}
    for item in items:
        number = before[item] = before.get(item, -1) + 1
        yield number, item
