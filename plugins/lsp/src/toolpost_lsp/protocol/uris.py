"""Paths and `file:` URIs. Servers write one and the same path in several ways, so compare paths, never URIs."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes

_FILE = re.compile(r"file:(?://(?:localhost)?(?=/)|(?!//))(/.*)", re.IGNORECASE | re.DOTALL)


def uri_of(path: str) -> str:
    """The URI of an absolute path. Links are not resolved.

    Raises:
        ValueError: it is relative, or its name is not text that a URI can hold.
    """
    if not path.startswith("/") or "\0" in path:
        raise ValueError(f"{path!r} is no absolute path")
    try:
        return "file://" + quote(path)
    except UnicodeEncodeError as error:
        raise ValueError(f"the name {path!r} is not UTF-8") from error


def path_of(uri: str) -> str | None:
    """The path of a `file:` URI; None for any other, one of another machine, and a name that is not UTF-8."""
    written = _FILE.fullmatch(uri)
    if written is None:
        return None
    try:
        path = unquote_to_bytes(written[1]).decode()
    except UnicodeError:
        return None
    return None if "\0" in path else path
