"""Replacing text that must be found: once, or wherever it stands; a miss explains itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from toolpost import ToolError
from toolpost.builtin.nearest import nearest
from toolpost.builtin.text import CRLF, Decoded, body, lines_of

_SHOWN = 10
_COUNTED = 10_000


def replace(decoded: Decoded, old: str, new: str, path: str, *, every: bool) -> tuple[str, list[int]]:
    """The text with *new* for *old*, and the 0-based lines where *old* stood. Both texts are literal.

    A model writes line feeds and means the file's line ends; a text that holds carriage returns is taken as it is.

    Args:
        every: replace each place; otherwise there must be exactly one, also counting places that overlap.

    Raises:
        ToolError: no place, or several; it shows them, or the nearest text, or the character that differs.
    """
    text = decoded.text
    ends = (CRLF, "\n") if decoded.newline == CRLF else ("\n", CRLF)
    end = next((each for each in ends if _with_ends(old, each) in text), ends[0])
    new = new if "\r" in old else _with_ends(new, end)
    old = _with_ends(old, end)
    found = _places(text, old, step=len(old) if every else 1)
    places = list(found if every else islice(found, _COUNTED + 1))
    if not places:
        raise ToolError(f"{path}: old is not in the file. {nearest(text, old)}")
    if len(places) > 1 and not every:
        raise _ambiguous(text, places, path)
    return text.replace(old, new), list(lines_of(text, places))


def _with_ends(text: str, end: str) -> str:
    return text if "\r" in text else text.replace("\n", end)


def _places(text: str, old: str, *, step: int) -> Iterator[int]:
    at = text.find(old)
    while at >= 0:
        yield at
        at = text.find(old, at + step)


def _ambiguous(text: str, places: list[int], path: str) -> ToolError:
    count = f"{len(places)}" if len(places) <= _COUNTED else f"over {_COUNTED}"
    shown = list(lines_of(text, places[:_SHOWN]))
    lines = [f"line {line + 1}: {_line_at(text, place)}" for line, place in zip(shown, places, strict=False)]
    if len(places) > _SHOWN:
        lines.append(f"… and {len(places) - _SHOWN}{' or more' if len(places) > _COUNTED else ''} others")
    return ToolError(
        f"{path}: old is in the file {count} times; give more of the text around the one you mean, or replace_all:\n"
        + "\n".join(lines),
        data={"path": path, "lines": shown, "places": len(places)},
    )


def _line_at(text: str, place: int) -> str:
    """The line that a position is in, as much of it as fits."""
    begin, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    line = body(text[max(begin, place - 60) : end if 0 <= end < place + 120 else place + 120])
    return line.strip() or "(a blank line)"
