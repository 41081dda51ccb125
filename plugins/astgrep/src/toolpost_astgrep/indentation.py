"""Moving lines to another depth, in the file's own indentation, without touching what is inside a string."""

from __future__ import annotations

import re

import attrs
from tree_sitter import Node, Tree

from toolpost_astgrep.profiles import Profile


@attrs.frozen(kw_only=True)
class Layout:
    """How a file ends and indents its lines."""

    newline: bytes
    tabs: bool

    @classmethod
    def of(cls, data: bytes) -> Layout:
        """The layout of a file."""
        crlf = data.count(b"\r\n")
        tabs = len(re.findall(rb"^\t", data, re.MULTILINE))
        spaces = len(re.findall(rb"^ {2}", data, re.MULTILINE))
        return cls(newline=b"\r\n" if crlf and crlf * 2 >= data.count(b"\n") else b"\n", tabs=tabs > spaces)

    def indent(self, blanks: str) -> str:
        """A template's leading blanks in the file's own kind."""
        if not self.tabs or "\t" in blanks:
            return blanks
        return "\t" * (len(blanks) // 4) + ("\t" if len(blanks) % 4 else "")


def line_indent(data: bytes, offset: int) -> bytes:
    """The leading blanks of the line in which *offset* is."""
    start = data.rfind(b"\n", 0, offset) + 1
    blanks = re.compile(rb"[ \t]*").match(data, start)
    return blanks.group() if blanks else b""


def moved(data: bytes, start: int, end: int, indent: bytes, fixed: set[int]) -> bytes:
    """data[start:end] with its lines after the first moved from their depth to *indent*.

    Args:
        fixed: offsets of line starts that must not move, since they are inside a string or a comment.
    """
    text = data[start:end]
    if b"\n" not in text:
        return text
    base = line_indent(data, start)
    lines = text.split(b"\n")
    made = [lines[0]]
    at = start + len(lines[0]) + 1
    for line in lines[1:]:
        if at in fixed or not line.strip():
            made.append(line)
        elif line.startswith(base):
            made.append(indent + line[len(base) :])
        else:
            made.append(indent + line.lstrip(b" \t"))
        at += len(line) + 1
    return b"\n".join(made)


def fixed_lines(tree: Tree, data: bytes, start: int, end: int, profile: Profile) -> set[int]:
    """The line starts between *start* and *end* that are inside a string, a heredoc or a comment."""
    fixed = set()
    at = data.find(b"\n", start, end)
    while at >= 0:
        if _inside_text(tree.root_node.descendant_for_byte_range(at, at), at + 1, profile):
            fixed.add(at + 1)
        at = data.find(b"\n", at + 1, end)
    return fixed


def _inside_text(node: Node | None, line_start: int, profile: Profile) -> bool:
    while node is not None:
        if node.start_byte < line_start < node.end_byte and (node.type in profile.strings or _is_text(node.type)):
            return True
        if node.end_byte - node.start_byte > 1_000_000:
            return False
        node = node.parent
    return False


def _is_text(kind: str) -> bool:
    return (
        "comment" in kind
        or "heredoc" in kind
        or kind.endswith(("string", "string_literal", "template_string", "raw_string"))
    )
