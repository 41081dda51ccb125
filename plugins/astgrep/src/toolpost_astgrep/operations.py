"""Operations that are none: a grammar without precedence takes `a + b * c` for `(a + b) * c`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

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


def _operator(node: Node) -> str | None:
    found = node.child_by_field_name("operator")
    return found.text.decode(errors="replace") if found is not None and found.text else None
