"""What stands instead of a text that was not found: the nearest lines, or the character that cannot be seen."""

from __future__ import annotations

import difflib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby

from toolpost.builtin.text import body, described, split_lines

_LARGEST = 2_000_000
"""Characters of a text that is looked through; about a second's work."""
_COMPARED = 20_000
"""Lines that are compared for likeness."""
_REPEATS = 20
_WIDTH = 160
_LOOKALIKES: dict[int, str | None] = str.maketrans(
    {
        "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u3000": " ", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
        "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u200b": None, "\u200c": None, "\u200d": None,
        "\u2060": None, "\ufeff": None, "\r": None, "\t": " ",
    }
)  # fmt: skip


def nearest(text: str, wanted: str) -> str:
    """One or a few lines for an error: where *text* is most like *wanted*, and how the two differ there."""
    if len(text) > _LARGEST:
        return "Read that part of the file again."
    return _invisible(text, wanted) or _other_form(text, wanted) or _alike(text, wanted)


def aligned(have: Sequence[str], want: Sequence[str], near: int = 0) -> int | None:
    """Where most lines of *want* stand in *have*, each in its place; of equal ones the nearest to *near*.

    None: nowhere a single one.
    """
    offsets: defaultdict[str, list[int]] = defaultdict(list)
    for offset, line in enumerate(want):
        if len(offsets[line]) < _REPEATS:
            offsets[line].append(offset)
    votes: Counter[int] = Counter()
    for at, line in enumerate(have):
        for offset in offsets.get(line, ()):
            if at >= offset:
                votes[at - offset] += 1 if line else 0  # blank lines are alike everywhere
    best = max(votes, key=lambda at: (votes[at], -abs(at - near)), default=None)
    return best if best is not None and votes[best] else None


# ---- lines ------------------------------------------------------------------------------------------------------


def _alike(text: str, wanted: str) -> str:
    have, want = ([body(line) for line in split_lines(each)] for each in (text, wanted))
    at = aligned([line.strip() for line in have], [line.strip() for line in want])
    if at is None:
        at = _likest(have, want)
    if at is None:
        return "Nothing in it resembles that; read the file again."
    for number, line in enumerate(want):
        if at + number >= len(have):
            return f"The nearest text is at line {at + 1}, but the file ends where old goes on with {_cut(line, 0)}."
        there = have[at + number]
        # The first line of old may begin, and its last may end, in the middle of a line.
        begins, ends = number == 0, number == len(want) - 1 and not wanted.endswith("\n")
        if begins and ends and line in there:
            continue
        if (begins and there.endswith(line)) or (ends and there.startswith(line)) or there == line:
            continue
        return f"The nearest text differs at line {at + number + 1}:\n{_difference(there, line)}"
    return f"The nearest text is at line {at + 1}; it ends otherwise than old."


def _likest(have: Sequence[str], want: Sequence[str]) -> int | None:
    """Where the first line of *want* that is not blank resembles one of *have*; None if it does nowhere."""
    first = next((number for number, line in enumerate(want) if line.strip()), None)
    if first is None or len(have) > _COMPARED:
        return None
    lines = [line.strip()[:_WIDTH] for line in have]
    found = difflib.get_close_matches(want[first].strip()[:_WIDTH], lines, 1, 0.5)
    return max(0, lines.index(found[0]) - first) if found else None


def _difference(there: str, line: str) -> str:
    at = next(
        (index for index, (one, other) in enumerate(zip(there, line, strict=False)) if one != other),
        min(len(there), len(line)),
    )
    text = f"the file has {_cut(there, at)}\nold has      {_cut(line, at)}"
    pair = there[at : at + 1], line[at : at + 1]
    if not all(each.isascii() for each in pair):
        text += f"\nThe first that differs: {_named(pair[0])} in the file, {_named(pair[1])} in old."
    return text


def _cut(line: str, at: int) -> str:
    """A line quoted, as much of it around a position as fits."""
    begin = max(0, at - _WIDTH // 2)
    piece = line[begin : begin + _WIDTH]
    return f"{'…' if begin else ''}{piece!r}{'…' if begin + _WIDTH < len(line) else ''}"


# ---- characters -------------------------------------------------------------------------------------------------


def _other_form(text: str, wanted: str) -> str | None:
    """Where *wanted* stands in another Unicode form, such as a letter and its accent in two characters."""
    composed = unicodedata.normalize("NFC", text)
    at = composed.find(unicodedata.normalize("NFC", wanted))
    if at < 0:
        return None
    line = composed.count("\n", 0, at) + 1
    form = "decomposed (NFD)" if unicodedata.is_normalized("NFC", wanted) else "composed (NFC)"
    return f"It is there at line {line}, but in {form} characters: copy it from the file."


def _invisible(text: str, wanted: str) -> str | None:
    """Where *wanted* stands but for what cannot be seen: the place, and the characters that differ."""
    plain, origin = _plain(text)
    plain_wanted, wanted_origin = _plain(wanted)
    at = plain.find(plain_wanted)
    if at < 0 or not plain_wanted.strip():
        return None
    for offset in range(len(plain_wanted)):
        # A run of blanks is one character in the plain text: it is compared, and named, whole.
        first = offset - 1 if offset and plain_wanted[offset - 1] == " " else offset
        have_at, want_at = origin[at + offset], wanted_origin[offset]
        gap = origin[at + first - 1] + 1 if first else origin[at]
        want_gap = wanted_origin[first - 1] + 1 if first else 0
        have, want = text[gap : have_at + 1], wanted[want_gap : want_at + 1]
        if have != want:
            line = text.count("\n", 0, have_at) + 1
            return (
                f"It is there at line {line} but for what cannot be seen: "
                f"the file has {_named(have)}, and old has {_named(want)}."
            )
    rest = wanted[wanted_origin[-1] + 1 :]
    line = text.count("\n", 0, origin[at]) + 1
    return f"It is there at line {line} but for what old has at its end: {_named(rest)}." if rest else None


def _plain(text: str) -> tuple[str, list[int]]:
    """*text* without what cannot be seen or told apart, and where each character left came from."""
    characters: list[str] = []
    origin: list[int] = []
    at = 0
    for line in split_lines(text):
        for index, character in enumerate(line.rstrip(" \t\r\n\u00a0")):
            mapped = _LOOKALIKES.get(ord(character), character)
            if mapped and not (mapped == " " and characters and characters[-1] == " "):
                characters.append(mapped)
                origin.append(at + index)
        if line.endswith("\n"):
            characters.append("\n")
            origin.append(at + len(line) - 1)
        at += len(line)
    return "".join(characters), origin


def _named(text: str) -> str:
    runs = [(character, len(list(run))) for character, run in groupby(text)][:4]
    return (
        ", ".join(f"{count} x {described(each)}" if count > 1 else described(each) for each, count in runs) or "nothing"
    )
