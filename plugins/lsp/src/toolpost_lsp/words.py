"""Texts of servers and sources as an answer holds them: in one line, and cut."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_BLANKS = re.compile(r"[ \u00a0]{2,}|\u00a0")


def clean(text: str, most: int = 500) -> str:
    """*text* in one line of at most *most* characters, without control characters.

    What a server says is made of the checkout's own text, which may hold anything.
    """
    return cut(_BLANKS.sub(" ", _CONTROLS.sub(" ", text[: 4 * most])).strip(), most)


def cut(text: str, most: int) -> str:
    """*text*, or its beginning and an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def counted(count: int, what: str) -> str:
    """`1 file`, `2 files`, `3 fixes`."""
    ending = "es" if what.endswith(("ch", "s", "x")) else "s"
    return f"{count} {what}{'' if count == 1 else ending}"


def listed(names: list[str], most: int = 10) -> str:
    """`a, b and 3 more`."""
    more = len(names) - most
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:most])} and {more} more"
