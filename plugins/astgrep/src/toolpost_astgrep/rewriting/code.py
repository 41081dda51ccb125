"""A text with its tree: which nodes fill which range, whatever blanks, separators and comments lie at its ends."""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterator

import attrs
from tree_sitter import Language, Node, Query, QueryCursor, Tree

_BLANK = frozenset(b" \t\r\n\f,;")
_COMMENT = re.compile("comment|marginalia")
_ERRONEOUS = re.compile("^erroneous")


def is_comment(node: Node) -> bool:
    """Whether a node is a comment, by the name of its kind."""
    return _COMMENT.search(node.type) is not None


def errors_in(tree: Tree) -> list[Node]:
    """The syntax errors of a tree, with those that a grammar has a name for, as for a tag that closes nothing."""
    return [*syntax_errors(tree.root_node), *_nodes_called(_ERRONEOUS, tree)]


def syntax_errors(root: Node) -> Iterator[Node]:
    """What the parser could not place or made up, in the order of the text.

    A token that it made up has no node of its own where the grammar hides such tokens: then it is the node around it.
    """
    todo = [root]
    while todo:
        node = todo.pop()
        within = [child for child in node.children if child.has_error or child.is_missing] if node.has_error else []
        if node.is_error or node.is_missing or (node.has_error and not within):
            yield node
        else:
            todo.extend(reversed(within))


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


@attrs.define(eq=False)
class Code:
    """A text and its tree."""

    data: bytes
    tree: Tree
    _starts: list[int] = attrs.field(init=False)  # where each comment begins, and where it ends
    _ends: list[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        ranges = _comments(self.tree)
        self._starts = [start for start, _ in ranges]
        self._ends = [end for _, end in ranges]

    def smallest(self, start: int, end: int) -> Node:
        """The smallest node that spans a range."""
        return self.tree.root_node.descendant_for_byte_range(start, end) or self.tree.root_node

    def comment_at(self, at: int) -> tuple[int, int] | None:
        """The range of the comment in which a byte is; a line's comment goes without the line end."""
        index = bisect.bisect_right(self._starts, at) - 1
        return (self._starts[index], self._ends[index]) if index >= 0 and at < self._ends[index] else None

    def comments_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """The ranges of the comments that begin in a range."""
        low, high = (bisect.bisect_left(self._starts, at) for at in (start, end))
        return list(zip(self._starts[low:high], self._ends[low:high], strict=True))

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """A range without the blanks, separators and comments at its ends."""
        data = self.data
        while start < end:
            if data[start] in _BLANK:
                start += 1
            elif data[end - 1] in _BLANK:
                end -= 1
            elif (comment := self.comment_at(start)) is not None and comment[1] <= end:
                start = comment[1]
            elif (comment := self.comment_at(end - 1)) is not None and start <= comment[0]:
                end = comment[0]
            else:
                break
        return start, end

    def run_of(self, start: int, end: int) -> list[Node] | None:
        """The siblings that fill a range: one node, several in a row, or none if the range holds no code.

        None means that the range is no unit of the tree: it begins or ends inside some node.
        """
        start, end = self.trimmed(start, end)
        if start == end:
            return []
        node = self.smallest(start, end)
        if self._fills(node, start, end):
            return [node]
        inside = children_in(node, start, end)
        if not inside or self.trimmed(inside[0].start_byte, inside[-1].end_byte) != (start, end):
            return None
        return inside

    def same_range(self, node: Node) -> Iterator[Node]:
        """A node and those around it that hold nothing more."""
        start, end = self.trimmed(node.start_byte, node.end_byte)
        at: Node | None = node
        while at is not None and self._fills(at, start, end):
            yield at
            at = at.parent

    def outermost(self, node: Node) -> Node:
        """The largest node that holds nothing more than a node."""
        *_, outer = self.same_range(node)
        return outer

    def _fills(self, node: Node, start: int, end: int) -> bool:
        own = (node.start_byte, node.end_byte)
        return own == (start, end) or self.trimmed(*own) == (start, end)


def _comments(tree: Tree) -> list[tuple[int, int]]:
    """The ranges of a tree's comments, in order; what is inside another is part of that."""
    ranges: list[tuple[int, int]] = []
    for node in sorted(_nodes_called(_COMMENT, tree), key=lambda node: (node.start_byte, -node.end_byte)):
        text = node.text or b""
        if not ranges or node.start_byte >= ranges[-1][1]:
            ranges.append((node.start_byte, node.start_byte + len(text.rstrip(b"\r\n"))))
    return ranges


def _nodes_called(words: re.Pattern[str], tree: Tree) -> list[Node]:
    """The nodes of the kinds that have such a name, in no order."""
    query = _query_for(words, tree.language)
    return QueryCursor(query).captures(tree.root_node).get("node", []) if query is not None else []


@functools.lru_cache(maxsize=16)
def _query_for(words: re.Pattern[str], language: Language) -> Query | None:
    kinds = {
        language.node_kind_for_id(kind)
        for kind in range(language.node_kind_count)
        if language.node_kind_is_named(kind) and language.node_kind_is_visible(kind)
    }
    called = sorted(kind for kind in kinds if kind and words.search(kind))
    return Query(language, f"[{' '.join(f'({kind})' for kind in called)}] @node") if called else None
