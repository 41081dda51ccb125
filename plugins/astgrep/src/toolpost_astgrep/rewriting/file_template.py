"""A template as one file writes it: in its encoding, with its line ends and its indentation."""

from __future__ import annotations

import attrs
from tree_sitter import Language

from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.encoding import encoded, encoding_of
from toolpost_astgrep.rewriting.indentation import Layout
from toolpost_astgrep.rewriting.template import Template
from toolpost_astgrep.rewriting.template_lines import TemplateLines


@attrs.frozen(kw_only=True)
class FileTemplate:
    """A template and the file that it is put into."""

    code: Code
    template: Template
    profile: Profile
    _layout: Layout
    _lines: TemplateLines
    _encoding: str | None

    @classmethod
    def of(cls, code: Code, template: Template, profile: Profile, grammar: Language, language: str) -> FileTemplate:
        """Look at how a file writes its text."""
        return cls(
            code=code,
            template=template,
            profile=profile,
            layout=Layout.of(code.data),
            lines=TemplateLines.of(template, grammar, profile),
            encoding=encoding_of(code.data, language),
        )

    def literal(self, piece: int, start: int, end: int, base: bytes) -> tuple[bytes, bytes | None]:
        """Part of a literal piece of the template as the file writes it.

        Args:
            base: the indentation of the line in which the match begins.

        Returns:
            Its bytes, and the indentation of its last line if that began in it.

        Raises:
            Unencodable: the file cannot hold one of its characters.
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

    @property
    def newline(self) -> bytes:
        """The file's line end."""
        return self._layout.newline

    @property
    def step(self) -> bytes:
        """One step of indentation: the file's, or the template's, or four blanks."""
        return self._layout.unit or self._lines.step.encode() or b"    "
