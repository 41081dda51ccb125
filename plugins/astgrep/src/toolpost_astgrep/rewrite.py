"""Rewriting one file: outermost matches, replaced all at once, checked before anybody sees them."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from tree_sitter import Language, Parser, Tree

from toolpost_astgrep.match import Match
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.scan import Scanner
from toolpost_astgrep.substitution import Replacement, Substitution
from toolpost_astgrep.template import Template
from toolpost_astgrep.verify import comments_lost, compile_error, gained_error, is_whole

_ROUNDS = 4


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
    """

    after: bytes | None
    replacements: int = 0
    nested: int = 0
    comments: int = 0
    parenthesised: int = 0
    still_matches: int = 0
    problem: str | None = None


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
    """Rewrite one file's matches, which come in document order, an outer one before those inside it."""
    taken = outermost(matches)
    nested = len(matches) - len(taken)
    substitution = Substitution(data, tree, template, profile, grammar)
    parenthesised: dict[int, frozenset[int]] = {}
    wrapped: set[int] = set()
    for _ in range(_ROUNDS):
        try:
            replacements = [
                substitution.replacement(match, parenthesised.get(number, frozenset()), number in wrapped)
                for number, match in enumerate(taken)
            ]
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            return FileRewrite(after=None, nested=nested, problem=f"it is Latin-1 text, which has no {character!r}")
        after, spans = _assembled(data, replacements)
        new = Parser(grammar).parse(after)
        apart = _fallen_apart(new, after, replacements, spans, profile)
        if not apart:
            break
        if profile.parentheses is None or not _parenthesise(apart, parenthesised, wrapped):
            number = apart[0][0]
            line = data.count(b"\n", 0, taken[number].start) + 1
            return FileRewrite(
                after=None, nested=nested, problem=f"line {line}: what was captured would fall apart in its new place"
            )
    problem = gained_error(tree, new, after) or compile_error(language, data, after)
    if problem is not None:
        return FileRewrite(after=None, replacements=len(taken), nested=nested, problem=problem)
    return FileRewrite(
        after=after,
        replacements=len(taken),
        nested=nested,
        comments=sum(_comments(tree, match, template) for match in taken),
        parenthesised=sum(map(len, parenthesised.values())) + len(wrapped),
        still_matches=_still(scanner, after, new, spans),
    )


def outermost(matches: Sequence[Match]) -> list[Match]:
    """The matches that no other one overlaps from outside (edit:overlap)."""
    taken: list[Match] = []
    for match in matches:
        if not taken or match.start >= taken[-1].end:
            taken.append(match)
    return taken


def _assembled(data: bytes, replacements: Sequence[Replacement]) -> tuple[bytes, list[tuple[int, int]]]:
    """The new text, and where each replacement is in it."""
    pieces, spans, at, size = [], [], 0, 0
    for each in replacements:
        start = max(each.start, at)  # two deletions in a row may both want the blanks between them
        pieces += [data[at:start], each.text]
        size += start - at
        spans.append((size, size + len(each.text)))
        size += len(each.text)
        at = max(each.end, start)
    pieces.append(data[at:])
    return b"".join(pieces), spans


def _fallen_apart(
    tree: Tree, source: bytes, replacements: Sequence[Replacement], spans: Sequence[tuple[int, int]], profile: Profile
) -> list[tuple[int, int | None]]:
    """What is no longer whole: the number of the replacement, and the piece of the template, or None for all of it."""
    apart: list[tuple[int, int | None]] = []
    for number, (each, (start, end)) in enumerate(zip(replacements, spans, strict=True)):
        broken = [
            placed.piece
            for placed in each.placed
            if not is_whole(tree, start + placed.start, start + placed.end, source, profile, many=placed.many)
        ]
        apart += [(number, piece) for piece in broken]
        if not broken and each.text and not is_whole(tree, start, end, source, profile, many=False):
            apart.append((number, None))
    return apart


def _parenthesise(
    apart: Sequence[tuple[int, int | None]], parenthesised: dict[int, frozenset[int]], wrapped: set[int]
) -> bool:
    """Mark what needs parentheses; False if all of it has them already."""
    progress = False
    for number, piece in apart:
        if piece is None:
            progress |= number not in wrapped
            wrapped.add(number)
        elif piece not in parenthesised.get(number, frozenset()):
            progress = True
            parenthesised[number] = parenthesised.get(number, frozenset()) | {piece}
    return progress


def _comments(tree: Tree, match: Match, template: Template) -> int:
    kept = [(capture.start, capture.end) for name, capture in match.captures.items() if name in template.names]
    return comments_lost(tree, match.start, match.end, kept)


def _still(scanner: Scanner, source: bytes, tree: Tree, spans: Sequence[tuple[int, int]]) -> int:
    if not scanner.may_match(source):
        return 0
    found = [(match.start, match.end) for match in scanner.matches(source, tree)]
    return sum(1 for start, end in found if any(low <= start and end <= high for low, high in spans))
