"""`key=value` words as a tool's arguments, read by the tool's own schema."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from toolpost.cli import UsageError


def from_words(words: Iterable[str], schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Arguments from words such as `pattern='f($X)' max_results=5 globs='["*.py"]'`.

    A text parameter takes the value as it stands; any other is read as JSON, and left as text where it is none, so
    that the tool's own check can say what it expected.

    Raises:
        UsageError: a word without `=`, or one key twice.
    """
    properties = (schema or {}).get("properties", {})
    arguments: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(
                f"{word!r} is no key=value; quote values with blanks: key='a value', or use --json '{{…}}'"
            )
        if key in arguments:
            raise UsageError(f"{key!r} is given twice")
        arguments[key] = value if properties.get(key, {}).get("type", "string") == "string" else _json_or_text(value)
    return arguments


def from_json(text: str) -> str:
    """The argument of `--json`; `-` reads it from standard input."""
    return sys.stdin.read() if text == "-" else text


def _json_or_text(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
