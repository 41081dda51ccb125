"""Structural search beside ast-grep on the same trees (ast:speed): `python tests/bench/structural.py`.

In each round the peer searches once, from start to end; a fresh run makes its first call, starting its workers, and the same call
again, warm; another run, whose workers have started on a search that parses nothing, makes it cold. All of it counts: the
walk, the pattern's compilation, exact totals. Medians; a figure that falls short is measured again at once, and counts
if it is short twice.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import ast_grep
from bench.corpora import LANGUAGES, Corpus, NoCorpus, corpus
from toolpost import Host, Run, Tier
from toolpost_astgrep import grammars
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.files.walk import list_files
from toolpost_astgrep.search import Found, Query
from tree_sitter import Parser

RARE = 0.05
"""Of a tree's bytes: the most that may lie in the files that hold a rare literal."""
ADDED = 0.005
"""Seconds that a warm call on one small file may add to its parse."""
SMALL = range(2_000, 10_000)
FILES = 40
FIGURES = ("cold", "warm", "first")
PATIENT = {"astgrep": {"deadline": 60.0}}
"""A machine that does much else must not make a file be left out, which would be fast."""
WORKER = b"toolpost_astgrep.workers.worker"


@attrs.frozen
class Kind:
    """A class of patterns, and how many times as fast as the peer they must be found."""

    name: str
    cold: float
    warm: float
    first: float = 1.0


NO_HIT = Kind("no hit", 20, 15)
RARE_LITERAL = Kind("rare literal", 8, 15)
COMMON_LITERAL = Kind("common literal", 1.8, 15)
# Where a cold search may take as long as the peer's, a worker's start on top is shown, not judged.
SHAPE = Kind("pure shape", 0.95, 3, first=0)
OPERATOR = Kind("operator", 0.85, 3, first=0)


@attrs.frozen
class Asked:
    """A pattern.

    Attributes:
        literal: the text by which it is rare or common.
    """

    text: str
    kind: Kind
    literal: str = ""


PATTERNS: Mapping[str, Sequence[Asked]] = {
    "python": (
        Asked("zzqq_nothing($X)", NO_HIT, "zzqq_nothing("),
        Asked("$A == None", RARE_LITERAL, "== None"),
        Asked("random.random()", RARE_LITERAL, "random.random("),
        Asked("for $I in range(len($X)): $$$B", COMMON_LITERAL, "in range(len("),
        Asked("isinstance($X, str)", COMMON_LITERAL, ", str)"),
        Asked("$F($$$ARGS)", SHAPE, "("),
        Asked("$A + $B", OPERATOR, " + "),
    ),
    "typescript": (
        Asked("zzqqNothing($X)", NO_HIT, "zzqqNothing("),
        Asked("$A != null", RARE_LITERAL, "!= null"),
        Asked("new WeakMap($$$A)", RARE_LITERAL, "new WeakMap("),
        Asked("new Map($$$A)", COMMON_LITERAL, "new Map("),
        Asked("$F($$$ARGS)", SHAPE, "("),
        Asked("$A + $B", OPERATOR, " + "),
    ),
    "javascript": (
        Asked("zzqqNothing($X)", NO_HIT, "zzqqNothing("),
        Asked("throw new RangeError($$$A)", RARE_LITERAL, "throw new RangeError("),
        Asked("if ($X) $X.dispose()", COMMON_LITERAL, ".dispose()"),
        Asked("$A === undefined", COMMON_LITERAL, "=== undefined"),
        Asked("$F($$$ARGS)", SHAPE, "("),
        Asked("$A + $B", OPERATOR, " + "),
    ),
}


@attrs.frozen(kw_only=True)
class Round:
    """One turn of everything: seconds, and what was found on the way.

    Attributes:
        parsed: bytes that the cold search had to parse.
        reparsed: bytes that the warm one had to, because the cap on the cache left no room for their trees.
        memory, peer_memory: bytes, the most that our workers and the peer held.
    """

    peer: float
    cold: float
    warm: float
    first: float
    hits: int
    peer_hits: int
    parsed: int
    reparsed: int
    memory: int
    peer_memory: int


@attrs.frozen
class Measured:
    """The rounds of one pattern."""

    rounds: Sequence[Round]

    def seconds(self, figure: str) -> float:
        return statistics.median(getattr(each, figure) for each in self.rounds)

    def times(self, figure: str) -> float:
        """How many times as fast as the peer."""
        return self.seconds("peer") / self.seconds(figure)

    def short(self, kind: Kind) -> set[str]:
        """The figures that are under their bound."""
        return {figure for figure in FIGURES if self.times(figure) < getattr(kind, figure)}


