"""The worker process: `python -m toolpost_astgrep.workers.worker DESCRIPTOR`. It reads, parses and matches; the harness never does.

It takes jobs on standard input and answers on standard output, one after the other. A grammar that hangs or crashes
here costs one file: the harness sees in the shared words which.
"""

from __future__ import annotations

import gc
import itertools
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

import attrs
from toolpost.workspace import Confinement, NotAFileError, TooLargeError, digest
from tree_sitter import Language, Parser, Tree

from toolpost_astgrep import grammars
from toolpost_astgrep.answering.report import described
from toolpost_astgrep.matching.inside import Inside
from toolpost_astgrep.matching.match import StepLimit
from toolpost_astgrep.matching.scan import Scanner, Search
from toolpost_astgrep.patterns.near import relaxed, widened
from toolpost_astgrep.patterns.parts import Reading
from toolpost_astgrep.patterns.pattern import Pattern, PatternError, compile_pattern
from toolpost_astgrep.profiles import profile_of
from toolpost_astgrep.workers import frames
from toolpost_astgrep.workers.limits import LARGEST_NAMED
from toolpost_astgrep.workers.progress import NO_FILE, Progress
from toolpost_astgrep.workers.tree_cache import TreeCache

_FLUSH_SECONDS = 0.05
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_FLUSH_BYTES = 4 * 1024 * 1024


@attrs.define
class _Answer:
    """What a job has found since it last said so."""

    job: int
    out: BinaryIO
    files: list[dict[str, Any]] = attrs.field(factory=list)
    skipped: list[tuple[int, str]] = attrs.field(factory=list)
    broken: list[int] = attrs.field(factory=list)
    blobs: list[bytes] = attrs.field(factory=list)
    parsed: int = 0
    grown: list[int] = attrs.field(factory=list)
    reached: int | None = None  # where it ended before all was done
    flushed: float = attrs.field(factory=time.monotonic)

    def flush(self, done: int, *, end: bool = False, **more: Any) -> None:
        header = {
            "job": self.job,
            "done": done if self.reached is None else self.reached,
            "end": end,
            "files": self.files,
            "skipped": self.skipped,
            "broken": self.broken,
            "parsed": self.parsed,
            "grown": self.grown,
            "blobs": [len(blob) for blob in self.blobs],
            **more,
        }
        self.out.write(frames.encode(header, b"".join(self.blobs)))
        self.out.flush()
        self.files, self.skipped, self.broken, self.blobs, self.parsed = [], [], [], [], 0
        self.grown = []
        self.flushed = time.monotonic()

    def due(self, now: float) -> bool:
        return now - self.flushed > _FLUSH_SECONDS or (bool(self.blobs) and sum(map(len, self.blobs)) > _FLUSH_BYTES)


