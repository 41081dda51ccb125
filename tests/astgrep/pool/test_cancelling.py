"""Searches that are called off, that run side by side, and that outlive their run (core:cancel)."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from astgrep.harness import tree
from astgrep.pool.pools import SLOW, pooled, query, run
from toolpost.testing import FakeClock
from toolpost_astgrep.search import Query
from toolpost_astgrep.workers.pool import EngineError


async def cancelled(task: asyncio.Task[object]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.requirement("core:cancel")
class TestCancelling:
    def test_the_pool_stays_usable_and_its_workers_stay(self, tmp_path: Path):
        slow = {f"00{n}.py": f"f({n})\n" + SLOW for n in range(3)}
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" * 100 for n in range(3, 200)} | slow)

        async def work() -> None:
            async with pooled(workers=1) as (engine, workers):
                for attempt in range(3):
                    search = asyncio.create_task(engine.search(query(tmp_path)))
                    await workers.at(attempt)  # the slow ones before it are kept
                    await cancelled(search)
                found = await engine.search(query(tmp_path))
                assert (found.total, found.skipped) == (19_703, {})
                assert len(workers.processes) == engine.pool.started == 1

        run(work)

    def test_a_search_in_the_making_and_one_that_waits_both_stop(self, tmp_path: Path):
        tree(tmp_path, {f"{n:04}.py": "f(1)\n" for n in range(1, 2000)} | {"0000.py": "f(1)\n" + SLOW})

        async def work() -> None:
            async with pooled(workers=1) as (engine, workers):
                making = asyncio.create_task(engine.search(query(tmp_path)))
                await workers.at(0)
                waiting = asyncio.create_task(engine.search(query(tmp_path)))
                await asyncio.sleep(0.01)
                await cancelled(making)
                await cancelled(waiting)
                await engine.readings(Query(pattern="g($X)", language="python"))  # its turn comes when both have left
                _, visited = workers.progress[0].now()
                assert visited < 100

        run(work)

    def test_a_worker_that_hangs_then_is_not_sent_on(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" for n in range(1, 300)} | {"000.py": "f(1)\n" + SLOW})
        clock = FakeClock()

        async def work() -> None:
            async with pooled(workers=1, clock=clock) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path)))
                await workers.at(0)
                workers.signal(signal.SIGSTOP)
                await cancelled(search)
                asking = asyncio.create_task(engine.readings(Query(pattern="g($X)", language="python")))
                await workers.timed_out(clock)
                assert await asking
                _, visited = workers.progress[1].now()
                assert visited < 10

        run(work)


@pytest.mark.requirement("ast:killable")
class TestSideBySide:
    def test_two_searches_at_once(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\ng(2)\n" for n in range(200)})

        async def work() -> None:
            async with pooled() as (engine, workers):
                one, other = await asyncio.gather(
                    engine.search(query(tmp_path)), engine.search(query(tmp_path, "g($X)"))
                )
                assert (one.total, other.total) == (200, 200)
                assert {match["text"] for match in one.matches} == {"f(1)"}
                assert len(workers.processes) == engine.pool.workers

        run(work)

    def test_a_small_search_starts_one_worker(self, tmp_path: Path):
        tree(tmp_path, {f"{n}.py": "f(1)\n" for n in range(20)})

        async def work() -> None:
            async with pooled(workers=3) as (engine, workers):
                assert engine.pool.started == 0
                assert (await engine.search(query(tmp_path))).total == 20
                assert engine.pool.started == len(workers.processes) == 1

        run(work)


class TestClosing:
    @pytest.mark.requirement("core:run-bound")
    def test_it_ends_the_workers_and_what_they_search(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" for n in range(1, 200)} | {"000.py": "f(1)\n" + SLOW})

        async def work() -> None:
            async with pooled(workers=1) as (engine, workers):
                search = asyncio.create_task(engine.search(query(tmp_path)))
                await workers.at(0)
                await engine.pool.close()
                with pytest.raises(EngineError, match="the run has ended"):
                    await search
                for process in workers.processes:
                    assert process.returncode is not None
                    with pytest.raises(ProcessLookupError):
                        os.kill(process.pid, 0)
                with pytest.raises(EngineError, match="the run has ended"):
                    await engine.readings(Query(pattern="f($X)", language="python"))
                assert engine.pool.started == 0

        run(work)
