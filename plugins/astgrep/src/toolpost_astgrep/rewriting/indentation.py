"""A file's own line ends and indentation, and lines moved to another depth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set

import attrs

_SAMPLE = 256 * 1024
_WIDEST_STEP = 4
_INDENTED = re.compile(rb"^([ \t]*)[^ \t\r\n]", re.MULTILINE)
_BLANKS = re.compile(rb"[ \t]*")


@attrs.frozen(kw_only=True)
class Layout:
    """How a file ends and indents its lines.

    Attributes:
        unit: one step of its indentation; empty if no line of it is indented.
    """

    newline: bytes
    unit: bytes

    @classmethod
    def of(cls, data: bytes) -> Layout:
        """The layout of a file, by what most of its first lines do."""
        crlf, sample = data.count(b"\r\n"), data[:_SAMPLE].removeprefix(b"\xef\xbb\xbf")
        steps: Counter[bytes] = Counter()
        previous = b""
        for match in _INDENTED.finditer(sample):
            indent = match[1]
            step = indent.removeprefix(previous) if indent.startswith(previous) else b""
            # One blank is the ` *` of a comment, many are an alignment.
            if step == b"\t" or (1 < len(step) <= _WIDEST_STEP and not step.strip(b" ")):
                steps[step] += 1
            previous = indent
        unit = min(steps, key=lambda step: (-steps[step], len(step)), default=b"")
        return cls(newline=b"\r\n" if crlf * 2 > data.count(b"\n") else b"\n", unit=unit)

    def depth(self, blanks: str, step: str) -> bytes:
        """A template's leading blanks in the file's own steps.

        Args:
            step: one step of the template's indentation.
        """
        if not self.unit or not step:
            return blanks.encode()
        steps = 0
        while blanks.startswith(step):
            steps, blanks = steps + 1, blanks[len(step) :]
        return self.unit * steps + blanks.encode()


def line_start(data: bytes | bytearray, offset: int) -> int:
    """Where the line begins in which *offset* is; a byte-order mark is no part of it."""
    start = data.rfind(b"\n", 0, offset) + 1
    return 3 if start == 0 and data.startswith(b"\xef\xbb\xbf") else start


def line_indent(data: bytes | bytearray, offset: int, bullet: str | None = None) -> bytes:
    """The leading blanks of the line in which *offset* is; the bullets before it count as blanks."""
    start = line_start(data, offset)
    blanks = _BLANKS.match(data, start)
    while bullet is not None and blanks and data.startswith(bullet.encode(), blanks.end(), offset):
        blanks = _BLANKS.match(data, blanks.end() + len(bullet), offset)
    if blanks is None:
        return b""
    indent = bytes(data[start : blanks.end()])
    return indent if bullet is None else indent.replace(bullet.encode(), b" " * len(bullet))


def begins_line(data: bytes, offset: int) -> bool:
    """Whether nothing but blanks is before *offset* in its line."""
    return not data[line_start(data, offset) : offset].strip(b" \t")


def moved(data: bytes, start: int, end: int, *, base: bytes, indent: bytes, verbatim: Set[int]) -> bytes:
    """data[start:end] with its lines after the first moved from the depth *base* to *indent*.

    What is deeper or less deep than *base* stays so by as much.

    Args:
        verbatim: offsets of line starts that must not move, since they are inside a string or a comment.
    """
    lines = data[start:end].split(b"\n")
    made = [lines[0]]
    at = start + len(lines[0]) + 1
    for line in lines[1:]:
        made.append(line if at in verbatim or not line.strip() else _moved_line(line, base, indent))
        at += len(line) + 1
    return b"\n".join(made)


def _moved_line(line: bytes, base: bytes, indent: bytes) -> bytes:
    if line.startswith(base):
        return indent + line[len(base) :]
    rest = line.lstrip(b" \t")
    blanks = line[: len(line) - len(rest)]
    less = len(base) - len(blanks) if base.startswith(blanks) else 0
    return indent[: max(0, len(indent) - less)] + rest
