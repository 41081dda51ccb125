"""Parsed trees, kept between searches as far as a cap on their memory allows.

A tree is good for the bytes it was parsed from, and those are read anyway: comparing them beats any guess from times
and sizes.
"""

from __future__ import annotations

import attrs
from tree_sitter import Tree

PER_BYTE = 22.5
"""Bytes of memory that a tree takes for each byte of its source (facts/structural-search.md §2)."""


@attrs.define
class _Kept:
    source: bytes
    tree: Tree
    used: int

    @property
    def cost(self) -> int:
        return int(len(self.source) * (PER_BYTE + 1))


@attrs.define
class TreeCache:
    """The trees of one worker. A scan that does not fit keeps what it has instead of evicting in a circle.

    Args:
        limit: bytes of memory for trees and their sources.
    """

    limit: int
    size: int = attrs.field(default=0, init=False)
    _kept: dict[tuple[str, str], _Kept] = attrs.field(factory=dict, init=False)
    _scan: int = attrs.field(default=0, init=False)

    def begin(self) -> None:
        """A new scan: trees that it does not use may go for those that it does."""
        self._scan += 1

    def get(self, language: str, path: str, source: bytes) -> Tree | None:
        """The tree of these bytes, if it is there."""
        kept = self._kept.get((language, path))
        if kept is None or kept.source != source:
            return None
        kept.used = self._scan
        return kept.tree

    def put(self, language: str, path: str, source: bytes, tree: Tree) -> None:
        """Keep a tree, if there is room or room can be made from what this scan has no use for."""
        self._drop((language, path))
        new = _Kept(source, tree, self._scan)
        if self.size + new.cost > self.limit:
            self._make_room(new.cost)
        if self.size + new.cost <= self.limit:
            self._kept[language, path] = new
            self.size += new.cost

    def _make_room(self, cost: int) -> None:
        for key, kept in list(self._kept.items()):
            if self.size + cost <= self.limit:
                return
            if kept.used < self._scan:
                self._drop(key)

    def _drop(self, key: tuple[str, str]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self.size -= kept.cost
