"""Problems of an earlier text, moved to where they are in a later one."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Diagnostic, Position, Range


def shifted(items: Sequence[Diagnostic], before: LineIndex, after: LineIndex) -> tuple[Diagnostic, ...]:
    """Move what stands behind the changed lines by as many lines as were added or taken away."""
    common = min(before.count, after.count)
    first = next((line for line in range(common) if before.line(line) != after.line(line)), common)
    rest = common - first
    same = next(
        (
            count
            for count in range(rest)
            if before.line(before.count - 1 - count) != after.line(after.count - 1 - count)
        ),
        rest,
    )
    behind, delta = before.count - same, after.count - before.count
    return (
        tuple(_moved(item, delta) if item.range.start.line >= behind else item for item in items)
        if delta
        else tuple(items)
    )


def _moved(item: Diagnostic, delta: int) -> Diagnostic:
    start, end = item.range.start, item.range.end
    return attrs.evolve(
        item,
        range=Range(
            start=Position(line=start.line + delta, character=start.character),
            end=Position(line=end.line + delta, character=end.character),
        ),
    )
