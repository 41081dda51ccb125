"""What a draft's replacements need so that nothing falls apart: parentheses, or to take the `;` along (edit:one-node)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.draft import Draft, Span
from toolpost_astgrep.rewriting.replacement import Fit, Replacement
from toolpost_astgrep.rewriting.surroundings import Surroundings
from toolpost_astgrep.rewriting.template import Template
from toolpost_astgrep.rewriting.terminator import statement_end
from toolpost_astgrep.rewriting.wholeness import is_beside_error, is_in_parentheses, keeps_together, stands_as_one

_BLOCKS_ARE_VALUES = frozenset({"rust"})  # there a `;` behind a block says that its value does not count


@attrs.frozen(kw_only=True)
class Fault:
    """A replacement that does not fit: the number of it, and the piece of the template whose capture falls apart."""

    number: int
    piece: int | None = None


@attrs.define
class Fitting:
    """Judges drafts of one file.

    Args:
        listed: a match is an element of a list, so its replacement may be several.
    """

    code: Code
    matches: Sequence[Match]
    template: Template
    profile: Profile
    language: str
    listed: bool

    def faults(self, draft: Draft) -> list[Fault]:
        """What does not fit. The whole of a replacement is looked at only where all its captures do."""
        found: list[Fault] = []
        disturbed = set(Surroundings(self.code, draft).disturbed())
        for number, (each, span) in enumerate(zip(draft.replacements, draft.spans, strict=True)):
            if number not in disturbed and each.text == self.code.data[each.start : each.end]:
                continue  # what is as it was is as whole as it was
            apart = self._apart(draft, each, span)
            found += [Fault(number=number, piece=piece) for piece in apart]
            if not apart and (number in disturbed or not self._is_whole(draft, number, each, span)):
                found.append(Fault(number=number))
        return found

    def mended(self, draft: Draft, faults: Sequence[Fault]) -> Mapping[int, Fit]:
        """Better fits for replacements, by number; none where nothing more can be done."""
        fits: dict[int, Fit] = {}
        for fault in faults:
            each = draft.replacements[fault.number]
            fit = fits.get(fault.number, each.fit)
            if self.profile.parentheses is None or not each.text:
                continue
            if fault.piece is None and not fit.wrapped:
                fits[fault.number] = attrs.evolve(fit, wrapped=True)
            elif fault.piece is not None and fault.piece not in fit.parenthesised:
                if self._is_several(each, fault.piece):
                    continue  # a list in parentheses is something else
                fits[fault.number] = attrs.evolve(fit, parenthesised=fit.parenthesised | {fault.piece})
        return fits

    def closed(self, draft: Draft) -> Mapping[int, Fit]:
        """Fits for the replacements behind which a `;` is left that closes nothing: they end in a block, or in a statement."""
        fits: dict[int, Fit] = {}
        closing = (b";",) if self.language in _BLOCKS_ARE_VALUES else (b";", b"}")
        for number, (each, span) in enumerate(zip(draft.replacements, draft.spans, strict=True)):
            if each.fit.closed or not each.text.endswith(closing):
                continue
            end = statement_end(self.code, self.matches[number])
            if end == self.matches[number].end:
                continue
            node = draft.code.smallest(span.start, span.end + end - span.old_end)
            if node.has_error or node.start_byte != span.start or node.end_byte != span.end + end - span.old_end:
                fits[number] = attrs.evolve(each.fit, closed=True)
        return fits

    def _apart(self, draft: Draft, each: Replacement, span: Span) -> list[int]:
        """The pieces of the template whose captures are no longer whole."""
        apart = []
        for placed in each.placed:
            start, end = span.start + placed.start, span.start + placed.end
            if placed.piece in each.fit.parenthesised:
                whole = is_in_parentheses(draft.code, start, end)
            else:
                whole = keeps_together(draft.code, start, end, self.profile, many=placed.many)
                whole = whole and not (self._gains_errors and is_beside_error(draft.code, start, end))
            if not whole:
                apart.append(placed.piece)
        return apart

    def _is_whole(self, draft: Draft, number: int, each: Replacement, span: Span) -> bool:
        if not each.text:
            return True
        if each.fit.wrapped:
            return is_in_parentheses(draft.code, span.start, span.end)
        if self._gains_errors and is_beside_error(draft.code, span.start, span.end):
            return False
        match = self.matches[number]
        was = self.code.run_of(match.start, match.end)
        return stands_as_one(draft.code, span.start, span.end, self.profile, was=was, listed=self.listed)

    @property
    def _gains_errors(self) -> bool:
        """Whether errors that a draft has are new: they say nothing where the file had some."""
        return not self.code.tree.root_node.has_error

    def _is_several(self, each: Replacement, piece: int) -> bool:
        return any(placed.piece == piece and placed.many for placed in each.placed)
