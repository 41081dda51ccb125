"""A match's replacement: the template with what was captured, each capture's place in it remembered."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs
from tree_sitter import Language, Tree

from toolpost_astgrep.comments import with_comments
from toolpost_astgrep.encoding import encoded, encoding_of
from toolpost_astgrep.indentation import Layout, begins_line, line_indent, moved
from toolpost_astgrep.match import Match
from toolpost_astgrep.metavariables import Metavariable
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.replacement import Fit, Placed, Replacement
from toolpost_astgrep.separators import settled
from toolpost_astgrep.template import Template
from toolpost_astgrep.template_lines import TemplateLines
from toolpost_astgrep.terminator import needs_terminator, statement_end
from toolpost_astgrep.verbatim import verbatim_lines


@attrs.define
class Substitution:
    """Makes the replacements in one file."""

    data: bytes
    tree: Tree
    template: Template
    profile: Profile
    grammar: Language
    language: str
    _layout: Layout = attrs.field(init=False)
    _lines: TemplateLines = attrs.field(init=False)
    _encoding: str | None = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._layout = Layout.of(self.data)
        self._lines = TemplateLines.of(self.template, self.grammar, self.profile)
        self._encoding = encoding_of(self.data, self.language)

    def replacement(self, match: Match, fit: Fit) -> Replacement:
        """The replacement of one match.

        Raises:
            Unencodable: the template holds a character that the file cannot.
        """
        writer = _Writer(self, match, fit)
        text, placed = writer.written()
        if self.template.terminated and needs_terminator(self.tree, self.data, match):
            text += b";"
        if fit.wrapped:
            shift = self.parenthesised(text).index(text)
            text = self.parenthesised(text)
            placed = [attrs.evolve(each, start=each.start + shift, end=each.end + shift) for each in placed]
        end = statement_end(self.tree, self.data, match) if fit.closed else match.end
        kept = tuple(writer.ranges[name] for name in self.template.names)
        return Replacement(start=match.start, end=end, text=text, placed=tuple(placed), fit=fit, kept=kept)

    def literal(self, piece: int, start: int, end: int, base: bytes) -> tuple[bytes, bytes | None]:
        """Part of a literal piece of the template as the file writes it.

        Args:
            base: the indentation of the line in which the match begins.

        Returns:
            Its bytes, and the indentation of its last line if that began in it.
        """
        text, made, here = self.template.pieces[piece], bytearray(), None
        assert isinstance(text, str)
        lines, at = text[start:end].split("\n"), start
        for number, line in enumerate(lines):
            if number:
                made += self._layout.newline
            if number and (piece, at) not in self._lines.verbatim:
                bare = line.lstrip(" \t")
                blanks = line[: len(line) - len(bare)]
                here = base + self._layout.depth(blanks[self.template.margin :], self._lines.step)
                made += here if bare or number == len(lines) - 1 else b""
                made += encoded(bare, self._encoding)
            else:
                made += encoded(line, self._encoding)
            at += len(line) + 1
        return bytes(made), here

    def parenthesised(self, text: bytes) -> bytes:
        """A text in the language's parentheses."""
        before, after = self.profile.parentheses or ("", "")
        return before.encode() + text + after.encode()

    def line_break(self, indent: bytes, *, deeper: bool) -> bytes:
        """A line end and the indentation of what comes next."""
        step = self._layout.unit or self._lines.step.encode() or b"    "
        return self._layout.newline + indent + (step if deeper else b"")


