"""Parsed trees, kept between searches as far as a cap on their memory allows (ast:memory).

A tree is good for the bytes it was parsed from, and those are read anyway: comparing them beats any guess from times
and sizes.
"""

from __future__ import annotations

from collections import OrderedDict

import attrs
from tree_sitter import Tree

PER_NODE = 120
"""Bytes of memory for each node of a tree: 88 to 122 measured over Python, TypeScript, JavaScript and C. By the byte of
source it is 12 to 26, too wide to hold a cap by."""
_PER_TREE = 2_000
_LATELY = 4
"""Scans for which a tree that is not used is kept although another would like its place."""


@attrs.define
class _Kept:
    source: bytes
    tree: Tree
    cost: int
    used: int


@attrs.define
class TreeCache:
    """The trees of one worker.

    A tree that one of the last scans used never makes room. So a scan that does not fit keeps what it has instead of
    evicting in a circle, and two that alternate do not drive each other out; what nobody asks for any more does go.

    Args:
        limit: bytes of memory for trees and their sources.
    """

    limit: int
    size: int = attrs.field(default=0, init=False)
    _kept: OrderedDict[tuple[str, str, str], _Kept] = attrs.field(factory=OrderedDict, init=False)
    _scan: int = attrs.field(default=0, init=False)

    def begin(self) -> None:
        """A new scan."""
        self._scan += 1

    def get(self, key: tuple[str, str, str], source: bytes) -> Tree | None:
        """The tree of these bytes, if it is there.

        Args:
            key: language, root and path.
        """
        kept = self._kept.get(key)
        if kept is None or kept.source != source:
            return None
        kept.used = self._scan
        self._kept.move_to_end(key)
        return kept.tree

    def put(self, key: tuple[str, str, str], source: bytes, tree: Tree) -> None:
        """Keep a tree if there is room, or if room can be made of what was not used lately."""
        self._drop(key)
        cost = tree.root_node.descendant_count * PER_NODE + len(source) + _PER_TREE
        while self.size + cost > self.limit and self._kept:
            oldest, kept = next(iter(self._kept.items()))
            if kept.used >= self._scan - _LATELY:
                return
            self._drop(oldest)
        if self.size + cost <= self.limit:
            self._kept[key] = _Kept(source, tree, cost, self._scan)
            self.size += cost

    def _drop(self, key: tuple[str, str, str]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self.size -= kept.cost
