"""What the metavariables of a pattern stand for, while it is matched and afterwards (ast:same-capture, ast:captures)."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from tree_sitter import Node

from toolpost_astgrep.patterns.parts import gaps


@attrs.frozen
class Capture:
    """What a metavariable stands for: its range in bytes, and each node's range where it holds several."""

    start: int
    end: int
    many: bool = False
    nodes: tuple[tuple[int, int], ...] = ()


@attrs.define
class _Bound:
    """What a name stands for: the nodes from `at` to `end`, not copied, since most of what is tried is taken back."""

    nodes: Sequence[Node]
    at: int
    end: int
    many: bool


@attrs.define
class Bindings:
    """The names bound so far. What was bound last can be taken back: a matcher tries one way after the other."""

    source: bytes
    _by_name: dict[str, _Bound] = attrs.field(factory=dict, init=False)
    _trail: list[str] = attrs.field(factory=list, init=False)

    @property
    def count(self) -> int:
        """How many names are bound."""
        return len(self._trail)

    def bind(self, name: str | None, nodes: Sequence[Node], at: int, end: int, *, many: bool = False) -> bool:
        """Bind a name to nodes[at:end]; if it is bound already, whether that is the same text."""
        if name is None:
            return True
        known = self._by_name.get(name)
        if known is not None:
            return self._same(known.nodes[known.at : known.end], nodes[at:end])
        self._by_name[name] = _Bound(nodes, at, end, many)
        self._trail.append(name)
        return True

    def take_back(self, count: int) -> None:
        """Forget what was bound after the first *count* names."""
        while len(self._trail) > count:
            del self._by_name[self._trail.pop()]

    def captures(self) -> dict[str, Capture]:
        """What each name stands for, in bytes."""
        found = {}
        for name, bound in self._by_name.items():
            taken = bound.nodes[bound.at : bound.end]
            if bound.many:
                ranges = tuple((node.start_byte, self._end(node)) for node in taken)
                empty = _start_of(bound.nodes, bound.at)
                start, end = (ranges[0][0], ranges[-1][1]) if ranges else (empty, empty)
                found[name] = Capture(start, end, True, ranges)
            else:
                found[name] = Capture(taken[0].start_byte, self._end(taken[-1]))
        return found

    def _same(self, one: Sequence[Node], other: Sequence[Node]) -> bool:
        """The same text; blanks and comments between tokens do not count, inside strings everything does."""
        if not one or not other:
            return len(one) == len(other)
        first = self.source[one[0].start_byte : one[-1].end_byte]
        second = self.source[other[0].start_byte : other[-1].end_byte]
        return first == second or self._tokens(one) == self._tokens(other)

    def _tokens(self, nodes: Sequence[Node]) -> list[bytes]:
        tokens: list[bytes] = []
        todo = list(reversed(nodes))
        while todo:
            node = todo.pop()
            if node.is_extra:
                continue
            children = node.children
            if children:
                todo.extend(reversed(children))
                # A string whose content has no node of its own: its text stands between its quotes.
                tokens.extend(gap for gap in gaps(self.source, node) if gap.strip(b" \t\r\n\\"))
            else:
                tokens.append(self.source[node.start_byte : node.end_byte])
        return tokens

    def _end(self, node: Node) -> int:
        """The end of a node without the line end that some grammars count in."""
        end = node.end_byte
        if "string" in node.type or "heredoc" in node.type:
            return end  # a line end in a string is its content
        if node.child_count and self.source[node.start_byte : end].rstrip(b" \t")[-1:] == b"\n":
            return node.start_byte + len(self.source[node.start_byte : end].rstrip())
        return end


def _start_of(nodes: Sequence[Node], at: int) -> int:
    """Where the siblings from *at* on begin, also if there are none."""
    if at < len(nodes):
        return nodes[at].start_byte
    return nodes[-1].end_byte if nodes else 0
