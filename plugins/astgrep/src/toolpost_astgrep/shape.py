"""A quick yes: most nodes that match are plain, and need no search to tell (facts/structural-search.md §4, point 3).

Where a pattern has no name or word in it (`$F($$$ARGS)`), hundreds of thousands of nodes match. The check here touches
a few of a node's children only. It says yes to nothing that the matcher refuses; whatever it does not say yes to, the
matcher must look at.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from toolpost_astgrep.parts import AnySiblings, Branch, Leaf, Part, Reading, Variable

Check = Callable[[Node], bool]


def plain_match(reading: Reading, *, chained: bool) -> Check | None:
    """The check for a reading of one node, in a tree without syntax errors; None if there is none that is quick.

    Args:
        chained: a metavariable may take several siblings (Profile.chain).
    """
    if chained or len(reading.run) > 1 or reading.repeats:
        return None
    return _check(reading.run[0])


def _check(part: Part) -> Check | None:
    if isinstance(part, Variable):
        if part.among_tokens:
            return None
        return _is_plain_node
    if isinstance(part, Branch):
        return _branch(part) if part.gaps is None and part.separator is None else None
    if isinstance(part, Leaf) and not part.named:
        return _token(part.kind_id)
    return None


def _is_plain_node(node: Node) -> bool:
    return node.is_named and not node.is_extra


def _token(kind_id: int) -> Check:
    def check(node: Node) -> bool:
        return node.kind_id == kind_id

    return check


def _branch(part: Branch) -> Check | None:
    """Check the children before and behind an ellipsis, and how many there are where there is none."""
    kind_id, parts = part.kind_id, part.children
    open_at = [index for index, each in enumerate(parts) if isinstance(each, AnySiblings)]
    if len(open_at) > 1:
        return None
    split = open_at[0] if open_at else len(parts)
    head = _checks(parts[:split])
    tail = _checks(parts[split + 1 :])
    if head is None or tail is None:
        return None
    wanted = len(parts)
    if not open_at:

        def exact(node: Node) -> bool:
            if node.kind_id != kind_id or node.child_count != wanted:
                return False
            return all(check(child) for check, child in zip(head, node.children, strict=True))

        return exact
    least = wanted - 1
    ends = [(index, check) for index, check in enumerate(head)] + [
        (index - len(tail), check) for index, check in enumerate(tail)
    ]

    def between(node: Node) -> bool:
        count = node.child_count
        if node.kind_id != kind_id or count < least:
            return False
        for index, check in ends:
            child = node.child(index if index >= 0 else count + index)
            if child is None or not check(child):
                return False
        return True

    return between


def _checks(parts: tuple[Part, ...]) -> list[Check] | None:
    checks = [_check(part) for part in parts]
    return None if None in checks else [check for check in checks if check is not None]
