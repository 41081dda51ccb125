"""Is the rewritten file still code, and is what was captured still whole in it? (edit:reparse, edit:one-node)"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from tree_sitter import Node, Tree

from toolpost_astgrep.profiles import Profile


def gained_error(before: Tree, after: Tree, source: bytes) -> str | None:
    """What is wrong with the new tree, if it has more syntax errors than the old one: the first of them, and its line."""
    if not after.root_node.has_error:
        return None
    errors = list(_errors(after.root_node))
    if before.root_node.has_error and len(errors) <= sum(1 for _ in _errors(before.root_node)):
        return None
    first = errors[0]
    line = source.count(b"\n", 0, first.start_byte) + 1
    what = f"{first.type!r} would be missing" if first.is_missing else "it would no longer parse"
    return f"line {line}: {what}: {_line(source, first.start_byte)!r}"


def compile_error(language: str, before: bytes, after: bytes) -> str | None:
    """What the language's own compiler says against the new text, if it had nothing against the old one.

    Tree-sitter forgives what compilers do not: an emptied Python block, a positional argument behind a keyword.
    """
    if language != "python":
        return None
    problem = _python_error(after)
    if problem is None or _python_error(before) is not None:
        return None
    return problem


def is_whole(tree: Tree, start: int, end: int, source: bytes, profile: Profile, *, many: bool) -> bool:
    """Whether a range of the new text is one node there, or a run of whole siblings where that is what was meant.

    Behind it there may be a separator or blanks that belong to the node.
    """

    def reaches(node: Node) -> bool:
        return node.end_byte == end or (node.end_byte > end and not source[end : node.end_byte].strip(b" \t\r\n;,"))

    while start < end and source[start : start + 1].isspace():
        start += 1
    while end > start and source[end - 1 : end] in b" \t\r\n;,":
        end -= 1
    if start == end:
        return True
    node = tree.root_node.descendant_for_byte_range(start, end)
    if node is None:
        return False
    if node.start_byte == start and reaches(node):
        return not (profile.loose and _has_operator(node) and not _stands_alone(source, start, end))
    inside = [child for child in node.children if child.start_byte < end and child.end_byte > start]
    if not inside or inside[0].start_byte != start or not reaches(inside[-1]):
        return False
    if len(inside) == 1 or many:
        return True
    if profile.chain is not None and all(child.type == profile.chain for child in inside[1:]):
        return inside[0].type != profile.chain
    # Whole statements in a row; operands with an operator between them are no unit of their own.
    return all((child.is_named and "operator" not in child.type) or child.type in (";", ",") for child in inside)


def _has_operator(node: Node) -> bool:
    """An operation of several operands, down through nodes that only wrap it."""
    while node.named_child_count == 1 and node.child_count == 1:
        node = node.children[0]
    return any("operator" in child.type or child.type in ("?", "as", "is") for child in node.children)


def _stands_alone(source: bytes, start: int, end: int) -> bool:
    """Whether nothing beside the range could bind stronger than what is in it: brackets, separators, an assignment."""
    before, behind = source[:start].rstrip()[-2:], source[end:].lstrip()[:1]
    opened = before[-1:] in b"([{,;:>" or before in (b"", b"=>") or (before[-1:] == b"=" and before[:1] not in b"=!<>")
    opened = opened or source[:start].rstrip().endswith((b"return", b"await", b"throw"))
    return bool(opened) and behind in (b"", b")", b"]", b"}", b",", b";", b":")


def comments_lost(tree: Tree, start: int, end: int, kept: list[tuple[int, int]]) -> int:
    """How many comments are in the range and in none of those that are kept."""
    lost = 0
    todo = [tree.root_node]
    while todo:
        node = todo.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        if "comment" in node.type and start <= node.start_byte and node.end_byte <= end:
            lost += not any(low <= node.start_byte and node.end_byte <= high for low, high in kept)
        else:
            todo.extend(node.children)
    return lost


def _errors(root: Node) -> Iterator[Node]:
    todo = [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            todo.extend(reversed(node.children))


def _python_error(source: bytes) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<edit>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"line {error.lineno}: Python says: {error.msg}: {(error.text or '').strip()!r}"
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return None  # it cannot tell
    return None


def _line(source: bytes, offset: int) -> str:
    start = source.rfind(b"\n", 0, offset) + 1
    end = source.find(b"\n", offset)
    return source[start : end if end >= 0 else len(source)].strip()[:120].decode(errors="replace")
