"""Text as a model may safely read it: bounded, with control and bidirectional characters shown (core:bounded)."""

from __future__ import annotations

import re

LIMIT = 50_000
"""Characters of text in one result, notes apart."""

# Tabs, line feeds and CRLF are text. The rest of Cc, the bidirectional controls, the two Unicode line separators and
# lone surrogates would change how what follows is read.
_CLASS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_HIDDEN = re.compile(f"\r(?!\n)|[{_CLASS}]")
_SUSPECT = re.compile(f"[\r{_CLASS}]")  # one class is looked for many times faster than an alternative


def escape(text: str) -> str:
    """*text* with each such character as `\\x1b` or `\\u202e`."""
    if text.isprintable() or not _SUSPECT.search(text):
        return text
    return _HIDDEN.sub(_shown, text)


def bound(text: str, limit: int = LIMIT) -> str:
    """*text* escaped and cut to about *limit* characters: its head and its tail, and how much was left out between."""
    if len(text) > limit:
        head, tail = limit * 3 // 4, limit // 4
        left = text[head : len(text) - tail]
        text = f"{text[:head]}\n… {len(left)} characters in {left.count(chr(10)) + 1} lines left out …\n{text[-tail:]}"
    return escape(text)


def _shown(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
