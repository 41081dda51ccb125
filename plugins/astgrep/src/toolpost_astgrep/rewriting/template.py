"""What a match becomes: literal text with metavariables; nothing else in it means anything (files:literal)."""

from __future__ import annotations

import re

import attrs

from toolpost_astgrep.patterns.metavariables import Metavariable, split
from toolpost_astgrep.patterns.pattern import PatternError


@attrs.frozen(kw_only=True)
class Template:
    """A rewrite's text in pieces, without what is no part of its meaning: blanks around it, and a final `;`.

    Patterns are read without them too (ast:run), so a rewrite that was written like its pattern behaves like it.

    Attributes:
        pieces: literal text and metavariables, by turns; none for a rewrite that deletes.
        margin: how far its first line was indented; the other lines are so too, and it is taken off them.
        terminated: it ended in `;`, which is put only where the code needs one.
    """

    pieces: tuple[str | Metavariable, ...]
    margin: int = 0
    terminated: bool = False

    @classmethod
    def parse(cls, text: str, bound: frozenset[str] | set[str]) -> Template:
        """Read a rewrite.

        Args:
            text: the rewrite. `\\$NAME` in it is a literal `$NAME`.
            bound: the names that the pattern captures.

        Raises:
            PatternError: it names one that the pattern does not capture, or one that binds nothing (ast:lost-variable).
        """
        if "\0" in text:
            raise PatternError("the rewrite holds a NUL character, which would make binary files of what it is put in")
        lines = text.replace("\r\n", "\n").rstrip().split("\n")
        first = next((index for index, line in enumerate(lines) if line.strip()), 0)
        body = "\n".join(lines[first:])
        bare = body.lstrip()
        terminated = re.search(r"[^;\s]\s*;\Z", bare) is not None
        pieces = tuple(split(bare[:-1].rstrip() if terminated else bare))
        for piece in pieces:
            if isinstance(piece, Metavariable):
                _check(piece, bound)
        return cls(pieces=pieces, margin=len(body) - len(bare), terminated=terminated)

    @property
    def deletes(self) -> bool:
        """An empty rewrite."""
        return not self.pieces

    @property
    def literal(self) -> str:
        """Its own text."""
        return "".join(piece for piece in self.pieces if isinstance(piece, str))

    @property
    def names(self) -> frozenset[str]:
        """The captures that it keeps."""
        return frozenset(piece.name for piece in self.pieces if isinstance(piece, Metavariable) and piece.name)


def _check(piece: Metavariable, bound: frozenset[str] | set[str]) -> None:
    if piece.name is None:
        raise PatternError(f"rewrite has {piece}, which binds nothing; give it a name in pattern and rewrite")
    if piece.name not in bound:
        names = ", ".join(f"${name}" for name in sorted(bound)) or "none"
        raise PatternError(
            f"rewrite names ${piece.name}, which the pattern does not capture. It captures: {names}. "
            f"To have the text itself, write \\{piece}"
        )
