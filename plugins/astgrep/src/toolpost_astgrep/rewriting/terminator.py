"""The `;` that closes a statement: no part of a pattern's meaning nor of a rewrite's, so it is put where it is needed."""

from __future__ import annotations

import re

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.rewriting.code import Code

_SEMICOLON = re.compile(rb"[ \t\r\n]*;")


def statement_end(code: Code, match: Match) -> int:
    """Where the statement ends that a match is, its `;` included; where the match ends if it is none, or has none."""
    semicolon = _SEMICOLON.match(code.data, match.end)
    if semicolon is None:
        return match.end
    end = semicolon.end()
    node = code.smallest(match.start, end)
    if end <= match.outer_end or (node.start_byte == match.start and node.end_byte == end):
        return end
    return match.end


def needs_terminator(code: Code, match: Match) -> bool:
    """Whether a rewrite that was written with a `;` gets one here.

    Where the code has one already, no. Where it has none, the match is part of an expression, or code that does
    without; but a block's place can only be taken by a statement that is closed.
    """
    return code.data[match.end - 1 : match.end] == b"}" and statement_end(code, match) == match.end