@asynccontextmanager
async def opened(tree: Corpus) -> AsyncIterator[tuple[Run, Engine]]:
    """A run on a corpus, and its engine; no worker has started."""
    async with Host(["astgrep"], strict=True).open(tree.folder, config=PATIENT) as run:
        yield run, run.bindings["astgrep"].handle


async def search(engine: Engine, tree: Corpus, pattern: str) -> tuple[float, Found]:
    """Seconds of a whole search, and what it found."""
    begun = time.perf_counter()
    files = await asyncio.to_thread(walked, tree)
    query = Query(pattern=pattern, language=tree.language, root=str(tree.folder), files=files)
    await engine.readings(query)
    found = await engine.search(query)
    spent = time.perf_counter() - begun
    assert not found.skipped, found.skipped
    return spent, found


def walked(tree: Corpus) -> tuple[tuple[str, int], ...]:
    root = os.open(tree.folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return tuple(list_files(root, ".", tree.language).files)
    finally:
        os.close(root)


async def start(engine: Engine, tree: Corpus) -> None:
    """Start the workers without a single tree."""
    _, found = await search(engine, tree, PATTERNS[tree.language][0].text + " + zzqq_either")
    assert found.parsed == 0, "a worker holds trees, so the next search would not be cold"
    assert engine.pool.started == engine.pool.workers


async def turn(tree: Corpus, asked: Asked) -> Round:
    """One round."""
    peer = await asyncio.to_thread(ast_grep.count, asked.text, tree.language, tree.folder)
    async with opened(tree) as (_, engine):
        first, _ = await search(engine, tree, asked.text)
        warm, again = await search(engine, tree, asked.text)
        memory = workers_memory()
    async with opened(tree) as (_, engine):
        await start(engine, tree)
        cold, found = await search(engine, tree, asked.text)
    return Round(
        peer=peer.seconds,
        cold=cold,
        warm=warm,
        first=first,
        hits=found.total,
        peer_hits=peer.hits,
        parsed=found.parsed,
        reparsed=again.parsed,
        memory=memory,
        peer_memory=peer.memory,
    )


def workers_memory() -> int:
    """Bytes that the worker processes held at most, added up."""
    total = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            words = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
            if WORKER in words and _is_below_us(int(entry)):
                status = Path("/proc", entry, "status").read_text()
                total += int(status.partition("VmHWM:")[2].split()[0]) * 1024
        except FileNotFoundError:
            pass  # it has ended meanwhile
    return total


def _is_below_us(pid: int) -> bool:
    while pid > 1:
        if pid == os.getpid():
            return True
        pid = int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])
    return False


