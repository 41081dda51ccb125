"""Ranges of a text and the nodes that fill them, whatever blanks, separators and comments lie at their ends."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node, Tree

_BLANK = frozenset(b" \t\r\n\f,;")
_COMMENT_DEPTH = 4  # a comment's own tokens lie that deep at most (Rust's `/// text`)


def smallest(tree: Tree, start: int, end: int) -> Node:
    """The smallest node that spans a range."""
    return tree.root_node.descendant_for_byte_range(start, end) or tree.root_node


def is_comment(node: Node) -> bool:
    """Whether a node is a comment, by the name of its kind."""
    return "comment" in node.type


def comment_at(tree: Tree, at: int) -> Node | None:
    """The comment in which a byte is."""
    node: Node | None = smallest(tree, at, at + 1)
    found = None
    for _ in range(_COMMENT_DEPTH):
        if node is None:
            break
        if is_comment(node):
            found = node
        node = node.parent
    return found


def trimmed(tree: Tree, source: bytes, start: int, end: int) -> tuple[int, int]:
    """A range without the blanks, separators and comments at its ends."""
    while start < end:
        if source[start] in _BLANK:
            start += 1
        elif source[end - 1] in _BLANK:
            end -= 1
        elif (comment := comment_at(tree, start)) is not None and start < comment.end_byte <= end:
            start = comment.end_byte
        elif (comment := comment_at(tree, end - 1)) is not None and start <= comment.start_byte < end:
            end = comment.start_byte
        else:
            break
    return start, end


def children_in(node: Node, start: int, end: int, *, comments: bool = False) -> list[Node]:
    """The children of a node that overlap a range, with its comments or without.

    Asks a cursor, since a file may have ten thousand statements and the range hold one.
    """
    found = []
    cursor = node.walk()
    more = cursor.goto_first_child_for_byte(start) is not None
    while more:
        child = cursor.node
        if child is None or child.start_byte >= end:
            break
        if child.end_byte > start and (comments or not is_comment(child)):
            found.append(child)
        more = cursor.goto_next_sibling()
    return found


def run_of(tree: Tree, source: bytes, start: int, end: int) -> list[Node] | None:
    """The siblings that fill a range: one node, several in a row, or none if the range holds no code.

    None means that the range is no unit of the tree: it begins or ends inside some node.
    """
    start, end = trimmed(tree, source, start, end)
    if start == end:
        return []
    node = smallest(tree, start, end)
    if trimmed(tree, source, node.start_byte, node.end_byte) == (start, end):
        return [node]
    inside = children_in(node, start, end)
    if not inside or trimmed(tree, source, inside[0].start_byte, inside[-1].end_byte) != (start, end):
        return None
    return inside


def same_range(tree: Tree, source: bytes, node: Node) -> Iterator[Node]:
    """A node and those around it that hold nothing more."""
    here = trimmed(tree, source, node.start_byte, node.end_byte)
    at: Node | None = node
    while at is not None and trimmed(tree, source, at.start_byte, at.end_byte) == here:
        yield at
        at = at.parent
