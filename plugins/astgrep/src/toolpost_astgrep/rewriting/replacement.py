"""What takes the place of a match, as a value."""

from __future__ import annotations

import attrs


@attrs.frozen
class Fit:
    """What one replacement needs so that it fits where it is put.

    Attributes:
        parenthesised: the pieces of the template whose captures need parentheses.
        wrapped: the whole needs them.
        closed: it ends in a block, so it takes the place of the statement's `;` too.
    """

    parenthesised: frozenset[int] = frozenset()
    wrapped: bool = False
    closed: bool = False

    @property
    def parentheses(self) -> int:
        """How many pairs are put."""
        return len(self.parenthesised) + self.wrapped


@attrs.frozen(kw_only=True)
class Placed:
    """A capture as it stands in a replacement: its range there, and the piece of the template it came from."""

    piece: int
    start: int
    end: int
    many: bool


@attrs.frozen(kw_only=True)
class Replacement:
    """What takes the place of data[start:end]."""

    start: int
    end: int
    text: bytes
    placed: tuple[Placed, ...] = ()
    fit: Fit = Fit()
    kept: tuple[tuple[int, int], ...] = ()
