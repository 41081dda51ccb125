"""A document's lines, and the positions that servers count in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

import attrs

from toolpost_lsp.protocol.types import Encoding, Position, Range

_ENDS = re.compile(r"\r\n|\r|\n")  # no other character ends a line for the protocol; str.splitlines() knows eight more


@attrs.frozen
class LineIndex:
    """A text and where its lines begin. Offsets are code points in the text; lines are 0-based.

    Build it with `of`.
    """

    text: str
    _starts: tuple[int, ...] = attrs.field(repr=False)

    @classmethod
    def of(cls, text: str) -> LineIndex:
        """Find the lines of a text."""
        if "\r" in text:
            return cls(text, (0, *(end.end() for end in _ENDS.finditer(text))))
        sizes = [len(line) + 1 for line in text.split("\n")]  # three times as fast, and every question begins with it
        return cls(text, (0, *accumulate(sizes[:-1])))

    @property
    def count(self) -> int:
        """How many lines: one more than there are line ends."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """A line without its end; nothing for one that there is not."""
        if not 0 <= number < len(self._starts):
            return ""
        return self.text[self._starts[number] : self._end(number)]

    def offset(self, position: Position, encoding: Encoding) -> int:
        """The offset of a position; the nearest one if it is beyond its line, beyond the text, or within a character."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[position.line], self._end(position.line)
        units = max(0, position.character)
        if self.text.isascii() or encoding == "utf-32":
            return min(start + units, end)
        return start + _code_points(self.text[start:end], units, encoding)

    def position(self, offset: int, encoding: Encoding) -> Position:
        """The position of an offset; the nearest one if it is beyond the text or between CR and LF."""
        offset = min(max(0, offset), len(self.text))
        number = bisect_right(self._starts, offset) - 1
        start, end = self._starts[number], min(offset, self._end(number))
        if self.text.isascii() or encoding == "utf-32":
            return Position(number, end - start)
        return Position(number, _units(self.text[start:end], encoding))

    def offsets(self, span: Range, encoding: Encoding) -> tuple[int, int]:
        """The offsets of a range, the lower first."""
        ends = self.offset(span.start, encoding), self.offset(span.end, encoding)
        return min(ends), max(ends)

    def range(self, start: int, end: int, encoding: Encoding) -> Range:
        """The range of two offsets."""
        return Range(self.position(start, encoding), self.position(end, encoding))

    def _end(self, number: int) -> int:
        """Where a line's content ends."""
        if number + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[number + 1] - 1
        return end - 1 if self.text.startswith("\r\n", end - 1) else end


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _code_points(line: str, units: int, encoding: Encoding) -> int:
    """How many whole code points of a line lie within its first units."""
    if encoding == "utf-8":
        data = line.encode("utf-8", "surrogatepass")
        cut = min(units, len(data))
        while 0 < cut < len(data) and data[cut] & 0xC0 == 0x80:
            cut -= 1
        return len(data[:cut].decode("utf-8", "surrogatepass"))
    data = line.encode("utf-16-le", "surrogatepass")
    cut = min(2 * units, len(data))
    if 0 < cut < len(data) and data[cut - 1] & 0xFC == 0xD8 and data[cut + 1] & 0xFC == 0xDC:
        cut -= 2
    return len(data[:cut].decode("utf-16-le", "surrogatepass"))
