"""The smallest ranged change between two texts.

A server that takes ranged changes gets nothing else: some lose their way on a whole new text (vtsls), and large files
are checked twice as fast after a small one.
"""

from __future__ import annotations

from typing import Any

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Encoding


def smallest_change(old: LineIndex, new: str, encoding: Encoding) -> dict[str, Any]:
    """The one content change of a `didChange` that makes *old* into *new*."""
    start, end, text = smallest(old.text, new)
    return {"range": old.range(start, end, encoding).json(), "text": text}


def smallest(old: str, new: str) -> tuple[int, int, str]:
    """Where *old* differs from *new*, as code points of *old*, and what stands there instead.

    Neither end lies between CR and LF, in neither text: no position names that place.
    """
    start = _common_prefix(old, new)
    if _splits(old, start) or _splits(new, start):
        start -= 1
    kept = _common_suffix(old, new, min(len(old), len(new)) - start)
    if kept and (_splits(old, len(old) - kept) or _splits(new, len(new) - kept)):
        kept -= 1
    return start, len(old) - kept, new[start : len(new) - kept]


def _splits(text: str, at: int) -> bool:
    return at > 0 and text.startswith("\r\n", at - 1)


def _common_prefix(old: str, new: str) -> int:
    """Found by halving, which compares long pieces at the speed of memory."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(old: str, new: str, most: int) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle - 1
    return low
