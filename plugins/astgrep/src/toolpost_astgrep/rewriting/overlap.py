"""Of matches that overlap, the outermost is taken (edit:overlap)."""

from __future__ import annotations

from collections.abc import Sequence

from toolpost_astgrep.matching.match import Match


def outermost(matches: Sequence[Match]) -> list[Match]:
    """The matches that no other one overlaps from outside or from before.

    Args:
        matches: in document order, an outer one before those inside it.
    """
    taken: list[Match] = []
    for match in matches:
        if not taken or match.start >= taken[-1].end:
            taken.append(match)
    return taken
