"""A match's replacement: the template with what was captured, each capture's place in it remembered (edit:substitute)."""

from __future__ import annotations

import attrs

from toolpost_astgrep.file_template import FileTemplate
from toolpost_astgrep.match import Match
from toolpost_astgrep.replacement import Fit, Replacement
from toolpost_astgrep.terminator import needs_terminator, statement_end
from toolpost_astgrep.writer import Writer


def replacement(file: FileTemplate, match: Match, fit: Fit) -> Replacement:
    """The replacement of one match.

    Raises:
        Unencodable: the template holds a character that the file cannot.
    """
    writer = Writer(file, match, fit)
    text, placed = writer.written()
    if file.template.terminated and not writer.ends_closed and needs_terminator(file.code, match):
        text += b";"
    if fit.wrapped:
        text, opened = file.parenthesised(text), len(file.parenthesised(b"")) // 2
        placed = [attrs.evolve(each, start=each.start + opened, end=each.end + opened) for each in placed]
    end = statement_end(file.code, match) if fit.closed else match.end
    kept = tuple(writer.ranges[name] for name in file.template.names)
    return Replacement(start=match.start, end=end, text=text, placed=tuple(placed), fit=fit, kept=kept)
