"""The lines of a template: which begin inside one of its own strings, and what one step of its indentation is."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from tree_sitter import Language, Parser

from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.template import Template
from toolpost_astgrep.rewriting.verbatim import verbatim_lines

_STAND_IN = "tpmv"


@attrs.frozen(kw_only=True)
class TemplateLines:
    """What putting a template's lines into a file takes.

    Attributes:
        verbatim: the line starts inside its strings, each as the piece and the offset in it.
        step: one step of its indentation; empty if it has none.
    """

    verbatim: frozenset[tuple[int, int]] = frozenset()
    step: str = ""

    @classmethod
    def of(cls, template: Template, grammar: Language, profile: Profile) -> TemplateLines:
        """Look at a template as its language's grammar reads it."""
        starts = list(_line_starts(template))
        if not starts:
            return cls()
        text = "".join(piece if isinstance(piece, str) else _STAND_IN for piece in template.pieces).encode()
        inside = verbatim_lines(Code(text, Parser(grammar).parse(text)), 0, len(text), profile)
        verbatim = frozenset(place for place, offset, _ in starts if offset in inside)
        blanks = [blanks[template.margin :] for place, _, blanks in starts if place not in verbatim]
        return cls(verbatim=verbatim, step=_step([each for each in blanks if each]))


def _line_starts(template: Template) -> Iterator[tuple[tuple[int, int], int, str]]:
    """Each line after the first: its piece and place there, its offset in the template's bytes, and its blanks."""
    size = 0
    for index, piece in enumerate(template.pieces):
        if not isinstance(piece, str):
            size += len(_STAND_IN)
            continue
        at = piece.find("\n") + 1
        while at:
            line = piece[at:].split("\n", 1)[0]
            bare = line.lstrip(" \t")
            # A line of blanks says nothing, unless a metavariable comes behind them.
            blanks = line[: len(line) - len(bare)] if bare or at + len(line) == len(piece) else ""
            yield (index, at), size + len(piece[:at].encode()), blanks
            at = piece.find("\n", at) + 1
        size += len(piece.encode())


def _step(blanks: list[str]) -> str:
    """The smallest indentation is one step."""
    if any(each.startswith("\t") for each in blanks):
        return "\t"
    return min(blanks, key=len, default="")
