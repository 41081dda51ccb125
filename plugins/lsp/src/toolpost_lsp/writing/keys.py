"""What makes two diagnostics the same one: severity, code and message, wherever they stand (write:ledger)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from toolpost_lsp.protocol.types import Diagnostic

Key = tuple[int, str | None, str]

_BLANKS = re.compile(r"[\s\u00a0]+")
_NAMED = re.compile(r"\b(lines?|columns?|cols?|ln)\b([.:]?)\s*\d+(?:\s*[-\u2013]\s*\d+)?", re.IGNORECASE)
_PAIR = re.compile(r":\d+(?::\d+|(?=\)|$))")


def normalised(message: str) -> str:
    """A message without the positions in it: what is "already defined on line 3" moves with that line (facts §4)."""
    return _PAIR.sub(":#", _NAMED.sub(r"\1 #", _BLANKS.sub(" ", message))).strip()


def key_of(diagnostic: Diagnostic) -> Key:
    """By which it is counted."""
    return int(diagnostic.severity), diagnostic.code, normalised(diagnostic.message)


def counted_keys(diagnostics: Iterable[Diagnostic]) -> Counter[Key]:
    """How often each of them is there."""
    return Counter(map(key_of, diagnostics))
