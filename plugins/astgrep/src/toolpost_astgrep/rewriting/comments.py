"""Comments of what is replaced: those beside a `$$$` capture go along with it, the rest are lost and counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.indentation import begins_line

_BLANKS = re.compile(rb"[ \t\r\n]*")


def with_comments(
    code: Code, match: Match, ends: Mapping[str, int], ends_line: Collection[str], literal: bytes
) -> Mapping[str, tuple[int, int]]:
    """The ranges of a match's captures, those of several siblings with the comments around them.

    A comment above the first statement of a body, or behind the last, is as much part of the body as one between two.

    Args:
        ends: where a capture ends if not where it was captured, since a comma behind it goes along.
        ends_line: the names behind which the rewrite has a line end. Only there a line's comment may stand last.
        literal: the rewrite's own text. A comment that it holds itself does not go along, or it would be there twice.
    """
    ranges = {name: (capture.start, ends.get(name, capture.end)) for name, capture in match.captures.items()}
    wide = {name for name, capture in match.captures.items() if capture.many and capture.nodes}
    for name in wide:
        start, end = ranges[name]
        ranges[name] = (_comments_above(code, match.start, start, literal), end)
    starts = sorted(start for start, _ in ranges.values())
    for name in wide & set(ends_line):
        start, end = ranges[name]
        limit = next((other for other in starts if other >= end), match.end)
        ranges[name] = (start, _comments_behind(code, end, limit, literal))
    return ranges


def comments_lost(code: Code, match: Match, kept: Collection[tuple[int, int]], put: bytes) -> int:
    """How many comments of a match are in none of the ranges that its replacement keeps, nor in what is put."""
    inside = code.comments_in(match.start, match.end)
    lost = [each for each in inside if not any(low <= each[0] and each[1] <= high for low, high in kept)]
    return sum(code.data[start:end] not in put for start, end in lost)


def _comments_above(code: Code, limit: int, start: int, literal: bytes) -> int:
    """Where the comments begin that stand before *start* with nothing but blanks between."""
    data, at = code.data, start
    while True:
        behind = len(data[limit:at].rstrip(b" \t\r\n")) + limit
        comment = code.comment_at(behind - 1) if behind > limit else None
        if comment is None or comment[0] < limit or data[slice(*comment)] in literal:
            return at
        # One that stands behind something else in its line is about that.
        if not begins_line(data, comment[0]) and b"\n" in data[behind:at]:
            return at
        at = comment[0]


def _comments_behind(code: Code, end: int, limit: int, literal: bytes) -> int:
    """Where the comments end that stand behind *end* with nothing but blanks between."""
    at = end
    while True:
        blanks = _BLANKS.match(code.data, at, limit)
        start = blanks.end() if blanks else at
        comment = code.comment_at(start) if start < limit else None
        if comment is None or comment[0] != start or comment[1] > limit or code.data[slice(*comment)] in literal:
            return at
        at = comment[1]
