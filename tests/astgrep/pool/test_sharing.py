"""A worker that is done takes over files from one that is not, and every file is searched once."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from astgrep.harness import tree
from astgrep.pool.pools import pooled, query, run
from toolpost_astgrep.search import Found
from toolpost_astgrep.workers.shards import split

SCRIPT = """
import os, time
from toolpost_astgrep.workers import worker

Real = worker.Parser

class Parser:
    def __init__(self, grammar):
        self.real = Real(grammar)

    def parse(self, data):
        with open({log!r}, "a") as log:
            log.write(f"{{os.getpid()}} {{data[:4].decode()}}\\n")
        time.sleep(0.8 if data.startswith(b"#0#0") else {pause})
        return self.real.parse(data)

worker.Parser = Parser
worker.main()
"""
FILES = 200

pytestmark = pytest.mark.requirement("ast:speed", "ast:data")


def searched(folder: Path, log: Path, times: int, pause: float = 0.004) -> list[Found]:
    """The same search some times over, on two workers of which one gets a file that takes long."""

    async def work() -> list[Found]:
        async with pooled(SCRIPT.format(log=str(log), pause=pause), workers=2) as (engine, _):
            return [await engine.search(query(folder), most=1000) for _ in range(times)]

    found: list[Found] = run(work)
    return found


def files(folder: Path) -> Path:
    """Files of which the first one of a worker takes long; the mark is in their first bytes."""
    return tree(folder, {f"{n:03}.py": f"#{n}#{n}\nf({n})\n" + "# filler\n" * 400 for n in range(FILES)})


def test_the_other_worker_takes_over_and_keeps_the_trees(tmp_path: Path):
    folder, log = files(tmp_path / "code"), tmp_path / "log"
    cold, warm = searched(folder, log, 2)
    parsed = [line.split() for line in log.read_text().splitlines()]
    slow = next(pid for pid, mark in parsed if mark == "#0#0")
    first = next(shard for shard in split(query(folder).files, 2) if "000.py" in shard)
    shares = Counter(pid for pid, _ in parsed)
    assert shares[slow] < 0.8 * len(first)
    assert sum(shares.values()) == FILES  # each once, also in the second search
    assert (cold.total, warm.total, warm.parsed) == (FILES, FILES, 0)
    for found in (cold, warm):
        assert [match["path"] for match in found.matches] == [f"{n:03}.py" for n in range(FILES)]


@pytest.mark.parametrize("seed", range(4))
def test_each_file_is_searched_once_however_the_turns_fall(tmp_path: Path, seed: int):
    folder = files(tmp_path / "code")
    (found,) = searched(folder, tmp_path / "log", 1, pause=random.Random(seed).uniform(0.0005, 0.003))
    assert found.total == FILES
    assert [match["path"] for match in found.matches] == [f"{n:03}.py" for n in range(FILES)]