async def small_files(tree: Corpus, asked: Asked) -> tuple[float, float]:
    """Seconds that a call on one small file adds to parsing it, and that it takes with the tree at hand: medians."""
    names = [name for name, size in tree.sizes.items() if size in SMALL and holds(tree, name, asked.literal)]
    names = sorted(names)[:: max(1, len(names) // FILES)][:FILES]
    parser = Parser(grammars.load(tree.language))
    added, again = [], []
    async with opened(tree) as (run, engine):
        await start(engine, tree)
        surface = run.surface(Tier.READ)

        async def call(name: str) -> float:
            begun = time.perf_counter()
            answer = await surface.call("ast_grep", {"pattern": asked.text, "path": name})
            spent = time.perf_counter() - begun
            assert answer.failure is None, answer
            return spent

        await call(names.pop())  # the pattern is compiled, as in any call but the first
        for name in names:
            data = (tree.folder / name).read_bytes()
            parse = min(_timed_parse(parser, data) for _ in range(5))
            added.append(await call(name) - parse)
            again.append(await call(name))
    return statistics.median(added), statistics.median(again)


def _timed_parse(parser: Parser, data: bytes) -> float:
    begun = time.perf_counter()
    parser.parse(data)
    return time.perf_counter() - begun


async def no_hit_call(tree: Corpus) -> float:
    """Seconds of a warm tool call that finds nothing and says why, which the peer does not."""
    async with opened(tree) as (run, engine):
        await start(engine, tree)
        begun = time.perf_counter()
        arguments = {"pattern": PATTERNS[tree.language][0].text, "language": tree.language}
        answer = await run.surface(Tier.READ).call("ast_grep", arguments)
        spent = time.perf_counter() - begun
        assert answer.failure is None, answer
        return spent


def share(tree: Corpus, literal: str) -> float:
    """How much of the tree's bytes lies in files that hold the literal."""
    sizes = tree.sizes
    return sum(size for name, size in sizes.items() if holds(tree, name, literal)) / sum(sizes.values())


def holds(tree: Corpus, name: str, literal: str) -> bool:
    return literal.encode() in (tree.folder / name).read_bytes()


HEADER = (
    f"{'pattern':<32}{'class':<16}{'share':>6}{'parsed':>7}{'hits':>8}{'peer':>8}  {'peer s':>7}{'cold s':>8}{'warm s':>8}"
    f"  {'cold ×':>7} {'(bound)':<7}{'warm ×':>7} {'(bound)':<7}{'first ×':>8}"
)


def row(tree: Corpus, asked: Asked, measured: Measured, verdict: str) -> str:
    last = measured.rounds[-1]
    parsed = last.parsed / sum(tree.sizes.values())
    seconds = f"{measured.seconds('peer'):>7.3f}{measured.seconds('cold'):>8.3f}{measured.seconds('warm'):>8.3f}"
    cold = f"{measured.times('cold'):>7.2f} {f'({asked.kind.cold:g})':<7}"
    warm = f"{measured.times('warm'):>7.2f} {f'({asked.kind.warm:g})':<7}"
    text = asked.text if len(asked.text) < 32 else asked.text[:30] + "…"
    return (
        f"{text:<32}{asked.kind.name:<16}{share(tree, asked.literal):>6.1%}{parsed:>7.1%}{last.hits:>8}{last.peer_hits:>8}"
        f"  {seconds}  {cold}{warm}{measured.times('first'):>8.2f}  {verdict}"
    )


async def judged(tree: Corpus, asked: Asked, rounds: int) -> tuple[Measured, set[str]]:
    """Measure a pattern, twice if it is short; gives what is short each time."""
    measured = Measured([await turn(tree, asked) for _ in range(rounds)])
    short = measured.short(asked.kind)
    if short:
        print(row(tree, asked, measured, f"short ({', '.join(sorted(short))}), again:"), flush=True)
        measured = Measured([await turn(tree, asked) for _ in range(rounds)])
        short &= measured.short(asked.kind)
    return measured, short


async def bench(tree: Corpus, patterns: Sequence[Asked], rounds: int) -> bool:
    """Print a corpus' figures; whether all hold."""
    print(f"\n{tree}\n{HEADER}", flush=True)
    all_hold, memory, peer_memory, reparsed = True, 0, 0, 0
    for asked in patterns:
        measured, short = await judged(tree, asked, rounds)
        if asked.kind is RARE_LITERAL and share(tree, asked.literal) >= RARE:
            short.add("not rare")
        print(row(tree, asked, measured, f"SHORT: {', '.join(sorted(short))}" if short else "ok"), flush=True)
        all_hold &= not short
        memory = max(memory, *(each.memory for each in measured.rounds))
        peer_memory = max(peer_memory, *(each.peer_memory for each in measured.rounds))
        reparsed = max(reparsed, *(each.reparsed for each in measured.rounds))
    print(f"peak memory: {memory / 1e6:.0f} MB in all workers, {peer_memory / 1e6:.0f} MB in the peer")
    print(f"trees that the cache has no room for: {reparsed / 1e6:.2f} MB of source at most")
    for asked in patterns:
        if asked.kind in (COMMON_LITERAL, SHAPE):
            added, again = await small_files(tree, asked)
            all_hold &= added < ADDED
            print(
                f"a small file, {asked.text}: {added * 1e3:.2f} ms added to its parse (at most {ADDED * 1e3:g}), "
                f"{again * 1e3:.2f} ms again"
            )
    print(f"a whole call that finds nothing and says why: {await no_hit_call(tree):.2f} s", flush=True)
    return all_hold


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="three rounds")
    parser.add_argument("--corpus", action="append", choices=LANGUAGES, help="only this one (may be repeated)")
    parser.add_argument("--pattern", help="only patterns that hold this text")
    options = parser.parse_args()
    all_hold = True
    with tempfile.TemporaryDirectory() as state:
        os.environ["TOOLPOST_STATE_HOME"] = state
        for language in options.corpus or LANGUAGES:
            try:
                tree = corpus(language)
            except NoCorpus as missing:
                print(f"\n{missing}")
                all_hold = False
                continue
            patterns = [each for each in PATTERNS[language] if (options.pattern or "") in each.text]
            all_hold &= asyncio.run(bench(tree, patterns, 3 if options.quick else options.rounds))
    print("\nall figures hold" if all_hold else "\nsome figures are short")
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
