"""A match as plain data, in the protocol's own terms: 0-based lines and UTF-8 columns, half open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolpost_astgrep.match import Match

_TEXT = 4_000
_NODES = 50


def described(data: bytes, match: Match) -> dict[str, Any]:
    """The members of one match: range, text, captures."""
    captures: dict[str, Any] = {}
    for name, capture in {**match.around, **match.captures}.items():
        piece: dict[str, Any] = {
            "text": shown(data[capture.start : capture.end]),
            "range": place(data, capture.start, capture.end),
        }
        if capture.many:
            piece["nodes"] = list(_few(data, capture.nodes))
            piece["count"] = len(capture.nodes)
        captures[name] = piece
    return {
        "range": place(data, match.start, match.end),
        "text": shown(data[match.start : match.end]),
        "bytes": [match.start, match.end],
        "captures": captures,
    }


def _few(data: bytes, nodes: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The first nodes, as far as they are no longer together than one text may be."""
    room = _TEXT
    for start, end in nodes[:_NODES]:
        yield shown(data[start:end])
        room -= end - start
        if room <= 0:
            return


def place(data: bytes, start: int, end: int) -> dict[str, dict[str, int]]:
    """A range in bytes as lines and columns."""
    return {"start": _position(data, start), "end": _position(data, end)}


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


def _position(data: bytes, offset: int) -> dict[str, int]:
    line_start = data.rfind(b"\n", 0, offset) + 1
    bom = 3 if line_start == 0 and data.startswith(b"\xef\xbb\xbf") else 0
    return {"line": data.count(b"\n", 0, offset), "column": max(0, offset - line_start - bom)}
