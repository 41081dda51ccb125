"""What nearly matches, for an answer that found nothing (ast:zero-explained, ast:no-leftovers)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from toolpost_astgrep.patterns.parts import AnySiblings, Branch, Leaf, Part, Reading, Variable


def relaxed(reading: Reading) -> Iterator[tuple[bytes, Reading]]:
    """The reading with one literal at a time left open, and that literal: the same shape, one word different."""
    tokens = [leaf for leaf in reading.leaves() if leaf.named]
    if len(tokens) < 2:
        return  # without any other token to hold on to, everything of that shape would do
    for token in tokens:
        run = tuple(_without(part, token) for part in reading.run)
        if any(isinstance(part, (Leaf, Branch)) for part in run):
            yield token.text, attrs.evolve(reading, run=run)


def widened(reading: Reading) -> Reading:
    """The reading with more allowed in every node than it names.

    What matches it only so has an optional part (a return type, a modifier, an `else`) that the pattern leaves out.
    """
    return attrs.evolve(reading, run=tuple(_wide(part) for part in reading.run))


def _without(part: Part, wanted: Leaf) -> Part:
    """The part with one leaf of it open: that very one, not those that look like it."""
    if part is wanted:
        return Variable(None)
    if isinstance(part, Branch):
        return attrs.evolve(part, children=tuple(_without(child, wanted) for child in part.children))
    return part


def _wide(part: Part) -> Part:
    if not isinstance(part, Branch) or part.gaps is not None:
        return part
    return attrs.evolve(part, children=tuple(_interleaved(_wide(child) for child in part.children)))


def _interleaved(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts with an ellipsis before, between and behind them, one only where there is one already."""
    open_before = False
    for part in parts:
        is_open = isinstance(part, AnySiblings)
        if not is_open and not open_before:
            yield AnySiblings(None)
        yield part
        open_before = is_open
    if not open_before:
        yield AnySiblings(None)
