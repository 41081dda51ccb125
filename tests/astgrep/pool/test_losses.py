"""What a worker costs that hangs, dies or talks nonsense (ast:killable)."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from astgrep.harness import tree
from astgrep.pool.pools import SLOW, SPEAKING, pooled, query, run
from toolpost.testing import FakeClock
from toolpost_astgrep.search import Query
from toolpost_astgrep.workers.lane import LOSSES, START_SECONDS
from toolpost_astgrep.workers.pool import EngineError, JobError
from toolpost_astgrep.workers.progress import NO_FILE

COBOL = {"kind": "compile", "pattern": "x", "language": "cobol", "context": None}
"""cobol of the language pack 0.13 never returns on any input, and holds the interpreter's lock (facts/structural-search.md §1)."""


@pytest.mark.requirement("ast:killable")
class TestAGrammarThatHangs:
    def test_a_real_one_is_killed_and_named(self):
        async def work() -> None:
            async with pooled(deadline=1.0, workers=1) as (engine, workers):
                with pytest.raises(EngineError, match=r"the cobol grammar took over 1 s while it read the pattern 'x'"):
                    await engine.pool.ask(COBOL)
                assert workers.processes[0].returncode == -signal.SIGKILL
                # The next question is answered by a fresh worker.
                assert await engine.readings(Query(pattern="f($X)", language="python"))

        run(work)

    def test_it_costs_the_file_that_it_hangs_on(self, tmp_path: Path):
        # The first is slow too, so that it is answered for before the worker hangs: it must not count twice.
        slow = {"00.py": "f(0)\n" + SLOW, "05slow.py": "f(0)\n" + SLOW}
        tree(tmp_path, {f"{n:02}.py": f"f({n})\n" for n in range(1, 10)} | slow)
        clock = FakeClock()

        async def work() -> None:
            async with pooled(clock=clock, workers=1) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path), most=100))
                await workers.at(6)
                workers.signal(signal.SIGSTOP)
                hanging = workers.processes[0]
                await clock.advance(4.5)
                assert hanging.returncode is None
                await clock.advance(1.0)
                assert await hanging.wait() == -signal.SIGKILL
                found = await search
                assert (found.total, found.searched) == (10, 10)
                assert found.skipped == {"05slow.py": "took over 5 s"}
                assert [match["path"] for match in found.matches] == [f"{n:02}.py" for n in range(10)]

        run(work)

    def test_one_that_hangs_on_every_file_is_given_up(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" for n in range(200)})
        script = SPEAKING + "while job := frames.read(sys.stdin.buffer):\n progress.at(0)\n time.sleep(1000)\n"
        clock = FakeClock()

        async def work() -> None:
            async with pooled(script, clock=clock, workers=1) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path)))
                for attempt in range(LOSSES):
                    while len(workers.processes) <= attempt:
                        await asyncio.sleep(0.001)
                    await workers.at(0)
                    await workers.timed_out(clock)
                found = await search
                assert (found.total, found.searched, len(found.skipped)) == (0, 0, 200)
                assert found.skipped["000.py"] == "took over 5 s"
                assert "the rest was left out" in found.skipped["199.py"]
                assert len(workers.processes) == LOSSES

        run(work)

    def test_one_that_moves_on_slowly_is_left_alone(self, tmp_path: Path):
        tree(tmp_path, {f"{n}.py": "f(1)\n" for n in range(4)})
        # Each file takes it four seconds of the clock; it goes on when the test says so.
        script = (
            SPEAKING
            + "job = frames.read(sys.stdin.buffer)[0]['job']\nwhile progress.stopped() == 0: time.sleep(.001)\n"
            + "out = dict(job=job, done=4, end=True, files=[], skipped=[], broken=[], parsed=0, blobs=[])\n"
            + "sys.stdout.buffer.write(frames.encode(out)); sys.stdout.flush(); time.sleep(1000)\n"
        )
        clock = FakeClock()

        async def work() -> None:
            async with pooled(script, clock=clock, workers=1) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path)))
                await workers.at(NO_FILE)
                for index in range(4):
                    workers.progress[0].at(index)
                    await clock.advance(4.0)
                assert not search.done()
                workers.progress[0].stop(99)
                assert (await search).skipped == {}

        run(work)


