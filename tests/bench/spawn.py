"""What supervision costs a start: `python tests/bench/spawn.py`.

Time from the call to the child's first byte, under a run and with asyncio alone; medians, and their ratio. The first start of
a run is shown apart, as it brings the guards up.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time

from toolpost.processes import DEVNULL, Processes

ROUNDS = 60
ARGV = ["/bin/echo", "x"]


async def plain() -> float:
    begun = time.perf_counter()
    process = await asyncio.create_subprocess_exec(*ARGV, stdin=DEVNULL, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    await process.stdout.readexactly(1)
    spent = time.perf_counter() - begun
    await process.communicate()
    return spent


async def supervised(run: Processes) -> float:
    begun = time.perf_counter()
    process = await run.spawn(ARGV, stdin=DEVNULL)
    assert process.stdout
    await process.stdout.readexactly(1)
    spent = time.perf_counter() - begun
    await process.wait()
    return spent


async def main() -> None:
    await plain()
    alone = [await plain() for _ in range(ROUNDS)]
    run = Processes(tag=f"bench-{os.getpid()}")
    first = await supervised(run)
    guarded = [await supervised(run) for _ in range(ROUNDS)]
    await run.close()
    usual, ours = statistics.median(alone) * 1000, statistics.median(guarded) * 1000
    print(f"{'asyncio alone':<24}{usual:8.2f} ms")
    print(f"{'supervised':<24}{ours:8.2f} ms   {ours / usual:.1f} times")
    print(f"{'supervised, the first':<24}{first * 1000:8.2f} ms")


if __name__ == "__main__":
    asyncio.run(main())
