"""The nodes worth looking at: those around the rarest token of the pattern, else those of its kind."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from tree_sitter import Language, Node, Query, QueryCursor, Tree

from toolpost_astgrep.pattern import Branch, Leaf, Part, Reading

_WORD = 1000
"""What a named token or a word counts over punctuation when the rarest one is chosen."""


@attrs.frozen
class Anchor:
    """A token that every match holds, and how far below the run's element it is."""

    text: bytes
    kind_id: int
    depth: int
    element: int


@attrs.define
class Candidates:
    """Finds candidates for one reading of one language."""

    reading: Reading
    grammar: Language
    _anchor: Anchor | None = attrs.field(init=False)
    _query: Query | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._anchor = _rarest(self.reading)
        if self._anchor is None or not _is_word(self._anchor.text):
            self._query = self._kind_query()

    def nodes(self, tree: Tree, source: bytes) -> Iterator[Node]:
        """For a reading of one node: the nodes of its kind that may match, in document order."""
        if self._query is not None:
            yield from self._of_kind(tree)
            return
        part = self.reading.run[0]
        kind = part.kind_id if isinstance(part, (Leaf, Branch)) else None
        seen: set[int] = set()
        found = []
        for node in self._around_anchor(tree, source):
            if node.kind_id == kind and node.id not in seen:
                seen.add(node.id)
                found.append(node)
        # Around a token that comes late in the pattern, an outer node is met after an inner one.
        yield from sorted(found, key=_in_order)

    def parents(self, tree: Tree, source: bytes) -> Iterator[Node]:
        """For a reading of several nodes: the nodes among whose children it may be."""
        if self._query is not None:
            seen: set[int] = set()
            for node in self._of_kind(tree):
                parent = node.parent
                if parent is not None and parent.id not in seen:
                    seen.add(parent.id)
                    yield parent
            return
        met: dict[int, Node] = {}
        for node in self._around_anchor(tree, source):
            if node.parent is not None:
                met.setdefault(node.parent.id, node.parent)
        yield from sorted(met.values(), key=_in_order)

    def _of_kind(self, tree: Tree) -> list[Node]:
        # Captures come in no order, yet with a sort they take half the time that matches take, which come in order.
        assert self._query is not None
        return sorted(QueryCursor(self._query).captures(tree.root_node).get("m", ()), key=_in_order)

    def _around_anchor(self, tree: Tree, source: bytes) -> Iterator[Node]:
        anchor = self._anchor
        assert anchor is not None
        root, length = tree.root_node, len(anchor.text)
        at = source.find(anchor.text)
        while at >= 0:
            node: Node | None = root.descendant_for_byte_range(at, at + length)
            if node is not None and node.start_byte == at and node.end_byte == at + length:
                while node is not None and node.kind_id != anchor.kind_id and node.child_count == 1:
                    node = node.children[0]
                for _ in range(anchor.depth):
                    if node is None:
                        break
                    node = node.parent
                if node is not None:
                    yield node
            at = source.find(anchor.text, at + length)

    def _kind_query(self) -> Query:
        """All nodes of the first element's kind. A kind with an empty name or quotes in it is spelt for the query."""
        part = next(each for each in self.reading.run if isinstance(each, (Leaf, Branch)))
        named = isinstance(part, Branch) or part.named
        kind = part.kind.replace("\\", "\\\\").replace('"', '\\"')
        return Query(self.grammar, f"({part.kind}) @m" if named else f'"{kind}" @m')


def _in_order(node: Node) -> tuple[int, int]:
    """Document order, an outer node before those that begin with it."""
    return node.start_byte, -node.end_byte


def _rarest(reading: Reading) -> Anchor | None:
    best: tuple[int, Anchor] | None = None

    def visit(part: Part, depth: int, element: int) -> None:
        nonlocal best
        if isinstance(part, Leaf):
            if part.text and (part.named or part.text == part.kind.encode()):
                weight = len(part.text) + (_WORD if part.named else _WORD // 2 if _is_word(part.text) else 0)
                if best is None or weight > best[0]:
                    best = (weight, Anchor(part.text, part.kind_id, depth, element))
        elif isinstance(part, Branch):
            for child in part.children:
                visit(child, depth + 1, element)

    for element, part in enumerate(reading.run):
        visit(part, 0, element)
    return best[1] if best else None


def _is_word(text: bytes) -> bool:
    return len(text) >= 2
