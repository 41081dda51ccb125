"""One pattern's reading over one file after another: prefilter, parse, candidates, match."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Protocol

import attrs
from tree_sitter import Language, Node, Tree

from toolpost_astgrep.matching.candidates import Candidates
from toolpost_astgrep.matching.match import Match, Matcher
from toolpost_astgrep.matching.prefilter import Prefilter
from toolpost_astgrep.matching.shape import Check, plain_match
from toolpost_astgrep.patterns.parts import Reading, significant
from toolpost_astgrep.profiles import Profile


class Search(Protocol):
    """What is looked for in one file after another."""

    @property
    def reading(self) -> Reading:
        """How the pattern is read."""

    def may_match(self, data: bytes) -> bool:
        """Whether the file must be parsed at all."""

    def matches(self, data: bytes, tree: Tree) -> Iterator[Match]:
        """The matches in a parsed file, in document order, an outer one before those inside it."""

    def scan(self, data: bytes, tree: Tree, *, most: int) -> tuple[int, list[Match]]:
        """How many matches a parsed file has, and the first *most* of them in full."""


@attrs.define
class Scanner:
    """Searches sources for one reading.

    Args:
        prefilter: off for checking that it loses nothing.
    """

    reading: Reading
    grammar: Language
    profile: Profile
    prefilter: bool = True
    _filter: Prefilter = attrs.field(init=False)
    _candidates: Candidates = attrs.field(init=False)
    _plain: Check | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._filter = Prefilter.of(self.reading, self.profile)
        self._candidates = Candidates(self.reading, self.grammar, self.profile.wrappers)
        if self.profile.grouping is None and not self.profile.greedy:
            self._plain = plain_match(self.reading, chained=bool(self.profile.chain))

    def may_match(self, data: bytes) -> bool:
        """Whether the file must be parsed at all."""
        return not self.prefilter or self._filter.passes(data)

    def matches(self, data: bytes, tree: Tree) -> Iterator[Match]:
        """The matches in a parsed file, in document order, an outer one before those inside it.

        Raises:
            StepLimit: the pattern can match in too many ways.
        """
        matcher = self._matcher(data)
        if len(self.reading.run) == 1:
            for node in self._candidates.nodes(tree, data):
                match = matcher.node(node)
                if match is not None:
                    yield match
            return
        found = []
        for parent in self._candidates.parents(tree, data):
            siblings = significant(parent)
            for at in range(len(siblings)):
                found += matcher.siblings(siblings, at)
        yield from sorted(found, key=lambda match: (match.start, -match.end))

    def _matcher(self, data: bytes) -> Matcher:
        profile = self.profile
        return Matcher(
            self.reading,
            data,
            chain=profile.chain,
            prefixes=profile.prefixes,
            wrappers=profile.wrappers,
            clauses=profile.clauses,
            grouping=profile.grouping,
            greedy=profile.greedy,
        )

    def scan(self, data: bytes, tree: Tree, *, most: int) -> tuple[int, list[Match]]:
        """How many matches a parsed file has, and the first *most* of them in full.

        Those that are only counted need no captures, so they cost a fraction.

        Raises:
            StepLimit: the pattern can match in too many ways.
        """
        if self._plain is None:
            found = list(self.matches(data, tree))
            return len(found), found[:most]
        matcher, candidates = self._matcher(data), self._candidates
        plain = _in_broken(self._plain) if tree.root_node.has_error else self._plain
        nodes = iter(candidates.nodes(tree, data) if most else candidates.unordered(tree, data))
        matches = (match for match in map(matcher.node, nodes) if match is not None)
        shown = list(itertools.islice(matches, most))
        return len(shown) + sum(plain(node) or matcher.node(node) is not None for node in nodes), shown


def _in_broken(plain: Check) -> Check:
    """A check for trees with syntax errors: it says yes only to nodes that hold none."""

    def check(node: Node) -> bool:
        return not node.has_error and plain(node)

    return check
