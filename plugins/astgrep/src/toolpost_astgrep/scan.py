"""One pattern's reading over one file after another: prefilter, parse, candidates, match."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from tree_sitter import Language, Tree

from toolpost_astgrep.candidates import Candidates
from toolpost_astgrep.match import Match, Matcher
from toolpost_astgrep.pattern import Branch, Leaf, Part, Reading, Variable, significant
from toolpost_astgrep.prefilter import Prefilter
from toolpost_astgrep.profiles import Profile


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

    def __attrs_post_init__(self) -> None:
        self._filter = Prefilter.of(self.reading, self.profile)
        self._candidates = Candidates(self.reading, self.grammar)

    def may_match(self, data: bytes) -> bool:
        """Whether the file must be parsed at all."""
        return not self.prefilter or self._filter.passes(data)

    def matches(self, data: bytes, tree: Tree) -> Iterator[Match]:
        """The matches in a parsed file, in document order, an outer one before those inside it.

        Raises:
            StepLimit: the pattern can match in too many ways.
        """
        matcher = Matcher(self.reading, data, self.profile.chain)
        if len(self.reading.run) == 1:
            for node in self._candidates.nodes(tree, data):
                found = matcher.node(node)
                if found is not None:
                    yield found
            return
        for parent in self._candidates.parents(tree, data):
            siblings = significant(parent)
            at = 0
            while at < len(siblings):
                found = matcher.siblings(siblings, at)
                if found is not None:
                    yield found
                at += 1


def relaxed(reading: Reading) -> list[tuple[bytes, Reading]]:
    """The reading with one named token at a time left open: what nearly matches (ast:zero-explained)."""
    tokens = [leaf for leaf in reading.leaves() if leaf.named]
    if len(tokens) < 2:
        return []  # without any other token to hold on to, everything of that shape would do

    def without(part: Part, wanted: Leaf, done: list[bool]) -> Part:
        if part is wanted and not done:
            done.append(True)
            return Variable(None)
        if isinstance(part, Branch):
            return Branch(part.kind, part.kind_id, tuple(without(child, wanted, done) for child in part.children))
        return part

    found = []
    for token in tokens:
        done: list[bool] = []
        run = tuple(without(part, token, done) for part in reading.run)
        if done and any(isinstance(part, (Leaf, Branch)) for part in run):
            found.append((token.text, attrs.evolve(reading, run=run)))
    return found
