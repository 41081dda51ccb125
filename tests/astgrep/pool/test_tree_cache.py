"""Trees that are kept between searches: right, and within their cap (ast:memory)."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest
from astgrep.harness import tree
from astgrep.pool.pools import pooled, query, run
from toolpost_astgrep.grammars import load
from toolpost_astgrep.search import Query
from toolpost_astgrep.workers.tree_cache import TreeCache
from tree_sitter import Parser, Tree

SOURCE = b"f(1)\n" * 100
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def parsed() -> Tree:
    return Parser(load("python")).parse(SOURCE)


def key(path: str) -> tuple[str, str, str]:
    return ("python", "/root", path)


def cost(parsed: Tree) -> int:
    cache = TreeCache(limit=1 << 40)
    cache.put(key("x"), SOURCE, parsed)
    return cache.size


def scan(cache: TreeCache, paths: str, parsed: Tree) -> str:
    """Go over files as a search does; gives those whose trees were there."""
    cache.begin()
    hits = ""
    for path in paths:
        if cache.get(key(path), SOURCE) is not None:
            hits += path
        else:
            cache.put(key(path), SOURCE, parsed)
    assert cache.size <= cache.limit
    return hits


@pytest.mark.requirement("ast:memory")
class TestTheCap:
    def test_a_scan_larger_than_the_cap_keeps_what_it_has(self, parsed: Tree):
        cache = TreeCache(limit=cost(parsed) * 3)
        assert [scan(cache, "abcdef", parsed) for _ in range(8)] == ["", *["abc"] * 7]

    def test_so_does_one_that_comes_to_the_kept_ones_last(self, parsed: Tree):
        cache = TreeCache(limit=cost(parsed) * 3)
        scan(cache, "def", parsed)
        assert [scan(cache, "abcdef", parsed) for _ in range(8)] == ["def"] * 8

    def test_two_that_alternate_do_not_drive_each_other_out(self, parsed: Tree):
        cache = TreeCache(limit=cost(parsed) * 3)
        assert [scan(cache, paths, parsed) for paths in ["abc", "xyz"] * 4] == ["", "", *["abc", ""] * 3]

    def test_what_nobody_asks_for_any_more_makes_room(self, parsed: Tree):
        cache = TreeCache(limit=cost(parsed) * 3)
        scan(cache, "abc", parsed)
        hits = [scan(cache, "xyz", parsed) for _ in range(8)]
        assert hits[0] == ""
        assert hits[-1] == "xyz"

    def test_a_tree_over_the_cap_is_not_kept_and_costs_none(self, parsed: Tree):
        cache = TreeCache(limit=cost(parsed) * 2)
        scan(cache, "ab", parsed)
        whole = b"f(1)\n" * 1000
        cache.put(key("big"), whole, Parser(load("python")).parse(whole))
        assert scan(cache, "ab", parsed) == "ab"

    def test_workers_hold_it(self):
        # The standard library's own modules: some megabytes of Python, twenty times that as trees.
        folder = Path(sysconfig.get_path("stdlib"))
        files = sorted((path.name, path.stat().st_size) for path in folder.glob("*.py"))
        about = Query(pattern="$A = $B", language="python", root=str(folder), files=tuple(files))

        async def grown(cap: int) -> tuple[float, int, int]:
            async with pooled(workers=1, cache_bytes=cap) as (engine, workers):
                await engine.search(only_the_first(about))
                before = resident(workers.processes[0].pid)
                first = await engine.search(about)
                again = await engine.search(about)
                return resident(workers.processes[0].pid) - before, first.parsed, again.parsed

        free, parsed, again = run(lambda: grown(1000 * MEGABYTE))
        assert again == 0
        assert free > 64
        held, _, again = run(lambda: grown(24 * MEGABYTE))
        assert held < free / 2
        assert held < 24 + 24  # and what the largest file takes in passing
        assert 0 < again < parsed  # the trees that it has are of use

    def test_trees_of_changed_files_are_not_used(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n"})

        async def work() -> None:
            async with pooled() as (engine, _):
                about = (tmp_path / "a.py").stat()
                assert (await engine.search(query(tmp_path))).total == 1
                # Same size, same times, same inode.
                (tmp_path / "a.py").write_text("g(1)\n")
                os.utime(tmp_path / "a.py", ns=(about.st_atime_ns, about.st_mtime_ns))
                assert (await engine.search(query(tmp_path))).total == 0
                again = await engine.search(query(tmp_path, "g($X)"))
                assert (again.total, again.parsed) == (1, 5)
                warm = await engine.search(query(tmp_path, "g($X)"))
                assert (warm.matches, warm.parsed) == (again.matches, 0)

        run(work)


def only_the_first(about: Query) -> Query:
    return Query(pattern=about.pattern, language=about.language, root=about.root, files=about.files[:1])


def resident(pid: int) -> float:
    """Megabytes of a process that are in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / MEGABYTE
