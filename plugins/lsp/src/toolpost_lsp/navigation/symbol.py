"""A symbol on a line: where on it a caller points to (contracts lsp:line-symbol, lsp:symbol-required).

Callers name what they see, never a column: they count those wrongly, and each server counts them in its own units.
Everything here is in code points; the protocol converts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import attrs
from toolpost import ToolError

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.words import clean, counted, cut

_NUMBERED = re.compile(r"(.+)#([0-9]{1,4})", re.DOTALL)
_AROUND = 10
_SHOWN = 200
_LISTED = 10
_LONGEST_CHARACTER = 32
"""Code points that are composed as one character: more marks on one letter than anybody writes."""


@attrs.frozen(kw_only=True)
class Occurrence:
    """A place on a line that a symbol may mean.

    Attributes:
        name: the identifier that is meant: the last one inside the text that was found.
        start: code points before it on its line.
        end: code points up to its end.
        shown: it, with some of its neighbours, for a message.
    """

    name: str
    start: int
    end: int
    shown: str


def occurrences(line: str, symbol: str) -> tuple[Occurrence, ...]:
    """Where *symbol* is on *line*: as whole identifiers if it is there so, else as any text. One for each identifier.

    Only if nothing is there are both compared in their composed form (NFC), since an editor may save another one.
    """
    spans = _spans(line, symbol) or _composed_spans(line, symbol)
    whole = [span for span in spans if not _cuts(line, *span)]
    found: dict[tuple[int, int], Occurrence] = {}
    for start, end in whole or spans:
        first, last = _meant(line, start, end)
        shown = clean(line[max(0, min(first, start) - _AROUND) : max(last, end) + _AROUND])
        found.setdefault((first, last), Occurrence(name=line[first:last], start=first, end=last, shown=shown))
    return tuple(found.values())


def find(lines: LineIndex, path: str, line: int, symbol: str | None) -> tuple[Occurrence, ...]:
    """The places on a line that *symbol* may mean; `symbol#2` gives the second alone.

    Args:
        lines: the document.
        path: its name in messages.
        line: 1-based.

    Raises:
        ToolError: no such line; no symbol; it is not there, or not so often.
    """
    count = _count(lines)
    if not 1 <= line <= count:
        raise ToolError(f"{path} has {counted(count, 'line')}; there is no line {line}")
    text = lines.line(line - 1)
    if symbol is None or not symbol.strip():
        raise ToolError(f"give symbol: a piece of {path}:{line} that names what is meant. The line is: {_quoted(text)}")
    symbol = symbol.strip("\r\n")
    if "\n" in symbol or "\r" in symbol:
        raise ToolError(f"symbol must lie on one line; give the part of it that is on line {line}")
    numbered = _NUMBERED.fullmatch(symbol)
    if numbered is not None:
        found, number = occurrences(text, numbered[1]), int(numbered[2])
        if 1 <= number <= len(found):
            return (found[number - 1],)
    literal = occurrences(text, symbol)
    if literal:
        return literal
    if numbered is not None and found:
        raise ToolError(f"{path}:{line} has {numbered[1]!r} {counted(len(found), 'time')}, so there is no #{number}")
    raise ToolError(_not_there(lines, path, line, numbered[1] if numbered else symbol))


def ambiguous(path: str, line: int, symbol: str, found: tuple[Occurrence, ...]) -> ToolError:
    """The refusal of a symbol that means several things on its line."""
    places = "; ".join(f"{symbol}#{number}: …{each.shown}…" for number, each in enumerate(found[:_LISTED], 1))
    return ToolError(
        f"{symbol!r} is on {path}:{line} {counted(len(found), 'time')}. Say which with {symbol}#2, or give it with its "
        f"neighbours. {places}",
        data={"occurrences": [{"symbol": f"{symbol}#{n}", "column": each.start} for n, each in enumerate(found, 1)]},
    )


# ---- finding ----------------------------------------------------------------------------------------------------


def _spans(line: str, symbol: str) -> list[tuple[int, int]]:
    """Each occurrence of a text, overlapping ones too."""
    spans = []
    start = line.find(symbol)
    while start >= 0:
        spans.append((start, start + len(symbol)))
        start = line.find(symbol, start + 1)
    return spans


def _composed_spans(line: str, symbol: str) -> list[tuple[int, int]]:
    if line.isascii() or symbol.isascii():
        return []
    text, origins = _composed(line)
    return [(origins[start], origins[end]) for start, end in _spans(text, unicodedata.normalize("NFC", symbol))]


def _composed(line: str) -> tuple[str, list[int]]:
    """A line in NFC, and for each of its characters, and its end, where that came from."""
    pieces: list[tuple[int, str]] = []
    for at, character in enumerate(line):
        if pieces and len(pieces[-1][1]) < _LONGEST_CHARACTER:
            start, piece = pieces[-1]
            together = unicodedata.normalize("NFC", piece + character)
            if unicodedata.combining(character) or together != piece + unicodedata.normalize("NFC", character):
                pieces[-1] = (start, together)
                continue
        pieces.append((at, unicodedata.normalize("NFC", character)))
    origins = [start for start, piece in pieces for _ in piece]
    return "".join(piece for _, piece in pieces), [*origins, len(line)]


def _cuts(line: str, start: int, end: int) -> bool:
    """Whether a piece of a line begins or ends within an identifier."""
    return _within(line, start) or _within(line, end)


def _within(line: str, at: int) -> bool:
    return 0 < at < len(line) and _continues(line[at - 1]) and _continues(line[at])


def _continues(character: str) -> bool:
    """Whether it can stand within an identifier of most languages."""
    return character == "$" or ("a" + character).isidentifier()


def _meant(line: str, start: int, end: int) -> tuple[int, int]:
    """The last identifier of a piece of a line, whole even where the piece cuts it; the piece itself if it has none."""
    at = end
    while at > start:
        if not _continues(line[at - 1]):
            at -= 1
            continue
        first = last = at
        while first > 0 and _continues(line[first - 1]):
            first -= 1
        while last < len(line) and _continues(line[last]):
            last += 1
        if not line[first].isdigit():
            return first, last
        at = first
    return start, end


# ---- not finding ------------------------------------------------------------------------------------------------


def _count(lines: LineIndex) -> int:
    """How many lines a person would count: what follows a last line's end is none."""
    return lines.count - 1 if lines.count > 1 and not lines.line(lines.count - 1) else lines.count


def _not_there(lines: LineIndex, path: str, line: int, symbol: str) -> str:
    text = f"{symbol!r} is not on {path}:{line}, which is: {_quoted(lines.line(line - 1))}"
    for number in _outwards(line, lines.count):
        near = lines.line(number - 1)
        if occurrences(near, symbol):
            return f"{text}. The nearest line that has it is {number}: {_quoted(near)}"
    return f"{text}. No line of the file has it"


def _outwards(line: int, count: int) -> Iterator[int]:
    """The other lines, nearest first."""
    for distance in range(1, count):
        yield from (number for number in (line - distance, line + distance) if 1 <= number <= count)


def _quoted(text: str) -> str:
    return f"`{cut(clean(text, _SHOWN), _SHOWN)}`"
