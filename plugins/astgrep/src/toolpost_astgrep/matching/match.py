"""Does a reading match here? Nodes against parts of the pattern, with what each metavariable captured.

Named nodes of the code that the pattern does not mention never go along (ast:no-leftovers), nor do tokens that say
something: an `async` or `static` in the code must be in the pattern. Only separators and comments are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from types import MappingProxyType

import attrs
from tree_sitter import Node

from toolpost_astgrep.matching.captures import Bindings, Capture
from toolpost_astgrep.matching.operations import Grouping, is_made_up, is_torn
from toolpost_astgrep.patterns.parts import (
    SEPARATORS,
    AnySiblings,
    Branch,
    Leaf,
    Part,
    Reading,
    Variable,
    gaps,
    separator_in,
    significant,
    unwrapped,
)

_BRACKETS = frozenset("()[]{}")
STEPS = 100_000
"""How many choices of `$$$` may be tried at one node of the code; more end in StepLimit."""


class StepLimit(RuntimeError):
    """The pattern can be matched in too many ways to try them all."""


@attrs.frozen
class Match:
    """A place that matches, in bytes.

    Attributes:
        outer_end: behind the separator that closes the last node, if one does.
        around: what the pattern captured that it had to be inside of.
    """

    start: int
    end: int
    outer_end: int
    captures: Mapping[str, Capture]
    around: Mapping[str, Capture] = MappingProxyType({})


@attrs.define
class _Place:
    """Parts from `index` on, to be matched with nodes from `at` on; `outer` is what comes behind the last of them."""

    parts: tuple[Part, ...]
    index: int
    nodes: Sequence[Node]
    at: int
    outer: _Place | None


@attrs.define
class _Choice:
    """A part that may take more or fewer siblings: where it is, the ends yet to be tried, how much was bound before."""

    place: _Place
    ends: Iterator[int]
    bound: int


@attrs.define
class Matcher:
    """Matches one reading in one source.

    It keeps its own stack of choices, so neither deep code nor a long row of siblings can exhaust Python's.

    Args:
        chain: the kinds of siblings by which an expression goes on; a metavariable takes them along (Profile.chain).
        prefixes: the kinds of siblings by which one begins (Profile.prefixes).
        wrappers: the kinds that are seen through (Profile.wrappers).
        clauses: the kinds that no ellipsis takes (Profile.clauses).
        grouping: how operators are grouped, where the grammar does not know it (Profile.grouping).
        greedy: the kinds that take whole operations (Profile.greedy).
    """

    reading: Reading
    source: bytes
    chain: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    grouping: Grouping | None = None
    greedy: frozenset[str] = frozenset()
    _bindings: Bindings = attrs.field(init=False)
    _children: dict[int, list[Node]] = attrs.field(factory=dict, init=False)
    _tried: dict[tuple[int, int, int], int] = attrs.field(factory=dict, init=False)
    _left: int = attrs.field(default=STEPS, init=False)
    _independent: bool = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bindings = Bindings(self.source)
        # Then what is behind an ellipsis matches or not whatever was bound before it.
        self._independent = not self.reading.repeats

    def node(self, node: Node) -> Match | None:
        """The match that is this node, for a reading of one node."""
        if self._is_made_up(node):
            return None
        for _ in self._ends((node,), 0, whole=True):
            return self._made((node,))
        return None

    def siblings(self, nodes: Sequence[Node], start: int) -> list[Match]:
        """The matches that begin with that sibling, for a reading of several nodes: the longest first.

        There are several only where an expression goes on in siblings: `$F($X)` is both in Dart's `f(a)(b)`.
        """
        found = {end: self._made(nodes[start:end]) for end in self._ends(nodes, start, whole=False) if end > start}
        return [found[end] for end in sorted(found, reverse=True)]

    # ---- the search ----

    def _ends(self, nodes: Sequence[Node], start: int, *, whole: bool) -> Iterator[int]:
        """Where the run can end that begins at *start*. The captures of each are bound while it is yielded."""
        self._reset()
        choices: list[_Choice] = []
        place: _Place | None = _Place(self.reading.run, 0, nodes, start, None)
        while place is not None:
            end = self._onward(place, choices, whole=whole)
            if end is not None:
                yield end
                if not self.chain:
                    return
            place = self._next(choices)

    def _onward(self, place: _Place, choices: list[_Choice], *, whole: bool) -> int | None:
        """Match from a place on, up to the next choice. The end of the whole run; None if it is not reached."""
        parts, index, nodes, at, outer = place.parts, place.index, place.nodes, place.at, place.outer
        while True:
            if index == len(parts):
                if at < len(nodes) and (whole or outer is not None):
                    return None
                if outer is None:
                    return at
                parts, index, nodes, at, outer = outer.parts, outer.index, outer.nodes, outer.at, outer.outer
                continue
            part = parts[index]
            if isinstance(part, AnySiblings):
                place = _Place(parts, index, nodes, at, outer)
                if not self._is_hopeless(place):
                    choices.append(_Choice(place, self._ellipsis(place, whole=whole), self._bindings.count))
                return None
            node = nodes[at] if at < len(nodes) else None
            if isinstance(part, Branch) and _may_be_absent(part) and (node is None or node.kind_id != part.kind_id):
                absent = part.children[0]
                assert isinstance(absent, AnySiblings)
                if not self._bindings.bind(absent.name, nodes, at, at, many=True):
                    return None
                index += 1
                continue
            if node is None:
                return None
            if isinstance(part, Branch):
                inside = self._inside(part, node)
                if inside is None:
                    return None
                outer = _Place(parts, index + 1, nodes, at + 1, outer)
                parts, index, nodes, at = part.children, 0, inside, 0
                continue
            if isinstance(part, Leaf):
                if not self._is_leaf(part, node):
                    return None
            elif part.wide:
                place = _Place(parts, index, nodes, at, outer)
                choices.append(_Choice(place, _extents(place), self._bindings.count))
                return None
            elif not _binds(node) or self._is_made_up(node):
                return None
            elif self.chain:
                if node.type in self.chain:
                    return None
                place = _Place(parts, index, nodes, at, outer)
                choices.append(_Choice(place, self._links(nodes, at), self._bindings.count))
                return None
            elif not self._bindings.bind(part.name, nodes, at, at + 1):
                return None
            index += 1
            at += 1

    def _next(self, choices: list[_Choice]) -> _Place | None:
        """The place behind the latest choice, decided in the next way; None if all ways were tried."""
        while choices:
            choice = choices[-1]
            self._bindings.take_back(choice.bound)
            place = choice.place
            part = place.parts[place.index]
            assert isinstance(part, (Variable, AnySiblings))
            for end in choice.ends:
                self._left -= 1
                if self._left < 0:
                    raise StepLimit(
                        f"this pattern can match in too many ways (over {STEPS} tried at one node); use fewer $$$ in a row"
                    )
                if self._bindings.bind(part.name, place.nodes, place.at, end, many=isinstance(part, AnySiblings)):
                    return _Place(place.parts, place.index + 1, place.nodes, end, place.outer)
            choices.pop()
        return None

    def _is_hopeless(self, place: _Place) -> bool:
        """Whether the same ellipsis has begun here or further left before, and no end of it led to a match."""
        if not self._independent:
            return False
        key = (id(place.parts), place.index, id(place.nodes))
        before = self._tried.get(key)
        if before is not None and before <= place.at:
            return True
        self._tried[key] = place.at
        return False

    def _ellipsis(self, place: _Place, *, whole: bool) -> Iterator[int]:
        """Where an ellipsis may end: only where what comes next can begin."""
        behind = place.parts[place.index + 1 :]
        optional = [
            isinstance(part, AnySiblings) or (isinstance(part, Branch) and _may_be_absent(part)) for part in behind
        ]
        needed = optional.count(False)
        last = len(place.nodes) - needed
        bounded = whole or place.outer is not None
        bracketed = not place.at and bool(place.nodes) and place.nodes[0].type in _BRACKETS
        if not bounded or bracketed:  # the siblings end where the brackets do that are around them
            last = min(last, _first_of(_BRACKETS, place.nodes, place.at))
        if self.clauses:
            last = min(last, _first_of(self.clauses, place.nodes, place.at))
        if not behind and not bounded:
            yield last  # at the end of a run that may stop anywhere, it takes all there is
            return
        single = not self.chain and not any(isinstance(part, Variable) and part.wide for part in behind)
        fixed = needed == len(behind) and single and bounded
        following = behind[0] if behind else None
        for end in range(max(last, place.at) if fixed else place.at, last + 1):
            if isinstance(following, Leaf) and not self._is_leaf(following, place.nodes[end]):
                continue
            kind_id = following.kind_id if isinstance(following, Branch) and not optional[0] else None
            if kind_id is not None and unwrapped(place.nodes[end], self.wrappers).kind_id != kind_id:
                continue
            yield end

    def _links(self, nodes: Sequence[Node], at: int) -> Iterator[int]:
        """Where an expression of several siblings may end: `a.b` is `a` and the selector `.b` in Dart."""
        end = at
        while end + 1 < len(nodes) and nodes[end].type in self.prefixes:
            end += 1
        end += 1
        yield end
        while end < len(nodes) and nodes[end].type in self.chain:
            end += 1
            yield end

    # ---- one node ----

    def _inside(self, part: Branch, node: Node) -> Sequence[Node] | None:
        """The children to match with a branch's; None if they cannot match."""
        node = unwrapped(node, self.wrappers)
        if node.kind_id != part.kind_id:
            return None
        # The same list each time, since what failed in it is remembered by its identity.
        children = self._children.get(node.id)
        if children is None:
            children = self._children[node.id] = significant(node)
        if part.separator is not None and separator_in(node) not in (None, part.separator):
            return None
        if part.gaps is not None:
            found = gaps(self.source, node)
            if found != part.gaps and (any(part.gaps) or any(found)):
                return None
        return children

    def _is_leaf(self, part: Leaf, node: Node) -> bool:
        node = unwrapped(node, self.wrappers)
        if node.kind_id != part.kind_id or node.is_missing:
            return False
        return part.is_spelling(self._text(node))

    def _is_made_up(self, node: Node) -> bool:
        if self.grouping is not None and is_made_up(node, self.grouping):
            return True
        return bool(self.greedy) and is_torn(node, self.greedy)

    def _reset(self) -> None:
        self._bindings.take_back(0)
        self._children.clear()
        self._tried.clear()
        self._left = STEPS

    def _text(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def _made(self, nodes: Sequence[Node]) -> Match:
        last = nodes[-1]
        return Match(nodes[0].start_byte, _inner_end(last, self.source), last.end_byte, self._bindings.captures())


def _extents(place: _Place) -> Iterator[int]:
    """Where what a metavariable stands for may end if it is wide: before a separator, or before what comes next."""
    parts, nodes, end = place.parts, place.nodes, place.at
    inside = len(nodes) - 1  # the last is the bracket or the quote
    following = parts[place.index + 1] if place.index + 1 < len(parts) else None
    goes_on = isinstance(following, (Leaf, Branch)) and not (
        isinstance(following, Leaf) and following.kind in _BRACKETS
    )
    while end < inside:
        end += 1
        behind = nodes[end - 1].next_sibling
        while behind is not None and behind.is_extra:
            behind = behind.next_sibling
        parted = end == inside or (behind is not None and behind.type in SEPARATORS)
        if parted or goes_on:
            yield end
        if parted:
            return


def _binds(node: Node) -> bool:
    return node.is_named and not node.is_error and not node.is_missing


def _first_of(kinds: Set[str], nodes: Sequence[Node], at: int) -> int:
    """Where the first node of one of the kinds is from *at* on, or the end."""
    return next((index for index in range(at, len(nodes)) if nodes[index].type in kinds), len(nodes))


def _inner_end(node: Node, source: bytes) -> int:
    """The end of a node without the separator that closes it, or that closes the statement in which it ends."""
    outer = node
    while children := list(node.children):
        end = node.end_byte
        while children and (_is_separator(children[-1]) or _stands_behind(children[-1], node, outer)):
            end = children.pop().start_byte
        if not children or children[-1].is_extra:
            return outer.end_byte  # a comment at its end, inside the node, is part of it
        if source[children[-1].end_byte : end].strip(b" \t\r\n,;"):
            return node.start_byte + len(source[node.start_byte : end].rstrip(b"\r\n"))  # text without a node
        node = children[-1]
    return node.end_byte


def _is_separator(node: Node) -> bool:
    return not node.is_named and node.type in SEPARATORS


def _stands_behind(comment: Node, node: Node, outer: Node) -> bool:
    """Whether a comment at a node's end is beside it: it ends the node's only line, or is no deeper than what is around."""
    if not comment.is_extra or comment.is_error:
        return False
    return comment.start_point.row == node.start_point.row or comment.start_point.column <= outer.start_point.column


def _may_be_absent(part: Branch) -> bool:
    """A list without tokens of its own that may be empty: where it is, there need be no node for it."""
    return len(part.children) == 1 and isinstance(part.children[0], AnySiblings)
