"""Text as the file tools see it: decoded so that every byte comes back, in lines and line ends."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal

import attrs

from toolpost import ToolError

BOM = "\ufeff"
CRLF = "\r\n"


@attrs.frozen(kw_only=True)
class Decoded:
    """A file's text: UTF-8, or Latin-1 where it is no UTF-8. Encoding it again gives the same bytes."""

    text: str
    encoding: Literal["utf-8", "latin-1"]

    @property
    def newline(self) -> str:
        """The line end that most lines have; LF if there is none."""
        crlf = self.text.count(CRLF)
        return CRLF if crlf and crlf * 2 >= self.text.count("\n") else "\n"

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


def encode_new(text: str, what: str) -> bytes:
    """*text* as UTF-8, for a file that is made anew.

    Raises:
        ToolError: it holds half a surrogate pair, which no file can; *what* names the text.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ToolError(
            f"{what} holds {described(text[error.start])}, which no file can; nothing was written"
        ) from None


def in_shape_of(before: bytes, text: str) -> tuple[str, tuple[str, ...]]:
    """A file's whole new *text* with what the old bytes had and a model does not write, and what that is.

    The byte-order mark stays, which `read` does not show; so do CRLF line ends, if each line has one and *text* holds
    no carriage return of its own (contract core:atomic).
    """
    kept = []
    if before.count(b"\n") == before.count(b"\r\n") > 0 and b"\0" not in before and "\r" not in text and "\n" in text:
        text = text.replace("\n", CRLF)
        kept.append("CRLF line ends")
    if before.startswith(BOM.encode()) and not text.startswith(BOM):
        text = BOM + text
        kept.append("byte-order mark")
    return text, tuple(kept)


def described(character: str) -> str:
    """A character by number and name, for what cannot be seen."""
    return f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"


def split_lines(text: str) -> list[str]:
    """Lines with their ends, at line feeds only: str.splitlines also splits at form feeds and U+2028, which are text."""
    lines = text.split("\n")
    whole = [line + "\n" for line in lines[:-1]]
    return [*whole, lines[-1]] if lines[-1] else whole


def body(line: str) -> str:
    """A line without its end."""
    return line.removesuffix("\n").removesuffix("\r")


def lines_of(text: str, places: Iterable[int]) -> Iterator[int]:
    """The 0-based lines of ascending positions."""
    line = before = 0
    for place in places:
        line += text.count("\n", before, place)
        before = place
        yield line
