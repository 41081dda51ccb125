"""Lines that begin inside a string, a heredoc or a comment: their blanks are content, and they are never re-indented."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.rewriting.code import Code, children_in, is_comment


def verbatim_lines(code: Code, start: int, end: int, profile: Profile) -> frozenset[int]:
    """The offsets of line starts behind *start* and up to *end* that are inside such text."""
    data = code.data
    if data.find(b"\n", start, end) < 0:
        return frozenset()
    lines: set[int] = set()
    for node in _texts(code, start, end, profile):
        at = data.find(b"\n", max(start, node.start_byte), min(end, node.end_byte))
        while at >= 0:
            if at + 1 < node.end_byte:
                lines.add(at + 1)
            at = data.find(b"\n", at + 1, min(end, node.end_byte))
    return frozenset(lines)


def _texts(code: Code, start: int, end: int, profile: Profile) -> Iterator[Node]:
    """The outermost nodes of text of several lines that overlap a range."""
    spanning = code.smallest(start, end)
    cursor = code.tree.walk()
    while cursor.node is not None and cursor.node.id != spanning.id:
        if _is_text(cursor.node, profile):
            yield cursor.node
            return
        if cursor.goto_first_child_for_byte(start) is None:
            break
    todo = [spanning]
    while todo:
        node = todo.pop()
        if node.start_point.row == node.end_point.row:
            continue
        if _is_text(node, profile):
            yield node
        else:
            todo += children_in(node, start, end, comments=True)


def _is_text(node: Node, profile: Profile) -> bool:
    if node.type in profile.hanging:
        return False
    return profile.is_string(node.type) or is_comment(node) or "heredoc" in node.type