@pytest.mark.requirement("ast:killable")
class TestAWorkerThatDies:
    @pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
    def test_once_it_costs_nothing(self, tmp_path: Path, how: signal.Signals):
        tree(tmp_path, {f"{n:02}.py": f"f({n})\n" for n in range(30)} | {"15slow.py": "f(0)\n" + SLOW})

        async def work() -> None:
            async with pooled(workers=1) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path), most=100))
                await workers.at(16)
                workers.signal(how)
                found = await search
                assert (found.total, found.skipped) == (31, {})
                assert len(workers.processes) == 2

        run(work)

    def test_twice_at_one_file_it_costs_that_file(self, tmp_path: Path):
        tree(tmp_path, {f"{n:02}.py": f"f({n})\n" for n in range(1, 30)} | {"00slow.py": "f(0)\n" + SLOW})

        async def work() -> None:
            async with pooled(workers=1) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path), most=100))
                for attempt in range(2):
                    while len(workers.processes) <= attempt:
                        await asyncio.sleep(0.0005)
                    await workers.at(0)
                    workers.signal(signal.SIGSEGV)
                found = await search
                assert (found.total, found.searched) == (29, 29)
                assert found.skipped == {"00slow.py": "crashed (SIGSEGV)"}

        run(work)

    def test_while_it_reads_the_pattern_the_pattern_is_blamed(self):
        script = SPEAKING + "frames.read(sys.stdin.buffer)\nsys.exit('grammar went up in smoke')\n"

        async def work() -> None:
            async with pooled(script, workers=1) as (engine, _):
                with pytest.raises(
                    EngineError, match=r"python grammar crashed \(exit code 1: grammar went up in smoke\)"
                ):
                    await engine.readings(Query(pattern="f($X)", language="python"))

        run(work)

    def test_one_that_talks_nonsense_is_replaced(self):
        script = (
            SPEAKING + "frames.read(sys.stdin.buffer)\nos.write(1, b'\\1\\0\\0\\0\\0\\0\\0\\0{')\ntime.sleep(1000)\n"
        )

        async def work() -> None:
            async with pooled(script, workers=1) as (engine, workers):
                with pytest.raises(EngineError, match="its answer was broken off"):
                    await engine.readings(Query(pattern="f($X)", language="python"))
                assert all(process.returncode == -signal.SIGKILL for process in workers.processes)

        run(work)

    def test_what_a_grammar_prints_is_no_answer(self):
        script = (
            "import os; from toolpost_astgrep import grammars; from toolpost_astgrep.workers import worker; load = grammars.load\n"
            "grammars.load = lambda name: (os.write(1, b'loading'), print('loading'), load(name))[2]\n"
            "worker.main()\n"
        )

        async def work() -> None:
            async with pooled(script, workers=1) as (engine, workers):
                assert (await engine.readings(Query(pattern="f($X)", language="python")))[0].variables == ("X",)
                assert "loading" in workers.processes[0].stderr_tail()

        run(work)


@pytest.mark.requirement("ast:killable")
class TestStarting:
    def test_a_worker_that_does_not_come_up_is_told(self):
        clock = FakeClock()

        async def work() -> None:
            async with pooled("import time; time.sleep(1000)", clock=clock, workers=1) as (engine, workers):
                asking = asyncio.create_task(engine.readings(Query(pattern="f($X)", language="python")))
                while not workers.processes:
                    await asyncio.sleep(0.001)
                await workers.timed_out(clock)
                with pytest.raises(EngineError, match=f"a parser process did not come up in {START_SECONDS:g} s"):
                    await asking
                assert len(workers.processes) == 1

        run(work)

    def test_a_worker_that_cannot_be_started_is_told(self):
        async def missing(argv: list[str], descriptors: list[int]) -> object:
            raise FileNotFoundError(2, "No such file or directory", argv[0])

        async def work() -> None:
            from toolpost_astgrep.engine import Engine
            from toolpost_astgrep.workers.pool import Pool

            engine = Engine(Pool(missing, workers=1))
            with pytest.raises(EngineError, match="could not be started"):
                await engine.readings(Query(pattern="f($X)", language="python"))
            await engine.pool.close()

        run(work)

    @pytest.mark.requirement("ast:unparsable")
    def test_a_refused_pattern_costs_no_worker(self):
        async def work() -> None:
            async with pooled(workers=1) as (engine, workers):
                with pytest.raises(JobError, match="Tried:"):
                    await engine.readings(Query(pattern="class $A", language="python"))
                assert await engine.readings(Query(pattern="f($X)", language="python"))
                assert len(workers.processes) == 1

        run(work)
