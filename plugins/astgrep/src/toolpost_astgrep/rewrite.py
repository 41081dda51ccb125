"""Rewriting one file: outermost matches, replaced all at once, checked before anybody sees them."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from tree_sitter import Language, Tree

from toolpost_astgrep.comments import comments_lost
from toolpost_astgrep.deletion import deletions
from toolpost_astgrep.draft import Draft, Span
from toolpost_astgrep.encoding import Unencodable
from toolpost_astgrep.match import Match
from toolpost_astgrep.metavariables import Metavariable
from toolpost_astgrep.overlap import outermost
from toolpost_astgrep.parenthesize import Fault, Fitting
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.replacement import Fit, Replacement
from toolpost_astgrep.scan import Scanner
from toolpost_astgrep.substitution import Substitution
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
    taken = outermost(matches)
    nested = len(matches) - len(taken)
    listed = scanner.reading.context not in _ONE_NODE_CONTEXTS
    fitting = Fitting(data, tree, taken, template, profile, language, listed)
    try:
        first, draft = _drafts(fitting, grammar)
    except Unencodable as error:
        return FileRewrite(after=None, nested=nested, problem=str(error))
    if _problem(fitting, draft) is not None:
        # What parentheses did not mend is told as it was without them.
        problem = _problem(fitting, first) or _problem(fitting, draft)
        return FileRewrite(after=None, replacements=len(taken), nested=nested, problem=problem)
    return FileRewrite(
        after=draft.text,
        replacements=len(taken),
        nested=nested,
        comments=_comments_lost(tree, taken, draft.replacements),
        parenthesised=sum(each.fit.parentheses for each in draft.replacements),
        still_matches=_still(scanner, draft),
        spans=draft.spans,
    )


def _drafts(fitting: Fitting, grammar: Language) -> tuple[Draft, Draft]:
    """The first draft, and the one in which all that could be mended is."""
    data, tree, matches = fitting.data, fitting.tree, fitting.matches
    if fitting.template.deletes:
        gone = deletions(tree, data, matches)
        made = [Replacement(start=each.start, end=each.end, text=b"", matches=each.matches) for each in gone]
        draft = Draft.of(data, made, grammar)
        return draft, draft
    substitution = Substitution(data, tree, fitting.template, fitting.profile, grammar, fitting.language)
    fits = dict.fromkeys(range(len(matches)), Fit())

    def drafted() -> Draft:
        made = [substitution.replacement(match, fits[number]) for number, match in enumerate(matches)]
        return Draft.of(data, made, grammar)

    draft = drafted()
    if closed := fitting.closed(draft):
        fits.update(closed)
        draft = drafted()
    first = draft
    for _ in range(_ROUNDS):
        mended = fitting.mended(draft, fitting.faults(draft))
        if not mended:
            break
        fits.update(mended)
        draft = drafted()
    return first, draft


def _problem(fitting: Fitting, draft: Draft) -> str | None:
    """What is wrong with a draft: the first thing, in words."""
    wrong = gained_error(fitting.tree, fitting.data, draft) or compile_error(fitting.language, fitting.data, draft)
    if wrong is None and (faults := fitting.faults(draft)):
        wrong = _told(fitting, faults[0], draft)
    return wrong


def _told(fitting: Fitting, fault: Fault, draft: Draft) -> str:
    """A fault in words, with its line in the file."""
    each = draft.replacements[fault.number]
    line = fitting.data.count(b"\n", 0, each.start) + 1
    what = _short(fitting.data[each.start : each.end])
    if not each.text:
        return f"line {line}: without {what} the code around it would mean something else"
    piece = fitting.template.pieces[fault.piece] if fault.piece is not None else None
    if isinstance(piece, Metavariable):
        capture = fitting.matches[fault.number].captures[piece.name or ""]
        captured = _short(fitting.data[capture.start : capture.end])
        return f"line {line}: what {piece} captured, {captured}, would fall apart in its new place"
    return f"line {line}: put in the place of {what}, the rewrite would fall apart or change the code around it"


def _short(code: bytes) -> str:
    text = " ".join(code.decode(errors="replace").split())
    return f"`{text[:80]}{'…' if len(text) > 80 else ''}`"


def _comments_lost(tree: Tree, matches: Sequence[Match], replacements: Sequence[Replacement]) -> int:
    kept = [each.kept for each in replacements] if len(replacements) == len(matches) else [()] * len(matches)
    return sum(comments_lost(tree, match, ranges) for match, ranges in zip(matches, kept, strict=True))


def _still(scanner: Scanner, draft: Draft) -> int:
    """How many matches there are in what was put."""
    if not scanner.may_match(draft.text):
        return 0
    put = [(span.start, span.end) for span in draft.spans]
    found = [(match.start, match.end) for match in scanner.matches(draft.text, draft.tree)]
    return sum(any(low <= start and end <= high for low, high in put) for start, end in found)
