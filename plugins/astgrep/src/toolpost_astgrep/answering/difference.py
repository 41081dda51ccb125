"""Where a pattern and a node part: a hint for people, no second matcher. It tries no other ends of a `$$$`."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from tree_sitter import Node

from toolpost_astgrep.patterns.parts import AnySiblings, Branch, Leaf, Part, Reading, Variable, significant

_TEXT = 60


@attrs.frozen
class Difference:
    """What differs, in words, and how far into the file."""

    at: int
    text: str


def difference(reading: Reading, node: Node, data: bytes) -> Difference:
    """The first place where a reading of one node and a node of its kind differ."""
    bound: dict[str, bytes] = {}
    found = _siblings(reading.run, [node], data, bound, node)
    return found or Difference(node.end_byte, "They look alike; what a $$$ stands for may be what keeps them apart.")


def _siblings(
    parts: Sequence[Part], nodes: Sequence[Node], data: bytes, bound: dict[str, bytes], parent: Node
) -> Difference | None:
    at = 0
    for index, part in enumerate(parts):
        if isinstance(part, AnySiblings):
            at = _behind_ellipsis(parts[index + 1 :], nodes, at)
            continue
        if at == len(nodes):
            return Difference(parent.end_byte, f"The pattern goes on with {_of_part(part)}; the code ends there.")
        found = _one(part, nodes[at], data, bound)
        if found is not None:
            later = next((here for here in range(at, len(nodes)) if _is_token(part, nodes[here])), at)
            return _unmentioned(nodes[at:later], data) if later > at else found
        at += 1
    return _unmentioned(nodes[at:], data) if at < len(nodes) else None


def _is_token(part: Part, node: Node) -> bool:
    """Whether a node is the bracket or word that comes next in the pattern, with more before it in the code."""
    return isinstance(part, Leaf) and not part.named and node.kind_id == part.kind_id


def _unmentioned(nodes: Sequence[Node], data: bytes) -> Difference:
    rest = _shown(data[nodes[0].start_byte : nodes[-1].end_byte])
    text = f"The code has {rest}, which the pattern does not mention; write it, or $$$ there."
    return Difference(nodes[0].start_byte, text)


def _one(part: Part, node: Node, data: bytes, bound: dict[str, bytes]) -> Difference | None:
    text = data[node.start_byte : node.end_byte]
    if isinstance(part, Variable):
        if not node.is_named:
            return Difference(node.start_byte, f"The pattern has {_of_part(part)} where the code has {_shown(text)}.")
        if part.name is not None and bound.setdefault(part.name, text) != text:
            both = f"{_shown(bound[part.name])} and {_shown(text)}"
            return Difference(node.start_byte, f"${part.name} would be {both}, and must be the same text.")
        return None
    assert isinstance(part, (Leaf, Branch))
    same = node.kind_id == part.kind_id and (isinstance(part, Branch) or not part.named or part.text == text)
    if not same:
        return Difference(
            node.start_byte, f"The pattern has {_of_part(part)} where the code has {node.type} {_shown(text)}."
        )
    return _siblings(part.children, significant(node), data, bound, node) if isinstance(part, Branch) else None


def _behind_ellipsis(rest: Sequence[Part], nodes: Sequence[Node], at: int) -> int:
    """Where what is behind an ellipsis begins: at the end, if it is the last one; else at the first of the next's kind."""
    if not any(isinstance(part, AnySiblings) for part in rest):
        return max(at, len(nodes) - len(rest))
    following = rest[0]
    if isinstance(following, (Leaf, Branch)):
        return next((here for here in range(at, len(nodes)) if nodes[here].kind_id == following.kind_id), at)
    return at


def _of_part(part: Part) -> str:
    if isinstance(part, Leaf):
        return f"{part.kind} {_shown(part.text)}" if part.named else _shown(part.text)
    if isinstance(part, Branch):
        return part.kind
    return f"${part.name or '_'}"


def _shown(text: bytes) -> str:
    line = " ".join(text[: 4 * _TEXT].decode(errors="replace").split())
    return f"`{line[:_TEXT]}{'…' if len(line) > _TEXT else ''}`"