class Worker:
    """Holds grammars, compiled patterns and trees between jobs.

    Args:
        out: where answers go.
        progress: the words shared with the harness.
        cache_bytes: memory for trees.
    """

    def __init__(self, out: BinaryIO, progress: Progress, cache_bytes: int) -> None:
        self._out = out
        self._progress = progress
        self._trees = TreeCache(cache_bytes)
        self._grammars: dict[str, Language] = {}
        self._patterns: dict[tuple[str, str, str | None], Pattern] = {}
        self._roots: dict[str, Confinement] = {}
        self._kinds: dict[str, Callable[[dict[str, Any], list[str], _Answer], None]] = {
            "compile": self._compile,
            "search": self._search,
            "near": self._near,
            "rewrite": self._rewrite,
            "explain": self._explain,
        }

    def take(self, header: dict[str, Any], blob: bytes) -> None:
        """Do one job and answer it."""
        paths = [os.fsdecode(path) for path in blob.split(b"\0")] if blob else []
        answer = _Answer(header["job"], self._out)
        self._progress.at(NO_FILE)
        try:
            self._kinds[header["kind"]](header, paths, answer)
        except (PatternError, grammars.UnknownLanguage, grammars.GrammarMissing, StepLimit) as error:
            answer.flush(len(paths), end=True, error=str(error), error_kind=type(error).__name__)
        self._progress.at(NO_FILE)

    # ---- the kinds of job ----

    def _compile(self, header: dict[str, Any], paths: list[str], answer: _Answer) -> None:
        pattern = self._pattern(header)
        self._search_for(header, pattern.meaning)  # what is wrong with `inside` is told now
        readings = [
            {"context": reading.context, "kind": reading.kind, "variables": sorted(reading.variables)}
            for reading in pattern.readings
        ]
        answer.flush(len(paths), end=True, readings=readings)

    def _search(self, header: dict[str, Any], paths: list[str], answer: _Answer) -> None:
        search = self._search_for(header, self._pattern(header).readings[header["reading"]])
        wanted = header["most"]
        for index, data, tree in self._parsed(header, paths, [search], answer):
            count, shown = search.scan(data, tree, most=wanted)
            if count:
                wanted -= len(shown)
                matches = described(data, shown)
                answer.files.append({"index": index, "count": count, "matches": matches})
        answer.flush(len(paths), end=True)

    def _near(self, header: dict[str, Any], paths: list[str], answer: _Answer) -> None:
        """Matches of the pattern with more allowed than it names, then with one token left open, for a bounded time."""
        reading = self._pattern(header).readings[header["reading"]]
        until = time.monotonic() + header["seconds"]
        opened = ((token.decode(errors="replace"), open_reading) for token, open_reading in relaxed(reading))
        for differs, open_reading in itertools.chain([(None, widened(reading))], opened):
            if time.monotonic() > until:
                break
            search = self._search_for(header, open_reading)
            for index, data, tree in self._parsed(header, paths, [search], answer, until):
                try:
                    found = next(search.matches(data, tree), None)
                except StepLimit:
                    continue  # it is only a hint
                if found is not None:
                    answer.files.append(
                        {"index": index, "count": 1, "matches": described(data, [found]), "differs": differs}
                    )
                if len(answer.files) >= header["most"]:
                    answer.flush(len(paths), end=True)
                    return
        answer.flush(len(paths), end=True)

    def _rewrite(self, header: dict[str, Any], paths: list[str], answer: _Answer) -> None:
        # Imported here, so that a worker that only searches starts the sooner.
        from toolpost_astgrep.rewriting.rewrite import Rule, rewrite_source
        from toolpost_astgrep.rewriting.template import Template

        rules = []
        for number, rule in enumerate(header["rules"], 1):
            try:
                search = self._search_for(header, self._pattern({**header, "pattern": rule["pattern"]}).meaning)
                template = Template.parse(rule["rewrite"], search.reading.variables)
            except PatternError as error:
                raise type(error)(f"rule {number}: {error}" if len(header["rules"]) > 1 else str(error)) from None
            rules.append(Rule(search=search, template=template))
        grammar, language = self._grammar(header["language"]), header["language"]
        profile = profile_of(language)
        for index, data, tree in self._parsed(header, paths, [rule.search for rule in rules], answer):
            made = rewrite_source(data, tree, rules, grammar=grammar, profile=profile, language=language)
            if not any(made.matches):
                continue
            after = made.after if made.after is not None else b""
            answer.files.append(
                {
                    "index": index,
                    "count": sum(made.matches),
                    "matches": made.matches,
                    "replaced": made.replaced,
                    "nested": made.nested,
                    "overlapping": made.overlapping,
                    "comments": made.comments,
                    "parenthesised": made.parenthesised,
                    "still": made.still_matches,
                    "problem": made.problem,
                    "changed": made.after is not None and made.after != data,
                    "seen": digest(data),
                }
            )
            answer.blobs += [data, after]
        answer.flush(len(paths), end=True)

    def _explain(self, header: dict[str, Any], paths: list[str], answer: _Answer) -> None:
        from toolpost_astgrep.answering.explain import explained

        reading, grammar = self._pattern(header).readings[header["reading"]], self._grammar(header["language"])
        search = Scanner(reading, grammar, profile_of(header["language"]), prefilter=False)
        told = explained(search)
        for _, data, tree in self._parsed(header, paths, [search], answer):
            told = explained(search, data, tree, header["line"])
        answer.flush(len(paths), end=True, explained=told)

    # ---- files ----

    def _parsed(
        self,
        header: dict[str, Any],
        paths: list[str],
        searches: Sequence[Search],
        answer: _Answer,
        until: float = math.inf,
    ) -> Iterator[tuple[int, bytes, Tree]]:
        """The files that pass a prefilter, parsed. Says which it is at, flushes, and stops when told to or late."""
        files = self._root(header["root"])
        language, job = header["language"], header["job"]
        parser = Parser(self._grammar(language))
        if header["kind"] != "near" and not header["further"]:
            self._trees.begin()
        for index, path in enumerate(paths):
            self._progress.at(index)
            stopped, limit = self._progress.orders()
            now = time.monotonic()
            if stopped == job or now > until:
                break
            if index >= limit:
                answer.reached = index
                break
            if answer.due(now):
                answer.flush(index)
            try:
                data = files.read(path, limit=LARGEST_NAMED)
            except TooLargeError:
                answer.skipped.append((index, "too large"))
                continue
            except (NotAFileError, OSError) as error:
                answer.skipped.append((index, f"unreadable ({error.strerror})"))
                continue
            if b"\0" in data:
                answer.skipped.append((index, "UTF-16" if data[:2] in _UTF_16_MARKS else "binary"))
                continue
            if not any(search.may_match(data) for search in searches):
                continue
            key = (language, header["root"], path)
            tree = self._trees.get(key, data)
            if tree is None:
                self._progress.parse_begins()
                tree = parser.parse(data)
                self._progress.parse_ends()
                answer.parsed += len(data)
                if header["further"]:
                    answer.grown.append(index)
                self._trees.put(key, data, tree)
            else:
                self._progress.tree_kept()
            if tree.root_node.has_error:
                answer.broken.append(index)
            yield index, data, tree

    def _search_for(self, header: dict[str, Any], reading: Reading) -> Search:
        """A reading of a pattern, to be found where the job says."""
        grammar, profile = self._grammar(header["language"]), profile_of(header["language"])
        prefilter = header.get("prefilter", True)
        search = Scanner(reading, grammar, profile, prefilter)
        around = {}
        for name in ("inside", "not_inside"):
            if header.get(name) is None:
                continue
            try:
                meaning = self._pattern({**header, "pattern": header[name], "context": None}).meaning
            except PatternError as error:
                raise type(error)(f"{name}: {error}") from None
            around[name] = Scanner(meaning, grammar, profile, prefilter)
        if not around:
            return search
        return Inside(search=search, inside=around.get("inside"), outside=around.get("not_inside"))

    def _pattern(self, header: dict[str, Any]) -> Pattern:
        key = (header["pattern"], header["language"], header.get("context"))
        if key not in self._patterns:
            if len(self._patterns) > 256:
                self._patterns.clear()
            grammar = self._grammar(header["language"])
            self._patterns[key] = compile_pattern(key[0], key[1], context=key[2], grammar=grammar)
        return self._patterns[key]

    def _grammar(self, language: str) -> Language:
        if language not in self._grammars:
            self._grammars[language] = grammars.load(language)
        return self._grammars[language]

    def _root(self, path: str) -> Confinement:
        if path not in self._roots:
            self._roots[path] = Confinement(path)
        return self._roots[path]


def main() -> None:
    """Serve until the harness closes standard input."""
    # What a grammar or a library prints must not end up between frames, nor may it read them.
    out, frames_in = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    # Half a million small objects that never die make every collection slow: it more than doubled a scan (facts §2).
    gc.disable()
    gc.freeze()
    sys.setrecursionlimit(20_000)
    progress = Progress(int(sys.argv[1]))
    worker = Worker(out, progress, int(sys.argv[2]))
    progress.at(NO_FILE)
    while (frame := frames.read(frames_in)) is not None:
        worker.take(*frame)
        # Between jobs, when nobody waits: what holds itself in a circle would stay for good. Only what is new is looked at.
        gc.collect(1)


if __name__ == "__main__":
    main()
