"""The memory that workers take, as the system counts it, against the cap (ast:memory)."""

from __future__ import annotations

import random
import sysconfig
from pathlib import Path

import pytest
from astgrep.harness import tree
from astgrep.pool.pools import Workers, pooled, query, run

MEGABYTE = 1 << 20


def sources(folder: Path, number: int, megabytes: int) -> Path:
    """A folder of so much Python: modules of the standard library, each with a change of its own."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    modules = sorted(path for path in stdlib.rglob("*.py") if "site-packages" not in path.parts)
    rng, left, files = random.Random(number), megabytes * MEGABYTE, {}
    while left > 0:
        module = rng.choice(modules)
        data = module.read_bytes() + f"\nchange = {number}, {len(files)}\n".encode()
        files[f"{len(files) % 40}/{len(files)}_{module.name}"] = data
        left -= len(data)
    return tree(folder / str(number), files)


def grown(workers: Workers, before: float, *, at_most: bool = False) -> float:
    """Megabytes by which the workers have grown; *at_most*, when they were largest."""
    return sum(memory(process.pid, "VmHWM" if at_most else "VmRSS") for process in workers.processes) - before


def memory(pid: int, field: str) -> float:
    """A process's memory in megabytes, as /proc/PID/status gives it."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{field}:")).split()[1]) / 1024


@pytest.mark.requirement("ast:memory")
class TestTheWorkersTogether:
    @pytest.mark.parametrize(
        ("cap", "folders", "megabytes"),
        [(64, 2, 10), pytest.param(256, 5, 20, marks=pytest.mark.slow)],
    )
    def test_stay_below_the_cap_whatever_is_searched(self, tmp_path: Path, cap: int, folders: int, megabytes: int):
        small = tree(tmp_path / "small", {f"{n}.py": "f(1)\n" for n in range(200)})
        large = [sources(tmp_path, number, megabytes) for number in range(folders)]

        async def work() -> None:
            async with pooled(workers=2, cache_bytes=cap * MEGABYTE) as (engine, workers):
                await engine.search(query(small, "$A = $B"))
                assert len(workers.processes) == 2
                before = grown(workers, 0)
                for folder in large:
                    found = await engine.search(query(folder, "$A = $B"))
                    assert found.parsed > megabytes * MEGABYTE
                    assert grown(workers, before) < cap
                again = await engine.search(query(large[0], "$A = $B"))
                assert again.parsed < 0.9 * found.parsed  # they do keep trees
                assert cap / 3 < grown(workers, before) < cap
                # The tree of the file at hand may come on top, when it is a large one.
                assert grown(workers, before, at_most=True) < cap + 32

        run(work, seconds=300)
