"""Our matches beside the peer's: which are only on one side, and what is known about such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

import attrs
from bench.ast_grep import Site
from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.patterns.parts import Reading
from tree_sitter import Node, Tree

Side = Literal["ours", "peer"]


@attrs.frozen(eq=False)
class Source:
    """A file of a corpus, parsed."""

    data: bytes
    tree: Tree


@attrs.frozen(kw_only=True, eq=False)
class Difference:
    """A match that only one side has.

    Attributes:
        reading: the pattern, as we read it.
    """

    side: Side
    site: Site
    source: Source
    reading: Reading

    @property
    def text(self) -> bytes:
        return self.source.data[self.site.start : self.site.end]

    @property
    def node(self) -> Node:
        """The smallest node that spans it."""
        node = self.source.tree.root_node.descendant_for_byte_range(self.site.start, self.site.end)
        assert node is not None
        return node


@attrs.frozen(kw_only=True)
class Allowed:
    """A kind of difference that has been looked at.

    Attributes:
        name: short, for the table.
        reason: who is right, and why.
        check: whether a difference is of this kind.
        patterns: the only ones that it is about; any, if there are none.
    """

    name: str
    side: Side
    reason: str
    check: Callable[[Difference], bool]
    patterns: frozenset[str] = frozenset()

    def covers(self, pattern: str, difference: Difference) -> bool:
        return (
            difference.side == self.side and (not self.patterns or pattern in self.patterns) and self.check(difference)
        )


def differences(
    ours: Mapping[str, Iterable[Match]], peers: Iterable[Site], sources: Mapping[str, Source], reading: Reading
) -> Iterator[Difference]:
    """What is only on one side.

    The peer counts the `;` or `,` that closes a statement or a list's last item to it where its grammar does; it is no
    part of a match (ast:run), so a range with it and one without are the same.

    Args:
        ours: the matches of each file.
    """
    left = Counter(peers)
    for path, matches in ours.items():
        for match in matches:
            ends = (match.end, match.outer_end)
            same = next((site for end in ends if left[site := Site(path=path, start=match.start, end=end)]), None)
            if same is not None:
                left[same] -= 1
            else:
                site = Site(path=path, start=match.start, end=match.end)
                yield Difference(side="ours", site=site, source=sources[path], reading=reading)
    for site in sorted(left.elements()):
        yield Difference(side="peer", site=site, source=sources[site.path], reading=reading)


def sorted_out(
    pattern: str, found: Iterable[Difference], allowed: Iterable[Allowed]
) -> tuple[Counter[Allowed], list[Difference]]:
    """How many differences are of each kind, and those that are of none."""
    kinds, allowed = Counter[Allowed](), tuple(allowed)
    unexplained = []
    for difference in found:
        kind = next((each for each in allowed if each.covers(pattern, difference)), None)
        if kind is None:
            unexplained.append(difference)
        else:
            kinds[kind] += 1
    return kinds, unexplained
