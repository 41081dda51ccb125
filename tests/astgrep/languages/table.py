"""What a language's table is made of: patterns of every kind against a small real-looking source, and what they find."""

from __future__ import annotations

import textwrap

import attrs

KINDS = ("call", "definition", "member", "condition", "loop", "string", "comment", "repeated")
"""What every language's table has, or what comes nearest to it there. `comment` is a trap: the same text stands in a comment
of the source, and is not found; `string` finds a string, and the source has the same text elsewhere in a string."""


@attrs.frozen
class Row:
    """A pattern and what it finds.

    Attributes:
        found: of each match, the line (from 1) and the first line of its text.
        captures: of the first match, as text; those that are given must be so.
    """

    kind: str
    pattern: str
    found: list[tuple[int, str]]
    captures: dict[str, str] = attrs.field(factory=dict)
    context: str | None = None


@attrs.frozen
class Rewrite:
    """A small source, and what a rewrite makes of it; None where it is refused."""

    pattern: str
    rewrite: str
    before: str
    after: str | None
    context: str | None = None


@attrs.frozen(kw_only=True)
class Table:
    """What is expected of one language."""

    source: str = attrs.field(converter=lambda text: textwrap.dedent(text).lstrip("\n"))
    rows: list[Row]
    rewrites: list[Rewrite]
