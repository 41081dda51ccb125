"""What is to be said of a pattern that found nothing (ast:readings, ast:zero-explained)."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import attrs

from toolpost_astgrep.engine import Engine
from toolpost_astgrep.patterns.regular_expression import as_patterns, looks_like_regex
from toolpost_astgrep.search import Found, Query, ReadingInfo
from toolpost_astgrep.workers.pool import EngineError, JobError


@attrs.frozen(kw_only=True)
class Nothing:
    """Why a search found nothing.

    Attributes:
        reading: how the pattern was read.
        others: what its further readings would match.
        anywhere: what it matches without regard to what is around, if that was asked for.
        near: places that all but match.
        meant: for what looks like a regular expression, the patterns that it means; else None.
    """

    query: Query
    reading: ReadingInfo
    others: Sequence[tuple[ReadingInfo, Found]] = ()
    anywhere: Found | None = None
    near: Sequence[dict[str, Any]] = ()
    meant: Sequence[str] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The same facts as structure."""
        return {
            "readings": [
                {"context": reading.context, "kind": reading.kind, "total": other.total}
                for reading, other in self.others
            ],
            "near": list(self.near),
        }


async def explained(engine: Engine, query: Query, readings: Sequence[ReadingInfo], found: Found) -> Nothing:
    """Look for what else the pattern could mean, and for what nearly matches."""
    query = attrs.evolve(query, files=tuple(file for file in query.files if file[0] not in found.skipped))
    others: list[tuple[ReadingInfo, Found]] = []
    anywhere, near, meant = None, list[dict[str, Any]](), None
    # A file that costs the worker now was none too much for the search itself: it goes without these hints.
    with contextlib.suppress(EngineError, JobError):
        if query.inside is not None or query.not_inside is not None:
            anywhere = await engine.search(attrs.evolve(query, inside=None, not_inside=None), most=1)
        for index, reading in enumerate(readings[1:], 1):
            other = await engine.search(query, reading=index, most=1)
            if other.total:
                others.append((reading, other))
        if not others and not (anywhere and anywhere.total):
            near = await engine.near(query)
    if looks_like_regex(query.pattern):
        meant = [each for each in as_patterns(query.pattern) if await _is_pattern(engine, query, each)]
    return Nothing(query=query, reading=readings[0], others=others, anywhere=anywhere, near=near, meant=meant)


async def _is_pattern(engine: Engine, query: Query, pattern: str) -> bool:
    with contextlib.suppress(EngineError, JobError):
        await engine.readings(attrs.evolve(query, pattern=pattern, context=None))
        return True
    return False
