"""What a run costs to open and close: `python tests/bench/open.py`.

A run of five plugins, each with an `@asynccontextmanager` resource and four tools, against entering and leaving the same five
context managers by hand through one AsyncExitStack. The run also does what the hand does not: it opens its confinement, looks for
the workspace's own configuration and for an interrupted change, keeps each handle in a task of its own, and closes under deadlines.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from interleaved import medians, table
from toolpost import Host
from toolpost.testing import plugin, tool

TIMES = 10
PLUGINS = 5
TOOLS = 4


@asynccontextmanager
async def resource() -> AsyncIterator[object]:
    """The least that a family opens: an object, a lock, a queue, and one turn of the event loop each way.

    Whatever is really opened or closed (a socket, a process, a file in a thread) takes at least that turn.
    """
    handle = (object(), asyncio.Lock(), asyncio.Queue[bytes]())
    await asyncio.sleep(0)
    yield handle
    await asyncio.sleep(0)


async def by_hand() -> None:
    async with AsyncExitStack() as stack:
        for _ in range(PLUGINS):
            await stack.enter_async_context(resource())


async def measure() -> tuple[float, float]:
    """Seconds by hand and by a run."""
    modules = [
        plugin(f"p{n}", *(tool(f"t{n}_{k}") for k in range(TOOLS)), resource=lambda: resource()) for n in range(PLUGINS)
    ]
    host = Host(modules, strict=True)
    with tempfile.TemporaryDirectory() as workspace:

        async def by_a_run() -> None:
            async with host.open(workspace):
                pass

        spent = await medians({"hand": by_hand, "run": by_a_run}, rounds=501)
    return spent["hand"], spent["run"]


def main() -> None:
    hand, run = asyncio.run(measure())
    table(
        [
            ("five resources by hand", f"{hand * 1e6:.0f} µs", ""),
            ("a run of five plugins", f"{run * 1e6:.0f} µs", ""),
            ("ratio", f"{run / hand:.1f}", f"at most {TIMES}"),
        ]
    )


if __name__ == "__main__":
    main()
