"""Matches that are inside something, or are not: `inside` and `not_inside` of a search."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import attrs
from tree_sitter import Tree

from toolpost_astgrep.matching.captures import Capture
from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.matching.scan import Search
from toolpost_astgrep.patterns.parts import Reading


@attrs.frozen(kw_only=True)
class Inside:
    """A search of which only those matches count that stand where they should.

    A metavariable that both patterns name must be the same text in both; what the one around captures is told with the match.

    Args:
        search: what is looked for.
        inside: each match must be inside a match of this, which holds more than the match.
        outside: and inside none of this.
    """

    search: Search
    inside: Search | None = None
    outside: Search | None = None

    @property
    def reading(self) -> Reading:
        return self.search.reading

    def may_match(self, data: bytes) -> bool:
        return self.search.may_match(data) and (self.inside is None or self.inside.may_match(data))

    def matches(self, data: bytes, tree: Tree) -> Iterator[Match]:
        matches = list(self.search.matches(data, tree))
        if self.outside is not None and matches and self.outside.may_match(data):
            shunned = _outer(matches, self.outside.matches(data, tree), data)
            matches = [match for match, around in shunned if around is None]
        if self.inside is None or not matches:
            yield from matches
            return
        for match, around in _outer(matches, self.inside.matches(data, tree), data):
            if around is not None:
                yield attrs.evolve(match, around=around.captures)

    def scan(self, data: bytes, tree: Tree, *, most: int) -> tuple[int, list[Match]]:
        found = list(self.matches(data, tree))
        return len(found), found[:most]


def _outer(matches: Iterable[Match], around: Iterable[Match], data: bytes) -> Iterator[tuple[Match, Match | None]]:
    """Each match with the innermost of *around* that holds it and more and captures the same by the same names.

    Args:
        matches, around: in document order.
    """
    coming, opened = deque(around), list[Match]()
    for match in matches:
        while coming and coming[0].start <= match.start:
            opened.append(coming.popleft())
        opened = [each for each in opened if each.end > match.start]
        yield match, next((each for each in reversed(opened) if _holds(each, match, data)), None)


def _holds(outer: Match, match: Match, data: bytes) -> bool:
    if match.end > outer.end or (outer.start, outer.end) == (match.start, match.end):
        return False
    shared = outer.captures.keys() & match.captures.keys()
    return all(_text(outer.captures[name], data) == _text(match.captures[name], data) for name in shared)


def _text(capture: Capture, data: bytes) -> bytes:
    return data[capture.start : capture.end]
