"""Comments of what is replaced: those beside a `$$$` capture go along with it, the rest are lost and counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from tree_sitter import Node, Tree

from toolpost_astgrep.indentation import begins_line
from toolpost_astgrep.match import Match
from toolpost_astgrep.ranges import children_in, comment_at, is_comment, smallest

_BLANKS = re.compile(rb"[ \t\r\n]*")


def with_comments(tree: Tree, data: bytes, match: Match, ends_line: Collection[str]) -> Mapping[str, tuple[int, int]]:
    """The ranges of a match's captures, those of several siblings with the comments around them.

    A comment above the first statement of a body, or behind the last, is as much part of the body as one between two.

    Args:
        ends_line: the names behind which the rewrite has a line end. Only there a line's comment may stand last.
    """
    ranges = {name: (capture.start, capture.end) for name, capture in match.captures.items()}
    wide = {name for name, capture in match.captures.items() if capture.many and capture.nodes}
    for name in wide:
        start, end = ranges[name]
        ranges[name] = (_comments_above(tree, data, match.start, start), end)
    starts = sorted(start for start, _ in ranges.values())
    for name in wide & set(ends_line):
        start, end = ranges[name]
        limit = next((other for other in starts if other >= end), match.end)
        ranges[name] = (start, _comments_behind(tree, data, end, limit))
    return ranges


def comments_lost(tree: Tree, match: Match, kept: Collection[tuple[int, int]]) -> int:
    """How many comments of a match are in none of the ranges that its replacement keeps."""
    lost = 0
    todo: list[Node] = children_in(smallest(tree, match.start, match.end), match.start, match.end, comments=True)
    while todo:
        node = todo.pop()
        if any(start <= node.start_byte and node.end_byte <= end for start, end in kept):
            continue
        if is_comment(node):
            lost += match.start <= node.start_byte and node.start_byte < match.end
        elif node.child_count:
            todo += children_in(node, match.start, match.end, comments=True)
    return lost


def _comments_above(tree: Tree, data: bytes, limit: int, start: int) -> int:
    """Where the comments begin that stand before *start* with nothing but blanks between."""
    at = start
    while True:
        behind = len(data[limit:at].rstrip(b" \t\r\n")) + limit
        comment = comment_at(tree, behind - 1) if behind > limit else None
        if comment is None or comment.start_byte < limit:
            return at
        # One that stands behind something else in its line is about that.
        if not begins_line(data, comment.start_byte) and b"\n" in data[behind:at]:
            return at
        at = comment.start_byte


def _comments_behind(tree: Tree, data: bytes, end: int, limit: int) -> int:
    """Where the comments end that stand behind *end* with nothing but blanks between."""
    at = end
    while True:
        blanks = _BLANKS.match(data, at, limit)
        start = blanks.end() if blanks else at
        comment = comment_at(tree, start) if start < limit else None
        if comment is None or comment.start_byte != start or comment.end_byte > limit:
            return at
        at = start + len(data[start : comment.end_byte].rstrip())
