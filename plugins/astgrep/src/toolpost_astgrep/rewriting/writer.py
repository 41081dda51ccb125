"""Writes one match's replacement, and keeps what stood on lines of its own on lines of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.patterns.metavariables import Metavariable
from toolpost_astgrep.rewriting.comments import with_comments
from toolpost_astgrep.rewriting.file_template import FileTemplate
from toolpost_astgrep.rewriting.indentation import begins_line, line_indent, moved
from toolpost_astgrep.rewriting.replacement import Fit, Placed
from toolpost_astgrep.rewriting.separators import settled
from toolpost_astgrep.rewriting.verbatim import verbatim_lines

_LINE_END = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
_BLANK_LINES = re.compile(rb"[ \t\r\n]*")
_BLANKS = re.compile(rb"[ \t]*")
_TERMINATOR = re.compile(r"[ \t]*;")
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
    _closing: bytes = attrs.field(default=b"", init=False)  # the indentation of that

    def __attrs_post_init__(self) -> None:
        self._base = self._level = self._indent(self.file.code.data, self.match.start)
        pieces = self.file.template.pieces
        places: dict[str, list[int]] = {}
        for index, piece in enumerate(pieces):
            if isinstance(piece, Metavariable) and piece.name:
                places.setdefault(piece.name, []).append(index)
        self._left = settled(pieces, {index for name, at in places.items() for index in at if self._is_empty(name)})
        for name, at in places.items():
            if not self._is_empty(name) and self._is_closed(name):
                for index in at:
                    self._drop_terminator(index + 1)
        # What is put in several places is the same in all of them.
        ends_line = {
            name
            for name, at in places.items()
            if all(self._closer(index, name) or self._ends_line(index) for index in at)
        }
        commas = {name: end for name, at in places.items() if (end := self._comma(name, at)) is not None}
        self.ranges = with_comments(self.file.code, self.match, commas, ends_line, self.file.template.literal.encode())

    @property
    def ends_closed(self) -> bool:
        """Whether the text ends in a statement that needs no `;` behind it."""
        last = self.file.template.pieces[-1]
        return isinstance(last, Metavariable) and last.name is not None and self._is_closed(last.name)

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
            text = self.file.newline + self._closing + text.lstrip(b" \t")
        self._opened = ""
        self._text += text
        self._level = self._level if level is None else level

    def _capture(self, index: int, name: str) -> None:
        data, (start, end) = self.file.code.data, self.ranges[name]
        base = self._indent(data, self.match.captures[name].start)
        if self._opens_body(index, name):
            opener = _code_end(data, start)
            indent, self._closing = self._depths(opener, base, end)
            del self._text[len(self._text.rstrip(b" \t")) :]
            self._text += self.file.newline * data.count(b"\n", opener, start) + indent
            self._opened = self._closer(index, name)
        elif self._is_on_own_line(name) and self._line():
            # Its first line is put behind something: the others stay as deep as they were beside the match.
            base, indent = self._base, self._level
        else:
            indent = self._indent(self._text, len(self._text))
            indent = indent if b"\n" in self._text else self._base + indent
        verbatim = verbatim_lines(self.file.code, start, end, self.file.profile)
        text = moved(data, start, end, base=base, indent=indent, verbatim=verbatim)
        if index in self.fit.parenthesised:
            text = self.file.parenthesised(text)
        many = self.match.captures[name].many
        self._placed.append(Placed(piece=index, start=len(self._text), end=len(self._text) + len(text), many=many))
        self._text += text

    def _indent(self, data: bytes | bytearray, offset: int) -> bytes:
        return line_indent(data, offset, self.file.profile.bullet)

    def _line(self) -> bytes:
        """What is on the line that is being written, without its indentation."""
        return bytes(self._text[self._text.rfind(b"\n") + 1 :]).strip(b" \t")

    def _depths(self, opener: int, base: bytes, end: int) -> tuple[bytes, bytes]:
        """The indentation of a body's lines and of what closes it, as deep as they were beside the line that opened it."""
        data = self.file.code.data
        for outer in (self._indent(data, opener), self._base):
            if base.startswith(outer) and base != outer:
                break
        else:
            return self._level + self.file.step, self._level
        blanks = _BLANK_LINES.match(data, end)
        closing = self._indent(data, blanks.end()) if blanks and b"\n" in blanks.group() else outer
        closing = closing if closing.startswith(outer) else outer
        return self._level + base[len(outer) :], self._level + closing[len(outer) :]

    # ---- what kind of place it is ----

    def _is_empty(self, name: str) -> bool:
        capture = self.match.captures[name]
        return capture.many and not capture.nodes

    def _is_closed(self, name: str) -> bool:
        """Whether a capture is a statement that needs no `;` behind it: it has one, or ends in a body."""
        capture, code = self.match.captures[name], self.file.code
        if code.data[capture.end - 1 : capture.end] == b";":
            return True
        if code.data[capture.end - 1 : capture.end] != b"}" or capture.many:
            return False
        node = code.outermost(code.smallest(capture.start, capture.end))
        holder = node.parent.type if node.parent is not None else ""
        is_body = node.type.endswith("block") and holder.endswith(("_statement", "else_clause"))
        return is_body or (node.type.endswith("_statement") and node.type != "expression_statement")

    def _drop_terminator(self, index: int) -> None:
        """Leave the `;` out with which a literal piece begins."""
        if semicolon := _TERMINATOR.match(self._literal_text(index)):
            start, end = self._left[index]
            self._left[index] = (start + semicolon.end(), end)

    def _is_on_own_line(self, name: str) -> bool:
        return begins_line(self.file.code.data, self.match.captures[name].start)

    def _opens_body(self, index: int, name: str) -> bool:
        """Whether code that stood on lines of its own is put behind what opens a body, and should have lines again."""
        begins_match = self.match.captures[name].start == self.match.start  # so the line that it begins is the match's
        if begins_match or not (index and self._is_on_own_line(name)):
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

    def _comma(self, name: str, places: Sequence[int]) -> int | None:
        """The end of the comma behind a capture that goes along with it; None if none does.

        In general none does. But one before a line end is the file's style, and one that makes a tuple is its meaning.
        """
        capture = self.match.captures[name]
        comma = _COMMA.match(self.file.code.data, capture.end, self.match.end)
        if comma is None or self._is_empty(name) or self.fit.parenthesised & set(places):
            return None
        ends_list = self._ended_line(name) and all(self._closer(index, name) for index in places)
        is_tuple = len(capture.nodes) == 1 and all(self._literal_text(at + 1).lstrip()[:1] == ")" for at in places)
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


def _code_end(data: bytes, offset: int) -> int:
    """Where what is before *offset* ends, blanks and line ends left out."""
    while offset and data[offset - 1] in b" \t\r\n":
        offset -= 1
    return offset
