"""Rewriting one file: outermost matches, replaced all at once, one rule after the other, checked before anybody sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
from tree_sitter import Language, Tree

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.matching.scan import Search
from toolpost_astgrep.patterns.metavariables import Metavariable
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.comments import comments_lost
from toolpost_astgrep.rewriting.deletion import deletions
from toolpost_astgrep.rewriting.draft import Draft, Span
from toolpost_astgrep.rewriting.encoding import Unencodable
from toolpost_astgrep.rewriting.file_template import FileTemplate
from toolpost_astgrep.rewriting.overlap import outermost
from toolpost_astgrep.rewriting.parenthesize import Fault, Fitting
from toolpost_astgrep.rewriting.replacement import Fit, Replacement
from toolpost_astgrep.rewriting.substitution import replacement
from toolpost_astgrep.rewriting.template import Template
from toolpost_astgrep.rewriting.verify import compile_error, gained_error

_ROUNDS = 6
_ONE_NODE_CONTEXTS = frozenset({"statement", "expression"})


@attrs.frozen(kw_only=True)
class Rule:
    """What to look for in a file, and what to put in its place."""

    search: Search
    template: Template


@attrs.frozen(kw_only=True)
class FileRewrite:
    """What became of one file.

    Attributes:
        after: its new bytes; None if it cannot be rewritten, and `problem` says why.
        matches: how many there were, of each rule.
        replaced: how many of them were replaced, of each rule.
        nested: how many were left, since they are inside others of their rule.
        overlapping: how many were left, since an earlier rule has changed something of them.
        comments: how many comments are lost with what was replaced.
        parenthesised: how many parentheses were put, so that nothing falls apart.
        still_matches: how often a rule's pattern matches in what was put.
        spans: where the replacements are, before and after, in bytes.
    """

    after: bytes | None
    matches: tuple[int, ...] = ()
    replaced: tuple[int, ...] = ()
    nested: int = 0
    overlapping: int = 0
    comments: int = 0
    parenthesised: int = 0
    still_matches: int = 0
    problem: str | None = None
    spans: tuple[Span, ...] = ()

    @property
    def replacements(self) -> int:
        """How many matches were replaced."""
        return sum(self.replaced)


def rewrite_source(
    data: bytes, tree: Tree, rules: Sequence[Rule], *, grammar: Language, profile: Profile, language: str
) -> FileRewrite:
    """Rewrite one file by one rule after the other.

    A later rule leaves alone what an earlier one has put or taken, and all that is around it.

    Args:
        data: the file; its bytes outside what is replaced are not touched, whatever they are (edit:encoding).
        tree: its tree.
    """
    file = _Rewriting(Code(data, tree), grammar, profile, language)
    for number, rule in enumerate(rules, 1):
        problem = file.apply(rule)
        if problem is not None:
            return file.refused(problem if len(rules) == 1 else f"rule {number}, {problem}")
    problem = compile_error(language, file.original, file.draft)
    return file.made(rules) if problem is None else file.refused(problem)


@attrs.define
class _Rewriting:
    """A file on its way from one rule to the next: all that was replaced so far, as ranges of the file as it was."""

    original: Code
    grammar: Language
    profile: Profile
    language: str
    draft: Draft = attrs.field(init=False)
    _counts: Counter[str] = attrs.field(factory=Counter, init=False)
    _matches: list[int] = attrs.field(factory=list, init=False)
    _replaced: list[int] = attrs.field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.draft = Draft(code=self.original, replacements=(), spans=())

    def apply(self, rule: Rule) -> str | None:
        """Replace the matches of one rule; gives what is wrong with that."""
        code, template = self.draft.code, rule.template
        found = list(rule.search.matches(code.data, code.tree)) if rule.search.may_match(code.data) else []
        free = [match for match in found if not self.draft.meets(match.start, match.end)]
        taken = [_with_captures(match) for match in outermost(free)]
        self._matches.append(len(found))
        self._replaced.append(len(taken))
        self._counts["nested"] += len(free) - len(taken)
        self._counts["overlapping"] += sum(not self.draft.put(each.start, each.end) for each in found) - len(free)
        if not taken:
            return None
        listed = rule.search.reading.context not in _ONE_NODE_CONTEXTS
        fitting = Fitting(code, taken, template, self.profile, self.language, listed)
        try:
            drafts = list(_drafts(fitting, self.grammar))
        except Unencodable as error:
            return str(error)
        draft, faults = drafts[-1]
        if faults or gained_error(code, draft):
            # What parentheses did not mend is told as it was without them.
            return next(problem for each in drafts if (problem := _problem(fitting, *each)) is not None)
        self._counts["comments"] += _comments_lost(code, taken, draft.replacements)
        self._counts["parenthesised"] += sum(each.fit.parentheses for each in draft.replacements)
        self.draft = draft if not self.draft.spans else self.draft.followed_by(draft, self.original.data, self.grammar)
        return None

    def made(self, rules: Sequence[Rule]) -> FileRewrite:
        """The file as all rules left it."""
        still = sum(_still(rule.search, self.draft) for rule in rules)
        return self._told(after=self.draft.text, still_matches=still, spans=self.draft.spans, **self._counts)

    def refused(self, problem: str) -> FileRewrite:
        """The file as it was."""
        return self._told(after=None, problem=problem, nested=self._counts["nested"])

    def _told(self, **facts: Any) -> FileRewrite:
        return FileRewrite(matches=tuple(self._matches), replaced=tuple(self._replaced), **facts)


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


def _problem(fitting: Fitting, draft: Draft, faults: Sequence[Fault]) -> str | None:
    """What is wrong with a draft: the first thing, in words."""
    unparsable = gained_error(fitting.code, draft) or compile_error(fitting.language, fitting.code, draft)
    return unparsable or (_told(fitting, faults[0], draft) if faults else None)


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
    each_its_own = len(made) == len(matches)
    kept = [(each.kept, each.text) for each in made] if each_its_own else [((), b"")] * len(matches)
    return sum(comments_lost(code, match, *of_match) for match, of_match in zip(matches, kept, strict=True))


def _still(search: Search, draft: Draft) -> int:
    """How many matches there are in what was put."""
    if not search.may_match(draft.text):
        return 0
    return sum(draft.put(match.start, match.end) for match in search.matches(draft.text, draft.code.tree))
