"""The worker processes: what a grammar that hangs or dies costs, and what it does not (ast:killable)."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from astgrep.harness import SECONDS, tree
from toolpost.processes import Processes
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.pool import EngineError, JobError, Pool
from toolpost_astgrep.search import Query
from toolpost_astgrep.tree_cache import PER_BYTE, TreeCache

# A Python expression so deep that its parse takes long enough to be caught in the act.
SLOW = "x = " + "(" * 200_000 + ")" * 200_000 + "\n"


@asynccontextmanager
async def engine(folder: Path, **options: Any):
    """A pool under real guards."""
    processes = Processes(tag="pool-test")

    async def spawn(argv: list[str], descriptors: list[int]) -> Any:
        return await processes.spawn(argv, pass_fds=descriptors, cwd="/")

    pool = Pool(spawn, **options)
    try:
        yield Engine(pool)
    finally:
        await pool.close()
        await processes.close()


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(SECONDS):
            return await work()

    return asyncio.run(bounded())


def query(folder: Path, pattern: str = "f($X)", language: str = "python") -> Query:
    files = tuple(
        sorted(
            (path.relative_to(folder).as_posix(), path.stat().st_size) for path in folder.rglob("*") if path.is_file()
        )
    )
    return Query(pattern=pattern, language=language, root=str(folder), files=files)


@pytest.mark.requirement("ast:killable")
class TestAFileThatHangsOrKills:
    def test_a_real_grammar_that_never_returns_is_killed_and_named(self, tmp_path: Path):
        # cobol of the language pack 0.13 hangs on any input and holds the GIL (facts/structural-search.md §1).
        async def work() -> None:
            async with engine(tmp_path, deadline=1.0, workers=1) as here:
                with pytest.raises(EngineError, match=r"cobol.*took over 1 s"):
                    await here.pool.ask({"kind": "compile", "pattern": "x", "language": "cobol", "context": None})
                # The next question is answered by a fresh worker.
                assert await here.readings("f($X)", "python")

        run(work)

    def test_a_worker_killed_at_a_file_costs_that_file_only(self, tmp_path: Path):
        tree(tmp_path, {f"{n:02}.py": f"f({n})\n" for n in range(30)} | {"15slow.py": "f(0)\n" + SLOW})

        async def work() -> None:
            async with engine(tmp_path, workers=1) as here:
                await here.readings("f($X)", "python")
                worker = here.pool._workers[0]
                search = asyncio.create_task(here.search(query(tmp_path), most=100))
                # Wait until it is at the slow file, then kill it as a crash would.
                while worker._progress is None or worker._progress.now()[0] != 16:
                    await asyncio.sleep(0)
                os.kill(worker._process.pid, signal.SIGKILL)
                found = await search
                assert found.total == 30
                assert list(found.skipped) == ["15slow.py"]
                assert "crashed (exit code -9)" in found.skipped["15slow.py"]

        run(work)

    def test_a_file_over_the_deadline_costs_that_file_only(self, tmp_path: Path):
        tree(tmp_path, {f"{n:02}.py": f"f({n})\n" for n in range(10)} | {"05slow.py": "f(0)\n" + SLOW * 12})

        async def work() -> None:
            async with engine(tmp_path, workers=2, deadline=0.3) as here:
                found = await here.search(query(tmp_path), most=100)
                assert found.total == 10
                assert list(found.skipped) == ["05slow.py"]
                assert "took over 0.3 s" in found.skipped["05slow.py"]

        run(work)

    def test_the_event_loop_is_never_held_up(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" * 400 for n in range(150)})

        async def work() -> float:
            longest = 0.0

            async def watch() -> None:
                nonlocal longest
                loop = asyncio.get_running_loop()
                while True:
                    before = loop.time()
                    await asyncio.sleep(0.005)
                    longest = max(longest, loop.time() - before - 0.005)

            async with engine(tmp_path) as here:
                await here.readings("f($X)", "python")
                watching = asyncio.create_task(watch())
                found = await here.search(query(tmp_path), most=1000)
                watching.cancel()
                assert found.total == 60_000
            return longest

        assert run(work) < 1.0  # a parse of all of it takes longer; on an idle machine this is some milliseconds


@pytest.mark.requirement("core:cancel")
class TestCancelling:
    def test_a_cancelled_search_leaves_the_pool_usable(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" * 2000 for n in range(100)})

        async def work() -> None:
            async with engine(tmp_path) as here:
                for _ in range(3):
                    search = asyncio.create_task(here.search(query(tmp_path)))
                    await asyncio.sleep(0.05)
                    search.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await search
                found = await here.search(query(tmp_path))
                assert found.total == 200_000
                assert here.pool.started == len(here.pool._workers)

        run(work)

    def test_two_searches_at_once(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\ng(2)\n" for n in range(120)})

        async def work() -> None:
            async with engine(tmp_path) as here:
                one, other = await asyncio.gather(here.search(query(tmp_path)), here.search(query(tmp_path, "g($X)")))
                assert (one.total, other.total) == (120, 120)

        run(work)

    def test_closing_ends_the_workers(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\n" for n in range(100)})

        async def work() -> list[int]:
            async with engine(tmp_path) as here:
                await here.search(query(tmp_path))
                return [worker._process.pid for worker in here.pool._workers]

        for pid in run(work):
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


class TestAnswers:
    @pytest.mark.requirement("ast:unparsable")
    def test_a_refused_pattern_says_why(self, tmp_path: Path):
        async def work() -> None:
            async with engine(tmp_path) as here:
                with pytest.raises(JobError, match="Tried:"):
                    await here.readings("class $A", "python")

        run(work)

    def test_one_worker_and_several_find_the_same(self, tmp_path: Path):
        tree(tmp_path, {f"{n % 5}/{n:03}.py": f"f({n})\n" * (n % 7) for n in range(150)})

        async def found(workers: int) -> Any:
            async with engine(tmp_path, workers=workers) as here:
                result = await here.search(query(tmp_path), most=60)
                return result.total, result.files, result.matches

        assert run(lambda: found(1)) == run(lambda: found(3))

    def test_a_changed_file_is_seen_although_its_tree_is_kept(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n"})

        async def work() -> None:
            async with engine(tmp_path) as here:
                about = (tmp_path / "a.py").stat()
                assert (await here.search(query(tmp_path))).total == 1
                (tmp_path / "a.py").write_text("g(1)\n")
                os.utime(tmp_path / "a.py", ns=(about.st_atime_ns, about.st_mtime_ns))
                assert (await here.search(query(tmp_path))).total == 0
                again = await here.search(query(tmp_path, "g($X)"))
                assert (again.total, again.parsed) == (1, 5)
                assert (await here.search(query(tmp_path, "g($X)"))).parsed == 0

        run(work)

    @pytest.mark.requirement("ast:walk")
    def test_binary_and_unreadable_files_are_told(self, tmp_path: Path):
        tree(tmp_path, {"a.py": b"f(1)\0\n", "b.py": "f(1)\n"})
        (tmp_path / "c.py").symlink_to("/etc/passwd")

        async def work() -> None:
            async with engine(tmp_path) as here:
                found = await here.search(query(tmp_path))
                assert found.total == 1
                assert found.skipped["a.py"] == "binary"
                assert found.skipped["c.py"].startswith("unreadable")

        run(work)


class TestTreeCache:
    def test_a_scan_larger_than_the_cap_keeps_what_it_has(self):
        source = b"x" * 1000
        cache = TreeCache(limit=int(1000 * (PER_BYTE + 1)) * 3)
        for _ in range(3):
            cache.begin()
            hits = 0
            for path in "abcdef":
                if cache.get("python", path, source) is not None:
                    hits += 1
                else:
                    cache.put("python", path, source, object())  # type: ignore[arg-type]
        assert hits == 3
        assert cache.size <= cache.limit

    def test_what_the_scan_has_no_use_for_makes_room(self):
        source = b"x" * 1000
        cache = TreeCache(limit=int(1000 * (PER_BYTE + 1)) * 2)
        for path in ("a", "b"):
            cache.put("python", path, source, object())  # type: ignore[arg-type]
        cache.begin()
        cache.put("python", "c", source, object())  # type: ignore[arg-type]
        assert cache.get("python", "c", source) is not None
        assert cache.size <= cache.limit
