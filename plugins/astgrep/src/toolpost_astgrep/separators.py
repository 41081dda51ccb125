"""No separator dangles where a metavariable stands for nothing (edit:separators).

`bar($$$A, c)` is `bar(c)` when `$$$A` is empty, and a template's line with nothing but an empty `$$$BODY` is no line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from toolpost_astgrep.metavariables import Metavariable

_SEPARATOR_BEHIND = re.compile(r"\s*([,;])")
_COMMA_BEFORE = re.compile(r",\s*\Z")
_LINE_BEGINS = re.compile(r"\n[ \t]*\Z")
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z)")
_BLANK_TOO_MANY = re.compile(r"[ \t:;]")
_OPENS = re.compile(r"[(\[{<][ \t]*\Z")
_CLOSES = re.compile(r"[ \t]*[)\]}>]")


def settled(pieces: Sequence[str | Metavariable], empty: Set[int]) -> list[tuple[int, int]]:
    """Which part of each literal piece is left when some metavariables stand for nothing.

    Args:
        pieces: a template.
        empty: the indexes of the metavariables that captured nothing.

    Returns:
        For each piece where what is left of it begins and ends; (0, 0) for a metavariable.
    """
    left = [(0, len(piece)) if isinstance(piece, str) else (0, 0) for piece in pieces]
    for index in sorted(empty):
        _settle(pieces, empty, left, index)
    return left


def _settle(pieces: Sequence[str | Metavariable], empty: Set[int], left: list[tuple[int, int]], index: int) -> None:
    before = _before(pieces, empty, left, index)
    behind = index + 1 if index + 1 < len(pieces) and isinstance(pieces[index + 1], str) else None
    ahead, follows = _text(pieces, left, before), _text(pieces, left, behind)
    starts_line = before is None or _LINE_BEGINS.search(ahead) is not None
    cut_ahead, cut_follows = len(ahead), 0

    separator = _SEPARATOR_BEHIND.match(follows)
    if separator is not None and (separator[1] == "," or starts_line or ahead.rstrip()[-1:] in ("{", "}", ";")):
        # It parts what is not there from what comes next. (In `for ($$$I; $C; $S)` a `;` parts nothing: it counts.)
        cut_follows = separator.end()
        rest = follows[cut_follows:]
        if not (starts_line and _LINE_ENDS.match(rest)):
            cut_follows += len(rest) - len(rest.lstrip(" \t"))
            if _CLOSES.match(rest):
                cut_ahead = len(ahead.rstrip(" \t"))
    elif comma := _COMMA_BEFORE.search(ahead):
        cut_ahead = comma.start()
        starts_line = False
    elif _OPENS.search(ahead) and _CLOSES.match(follows):
        cut_ahead, cut_follows = len(ahead.rstrip(" \t")), len(follows) - len(follows.lstrip(" \t"))
    elif not starts_line and _BLANK_TOO_MANY.match(follows):
        cut_ahead = len(ahead.rstrip(" \t"))

    if starts_line and (ending := _LINE_ENDS.match(follows[cut_follows:])):
        line = _LINE_BEGINS.search(ahead)
        if line is not None:
            cut_ahead = line.start()
        elif before is None:
            cut_follows += ending.end()
    _cut(left, before, behind, cut_ahead, cut_follows)


def _before(
    pieces: Sequence[str | Metavariable], empty: Set[int], left: Sequence[tuple[int, int]], index: int
) -> int | None:
    """The nearest piece before that is not gone; None if there is none."""
    while index:
        index -= 1
        start, end = left[index]
        if end > start or (isinstance(pieces[index], Metavariable) and index not in empty):
            return index
    return None


def _text(pieces: Sequence[str | Metavariable], left: Sequence[tuple[int, int]], index: int | None) -> str:
    """What is left of a literal piece; nothing for a metavariable."""
    piece = pieces[index] if index is not None else ""
    return piece[left[index][0] : left[index][1]] if isinstance(piece, str) and index is not None else ""


def _cut(left: list[tuple[int, int]], before: int | None, behind: int | None, ahead: int, follows: int) -> None:
    if before is not None:
        start, end = left[before]
        left[before] = (start, min(end, start + ahead))
    if behind is not None:
        start, end = left[behind]
        left[behind] = (start + follows, end)
