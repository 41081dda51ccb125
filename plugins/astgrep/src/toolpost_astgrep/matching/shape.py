"""A quick yes: most nodes that match are plain, and need no search to tell (facts/structural-search.md §4, point 3).

Where a pattern has no name or word in it (`$F($$$ARGS)`), hundreds of thousands of nodes match. The check here touches
a few of a node's children only. It says yes to nothing that the matcher refuses; whatever it does not say yes to, the
matcher must look at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
from tree_sitter import Node

from toolpost_astgrep.patterns.parts import AnySiblings, Branch, Leaf, Part, Reading, Variable

Check = Callable[[Node], bool]
"""Says yes or "do not know" to a node of the right kind."""

_ANY = 0
"""In place of a kind, for a metavariable."""


@attrs.frozen
class _Step:
    """What a child must be: of this kind, and of this shape if it holds others."""

    kind_id: int
    inside: Check | None = None


def plain_match(reading: Reading, *, chained: bool) -> Check | None:
    """The check for a reading of one node, in which there are no syntax errors; None if there is none that is quick.

    Args:
        chained: a metavariable may take several siblings (Profile.chain).
    """
    part = reading.run[0]
    if chained or len(reading.run) > 1 or reading.repeats or not isinstance(part, Branch):
        return None
    return _branch(part)


def _branch(part: Branch) -> Check | None:
    """Check the children before and behind an ellipsis, and how many there are where there is none."""
    open_at = [index for index, each in enumerate(part.children) if isinstance(each, AnySiblings)]
    steps = [_step(each) for each in part.children if not isinstance(each, AnySiblings)]
    known = tuple(step for step in steps if step is not None)
    if part.gaps is not None or part.separator is not None or len(open_at) > 1 or len(known) < len(steps):
        return None
    return _between(known, open_at[0]) if open_at else _exact(known)


def _step(part: Part) -> _Step | None:
    if isinstance(part, Variable):
        if part.wide:
            return None
        return _Step(_ANY)
    if isinstance(part, Leaf) and not part.named:
        return _Step(part.kind_id)
    inside = _branch(part) if isinstance(part, Branch) else None
    return _Step(part.kind_id, inside) if isinstance(part, Branch) and inside is not None else None


# Hundreds of thousands of nodes pass here: what is called for each child counts.


def _exact(steps: Sequence[_Step]) -> Check:
    wanted = [(step.kind_id, step.inside) for step in steps]
    count = len(wanted)

    def exact(node: Node) -> bool:
        children = node.children
        if len(children) != count:
            return False
        for child, (kind_id, inside) in zip(children, wanted, strict=True):
            if kind_id == _ANY:
                if not child.is_named or child.is_extra:
                    return False
            elif child.kind_id != kind_id or (inside is not None and not inside(child)):
                return False
        return True

    return exact


def _between(steps: Sequence[_Step], split: int) -> Check:
    least = len(steps)
    ends = [(index if index < split else index - least, step.kind_id, step.inside) for index, step in enumerate(steps)]

    def between(node: Node) -> bool:
        count = node.child_count
        if count < least:
            return False
        for index, kind_id, inside in ends:
            child = node.child(index if index >= 0 else count + index)
            if child is None:
                return False
            if kind_id == _ANY:
                if not child.is_named or child.is_extra:
                    return False
            elif child.kind_id != kind_id or (inside is not None and not inside(child)):
                return False
        return True

    return between
