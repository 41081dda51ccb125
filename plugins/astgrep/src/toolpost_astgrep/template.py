"""What a match becomes: literal text with metavariables; nothing else in it means anything (files:literal)."""

from __future__ import annotations

import attrs

from toolpost_astgrep.metavariables import Metavariable, split
from toolpost_astgrep.pattern import PatternError


@attrs.frozen
class Template:
    """A rewrite's text, in pieces."""

    pieces: tuple[str | Metavariable, ...]

    @classmethod
    def parse(cls, text: str, bound: frozenset[str] | set[str]) -> Template:
        """Read a rewrite.

        Args:
            bound: the names that the pattern captures.

        Raises:
            PatternError: it names one that the pattern does not capture, or one that binds nothing.
        """
        pieces = tuple(split(text.replace("\r\n", "\n")))
        for piece in pieces:
            if isinstance(piece, Metavariable):
                if piece.name is None:
                    raise PatternError(
                        f"rewrite has {piece}, which binds nothing; give it a name in pattern and rewrite"
                    )
                if piece.name not in bound:
                    names = ", ".join(f"${name}" for name in sorted(bound)) or "none"
                    raise PatternError(
                        f"rewrite names ${piece.name}, which the pattern does not capture. It captures: {names}"
                    )
        return cls(pieces)

    @property
    def deletes(self) -> bool:
        """An empty rewrite."""
        return not self.pieces

    @property
    def names(self) -> frozenset[str]:
        return frozenset(piece.name for piece in self.pieces if isinstance(piece, Metavariable) and piece.name)
