"""Writes one match's replacement, and keeps what stood on lines of its own on lines of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from toolpost_astgrep.comments import with_comments
from toolpost_astgrep.file_template import FileTemplate
from toolpost_astgrep.indentation import begins_line, line_indent, moved
from toolpost_astgrep.match import Match
from toolpost_astgrep.metavariables import Metavariable
from toolpost_astgrep.replacement import Fit, Placed
from toolpost_astgrep.separators import settled
from toolpost_astgrep.verbatim import verbatim_lines

_LINE_END = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
_BLANKS = re.compile(rb"[ \t]*")
_COMMA = re.compile(rb"[ \t\r\n]*,")
_CLOSERS = {"(": ")", "[": "]", "{": "}", ">": "</"}


@attrs.define
class Writer:
    """One replacement in the making.

    Attributes:
        ranges: what is put for each name: its capture, with the comments that go along.
    """

    file: FileTemplate
    match: Match
    fit: Fit
    ranges: Mapping[str, tuple[int, int]] = attrs.field(init=False)
    _left: list[tuple[int, int]] = attrs.field(init=False)  # what is left of each literal piece
    _text: bytearray = attrs.field(factory=bytearray, init=False)
    _placed: list[Placed] = attrs.field(factory=list, init=False)
    _base: bytes = attrs.field(init=False)
    _level: bytes = attrs.field(init=False)  # the indentation of the template's line that is being written
    _opened: str = attrs.field(default="", init=False)  # what closes the body that was just put on lines of its own

    def __attrs_post_init__(self) -> None:
        self._base = self._level = line_indent(self.file.code.data, self.match.start)
        pieces = self.file.template.pieces
        named = {
            index: piece.name for index, piece in enumerate(pieces) if isinstance(piece, Metavariable) and piece.name
        }
        self._left = settled(pieces, {index for index, name in named.items() if self._is_empty(name)})
        closers = {index: self._closer(index, name) for index, name in named.items()}
        commas = {
            name: comma
            for index, name in named.items()
            if index not in self.fit.parenthesised and (comma := self._comma(index, name, closers[index])) is not None
        }
        ends_line = {name for index, name in named.items() if closers[index] or self._ends_line(index)}
        self.ranges = with_comments(self.file.code, self.match, commas, ends_line)

    def written(self) -> tuple[bytes, list[Placed]]:
        """The text, and where each capture is in it."""
        for index, piece in enumerate(self.file.template.pieces):
            if isinstance(piece, str):
                self._literal(index)
            elif piece.name and not self._is_empty(piece.name):
                self._capture(index, piece.name)
        return bytes(self._text), self._placed

    def _literal(self, index: int) -> None:
        text, level = self.file.literal(index, *self._left[index], self._base)
        if self._opened and text.lstrip(b" \t").startswith(self._opened.encode()) and self._line():
            text = self.file.newline + self._level + text.lstrip(b" \t")
        self._opened = ""
        self._text += text
        self._level = self._level if level is None else level

    def _capture(self, index: int, name: str) -> None:
        data, (start, end) = self.file.code.data, self.ranges[name]
        base = line_indent(data, self.match.captures[name].start)
        if self._opens_body(index, name):
            indent = self._deeper(index, base)
            del self._text[len(self._text.rstrip(b" \t")) :]
            self._text += self.file.newline * _line_ends_before(data, start) + indent
            self._opened = self._closer(index, name)
        elif self._is_on_own_line(name) and self._line():
            # Its first line is put behind something: the others stay as deep as they were beside the match.
            base, indent = self._base, self._level
        else:
            indent = line_indent(self._text, len(self._text)) if b"\n" in self._text else self._base
        verbatim = verbatim_lines(self.file.code, start, end, self.file.profile)
        text = moved(data, start, end, base=base, indent=indent, verbatim=verbatim)
        if index in self.fit.parenthesised:
            text = self.file.parenthesised(text)
        many = self.match.captures[name].many
        self._placed.append(Placed(piece=index, start=len(self._text), end=len(self._text) + len(text), many=many))
        self._text += text

    def _line(self) -> bytes:
        """What is on the line that is being written, without its indentation."""
        return bytes(self._text[self._text.rfind(b"\n") + 1 :]).strip(b" \t")

    def _deeper(self, index: int, base: bytes) -> bytes:
        """The indentation of a body's lines: one step, but arguments stay as deep as they were."""
        deeper = base.removeprefix(self._base) if base.startswith(self._base) else b""
        is_list = self._literal_text(index - 1).rstrip(" \t")[-1:] in ("(", "[")
        return self._level + (deeper if is_list and deeper else self.file.step)

    # ---- what kind of place it is ----

    def _is_empty(self, name: str) -> bool:
        capture = self.match.captures[name]
        return capture.many and not capture.nodes

    def _is_on_own_line(self, name: str) -> bool:
        return begins_line(self.file.code.data, self.match.captures[name].start)

    def _opens_body(self, index: int, name: str) -> bool:
        """Whether code that stood on lines of its own is put behind what opens a body, and should have lines again."""
        if not (index and self._is_on_own_line(name)):
            return False
        opener, behind = self._literal_text(index - 1).rstrip(" \t")[-1:], self._literal_text(index + 1).lstrip(" \t")
        capture = self.match.captures[name]
        if opener == ":" and self.file.profile.indented:
            several = capture.many or b"\n" in self.file.code.data[capture.start : capture.end]
            return several and behind[:1] in ("", "\n")
        if opener == "{":
            return capture.many
        return opener in _CLOSERS and behind.startswith(_CLOSERS[opener]) and (capture.many or opener != ">")

    def _closer(self, index: int, name: str) -> str:
        """What is put on a line of its own behind a body that gets lines of its own; "" if nothing is.

        A `}` is, always; a `)` only where the code has it so, since a line end before it means something in Go.
        """
        if not self._opens_body(index, name):
            return ""
        closer = _CLOSERS.get(self._literal_text(index - 1).rstrip(" \t")[-1:], "")
        if not closer or not self._literal_text(index + 1).lstrip(" \t").startswith(closer):
            return ""
        return closer if closer in ("}", "</") or self._ended_line(name) else ""

    def _ended_line(self, name: str) -> bool:
        """Whether nothing but a comma and a comment stood behind a capture in its line."""
        data, end = self.file.code.data, self.match.captures[name].end
        comma = _COMMA.match(data, end)
        blanks = _BLANKS.match(data, comma.end() if comma else end)
        end = blanks.end() if blanks else end
        comment = self.file.code.comment_at(end)
        return _LINE_END.match(data, comment[1] if comment else end) is not None

    def _comma(self, index: int, name: str, closer: str) -> int | None:
        """The end of the comma behind a capture that goes along with it, None if none does.

        In general none does. But one before a line end is the file's style, and one that makes a tuple is its meaning.
        """
        capture = self.match.captures[name]
        comma = _COMMA.match(self.file.code.data, capture.end, self.match.end)
        if comma is None or self._is_empty(name):
            return None
        ends_list = closer and self._ended_line(name)
        is_tuple = len(capture.nodes) == 1 and self._literal_text(index + 1).lstrip()[:1] == ")"
        if ends_list or (is_tuple and "tuple" in self.file.code.smallest(capture.start, comma.end()).type):
            return comma.end()
        return None

    def _ends_line(self, index: int) -> bool:
        """Whether a line ends behind a metavariable of the rewrite."""
        behind = "".join(self._literal_text(each) for each in range(index + 1, len(self._left)))
        if not behind:
            return _LINE_END.match(self.file.code.data, self.match.end) is not None
        return behind.lstrip(" \t")[:1] == "\n"

    def _literal_text(self, index: int) -> str:
        """What is left of a literal piece; a stand-in for a metavariable, nothing behind the last."""
        if index >= len(self._left):
            return ""
        piece, (start, end) = self.file.template.pieces[index], self._left[index]
        if isinstance(piece, str):
            return piece[start:end]
        return "" if piece.name and self._is_empty(piece.name) else "$"


def _line_ends_before(data: bytes, offset: int) -> int:
    """How many line ends there are before *offset*, with nothing but blanks between."""
    start = offset
    while start and data[start - 1] in b" \t\r\n":
        start -= 1
    return data.count(b"\n", start, offset)
