"""No separator dangles where a metavariable stands for nothing (edit:separators).

`bar($$$A, c)` is `bar(c)` when `$$$A` is empty, and a template's line with nothing but an empty `$$$BODY` is no line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from toolpost_astgrep.patterns.metavariables import Metavariable

_SEPARATOR_BEHIND = re.compile(r"\s*([,;])")
_COMMA_BEFORE = re.compile(r",\s*\Z")
_SEMICOLON_BEFORE = re.compile(r";\s*\Z")
_LIST_CLOSES = re.compile(r"\s*\|?\]")  # OCaml's lists: in brackets a `;` only parts, in braces it may close
_LINE_BEGINS = re.compile(r"\n[ \t]*\Z")
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z)")
_BLANK_TOO_MANY = re.compile(r"[ \t:;\n]|/?>")
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
    """Cut what is around one metavariable that stands for nothing."""
    before = _literals_before(pieces, empty, index)
    ahead = "".join(_text(pieces, left, each) for each in reversed(before))
    follows = _text(pieces, left, index + 1)
    starts_line = _LINE_BEGINS.search(ahead) is not None or (not ahead and index == len(before))
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
    elif comma := _COMMA_BEFORE.search(ahead) or (_LIST_CLOSES.match(follows) and _SEMICOLON_BEFORE.search(ahead)):
        cut_ahead = comma.start()
        starts_line = False
    elif _OPENS.search(ahead) and _CLOSES.match(follows):
        cut_ahead, cut_follows = len(ahead.rstrip(" \t")), len(follows) - len(follows.lstrip(" \t"))
    elif not starts_line and (index + 1 == len(pieces) or _BLANK_TOO_MANY.match(follows)):
        cut_ahead = len(ahead.rstrip(" \t"))

    if starts_line and (ending := _LINE_ENDS.match(follows[cut_follows:])):
        if line := _LINE_BEGINS.search(ahead):
            cut_ahead = line.start()
        else:
            cut_follows += ending.end()
    _cut(left, before, len(ahead) - cut_ahead, index + 1, cut_follows)


def _literals_before(pieces: Sequence[str | Metavariable], empty: Set[int], index: int) -> list[int]:
    """The pieces before one, the nearest first, back to what stands for something; all of them if nothing does."""
    found = []
    for each in range(index - 1, -1, -1):
        if isinstance(pieces[each], Metavariable) and each not in empty:
            break
        found.append(each)
    return found


def _text(pieces: Sequence[str | Metavariable], left: Sequence[tuple[int, int]], index: int) -> str:
    """What is left of a literal piece; nothing for a metavariable, or behind the last."""
    piece = pieces[index] if index < len(pieces) else ""
    return piece[left[index][0] : left[index][1]] if isinstance(piece, str) and piece else ""


def _cut(left: list[tuple[int, int]], before: Sequence[int], ahead: int, behind: int, follows: int) -> None:
    """Take *ahead* characters off the end of the pieces before, and *follows* off the beginning of the one behind."""
    for index in before:
        start, end = left[index]
        taken = min(ahead, end - start)
        left[index] = (start, end - taken)
        ahead -= taken
    if behind < len(left):
        start, end = left[behind]
        left[behind] = (min(end, start + follows), end)