@attrs.define
class _Writer:
    """Writes one replacement, piece by piece."""

    of: Substitution
    match: Match
    fit: Fit
    ranges: Mapping[str, tuple[int, int]] = attrs.field(init=False)
    _left: list[tuple[int, int]] = attrs.field(init=False)  # what is left of each literal piece
    _text: bytearray = attrs.field(factory=bytearray, init=False)
    _placed: list[Placed] = attrs.field(factory=list, init=False)
    _base: bytes = attrs.field(init=False)
    _here: bytes = attrs.field(init=False)  # the indentation of the line that is being written
    _opened: bool = attrs.field(default=False, init=False)  # a body was put on lines of its own, so its `}` is too

    def __attrs_post_init__(self) -> None:
        self._base = self._here = line_indent(self.of.data, self.match.start)
        pieces = self.of.template.pieces
        named = {
            index: piece.name for index, piece in enumerate(pieces) if isinstance(piece, Metavariable) and piece.name
        }
        self._left = settled(pieces, {index for index, name in named.items() if self._is_empty(name)})
        ends_line = {name for index, name in named.items() if self._ends_line(index, name)}
        self.ranges = with_comments(self.of.tree, self.of.data, self.match, ends_line)

    def written(self) -> tuple[bytes, list[Placed]]:
        """The text, and where each capture is in it."""
        for index, piece in enumerate(self.of.template.pieces):
            if isinstance(piece, str):
                self._literal(index)
            elif piece.name and not self._is_empty(piece.name):
                self._capture(index, piece.name)
        return bytes(self._text), self._placed

    def _literal(self, index: int) -> None:
        text, here = self.of.literal(index, *self._left[index], self._base)
        if self._opened and text.lstrip(b" \t")[:1] == b"}":
            text = self.of.line_break(self._here, deeper=False) + text.lstrip(b" \t")
        self._opened = False
        self._text += text
        self._here = self._here if here is None else here

    def _capture(self, index: int, name: str) -> None:
        data, (start, end) = self.of.data, self.ranges[name]
        many = self.match.captures[name].many
        base, indent = line_indent(data, start), self._here
        if self._opens_body(index, name):
            del self._text[len(self._text.rstrip(b" \t")) :]
            self._text += self.of.line_break(self._here, deeper=True)
            indent = bytes(self._text[self._text.rfind(b"\n") + 1 :])
            self._opened = True
        elif self._is_on_own_line(name) and self._text[self._text.rfind(b"\n") + 1 :].strip():
            base = self._base  # its first line is put behind something: the others stay as deep as they were
        verbatim = verbatim_lines(self.of.tree, data, start, end, self.of.profile)
        text = moved(data, start, end, base=base, indent=indent, verbatim=verbatim)
        if index in self.fit.parenthesised:
            text = self.of.parenthesised(text)
        self._placed.append(Placed(piece=index, start=len(self._text), end=len(self._text) + len(text), many=many))
        self._text += text

    # ---- what kind of place it is ----

    def _is_empty(self, name: str) -> bool:
        capture = self.match.captures[name]
        return capture.many and not capture.nodes

    def _is_on_own_line(self, name: str) -> bool:
        return begins_line(self.of.data, self.match.captures[name].start)

    def _opens_body(self, index: int, name: str) -> bool:
        """Whether code that stood on lines of its own is put behind what opens a body: `{`, or `:` in Python."""
        if not (index and self._is_on_own_line(name)):
            return False
        opener, capture = self._literal_text(index - 1).rstrip(" \t")[-1:], self.match.captures[name]
        if opener == ":" and self.of.profile.indented:
            several = capture.many or b"\n" in self.of.data[capture.start : capture.end]
            return several and re.match(r"[ \t]*(?:\n|\Z)", self._literal_text(index + 1)) is not None
        return opener == "{" and capture.many

    def _ends_line(self, index: int, name: str) -> bool:
        """Whether a line ends behind a metavariable of the rewrite."""
        behind = "".join(self._literal_text(each) for each in range(index + 1, len(self._left)))
        if not behind:
            return re.compile(rb"[ \t]*(?:\r?\n|\Z)").match(self.of.data, self.match.end) is not None
        return re.match(r"[ \t]*\n", behind) is not None or (
            behind.lstrip(" \t")[:1] == "}" and self._opens_body(index, name)
        )

    def _literal_text(self, index: int) -> str:
        """What is left of a literal piece; a stand-in for a metavariable, nothing behind the last."""
        if index >= len(self._left):
            return ""
        piece, (start, end) = self.of.template.pieces[index], self._left[index]
        if isinstance(piece, str):
            return piece[start:end]
        return "" if piece.name and self._is_empty(piece.name) else "$"
