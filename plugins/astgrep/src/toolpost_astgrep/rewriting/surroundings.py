"""Is what surrounds a replacement still read as it was?

A replacement can be whole and yet change what is around it: `if (x) log(1);` without its `log(1);` takes the next
statement for its body, and JavaScript joins `(b)()` with the line before it. So every node that holds a replacement
must begin and end where it did, and what stands beside it there must be what it was.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from tree_sitter import Node

from toolpost_astgrep.patterns.parts import SEPARATORS
from toolpost_astgrep.rewriting.code import Code, children_in, is_comment
from toolpost_astgrep.rewriting.draft import Draft, Span


@attrs.define
class Surroundings:
    """Compares the old text's nodes with those of a draft."""

    code: Code
    draft: Draft
    _compared: set[int] = attrs.field(factory=set, init=False)

    def disturbed(self) -> list[int]:
        """The numbers of the replacements around which the draft is read otherwise."""
        return [number for number, span in enumerate(self.draft.spans) if not self._is_calm(span)]

    def _is_calm(self, span: Span) -> bool:
        deletes = span.start == span.end
        inside: list[Node] | None = None
        for holder in reversed(list(self._holders(span))):
            if holder.has_error:
                return True  # what the parser could not read is no measure
            if inside is None:
                inside = children_in(holder, span.old_start, span.old_end)
            if not all(self._is_as_before(node) for node in self._neighbours(inside)):
                return False
            inside = [holder]
            if holder.id in self._compared:
                return True
            self._compared.add(holder.id)
            if holder.parent is not None and not self._holds_together(holder, deletes=deletes):
                return False
        return True

    def _holders(self, span: Span) -> Iterator[Node]:
        """The nodes that hold more than what is replaced, the root first."""
        start, end = self.code.trimmed(span.old_start, span.old_end)
        cursor = self.code.tree.walk()
        while (node := cursor.node) is not None:
            more = node.start_byte < start or self.code.data[end : node.end_byte].strip(b" \t\r\n;,")
            if node.end_byte < end or not more:
                return
            yield node
            if cursor.goto_first_child_for_byte(start) is None:
                return

    def _neighbours(self, nodes: list[Node]) -> Iterator[Node]:
        """What stands beside some siblings, if it is code that no replacement touches."""
        if not nodes:
            return
        before, behind = nodes[0].prev_named_sibling, nodes[-1].next_named_sibling
        while before is not None and is_comment(before):
            before = before.prev_named_sibling
        while behind is not None and is_comment(behind):
            behind = behind.next_named_sibling
        for node in (before, behind):
            if node is not None and not node.has_error and not self.draft.touches(node.start_byte, node.end_byte):
                yield node

    def _is_as_before(self, node: Node) -> bool:
        """Whether a node that is not touched is still there, as what it was."""
        now = self._now(node)
        return now is not None and (
            not now or any(each.type == node.type for each in self.draft.code.same_range(now[0]))
        )

    def _holds_together(self, holder: Node, *, deletes: bool) -> bool:
        """Whether a node that holds a replacement still begins and ends where it did.

        What is put may make something else of it, as a tuple of what was in parentheses. What is taken away must not,
        unless only one thing is left in it, which then stands in its place.
        """
        now = self._now(holder)
        if now is None:
            return False
        if not now or not deletes or any(each.type == holder.type for each in self.draft.code.same_range(now[0])):
            return True
        left = [each for each in holder.children if not self.draft.touches(each.start_byte, each.end_byte)]
        return sum(each.type not in SEPARATORS and not is_comment(each) for each in left) == 1

    def _now(self, node: Node) -> list[Node] | None:
        """The node of the draft in a node's place; none if nothing is left of it, None if no node is just there."""
        start, end = self.code.trimmed(node.start_byte, node.end_byte)
        draft = self.draft
        found = draft.code.run_of(draft.place_of(start), draft.place_of(end, end=True))
        return found if found is not None and len(found) <= 1 else None
