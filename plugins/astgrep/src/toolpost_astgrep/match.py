"""Does a reading match here? Nodes against parts of the pattern, with what each metavariable captured.

Named nodes of the code that the pattern does not mention never go along (ast:no-leftovers), nor do tokens that say
something: an `async` or `static` in the code must be in the pattern. Only separators and comments are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs
from tree_sitter import Node

from toolpost_astgrep.pattern import SEPARATORS, AnySiblings, Branch, Leaf, Part, Reading, Variable, significant

STEPS = 100_000
"""Steps of backtracking for one node of the code; more end in StepLimit."""


class StepLimit(RuntimeError):
    """The pattern can be matched in too many ways to try them all."""


@attrs.frozen
class Capture:
    """What a metavariable stands for: its range in bytes, and each node's range where it holds several."""

    start: int
    end: int
    many: bool = False
    nodes: tuple[tuple[int, int], ...] = ()


@attrs.frozen
class Match:
    """A place that matches, in bytes. `outer_end` is behind the separator that closes the last node, if one does."""

    start: int
    end: int
    outer_end: int
    captures: Mapping[str, Capture]


@attrs.define
class Matcher:
    """Matches one reading in one source.

    Args:
        chain: the kind of siblings by which an expression goes on; a metavariable takes them along (Profile.chain).
    """

    reading: Reading
    source: bytes
    chain: str | None = None
    _bound: dict[str, tuple[Node, ...]] = attrs.field(factory=dict, init=False)
    _many: dict[str, tuple[int, bool]] = attrs.field(factory=dict, init=False)
    _left: int = attrs.field(default=STEPS, init=False)
    _straight: bool = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._straight = self.chain is None and all(_is_straight(part) for part in self.reading.run)

    def node(self, node: Node) -> Match | None:
        """The match that is this node, for a reading of one node."""
        self._reset()
        part = self.reading.run[0]
        if not (self._fits(part, node) if self._straight else self._first(self._ways(part, node))):
            return None
        return self._made((node,))

    def siblings(self, nodes: Sequence[Node], start: int) -> Match | None:
        """The match that begins with that sibling, for a reading of several nodes."""
        self._reset()
        for end in self._sequence(self.reading.run, 0, nodes, start, whole=False):
            if end > start:
                return self._made(nodes[start:end])
        return None

    def _reset(self) -> None:
        self._bound.clear()
        self._many.clear()
        self._left = STEPS

    def _made(self, nodes: Sequence[Node]) -> Match:
        captures = {}
        for name, bound in self._bound.items():
            if name in self._many:
                at, _ = self._many[name]
                ranges = tuple((node.start_byte, self._end(node)) for node in bound)
                start, end = (ranges[0][0], ranges[-1][1]) if ranges else (at, at)
                captures[name] = Capture(start, end, True, ranges)
            else:
                captures[name] = Capture(bound[0].start_byte, self._end(bound[-1]))
        last = nodes[-1]
        return Match(nodes[0].start_byte, _inner_end(last), last.end_byte, captures)

    def _end(self, node: Node) -> int:
        """The end of a node without the line end that some grammars count in."""
        end = node.end_byte
        if node.child_count and self.source[node.start_byte : end].rstrip(b" \t")[-1:] == b"\n":
            return node.start_byte + len(self.source[node.start_byte : end].rstrip())
        return end

    # ---- without a choice: at most one ellipsis in a row ----

    def _fits(self, part: Part, node: Node) -> bool:
        if isinstance(part, Branch):
            if node.kind_id != part.kind_id:
                return False
            return self._fits_all(part.children, significant(node))
        if isinstance(part, Leaf):
            return node.kind_id == part.kind_id and (not part.named or self._text(node) == part.text)
        return isinstance(part, Variable) and _binds(node) and self._bind(part.name, (node,))

    def _fits_all(self, parts: tuple[Part, ...], nodes: list[Node]) -> bool:
        split = next((index for index, part in enumerate(parts) if isinstance(part, AnySiblings)), None)
        if split is None:
            return len(parts) == len(nodes) and all(map(self._fits, parts, nodes))
        behind = len(parts) - split - 1
        if len(nodes) < split + behind:
            return False
        stop = len(nodes) - behind
        if not all(map(self._fits, parts[:split], nodes)):
            return False
        ellipsis = parts[split]
        assert isinstance(ellipsis, AnySiblings)
        return self._bind_many(ellipsis.name, nodes, split, stop) and all(
            map(self._fits, parts[split + 1 :], nodes[stop:])
        )

    # ---- with choices: each way is yielded, and taken back when the next is tried ----

    def _ways(self, part: Part, node: Node) -> Iterator[None]:
        if isinstance(part, Branch):
            if node.kind_id == part.kind_id:
                for _ in self._sequence(part.children, 0, significant(node), 0, whole=True):
                    yield
        elif isinstance(part, Leaf):
            if node.kind_id == part.kind_id and (not part.named or self._text(node) == part.text):
                yield
        elif isinstance(part, Variable) and _binds(node):
            yield from self._binding(part.name, (node,))

    def _sequence(
        self, parts: tuple[Part, ...], index: int, nodes: Sequence[Node], at: int, *, whole: bool
    ) -> Iterator[int]:
        """The ways in which parts[index:] match nodes[at:]; each gives where it ends. *whole*: up to the last node."""
        self._left -= 1
        if self._left < 0:
            raise StepLimit(
                f"this pattern can match in too many ways (over {STEPS} steps at one node); use fewer $$$ in a row"
            )
        if index == len(parts):
            if not whole or at == len(nodes):
                yield at
            return
        part = parts[index]
        needed = sum(1 for rest in parts[index + 1 :] if not isinstance(rest, AnySiblings))
        if isinstance(part, AnySiblings):
            last = len(nodes) - needed
            # At the end of a run that may stop anywhere, an ellipsis takes all there is.
            order = range(at, last + 1) if whole or index + 1 < len(parts) else range(last, at - 1, -1)
            for end in order:
                known = part.name in self._bound
                if self._bind_many(part.name, nodes, at, end):
                    yield from self._sequence(parts, index + 1, nodes, end, whole=whole)
                    self._unbind(part.name, known)
        elif at + needed < len(nodes):
            if isinstance(part, Variable) and self.chain is not None:
                yield from self._chained(part, parts, index, nodes, at, whole=whole)
                return
            for _ in self._ways(part, nodes[at]):
                yield from self._sequence(parts, index + 1, nodes, at + 1, whole=whole)

    def _chained(
        self, part: Variable, parts: tuple[Part, ...], index: int, nodes: Sequence[Node], at: int, *, whole: bool
    ) -> Iterator[int]:
        """A metavariable for an expression that is several siblings: `a.b` is `a` and the selector `.b` in Dart."""
        if not _binds(nodes[at]) or nodes[at].type == self.chain:
            return
        end = at + 1
        while True:
            for _ in self._binding(part.name, tuple(nodes[at:end])):
                yield from self._sequence(parts, index + 1, nodes, end, whole=whole)
            if end == len(nodes) or nodes[end].type != self.chain:
                return
            end += 1

    def _binding(self, name: str | None, nodes: tuple[Node, ...]) -> Iterator[None]:
        known = name in self._bound
        if self._bind(name, nodes):
            yield
            self._unbind(name, known)

    @staticmethod
    def _first(ways: Iterator[None]) -> bool:
        for _ in ways:
            return True
        return False

    # ---- captures ----

    def _bind(self, name: str | None, nodes: tuple[Node, ...]) -> bool:
        if name is None:
            return True
        known = self._bound.get(name)
        if known is None:
            self._bound[name] = nodes
            return True
        return self._same(known, nodes)

    def _bind_many(self, name: str | None, nodes: Sequence[Node], start: int, stop: int) -> bool:
        if name is None:
            return True
        taken = tuple(nodes[start:stop])
        if name in self._bound:
            return self._same(self._bound[name], taken)
        at = nodes[start].start_byte if start < len(nodes) else nodes[-1].end_byte if nodes else 0
        self._bound[name] = taken
        self._many[name] = (at, True)
        return True

    def _unbind(self, name: str | None, known: bool) -> None:
        if name is not None and not known:
            self._bound.pop(name, None)
            self._many.pop(name, None)

    def _same(self, one: Sequence[Node], other: Sequence[Node]) -> bool:
        """The same text; blanks and comments between tokens do not count, inside strings everything does."""
        if not one or not other:
            return len(one) == len(other)
        first = self.source[one[0].start_byte : one[-1].end_byte]
        second = self.source[other[0].start_byte : other[-1].end_byte]
        return first == second or self._tokens(one) == self._tokens(other)

    def _tokens(self, nodes: Sequence[Node]) -> list[bytes]:
        tokens = []
        todo = list(reversed(nodes))
        while todo:
            node = todo.pop()
            if node.is_extra:
                continue
            if node.child_count == 0:
                tokens.append(self._text(node))
            else:
                todo.extend(reversed(node.children))
        return tokens

    def _text(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]


def _binds(node: Node) -> bool:
    return node.is_named and not node.is_error and not node.is_missing


def _is_straight(part: Part) -> bool:
    """Whether a part can match in one way only: at most one ellipsis among the children of any node."""
    if not isinstance(part, Branch):
        return True
    several = sum(isinstance(child, AnySiblings) for child in part.children) > 1
    return not several and all(_is_straight(child) for child in part.children)


def _inner_end(node: Node) -> int:
    """The end of a node without the separator that closes it, or that closes the statement in which it ends."""
    while True:
        last = next((child for child in reversed(node.children) if not child.is_extra), None)
        if last is None:
            return node.end_byte
        if not last.is_named and last.type in SEPARATORS:
            kept = significant(node)
            if not kept or kept[-1].end_byte > last.start_byte:
                return node.end_byte
            last = kept[-1]
        node = last
