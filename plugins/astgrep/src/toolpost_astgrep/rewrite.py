"""Rewriting one file: outermost matches, replaced all at once, checked before anybody sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from tree_sitter import Language, Tree

from toolpost_astgrep.code import Code
from toolpost_astgrep.comments import comments_lost
from toolpost_astgrep.deletion import deletions
from toolpost_astgrep.draft import Draft, Span
from toolpost_astgrep.encoding import Unencodable
from toolpost_astgrep.file_template import FileTemplate
from toolpost_astgrep.match import Match
from toolpost_astgrep.metavariables import Metavariable
from toolpost_astgrep.overlap import outermost
from toolpost_astgrep.parenthesize import Fault, Fitting
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.replacement import Fit, Replacement
from toolpost_astgrep.scan import Scanner
from toolpost_astgrep.substitution import replacement
from toolpost_astgrep.template import Template
from toolpost_astgrep.verify import compile_error, gained_error

_ROUNDS = 6
_ONE_NODE_CONTEXTS = frozenset({"statement", "expression"})


@attrs.frozen(kw_only=True)
class FileRewrite:
    """What became of one file.

    Attributes:
        after: its new bytes; None if it cannot be rewritten, and `problem` says why.
        replacements: how many matches were replaced.
        nested: how many were left, since they are inside others.
        comments: how many comments are lost with what was replaced.
        parenthesised: how many parentheses were put, so that nothing falls apart.
        still_matches: how often the pattern matches in what was put.
        spans: where the replacements are, before and after, in bytes.
    """

    after: bytes | None
    replacements: int = 0
    nested: int = 0
    comments: int = 0
    parenthesised: int = 0
    still_matches: int = 0
    problem: str | None = None
    spans: tuple[Span, ...] = ()


def rewrite_source(
    data: bytes,
    tree: Tree,
    matches: Sequence[Match],
    template: Template,
    *,
    grammar: Language,
    profile: Profile,
    language: str,
    scanner: Scanner,
) -> FileRewrite:
    """Rewrite one file's matches.

    Args:
        data: the file; its bytes outside what is replaced are not touched, whatever they are (edit:encoding).
        tree: its tree.
        matches: in document order, an outer one before those inside it.
        scanner: looks whether the pattern still matches in what was put.
    """
    code, taken = Code(data, tree), [_with_captures(match) for match in outermost(matches)]
    nested = len(matches) - len(taken)
    listed = scanner.reading.context not in _ONE_NODE_CONTEXTS
    fitting = Fitting(code, taken, template, profile, language, listed)
    try:
        drafts = list(_drafts(fitting, grammar))
    except Unencodable as error:
        return FileRewrite(after=None, nested=nested, problem=str(error))
    draft, faults = drafts[-1]
    if faults or _unparsable(fitting, draft):
        # What parentheses did not mend is told as it was without them.
        problem = next(problem for each in drafts if (problem := _problem(fitting, *each)) is not None)
        return FileRewrite(after=None, replacements=len(taken), nested=nested, problem=problem)
    return FileRewrite(
        after=draft.text,
        replacements=len(taken),
        nested=nested,
        comments=_comments_lost(code, taken, draft.replacements),
        parenthesised=sum(each.fit.parentheses for each in draft.replacements),
        still_matches=_still(scanner, draft),
        spans=draft.spans,
    )


def _with_captures(match: Match) -> Match:
    """A match with what it captured: Python's `return a,` captures a tuple, whose comma is no part of the match."""
    return attrs.evolve(match, end=max([match.end, *(capture.end for capture in match.captures.values())]))


def _drafts(fitting: Fitting, grammar: Language) -> Iterator[tuple[Draft, list[Fault]]]:
    """Drafts of the file with what is at fault in each, until nothing is or nothing more can be done about it."""
    code, matches = fitting.code, fitting.matches
    if fitting.template.deletes:
        gone = deletions(code, matches)
        draft = Draft.of(code.data, [Replacement(start=each.start, end=each.end, text=b"") for each in gone], grammar)
        yield draft, fitting.faults(draft)
        return
    file = FileTemplate.of(code, fitting.template, fitting.profile, grammar, fitting.language)
    made = [replacement(file, match, Fit()) for match in matches]
    draft = Draft.of(code.data, made, grammar)
    better = fitting.closed(draft)
    for _ in range(_ROUNDS):
        for number, fit in better.items():
            made[number] = replacement(file, matches[number], fit)
        draft = Draft.of(code.data, made, grammar) if better else draft
        faults = fitting.faults(draft)
        yield draft, faults
        better = fitting.mended(draft, faults)
        if not better:
            return


def _unparsable(fitting: Fitting, draft: Draft) -> str | None:
    return gained_error(fitting.code, draft) or compile_error(fitting.language, fitting.code, draft)


def _problem(fitting: Fitting, draft: Draft, faults: Sequence[Fault]) -> str | None:
    """What is wrong with a draft: the first thing, in words."""
    return _unparsable(fitting, draft) or (_told(fitting, faults[0], draft) if faults else None)


def _told(fitting: Fitting, fault: Fault, draft: Draft) -> str:
    """A fault in words, with its line in the file."""
    data, each = fitting.code.data, draft.replacements[fault.number]
    line = data.count(b"\n", 0, each.start) + 1
    what = _short(data[each.start : each.end])
    if not each.text:
        return f"line {line}: without {what} the code around it would mean something else"
    piece = fitting.template.pieces[fault.piece] if fault.piece is not None else None
    if isinstance(piece, Metavariable):
        capture = fitting.matches[fault.number].captures[piece.name or ""]
        captured = _short(data[capture.start : capture.end])
        return f"line {line}: what {piece} captured, {captured}, would fall apart in its new place"
    return f"line {line}: put in the place of {what}, the rewrite would fall apart or change the code around it"


def _short(code: bytes) -> str:
    text = " ".join(code.decode(errors="replace").split())
    return f"`{text[:80]}{'…' if len(text) > 80 else ''}`"


def _comments_lost(code: Code, matches: Sequence[Match], made: Sequence[Replacement]) -> int:
    # Deletions keep nothing, and are fewer than the matches where these stand side by side.
    kept = [each.kept for each in made] if len(made) == len(matches) else [()] * len(matches)
    return sum(comments_lost(code, match, ranges) for match, ranges in zip(matches, kept, strict=True))


def _still(scanner: Scanner, draft: Draft) -> int:
    """How many matches there are in what was put."""
    if not scanner.may_match(draft.text):
        return 0
    return sum(draft.put(match.start, match.end) for match in scanner.matches(draft.text, draft.code.tree))
