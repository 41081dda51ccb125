"""Searches and rewrites over many files: the pool's answers put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import aclosing
from typing import Any

import attrs

from toolpost_astgrep.search import Explained, Found, Query, ReadingInfo, Rewritten, Rule
from toolpost_astgrep.workers.pool import Answer, Casualty, EngineError, Pool

NEAR_SECONDS = 1.0
_LARGEST_ANSWER = 1_000_000
"""Characters of matches in one answer, as JSON: most are shown as far as `max_results` says."""
_MEMBERS = 120
"""Of them, for the members around each text."""


@attrs.define(eq=False)
class Engine:
    """One run's searches.

    Args:
        pool: the workers.
    """

    pool: Pool
    _readings: dict[Query, tuple[ReadingInfo, ...]] = attrs.field(factory=dict, init=False)

    async def readings(self, query: Query) -> tuple[ReadingInfo, ...]:
        """How a query's pattern can be read, its meaning first.

        Raises:
            JobError: not at all; the text says why.
            EngineError: the grammar hung or crashed on it.
        """
        key = attrs.evolve(query, root="", files=())
        if key not in self._readings:
            answer = await self.pool.ask(_header(query, "compile"))
            infos = tuple(
                ReadingInfo(context=each["context"], kind=each["kind"], variables=tuple(each["variables"]))
                for each in answer.header["readings"]
            )
            if len(self._readings) > 1024:
                self._readings.clear()
            self._readings[key] = infos
        return self._readings[key]

    async def search(self, query: Query, *, reading: int = 0, most: int = 50, prefilter: bool = True) -> Found:
        """All matches of one reading: counted exactly, the first *most* in full."""
        header = {**_header(query, "search", reading), "most": most, "prefilter": prefilter}
        found = Found(searched=len(query.files))
        shown: list[tuple[str, int, dict[str, Any]]] = []
        async with aclosing(self.pool.run(header, query.root, query.files)) as answers:
            async for answer in answers:
                if isinstance(answer, Casualty):
                    found.skipped[answer.path] = answer.reason
                    continue
                _tally(found, answer)
                for each in answer.header["files"]:
                    found.total += each["count"]
                    found.files += 1
                    path = answer.paths[each["index"]]
                    shown += [(path, match["bytes"][0], match) for match in each["matches"]]
        shown.sort(key=lambda item: item[:2])
        found.matches = [{"path": path, **match} for path, _, match in _within(shown[:most])]
        found.searched -= len(found.skipped)
        found.broken.sort()
        return found

    async def near(self, query: Query, *, reading: int = 0, most: int = 3) -> list[dict[str, Any]]:
        """Places that match but for one token, among the files that hold the others; looked for in a bounded time."""
        header = {**_header(query, "near", reading), "most": most, "seconds": NEAR_SECONDS}
        near: list[dict[str, Any]] = []
        async with aclosing(self.pool.run(header, query.root, query.files)) as answers:
            async for answer in answers:
                if isinstance(answer, Answer):
                    for each in answer.header["files"]:
                        path = answer.paths[each["index"]]
                        near += [{"path": path, "differs": each["differs"], **match} for match in each["matches"]]
        near.sort(key=lambda each: (each["path"], each["bytes"][0]))
        return near[:most]

    async def explain(self, query: Query, line: int | None = None) -> Explained:
        """How a query's pattern is read, and how the code is at a line of its only file.

        Args:
            line: from 1.
        """
        header = {**_header(query, "explain"), "line": line}
        async with aclosing(self.pool.run(header, query.root, query.files if line is not None else ())) as answers:
            async for answer in answers:
                if isinstance(answer, Casualty):
                    return Explained(pattern="", verdict=f"{answer.path}: {answer.reason}")
                if "explained" in answer.header:
                    return Explained(**answer.header["explained"])
        raise EngineError("a worker ended without an answer")

    async def rewrite(self, query: Query, rules: Sequence[Rule]) -> tuple[Found, list[Rewritten]]:
        """What the files would be, rewritten by one rule after the other; nothing is written.

        Args:
            query: where to look; its pattern does not count.

        Raises:
            JobError: a rule is refused.
        """
        header = {**_header(query, "rewrite"), "rules": [attrs.asdict(rule) for rule in rules]}
        found = Found(searched=len(query.files))
        files: list[Rewritten] = []
        async with aclosing(self.pool.run(header, query.root, query.files)) as answers:
            async for answer in answers:
                if isinstance(answer, Casualty):
                    found.skipped[answer.path] = answer.reason
                    continue
                _tally(found, answer)
                for position, each in enumerate(answer.header["files"]):
                    found.total += each["count"]
                    found.files += 1
                    before, after = answer.blobs[2 * position : 2 * position + 2]
                    files.append(Rewritten(path=answer.paths[each["index"]], facts=each, before=before, after=after))
        files.sort(key=lambda each: each.path)
        found.searched -= len(found.skipped)
        found.broken.sort()
        return found, files


def _within(shown: Sequence[tuple[str, int, dict[str, Any]]]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The first matches, as far as they are no more than one answer may hold."""
    room = _LARGEST_ANSWER
    for each in shown:
        room -= _length(each[2])
        if room < 0:
            return
        yield each


def _length(match: dict[str, Any]) -> int:
    """About how many characters a match takes as JSON."""
    texts = [match["text"]]
    for capture in match["captures"].values():
        texts += [capture["text"], *capture.get("nodes", ())]
    return sum(len(text) + _MEMBERS for text in texts)


def _header(query: Query, kind: str, reading: int = 0) -> dict[str, Any]:
    return {
        "kind": kind,
        "pattern": query.pattern,
        "language": query.language,
        "context": query.context,
        "inside": query.inside,
        "not_inside": query.not_inside,
        "reading": reading,
    }


def _tally(found: Found, answer: Answer) -> None:
    found.parsed += answer.header["parsed"]
    found.broken += [answer.paths[index] for index in answer.header["broken"]]
    found.skipped |= {answer.paths[index]: reason for index, reason in answer.header["skipped"]}
