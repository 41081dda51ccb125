"""What goes along with what is deleted: its `;`, the separator that would dangle, and its lines if they are empty then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs
from tree_sitter import Node

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.rewriting.code import Code, children_in
from toolpost_astgrep.rewriting.indentation import begins_line, line_start
from toolpost_astgrep.rewriting.terminator import statement_end

_SEPARATOR_BEHIND = re.compile(rb"[ \t\r\n]*[,;]")
_BLANKS = re.compile(rb"[ \t]*")
_LINE_END = re.compile(rb"[ \t]*(\r?\n|\Z)")


@attrs.frozen
class Gone:
    """A range to delete.

    Attributes:
        separated: it ends with the separator behind the last of them.
        comma: where the comma is that parts the first of them from what is before it in its list.
    """

    start: int
    end: int
    separated: bool = False
    comma: int | None = None


def deletions(code: Code, matches: Sequence[Match]) -> list[Gone]:
    """The ranges to delete so that the matches go, in document order; neighbours go together.

    An element of a list takes the separator behind it, the last one that before it. A statement takes its `;`. What
    was alone on its lines takes them; in a line with other code it takes the blanks on one side.
    """
    return [_with_lines(code.data, _with_comma(each)) for each in _grouped(code, matches)]


def _grouped(code: Code, matches: Sequence[Match]) -> Iterator[Gone]:
    group: Gone | None = None
    for match in matches:
        each = _element(code, match)
        if group is not None and not code.data[group.end : each.start].strip():
            group = attrs.evolve(group, end=each.end, separated=each.separated)
            continue
        if group is not None:
            yield group
        group = each
    if group is not None:
        yield group


def _element(code: Code, match: Match) -> Gone:
    data, end = code.data, statement_end(code, match)
    if end > match.end:
        return Gone(match.start, end)
    before = _back(data, match.start, b" \t\r\n") - 1
    comma = before if data[before : before + 1] == b"," and _is_sibling(code, match, before) else None
    separator = _SEPARATOR_BEHIND.match(data, match.end)
    if separator is not None and _is_sibling(code, match, separator.end() - 1):
        return Gone(match.start, separator.end(), separated=True, comma=comma)
    return Gone(match.start, match.end, comma=comma)


def _is_sibling(code: Code, match: Match, separator: int) -> bool:
    """Whether the token at *separator* stands in the same list as the match."""
    parent: Node | None = code.smallest(match.start, match.end)
    while parent is not None and (parent.start_byte, parent.end_byte) == (match.start, match.end):
        parent = parent.parent
    return parent is not None and any(
        child.start_byte == separator for child in children_in(parent, separator, separator + 1)
    )


def _with_comma(gone: Gone) -> Gone:
    """The last element of a list takes the comma before it, if none is behind it."""
    return gone if gone.separated or gone.comma is None else attrs.evolve(gone, start=gone.comma)


def _with_lines(data: bytes, gone: Gone) -> Gone:
    start = gone.start
    line_end = _LINE_END.match(data, gone.end)
    if line_end is None and start == gone.comma:
        return gone
    if line_end is None:
        blanks = _BLANKS.match(data, gone.end)
        end = blanks.end() if blanks else gone.end
        if gone.comma is not None and data[end] in b")]}":
            start = _back(data, start, b" \t")  # the blank parted it from what is before, not the list from its end
        return attrs.evolve(gone, start=start, end=end)
    if not begins_line(data, start):
        return attrs.evolve(gone, start=_back(data, start, b" \t"))
    start = line_start(data, start)
    if not line_end.group(1) and data[start - 1 : start] == b"\n":
        # The last line of a file without a final line end: the line end before it goes.
        start = len(data[:start].removesuffix(b"\n").removesuffix(b"\r"))
    return attrs.evolve(gone, start=start, end=line_end.end())


def _back(data: bytes, at: int, over: bytes) -> int:
    """Where what is before *at* ends, without such bytes."""
    while at and data[at - 1] in over:
        at -= 1
    return at
