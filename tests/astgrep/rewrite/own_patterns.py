"""Patterns made of the code itself: a node's own text, with some of what is in it left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import attrs
from tree_sitter import Node

_LISTS = ("arguments", "argument_list", "parameters", "formal_parameters", "parameter_list", "block", "statement_block")
"""Nodes whose children may be left open together, as `$$$NAME`."""
_OPEN = (
    "identifier",
    "expression",
    "call",
    "operator",
    "invocation",
    "string",
    "literal",
    "integer",
    "statement",
    "block",
)
"""What may be left open, by the ends of its kind: a name or a value that is all there is in something else may stay less
than that, as the name in `const $NAME;`."""
_LARGEST = 1_500

Choose = Callable[[int], int]
"""Draws a number below another."""


@attrs.frozen
class OwnPattern:
    """A pattern that a node of a source must match.

    Attributes:
        start, end: the node's range in bytes.
    """

    text: str
    start: int
    end: int


def own_pattern(source: bytes, nodes: Sequence[Node], choose: Choose) -> OwnPattern | None:
    """A pattern of one of the nodes; None where it has no text of its own to write a pattern of.

    Code with a backslash or a dollar sign before a name, which would mean something else in a pattern, is passed over, and
    so is a text over several lines that does not begin its line: its indentation cannot be told.
    """
    node = nodes[choose(len(nodes))]
    start, end = node.start_byte, node.end_byte
    line = source.rfind(b"\n", 0, start) + 1
    margin = source[line:start]
    holes = list(_holes(source, node, choose))
    pieces, at = [], start
    for number, (first, last, many) in enumerate(holes):
        pieces += [source[at:first], b"%s%c" % (b"$$$" if many else b"$", b"ABCDEFGHIJ"[number])]
        at = last
    text = b"".join([*pieces, source[at:end]])
    own = b"".join(pieces[::2]) + source[at:end]
    if b"$" in own or b"\\" in own or len(text) > _LARGEST or not own.strip(b" \n()[]{},;"):
        return None
    if b"\n" in text:
        lined = nodes_of(node, lambda each: "string" in each.type and each.start_point[0] < each.end_point[0])
        if any(not any(first <= each.start_byte < last for first, last, _ in holes) for each in lined):
            return None  # its lines may not be moved
        lines = text.split(b"\n")
        if margin.strip(b" \t") or not all(each.startswith(margin) or not each for each in lines[1:]):
            return None
        text = b"\n".join([lines[0], *(each[len(margin) :] for each in lines[1:])])
    return OwnPattern(text.decode(), start, end)


def nodes_of(root: Node, wanted: Callable[[Node], bool]) -> list[Node]:
    """The nodes below a root for which something holds, in document order; none of those inside a string."""
    found, todo = [], [root]
    while todo:
        node = todo.pop()
        if wanted(node):
            found.append(node)
        if "string" not in node.type and "template" not in node.type:
            todo.extend(reversed(node.children))
    return found


def _holes(source: bytes, node: Node, choose: Choose) -> Iterator[tuple[int, int, bool]]:
    """Parts of a node to leave open, in order: each a range, and whether it is a list of siblings."""
    holes: list[tuple[int, int, bool]] = []
    inner = [each for each in nodes_of(node, _is_open) if each.id != node.id and each.start_byte < each.end_byte]
    for _ in range(choose(4) if inner else 0):
        part = inner[choose(len(inner))]
        first, last, many = part.start_byte, part.end_byte, False
        named = part.named_children
        if part.type in _LISTS and named and not any(each.is_extra for each in named):
            first, last, many = named[0].start_byte, named[-1].end_byte, True
        last = first + len(source[first:last].rstrip())  # some grammars count the line end in
        last -= source[last - 1 : last] == b";"  # C would read `$A $B;` as one declaration
        if not many and part.type in _LISTS:
            continue  # as one it would be its only element
        if not many and source[last - 1 : last] == b"}":
            continue  # a statement that no `;` closes: its metavariable might go on with what comes behind it
        if all(last <= begins or ends <= first for begins, ends, _ in holes):
            holes.append((first, last, many))
    yield from sorted(holes)


def _is_open(node: Node) -> bool:
    if not (node.is_named and node.type.endswith(_OPEN)) or node.parent is None:
        return False
    return len(node.parent.named_children) > 1 or node.parent.type.endswith(_OPEN)
