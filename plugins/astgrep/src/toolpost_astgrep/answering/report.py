"""A match as plain data, in the protocol's own terms: 0-based lines and UTF-8 columns, half open."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from typing import Any

import attrs

from toolpost_astgrep.matching.match import Match

_TEXT = 4_000
_NODES = 50


def described(data: bytes, matches: Sequence[Match]) -> list[dict[str, Any]]:
    """The members of a file's matches: range, text, captures."""
    if not matches:
        return []
    lines = _Lines.of(data)
    return [_described(data, lines, match) for match in matches]


def _described(data: bytes, lines: _Lines, match: Match) -> dict[str, Any]:
    captures: dict[str, Any] = {}
    for name, capture in {**match.around, **match.captures}.items():
        piece: dict[str, Any] = {
            "text": shown(data[capture.start : capture.end]),
            "range": lines.place(capture.start, capture.end),
        }
        if capture.many:
            piece["nodes"] = [shown(data[start:end]) for start, end in capture.nodes[:50]]
            piece["count"] = len(capture.nodes)
        captures[name] = piece
    return {
        "range": lines.place(match.start, match.end),
        "text": shown(data[match.start : match.end]),
        "bytes": [match.start, match.end],
        "captures": captures,
    }


@attrs.frozen
class _Lines:
    """Where each line of a file begins."""

    starts: list[int]

    @classmethod
    def of(cls, data: bytes) -> _Lines:
        # A byte-order mark takes no column.
        first = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        return cls([first, *(found.end() for found in re.finditer(b"\n", data))])

    def place(self, start: int, end: int) -> dict[str, dict[str, int]]:
        """A range in bytes as lines and columns."""
        return {"start": self._position(start), "end": self._position(end)}

    def _position(self, offset: int) -> dict[str, int]:
        line = max(0, bisect.bisect_right(self.starts, offset) - 1)
        return {"line": line, "column": max(0, offset - self.starts[line])}


def shown(data: bytes) -> str:
    """Bytes as text, cut to what an answer needs."""
    cut = data[:_TEXT]
    try:
        text = cut.decode()
    except UnicodeDecodeError as error:
        # Latin-1, or a character cut in two at the end.
        text = (
            cut[: error.start].decode() if len(data) > _TEXT and error.start > len(cut) - 4 else cut.decode("latin-1")
        )
    return text if len(data) <= _TEXT else f"{text}… ({len(data)} bytes)"
