"""What searches over many files answer, however they are spread over workers."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest
from astgrep.engine.searching import parsed, scanner
from astgrep.harness import tree
from astgrep.pool.pools import pooled, query, run
from toolpost_astgrep.search import Query


@pytest.mark.requirement("ast:data")
class TestAnswers:
    def test_one_worker_and_several_find_the_same(self, tmp_path: Path):
        tree(tmp_path, {f"{n % 5}/{n:03}.py": f"f({n})\n" * (n % 7) for n in range(250)})

        async def found(workers: int) -> Any:
            async with pooled(workers=workers) as (engine, _):
                result = await engine.search(query(tmp_path), most=60)
                return result.total, result.files, result.searched, result.matches

        alone = run(lambda: found(1))
        assert alone == run(lambda: found(3))
        assert alone[0] == sum(n % 7 for n in range(250))

    def test_the_first_matches_are_shown_and_all_are_counted(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\nf(2)\n" for n in range(150)})

        async def work() -> None:
            async with pooled() as (engine, _):
                found = await engine.search(query(tmp_path), most=5)
                assert (found.total, found.files) == (300, 150)
                assert [(match["path"], match["text"]) for match in found.matches] == [
                    ("000.py", "f(1)"),
                    ("000.py", "f(2)"),
                    ("001.py", "f(1)"),
                    ("001.py", "f(2)"),
                    ("002.py", "f(1)"),
                ]

        run(work)

    @pytest.mark.requirement("ast:walk")
    def test_binary_unreadable_and_vanished_files_are_told(self, tmp_path: Path):
        tree(tmp_path, {"a.py": b"f(1)\0\n", "b.py": "f(1)\n", "d.py": "f(1)\n", "e.py": b"h(1)\0\n"})
        (tmp_path / "c.py").symlink_to("/etc/passwd")
        about = query(tmp_path)
        (tmp_path / "d.py").unlink()

        async def work() -> None:
            async with pooled() as (engine, _):
                found = await engine.search(about)
                assert (found.total, found.searched) == (1, 1)
                assert found.skipped["a.py"] == found.skipped["e.py"] == "binary"
                assert found.skipped["c.py"].startswith("unreadable")
                assert found.skipped["d.py"] == "unreadable (No such file or directory)"

        run(work)

    @pytest.mark.requirement("core:confined")
    def test_a_folder_swapped_for_a_link_leads_nowhere(self, tmp_path: Path):
        tree(tmp_path, {"w/in/a.py": "f(1)\n", "out/a.py": "f(2)\n"})
        about = query(tmp_path / "w")
        (tmp_path / "w/in").rename(tmp_path / "w/gone")
        (tmp_path / "w/in").symlink_to("../out")

        async def work() -> None:
            async with pooled() as (engine, _):
                found = await engine.search(about)
                assert found.total == 0
                assert found.skipped["in/a.py"].startswith("unreadable")

        run(work)

    @pytest.mark.requirement("ast:zero-explained")
    def test_files_with_syntax_errors_are_named(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n", "b.py": "f(1)\ndef (:\n", "c.py": "def (:\n"})

        async def work() -> None:
            async with pooled() as (engine, _):
                found = await engine.search(query(tmp_path))
                assert found.total == 2
                assert found.broken == ["b.py"]  # c.py holds no `f` and is not parsed

        run(work)

    def test_names_that_are_no_unicode(self, tmp_path: Path):
        name = os.fsdecode(b"caf\xe9.py")
        tree(tmp_path, {name: "f(1)\n"})

        async def work() -> None:
            async with pooled() as (engine, _):
                assert [match["path"] for match in (await engine.search(query(tmp_path))).matches] == [name]

        run(work)


@pytest.mark.requirement("ast:killable")
def test_the_event_loop_never_parses(tmp_path: Path):
    tree(tmp_path, {f"{n:03}.py": "f(1)\n" * 400 for n in range(300)})

    async def work() -> tuple[float, float]:
        longest = 0.0

        async def watch() -> None:
            # The loop's own processor time between two of its turns: the load of the machine does not count.
            nonlocal longest
            before = time.thread_time()
            while True:
                await asyncio.sleep(0.001)
                now = time.thread_time()
                longest, before = max(longest, now - before), now

        async with pooled() as (engine, _):
            await engine.readings(Query(pattern="f($X)", language="python"))
            watching = asyncio.create_task(watch())
            before = time.thread_time()
            found = await engine.search(query(tmp_path), most=1000)
            whole = time.thread_time() - before
            watching.cancel()
            assert found.total == 120_000
        return longest, whole

    longest, whole = run(work)
    before, search = time.thread_time(), scanner("python", "f($X)")
    for path in sorted(tmp_path.iterdir()):
        search.scan(*parsed("python", path.read_bytes()), most=0)
    here = time.thread_time() - before
    assert longest < here / 3
    assert whole < here
