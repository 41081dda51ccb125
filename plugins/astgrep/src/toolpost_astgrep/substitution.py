"""A match's replacement: the template with what was captured, each capture's place in it remembered."""

from __future__ import annotations

import re

import attrs
from tree_sitter import Language, Parser, Tree

from toolpost_astgrep.indentation import Layout, fixed_lines, line_indent, moved
from toolpost_astgrep.match import Match
from toolpost_astgrep.metavariables import Metavariable
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.template import Template


@attrs.frozen(kw_only=True)
class Placed:
    """A capture as it stands in a replacement: its range there, and the piece of the template it came from."""

    piece: int
    start: int
    end: int
    many: bool


@attrs.frozen(kw_only=True)
class Replacement:
    """What takes the place of data[start:end]."""

    start: int
    end: int
    text: bytes
    placed: tuple[Placed, ...] = ()


@attrs.define
class Substitution:
    """Makes replacements in one file.

    Raises:
        UnicodeEncodeError: the template holds a character that the file's encoding lacks.
    """

    data: bytes
    tree: Tree
    template: Template
    profile: Profile
    grammar: Language
    _layout: Layout = attrs.field(init=False)
    _encoding: str = attrs.field(init=False)
    _fixed_template_lines: set[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._layout = Layout.of(self.data)
        try:
            self.data.decode()
            self._encoding = "utf-8"
        except UnicodeDecodeError:
            self._encoding = "latin-1"
        self._fixed_template_lines = _lines_in_strings(self.template, self.grammar, self.profile)

    def replacement(self, match: Match, parenthesised: frozenset[int], wrapped: bool) -> Replacement:
        """The replacement of one match.

        Args:
            parenthesised: the pieces whose captures need parentheses.
            wrapped: the whole needs them.
        """
        if self.template.deletes:
            return self._deletion(match)
        text, placed = self._filled(match, parenthesised)
        if text.rstrip().endswith(b";") and self._ends_in_semicolon(match):
            text = text.rstrip()[:-1].rstrip()
        if wrapped and self.profile.parentheses:
            before, after = (mark.encode() for mark in self.profile.parentheses)
            text = before + text + after
            placed = [attrs.evolve(each, start=each.start + len(before), end=each.end + len(before)) for each in placed]
        return Replacement(start=match.start, end=match.end, text=text, placed=tuple(placed))

    def _filled(self, match: Match, parenthesised: frozenset[int]) -> tuple[bytes, list[Placed]]:
        base = line_indent(self.data, match.start)
        made = b""
        placed: list[Placed] = []
        line, here = 0, base  # the template's line, and the depth of what is put on it
        pieces = self.template.pieces
        for index, piece in enumerate(pieces):
            if isinstance(piece, str):
                piece = _without_separators(pieces, index, match)
                literal, line, here = self._literal(piece, line, here, base)
                made += literal
                continue
            capture = match.captures[piece.name or ""]
            if capture.many and not capture.nodes:
                made = _without_empty_line(made, pieces, index)
                placed.append(Placed(piece=index, start=len(made), end=len(made), many=True))
                continue
            fixed = fixed_lines(self.tree, self.data, capture.start, capture.end, self.profile)
            text = moved(self.data, capture.start, capture.end, here, fixed)
            if index in parenthesised and self.profile.parentheses:
                before, after = (mark.encode() for mark in self.profile.parentheses)
                text = before + text + after
            placed.append(Placed(piece=index, start=len(made), end=len(made) + len(text), many=capture.many))
            made += text
        return made, placed

    def _literal(self, piece: str, line: int, here: bytes, base: bytes) -> tuple[bytes, int, bytes]:
        """A piece of the template in the file's encoding, line ends and depth."""
        lines = piece.split("\n")
        made = [lines[0].encode(self._encoding)]
        for text in lines[1:]:
            line += 1
            if line in self._fixed_template_lines:
                made.append(text.encode(self._encoding))
                continue
            blanks = text[: len(text) - len(text.lstrip(" \t"))]
            here = base + self._layout.indent(blanks).encode()
            rest = text[len(blanks) :].encode(self._encoding)
            made.append(here + rest if rest or text is lines[-1] else rest)
        return self._layout.newline.join(made), line, here

    def _ends_in_semicolon(self, match: Match) -> bool:
        return bool(re.compile(rb"[ \t\r\n]*;").match(self.data, match.end))

    def _deletion(self, match: Match) -> Replacement:
        """Take the match away with the separator that would dangle, and with its line if nothing else is on it."""
        data, start, end = self.data, match.start, match.outer_end
        semicolon = re.compile(rb"[ \t]*;").match(data, end)
        end = semicolon.end() if semicolon else end
        line_start = data.rfind(b"\n", 0, start) + 1
        rest = re.compile(rb"[ \t]*(?:\r?\n|\Z)").match(data, end)
        if rest and not data[line_start:start].strip(b" \t\xef\xbb\xbf"):
            bom = 3 if line_start == 0 and data.startswith(b"\xef\xbb\xbf") else 0
            return Replacement(start=line_start + bom, end=rest.end(), text=b"")
        behind = re.compile(rb"[ \t]*,[ \t]*").match(data, end)
        if behind:
            return Replacement(start=start, end=behind.end(), text=b"")
        before = re.search(rb"[ \t]*,[ \t\r\n]*\Z", data[max(0, start - 200) : start])
        if before:
            return Replacement(start=start - len(before.group()), end=end, text=b"")
        return Replacement(start=start, end=end, text=b"")


def _without_separators(pieces: tuple[str | Metavariable, ...], index: int, match: Match) -> str:
    """A literal piece without the separator beside an ellipsis that captured nothing."""
    piece = pieces[index]
    assert isinstance(piece, str)
    before = _empty(pieces[index - 1], match) if index else False
    after = _empty(pieces[index + 1], match) if index + 1 < len(pieces) else False
    if before and re.match(r"\s*[,;]", piece):
        # The separator behind an empty list goes; one before it stays, for what comes next.
        piece = re.sub(r"^[ \t]*[,;][ \t]*", "", piece)
    elif after and re.search(r"[,;]\s*$", piece) and not _separated_behind(pieces, index + 1):
        piece = re.sub(r"[,;]\s*$", "", piece)
    return piece


def _separated_behind(pieces: tuple[str | Metavariable, ...], index: int) -> bool:
    following = pieces[index + 1] if index + 1 < len(pieces) else ""
    return isinstance(following, str) and re.match(r"\s*[,;]", following) is not None


def _empty(piece: str | Metavariable, match: Match) -> bool:
    if isinstance(piece, str):
        return False
    capture = match.captures.get(piece.name or "")
    return capture is not None and capture.many and not capture.nodes


def _without_empty_line(made: bytes, pieces: tuple[str | Metavariable, ...], index: int) -> bytes:
    """Take back the line end and the blanks before an empty ellipsis that is alone on its line."""
    following = pieces[index + 1] if index + 1 < len(pieces) else "\n"
    line = re.search(rb"\r?\n[ \t]*\Z", made)
    if line and isinstance(following, str) and (following == "" or following.startswith("\n")):
        return made[: line.start()]
    return made


def _lines_in_strings(template: Template, grammar: Language, profile: Profile) -> set[int]:
    """The template's lines that begin inside one of its own strings."""
    text = "".join(piece if isinstance(piece, str) else "tpmv" for piece in template.pieces).encode()
    if b"\n" not in text:
        return set()
    fixed = fixed_lines(Parser(grammar).parse(text), text, 0, len(text), profile)
    return {text.count(b"\n", 0, offset) for offset in fixed}
