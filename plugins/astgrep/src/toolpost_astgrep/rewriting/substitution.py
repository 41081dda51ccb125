"""A match's replacement: the template with what was captured, each capture's place in it remembered (edit:substitute)."""

from __future__ import annotations

import re

import attrs

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.file_template import FileTemplate
from toolpost_astgrep.rewriting.replacement import Fit, Replacement
from toolpost_astgrep.rewriting.terminator import needs_terminator, statement_end
from toolpost_astgrep.rewriting.writer import Writer

_TO_A_COMMENT = re.compile(rb"[ \t]*(;?)[ \t]*")


def replacement(file: FileTemplate, match: Match, fit: Fit) -> Replacement:
    """The replacement of one match.

    Raises:
        Unencodable: the template holds a character that the file cannot.
    """
    writer = Writer(file, match, fit)
    text, placed = writer.written()
    text = _without_what_stands_behind(file.code, match, text)
    if file.template.terminated and not writer.ends_closed and needs_terminator(file.code, match):
        text += b";"
    if fit.wrapped:
        text, opened = file.parenthesised(text), len(file.parenthesised(b"")) // 2
        placed = [attrs.evolve(each, start=each.start + opened, end=each.end + opened) for each in placed]
    end = statement_end(file.code, match) if fit.closed else match.end
    kept = tuple(writer.ranges[name] for name in file.template.names)
    return Replacement(start=match.start, end=end, text=text, placed=tuple(placed), fit=fit, kept=kept)


def _without_what_stands_behind(code: Code, match: Match, text: bytes) -> bytes:
    """A text without the comment at its end, if that one stands behind the match: code is copied with its comments."""
    between = _TO_A_COMMENT.match(code.data, match.end)
    comment = code.comment_at(between.end()) if between is not None else None
    if between is None or comment is None or comment[0] != between.end():
        return text
    own = code.data[slice(*comment)]
    if not text.endswith(own):
        return text
    return text.removesuffix(own).rstrip(b" \t").removesuffix(between[1])
