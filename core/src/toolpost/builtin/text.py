"""Text as the file tools see it: decoded so that every byte comes back, and searched so that a miss explains itself."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterator
from typing import Literal

import attrs

from toolpost import ToolError

BOM = "\ufeff"
_PLACES = 10
_NEAR_LINES = 20_000
_LOOKALIKES = str.maketrans(
    {
        "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u3000": " ", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
        "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u200b": None, "\u200c": None, "\u200d": None,
        "\u2060": None, "\ufeff": None, "\r": None, "\t": " ",
    }
)  # fmt: skip


@attrs.frozen(kw_only=True)
class Decoded:
    """A file's text: UTF-8, or Latin-1 where it is no UTF-8. Encoding it again gives the same bytes."""

    text: str
    encoding: Literal["utf-8", "latin-1"]

    @property
    def newline(self) -> str:
        """The line end that the file uses; LF if it has none."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf and crlf * 2 >= self.text.count("\n") else "\n"

    def encode(self, text: str, path: str) -> bytes:
        """*text* as bytes of this file.

        Raises:
            ToolError: a character that its encoding does not have.
        """
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise ToolError(
                f"{path} is {self.encoding}, which cannot hold {described(text[error.start])}; nothing was written"
            ) from None


def decode(data: bytes, path: str) -> Decoded:
    """A file's bytes as text; a byte-order mark stays, as the first character.

    Raises:
        ToolError: it is no text.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ToolError(f"{path} is UTF-16 text, which these tools do not handle; convert it to UTF-8 first")
    if b"\0" in data:
        raise ToolError(f"{path} is a binary file ({len(data)} bytes), not text")
    try:
        return Decoded(text=data.decode(), encoding="utf-8")
    except UnicodeDecodeError:
        return Decoded(text=data.decode("latin-1"), encoding="latin-1")


def described(character: str) -> str:
    """A character by number and name, for what cannot be seen."""
    return f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"


def split_lines(text: str) -> list[str]:
    """Lines with their ends, at line feeds only: str.splitlines also splits at form feeds and U+2028, which are text."""
    lines = text.split("\n")
    whole = [line + "\n" for line in lines[:-1]]
    return [*whole, lines[-1]] if lines[-1] else whole


def line_of(text: str, position: int) -> int:
    """The 1-based line of a position."""
    return text.count("\n", 0, position) + 1


def find(text: str, old: str, path: str) -> list[int]:
    """Every place of *old*, left to right, without overlaps.

    Raises:
        ToolError: there is none; the text shows the nearest, or the character that differs invisibly.
    """
    places = list(_places(text, old))
    if not places:
        raise ToolError(f"{path}: old is not in the file. {_nearest(text, old)}")
    return places


def ambiguous(text: str, places: list[int], path: str) -> ToolError:
    """The error for an *old* that stands in several places."""
    lines = text.splitlines()
    shown = [
        f"line {number}: {lines[number - 1].strip()[:120]}"
        for number in (line_of(text, place) for place in places[:_PLACES])
    ]
    left = f"\n… and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return ToolError(
        f"{path}: old is in the file {len(places)} times; give more of the text around the one you mean, or replace_all:\n"
        + "\n".join(shown)
        + left,
        data={"lines": [line_of(text, place) for place in places]},
    )


def _places(text: str, old: str) -> Iterator[int]:
    at = text.find(old)
    while at >= 0:
        yield at
        at = text.find(old, at + len(old))


def _nearest(text: str, old: str) -> str:
    invisible = _invisible(text, old)
    if invisible:
        return invisible
    lines = text.splitlines()
    wanted = old.splitlines() or [old]
    first = next((line for line in wanted if line.strip()), wanted[0])
    if not lines or len(lines) > _NEAR_LINES:
        return "Read the file again."
    stripped = [line.strip() for line in lines]
    near = difflib.get_close_matches(first.strip(), stripped, 1, 0.5)
    if not near:
        return "Nothing in it resembles that; read the file again."
    at = max(0, stripped.index(near[0]) - wanted.index(first))
    for number, want in enumerate(wanted):
        have = lines[at + number] if at + number < len(lines) else None
        if have != want:
            place = f"line {at + number + 1}" if have is not None else "the end of the file"
            return f"The nearest text differs at {place}:\nthe file has {have!r:.200}\nold has      {want!r:.200}"
    return f"The nearest text is at line {at + 1}."


def _invisible(text: str, old: str) -> str | None:
    """Where *old* stands but for what cannot be seen: the place, and the character that differs."""
    plain, origin = _plain(text)
    wanted, wanted_origin = _plain(old)
    at = plain.find(wanted)
    if at < 0 or not wanted:
        return None
    for offset in range(len(wanted)):
        have_at, want_at = origin[at + offset], wanted_origin[offset]
        gap = origin[at + offset - 1] + 1 if offset else have_at
        want_gap = wanted_origin[offset - 1] + 1 if offset else 0
        have, want = text[gap : have_at + 1], old[want_gap : want_at + 1]
        if have != want:
            return (
                f"It is there at line {line_of(text, have_at)} but for what cannot be seen: "
                f"the file has {_named(have)}, and old has {_named(want)}."
            )
    return None


def _plain(text: str) -> tuple[str, list[int]]:
    """*text* without what cannot be seen or told apart, and where each character left came from."""
    characters: list[str] = []
    origin: list[int] = []
    at = 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip(" \t\r\n\u00a0")
        end = "\n" if line.endswith("\n") else ""
        for index, character in enumerate(body):
            mapped = character.translate(_LOOKALIKES)
            if mapped and not (mapped == " " and characters and characters[-1] == " "):
                characters.append(mapped)
                origin.append(at + index)
        if end:
            characters.append("\n")
            origin.append(at + len(line) - 1)
        at += len(line)
    return "".join(characters), origin


def _named(text: str) -> str:
    return " ".join(described(character) for character in text[:4]) or "nothing"
