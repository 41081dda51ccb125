"""How a pattern is read and how code is, as trees that a model can compare (ast:zero-explained)."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node, Tree

from toolpost_astgrep.answering.difference import difference
from toolpost_astgrep.matching.scan import Scanner
from toolpost_astgrep.patterns.parts import AnySiblings, Branch, Leaf, Part, Reading, significant

_LINES = 60
_TEXT = 60
_TRIED = 20


def explained(search: Scanner, data: bytes = b"", tree: Tree | None = None, line: int | None = None) -> dict[str, str]:
    """A reading's tree; with a file and a line of it, from 1, also the tree of what begins there, and whether it matches."""
    told = {"pattern": _cut(_of_pattern(search.reading))}
    if tree is None or line is None:
        return told
    nodes = list(_beginning_in(tree.root_node, line - 1))
    told["code"] = _cut(row for node in nodes[:1] for row in _of_code(node, data))
    told["verdict"] = _verdict(search, data, tree, line, nodes)
    return told


def _verdict(search: Scanner, data: bytes, tree: Tree, line: int, nodes: list[Node]) -> str:
    """Does the pattern match in that line, and if not, where do they part?"""
    lines = [data.count(b"\n", 0, match.start) + 1 for match in search.matches(data, tree)]
    if line in lines:
        return f"The pattern matches in line {line}."
    if not nodes:
        return f"Nothing begins in line {line}."
    first = search.reading.run[0]
    if len(search.reading.run) > 1 or not isinstance(first, (Branch, Leaf)):
        return f"The pattern does not match in line {line}."
    alike = [node for node in nodes if node.kind_id == first.kind_id]
    if not alike:
        return f"The pattern does not match in line {line}: nothing that begins there is {_article(first.kind)}."
    parted = [difference(search.reading, node, data) for node in alike[:_TRIED]]
    return f"The pattern does not match in line {line}. " + max(parted, key=lambda each: each.at).text


def _beginning_in(root: Node, row: int) -> Iterator[Node]:
    """The named nodes that begin in a row, outer ones first."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.start_point.row > row or node.end_point.row < row:
            continue
        if node.start_point.row == row and node.is_named and node.parent is not None:
            yield node
        todo.extend(reversed(node.children))


def _of_pattern(reading: Reading) -> Iterator[str]:
    todo: list[tuple[Part, int]] = [(part, 0) for part in reversed(reading.run)]
    while todo:
        part, depth = todo.pop()
        indent = "  " * depth
        if isinstance(part, Leaf):
            yield indent + _token(part.kind, part.text, named=part.named)
        elif isinstance(part, Branch):
            yield indent + part.kind
            todo.extend((child, depth + 1) for child in reversed(part.children))
        else:
            many = isinstance(part, AnySiblings)
            yield indent + ("$$$" if many else "$") + (part.name or ("" if many else "_"))


def _of_code(root: Node, data: bytes) -> Iterator[str]:
    todo = [(root, 0)]
    while todo:
        node, depth = todo.pop()
        children = significant(node)
        text = data[node.start_byte : node.end_byte]
        name = f"{node.type} (missing)" if node.is_missing else node.type
        yield "  " * depth + (name if children else _token(name, text, named=node.is_named))
        todo.extend((child, depth + 1) for child in reversed(children))


def _token(kind: str, text: bytes, *, named: bool) -> str:
    shown = text[:_TEXT].decode(errors="replace") + ("…" if len(text) > _TEXT else "")
    return f"{kind} {shown!r}" if named else repr(shown)


def _cut(rows: Iterator[str]) -> str:
    """The first rows of a tree, and how many more there are is not counted: it may be a whole file."""
    lines = [row for row, _ in zip(rows, range(_LINES + 1), strict=False)]
    return "\n".join(lines[:_LINES] + (["…"] if len(lines) > _LINES else []))


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
