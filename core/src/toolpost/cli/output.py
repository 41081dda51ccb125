"""How results and tables are printed."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from toolpost import Result


def jsonable(value: Any) -> Any:
    """*value* as JSON knows it: bytes as text where they are, else base64; anything unknown as its repr."""
    if isinstance(value, bytes):
        return value.decode(errors="surrogateescape")
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(item) for item in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def as_json(result: Result) -> dict[str, Any]:
    """A result as the members of one JSON object (contract cli:run)."""
    return {
        "is_error": result.is_error,
        "text": result.text,
        "images": [{"mime": each.mime, "base64": base64.b64encode(each.data).decode()} for each in result.images],
        "data": jsonable(result.data),
    }


def dumps(value: Any) -> str:
    """One line of JSON that any UTF-8 stream can carry, lone surrogates included."""
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value)
    return text


def table(rows: Iterable[Sequence[str]], *, indent: str = "") -> str:
    """Rows as aligned columns; the last one runs on."""
    rows = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        lines.append((indent + "  ".join([*cells, row[-1]])).rstrip())
    return "\n".join(lines)


def talk(text: str) -> None:
    """Say something about the output, beside it."""
    print(text, file=sys.stderr, flush=True)
