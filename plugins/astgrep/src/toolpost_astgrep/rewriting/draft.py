"""A file's text with its replacements made, parsed, and which place of the old text is where in the new one."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import attrs
from tree_sitter import Language, Parser

from toolpost_astgrep.rewriting.code import Code
from toolpost_astgrep.rewriting.replacement import Replacement


@attrs.frozen(kw_only=True)
class Span:
    """Where one replacement is: the range that it takes in the old text, and its range in the new one."""

    old_start: int
    old_end: int
    start: int
    end: int


@attrs.frozen(kw_only=True)
class Draft:
    """What a file would be.

    Attributes:
        replacements, spans: one for the other, in document order.
    """

    code: Code
    replacements: tuple[Replacement, ...]
    spans: tuple[Span, ...]

    @property
    def text(self) -> bytes:
        """The new text."""
        return self.code.data

    @classmethod
    def of(cls, data: bytes, replacements: Sequence[Replacement], grammar: Language) -> Draft:
        """Make the replacements, which do not overlap."""
        pieces, spans, at, size = [], [], 0, 0
        for each in replacements:
            pieces += [data[at : each.start], each.text]
            size += each.start - at
            spans.append(Span(old_start=each.start, old_end=each.end, start=size, end=size + len(each.text)))
            size += len(each.text)
            at = each.end
        text = b"".join([*pieces, data[at:]])
        code = Code(text, Parser(grammar).parse(text))
        return cls(code=code, replacements=tuple(replacements), spans=tuple(spans))

    def place_of(self, old: int, *, end: bool = False) -> int:
        """Where a place of the old text is in the new one; behind the replacement, for one that it took.

        Args:
            end: the place ends something, so one between a replacement and what stands before it is before it.
        """
        index = bisect.bisect_right(self.spans, old, key=lambda span: span.old_start) - 1
        if index >= 0 and old == self.spans[index].old_start and not end:
            return self.spans[index].start
        if end and index >= 0 and old == self.spans[index].old_start:
            index -= 1
        if index < 0:
            return old
        span = self.spans[index]
        return span.end + max(0, old - span.old_end)

    def origin_of(self, new: int) -> int:
        """Which place of the old text a place of the new one comes from: where its match begins, if it was put there."""
        index = bisect.bisect_right(self.spans, new, key=lambda span: span.start) - 1
        if index < 0:
            return new
        span = self.spans[index]
        return span.old_start if new < span.end else span.old_end + new - span.end

    def meets(self, start: int, end: int) -> bool:
        """Whether a range of the new text has something in common with what was put, or holds a place where nothing was."""
        index = bisect.bisect_left(self.spans, end, key=lambda span: span.start) - 1
        return index >= 0 and self.spans[index].end > start

    def followed_by(self, later: Draft, data: bytes, grammar: Language) -> Draft:
        """This draft and one made of its text, as one draft of the old text.

        Args:
            later: it leaves alone what this one has put.
            data: the old text.
        """
        moved = [
            attrs.evolve(each, start=self._old(each.start), end=self._old(each.end, end=True))
            for each in later.replacements
        ]
        # What takes the blanks around it may take a place with it from which something was taken before.
        kept = [
            each
            for each in self.replacements
            if not any(new.start <= each.start < each.end <= new.end for new in moved)
        ]
        return Draft.of(data, sorted([*kept, *moved], key=lambda each: (each.start, each.end)), grammar)

    def _old(self, new: int, *, end: bool = False) -> int:
        """The place of the old text for one of the new text that is not inside what was put."""
        search = bisect.bisect_left if end else bisect.bisect_right
        index = search(self.spans, new, key=lambda span: span.start) - 1
        if index < 0:
            return new
        span = self.spans[index]
        return span.old_end + new - span.end

    def touches(self, old_start: int, old_end: int) -> bool:
        """Whether any replacement takes something of a range of the old text."""
        index = bisect.bisect_left(self.spans, old_end, key=lambda span: span.old_start) - 1
        return index >= 0 and self.spans[index].old_end > old_start

    def put(self, start: int, end: int) -> bool:
        """Whether a range of the new text is all inside what was put."""
        index = bisect.bisect_right(self.spans, start, key=lambda span: span.start) - 1
        return index >= 0 and end <= self.spans[index].end
