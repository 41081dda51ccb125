"""The nodes worth looking at: those around the rarest token of the pattern, else those of its kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs
from tree_sitter import Language, Node, Query, QueryCursor, Tree

from toolpost_astgrep.patterns.parts import Branch, Leaf, Part, Reading, holder

_NAME = 1000
"""What a name counts over a word of the language when the rarest token is chosen."""
_MOST_PLACES = 1000
_BYTES_A_PLACE = 100
"""To find what stands at a place costs as much as there are siblings before it, and about what a query takes for this
many bytes. Where there are more places than that, the tree is searched as a whole."""
_BRACKETS = frozenset({b"(", b")", b"[", b"]", b"{", b"}", b"<", b">", b",", b";", b":", b"."})


@attrs.frozen
class Anchor:
    """A token that every match holds, and how far below the run's element it is."""

    text: bytes
    kind_id: int
    depth: int


@attrs.define
class Candidates:
    """Finds candidates for one reading of one language.

    Args:
        wrappers: the kinds that are seen through (Profile.wrappers).
    """

    reading: Reading
    grammar: Language
    wrappers: frozenset[str] = frozenset()
    _anchor: Anchor | None = attrs.field(init=False)
    _by_kind: Query | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._anchor = _rarest(self.reading)

    def nodes(self, tree: Tree, source: bytes) -> Iterable[Node]:
        """For a reading of one node: the nodes of its kind that may match, in document order."""
        anchor = self._anchor_in(source)
        if anchor is None:
            return _sorted(self._of_kind(tree))
        part = self.reading.run[0]
        kind = part.kind_id if isinstance(part, (Leaf, Branch)) else None
        return _sorted(node for node in self._around(anchor, tree, source) if node.kind_id == kind)

    def unordered(self, tree: Tree, source: bytes) -> Iterable[Node]:
        """The same in no order: sorting them may take longer than finding them."""
        return self._of_kind(tree) if self._anchor_in(source) is None else self.nodes(tree, source)

    def parents(self, tree: Tree, source: bytes) -> Iterable[Node]:
        """For a reading of several nodes: the nodes among whose children it may be, in document order."""
        anchor = self._anchor_in(source)
        if anchor is None:
            return _sorted(self._past_wrappers(node) for node in self._of_kind(tree))
        found = (holder(node, self.wrappers) for node in self._around(anchor, tree, source))
        return _sorted(node for node in found if node is not None)

    def _anchor_in(self, source: bytes) -> Anchor | None:
        """The anchor, if going from place to place is quicker in this file than going through all of its tree."""
        if self._anchor is None:
            return None
        places = source.count(self._anchor.text)
        return self._anchor if places <= max(10, min(_MOST_PLACES, len(source) // _BYTES_A_PLACE)) else None

    def _of_kind(self, tree: Tree) -> list[Node]:
        if self._by_kind is None:  # compiling it takes longer than searching a small file around its anchor
            self._by_kind = Query(self.grammar, _kind_query(self.reading, self.grammar))
        return QueryCursor(self._by_kind).captures(tree.root_node).get("m", [])

    def _past_wrappers(self, node: Node) -> Node:
        """A node that holds others, or the one that holds it where it is seen through."""
        first = node.child(0)
        return (first and holder(first, self.wrappers)) or node

    def _around(self, anchor: Anchor, tree: Tree, source: bytes) -> Iterator[Node]:
        """The run's element around each place of the anchor: its node, if the anchor is a token there."""
        root, length = tree.root_node, len(anchor.text)
        at = source.find(anchor.text)
        while at >= 0:
            node = root.descendant_for_byte_range(at, at + length)
            if node is not None and _covers(node, at, length):
                climbed: Node | None = node
                while climbed is not None and climbed.kind_id != anchor.kind_id and _covers(climbed, at, length):
                    climbed = climbed.parent
                for _ in range(anchor.depth):
                    climbed = holder(climbed, self.wrappers) if climbed is not None else None
                if climbed is not None:
                    yield climbed
            at = source.find(anchor.text, at + length)


def _covers(node: Node, at: int, length: int) -> bool:
    return node.start_byte == at and node.end_byte == at + length


def _sorted(nodes: Iterable[Node]) -> list[Node]:
    """In document order, each once: around a token that comes late in a pattern, an outer node is met behind an inner."""
    return sorted({node.id: node for node in nodes}.values(), key=lambda node: (node.start_byte, -node.end_byte))


def _kind_query(reading: Reading, grammar: Language) -> str:
    """All nodes of the kind of a reading's node; for several nodes, all parents of one of the kind of the first."""
    part = next(each for each in reading.run if isinstance(each, (Leaf, Branch)))
    named = grammar.node_kind_is_named(part.kind_id)  # a few grammars have nodes without a name that hold others
    inner = ""
    if isinstance(part, Branch) and len(reading.run) == 1:
        # An operator is a child that few nodes of the kind have; asking for it costs the query nothing.
        operator = next((each for each in part.children if isinstance(each, Leaf) and _is_operator(each)), None)
        inner = f" {_quoted(operator.kind)}" if operator is not None else ""
    pattern = f"({part.kind}{inner})" if named else _quoted(part.kind)
    return f"{pattern} @m" if len(reading.run) == 1 else f"(_ {pattern}) @m"


def _is_operator(leaf: Leaf) -> bool:
    return not leaf.named and leaf.spelt and leaf.text not in _BRACKETS


def _quoted(kind: str) -> str:
    """An anonymous kind as a query spells it."""
    return '"' + kind.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _rarest(reading: Reading) -> Anchor | None:
    """The token most worth looking for: a long name before a word, no punctuation."""
    best: tuple[int, Anchor] | None = None

    def visit(part: Part, depth: int) -> None:
        nonlocal best
        if isinstance(part, Leaf):
            if part.spelt and part.text not in _BRACKETS:
                weight = len(part.text) + (_NAME if part.named else 0)
                if best is None or weight > best[0]:
                    best = (weight, Anchor(part.text, part.kind_id, depth))
        elif isinstance(part, Branch):
            for child in part.children:
                visit(child, depth + 1)

    for part in reading.run:
        visit(part, 0)
    return best[1] if best else None
