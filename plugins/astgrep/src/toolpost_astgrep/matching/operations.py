"""Operations that are none: a grammar may take `a + b * c` for `(a + b) * c`, or `!a && b` for `!(a && b)`."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_PREFIX = "prefix_expression"

Grouping = Callable[[str, str], bool]
"""Whether `a first b second c` is `(a first b) second c`."""


def is_made_up(node: Node, grouping: Grouping) -> bool:
    """Whether the code takes a node apart: what it ends with belongs to the operator behind it.

    Args:
        grouping: how the language groups operators. The grammar is one that groups all of them to the left.
    """
    outer = node.parent
    if outer is None or outer.type != node.type or outer.start_byte != node.start_byte:
        return False
    behind = _operator(outer)
    inner: Node | None = node
    while behind is not None and inner is not None and inner.type == outer.type:
        own = _operator(inner)
        if own is not None and not grouping(own, behind):
            return True
        inner = inner.child(0)
    return False


def is_torn(node: Node, greedy: Set[str]) -> bool:
    """Whether a part of an operation is taken by what binds stronger: there is no `a && b` in `!a && b`.

    Args:
        greedy: the kinds that take whole operations (Profile.greedy).
    """
    prefix = node.type == _PREFIX
    if prefix and node.parent is not None and _is_operation(node.parent) and _is_operation(node.children[-1]):
        return True  # `a && !b || c` is no `a && …`
    if prefix and node.children[0].type == ".":
        return False  # Swift's `.name`
    return (prefix or _is_operation(node)) and (_is_target(node, greedy) or (not prefix and _is_negated(node, greedy)))


def _is_target(node: Node, greedy: Set[str]) -> bool:
    """Whether it ends in what is called, or whose member is taken: `a + b` in `a + b(c)`."""
    at, outer = node, node.parent
    while outer is not None and _is_operation(outer) and outer.end_byte == at.end_byte:
        at, outer = outer, outer.parent
    return outer is not None and outer.type in greedy and outer.start_byte == at.start_byte


def _is_negated(node: Node, greedy: Set[str]) -> bool:
    """Whether a prefix stands before it that is only about what it begins with."""
    at, outer = node, node.parent
    while outer is not None and _is_operation(outer) and outer.start_byte == at.start_byte:
        at, outer = outer, outer.parent
    return outer is not None and outer.type == _PREFIX and outer.type in greedy and outer.start_byte < at.start_byte


def _is_operation(node: Node) -> bool:
    """Whether it begins and ends with an operand, and something is between."""
    children = node.children
    return len(children) > 2 and children[0].is_named and children[-1].is_named


def _operator(node: Node) -> str | None:
    found = node.child_by_field_name("operator")
    return found.text.decode(errors="replace") if found is not None and found.text else None
