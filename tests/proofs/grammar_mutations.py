"""Every grammar that is installed gets spoilt source text, and no call hangs.

    python tests/proofs/grammar_mutations.py [--inputs 200] [--deadline 1] [--grammars cobol,v] [--seed 1]

Each input is a file that is searched by one call of the pool, the prefilter off; where a grammar accepts none of our patterns, it
is a pattern. What must be 0: calls that outlast the
deadline and its slack, files that cost a worker and are not named, workers that survive, and pools that do not answer
afterwards. What costs a worker is listed; ordinary text that does is a reason to switch the grammar off (languages.BLOCKED).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterable
from pathlib import Path
from typing import TypeVar

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from astgrep.pool.pools import Workers
from proofs.mutations import mutated
from proofs.snippets import FRAGMENTS, TEXTS
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.grammars import known
from toolpost_astgrep.grammars.languages import BLOCKED
from toolpost_astgrep.search import Query
from toolpost_astgrep.workers.pool import EngineError, JobError, Pool

T = TypeVar("T")

DEADLINE = 1.0
SLACK = 3.0
"""Seconds beyond its deadline that a call may take: the tick at which workers are watched, a kill, and the start of another, on
a machine that is busy with other things."""


@attrs.define(kw_only=True)
class Tally:
    """How one grammar fared.

    Attributes:
        pattern: what was searched for; None if it accepts none of ours.
        hung: calls that outlasted the deadline.
        killed, crashed: the inputs that cost a worker; those that are called `text` are ordinary ones.
        off: how often the pool switched the grammar off; a fresh one went on.
        wrong: whatever else must not be.
        slowest: seconds of the slowest call.
    """

    grammar: str
    pattern: str | None = None
    inputs: int = 0
    hung: list[str] = attrs.field(factory=list)
    killed: list[str] = attrs.field(factory=list)
    crashed: list[str] = attrs.field(factory=list)
    refused: list[str] = attrs.field(factory=list)
    off: int = 0
    wrong: list[str] = attrs.field(factory=list)
    slowest: float = 0.0

    @property
    def fine(self) -> bool:
        """Whether all that must hold did."""
        return not self.hung and not self.wrong


@attrs.define
class Feeder:
    """Feeds one grammar after the other through pools of one worker.

    Args:
        folder: where the inputs are put.
        script: a worker in place of the real one.
    """

    folder: Path
    inputs: int
    deadline: float = DEADLINE
    seed: int = 1
    script: str | None = None
    _workers: Workers = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._workers = Workers(self.script)

    async def feed(self, grammar: str) -> Tally:
        """All inputs to one grammar, in as many runs as it takes."""
        tally = Tally(grammar=grammar)
        engine = self._engine()
        accepted = await self._accepted(tally, engine)
        texts = [text.encode() for text in (*TEXTS.values(), *("\n".join([each] * 8) + "\n" for each in accepted))]
        tally.pattern = accepted[0] if accepted else None
        for name, data in self._named(grammar, texts) if not tally.off else ():
            tally.inputs += 1
            if not await self._call(tally, engine, name, data):
                tally.off += 1
                await self._end(tally, engine)
                engine = self._engine()
        if not tally.inputs and grammar not in BLOCKED:
            tally.wrong.append("not even a pattern can be read, and the grammar is not in languages.BLOCKED")
        await self._end(tally, engine)
        return tally

    async def close(self) -> None:
        await self._workers.close()

    def _named(self, grammar: str, texts: list[bytes]) -> Iterable[tuple[str, bytes]]:
        ordinary = min(len(texts), self.inputs // 8)
        for number in range(self.inputs):
            if number < ordinary:
                yield f"text{number}", texts[-1 - number]
            else:
                yield f"spoilt{number}", mutated(texts, f"{self.seed} {grammar} {number}")

    def _engine(self) -> Engine:
        return Engine(Pool(self._workers.spawn, workers=1, deadline=self.deadline))

    def _query(self, pattern: str, grammar: str, *names: str) -> Query:
        files = tuple((name, (self.folder / name).stat().st_size) for name in names)
        return Query(pattern=pattern, language=grammar, root=str(self.folder), files=files)

    async def _accepted(self, tally: Tally, engine: Engine) -> list[str]:
        """The fragments that the grammar accepts as patterns."""
        accepted = []
        for fragment in FRAGMENTS:
            try:
                await self._bounded(
                    tally, f"pattern {fragment!r}", engine.readings(self._query(fragment, tally.grammar))
                )
            except JobError as error:
                if error.kind == "SwitchedOff":
                    tally.off += 1
                    return []
            except EngineError as error:
                _lost(tally, f"pattern {fragment!r}", str(error))
            except TimeoutError:
                return []
            else:
                accepted.append(fragment)
        return accepted

    async def _call(self, tally: Tally, engine: Engine, name: str, data: bytes) -> bool:
        """One call. False if the pool does not use the grammar any more."""
        try:
            if tally.pattern is None:
                # Nothing can be searched for, so only patterns ever get to this grammar.
                pattern = data.decode(errors="replace")
                await self._bounded(tally, name, engine.readings(self._query(pattern, tally.grammar)))
                return True
            (self.folder / name).write_bytes(data)
            query = self._query(tally.pattern, tally.grammar, name)
            found = await self._bounded(tally, name, engine.search(query, prefilter=False))
        except TimeoutError:
            return True
        except EngineError as error:
            _lost(tally, name, str(error))
            return True
        except JobError as error:
            if error.kind != "SwitchedOff" and tally.pattern is not None:
                tally.refused.append(f"{name}: {error}")
            return error.kind != "SwitchedOff"
        if name in found.skipped:
            _lost(tally, name, found.skipped[name])
        elif found.searched != 1:
            tally.wrong.append(f"{name} was neither searched nor named")
        return True

    async def _bounded(self, tally: Tally, what: str, call: Awaitable[T]) -> T:
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.deadline + SLACK):
                return await call
        except TimeoutError:
            tally.hung.append(what)
            raise
        finally:
            tally.slowest = max(tally.slowest, time.monotonic() - began)

    async def _end(self, tally: Tally, engine: Engine) -> None:
        """The pool still answers, and when it is closed nothing of it is left."""
        (self.folder / "after.py").write_text("f(1)\n")
        try:
            found = await self._bounded(tally, "after", engine.search(self._query("f($X)", "python", "after.py")))
            if found.total != 1:
                tally.wrong.append("the pool does not answer as it did")
        except (TimeoutError, EngineError, JobError) as error:
            tally.wrong.append(f"the pool does not answer afterwards: {error}")
        await engine.pool.close()
        if alive := [process.pid for process in self._workers.processes if _alive(process.pid)]:
            tally.wrong.append(f"workers survive: {alive}")
        self._workers.forget()


def _lost(tally: Tally, what: str, reason: str) -> None:
    if "took over" in reason:
        tally.killed.append(what)
    elif "crashed" in reason:
        tally.crashed.append(f"{what}: {reason}")
    else:
        tally.wrong.append(f"{what}: {reason}")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def prove(
    grammars: Iterable[str],
    folder: Path,
    *,
    inputs: int,
    deadline: float = DEADLINE,
    seed: int = 1,
    script: str | None = None,
) -> list[Tally]:
    """Feed these grammars, and print how each fares."""
    feeder = Feeder(folder, inputs, deadline, seed, script)
    tallies = []
    print(
        f"{'grammar':<18}{'inputs':>7}{'hung':>6}{'killed':>8}{'crashed':>9}{'off':>5}{'slowest s':>11}  pattern",
        flush=True,
    )
    try:
        for grammar in grammars:
            tally = await feeder.feed(grammar)
            tallies.append(tally)
            counts = f"{len(tally.hung):>6}{len(tally.killed):>8}{len(tally.crashed):>9}{tally.off:>5}"
            print(f"{grammar:<18}{tally.inputs:>7}{counts}{tally.slowest:>11.2f}  {tally.pattern!r}", flush=True)
    finally:
        await feeder.close()
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--deadline", type=float, default=DEADLINE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grammars", help="names, with commas; all, and those that are switched off, by default")
    options = parser.parse_args()
    names = options.grammars.split(",") if options.grammars else sorted(known() | BLOCKED.keys())
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        tallies = asyncio.run(
            prove(names, Path(folder), inputs=options.inputs, deadline=options.deadline, seed=options.seed)
        )
    print(f"\n{len(tallies)} grammars, {sum(each.inputs for each in tallies)} inputs, {time.monotonic() - began:.0f} s")
    for tally in tallies:
        for name in ("hung", "wrong", "killed", "crashed", "refused"):
            if found := getattr(tally, name):
                print(
                    f"{tally.grammar}: {name}: {', '.join(found[:8])}{f' and {len(found) - 8} more' if found[8:] else ''}"
                )
    bad = [tally.grammar for tally in tallies if not tally.fine]
    print(
        f"hung calls: {sum(len(tally.hung) for tally in tallies)}; grammars that broke a rule: {', '.join(bad) or 'none'}"
    )
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
