"""Metavariables in text: `$NAME`, `$$$NAME`, `$_`, `$$$`, and `\\$NAME` for a literal one (ast:metavariables)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

_TOKEN = re.compile(
    r"\\(?P<literal>\$\$\$(?:[A-Z_][A-Z0-9_]*)?|\$[A-Z_][A-Z0-9_]*)|\$\$\$(?P<many>[A-Z_][A-Z0-9_]*)?|\$(?P<one>[A-Z_][A-Z0-9_]*)"
)


@attrs.frozen
class Metavariable:
    """One occurrence. `name` is None for `$_` and `$$$`, which bind nothing."""

    name: str | None
    many: bool

    def __str__(self) -> str:
        return ("$$$" if self.many else "$") + (self.name or ("" if self.many else "_"))


def split(text: str) -> Iterator[str | Metavariable]:
    """The text as literal pieces and metavariables, in order; a backslash before a literal `$NAME` is gone."""
    at = 0
    for match in _TOKEN.finditer(text):
        piece = text[at : match.start()]
        if match["literal"] is not None:
            yield piece + match["literal"]
        else:
            if piece:
                yield piece
            many = match["one"] is None
            name = match["many"] if many else match["one"]
            yield Metavariable(None if name == "_" or not name else name, many)
        at = match.end()
    if text[at:]:
        yield text[at:]
