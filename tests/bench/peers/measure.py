"""Shared by the peers' scripts: the tool that all of them call, and how a call is timed. Uses nothing but the standard library."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

ANSWER = "x" * 100
ARGUMENTS = {"action": "hover", "file": "src/a.py", "line": 3, "dry": True}


async def tool(action: str, file: str, line: int = 1, dry: bool = False) -> str:
    """The bare function: four arguments, an answer of 100 characters."""
    return ANSWER


async def microseconds(call: Callable[[], Awaitable[Any]], rounds: int) -> float:
    """The fastest of 7 rounds' means: the one that the machine disturbed least."""
    best = float("inf")
    for _ in range(7):
        begun = time.perf_counter()
        for _ in range(rounds):
            await call()
        best = min(best, (time.perf_counter() - begun) / rounds * 1e6)
    return best


def report(
    prepare: Callable[[], Awaitable[Callable[[], Awaitable[Any]]]], check: Callable[[Any], bool], rounds: int = 2000
) -> None:
    """Time the peer's call and the bare function in one process, alternating, and print both as JSON."""

    async def main() -> None:
        call = await prepare()
        answer = await call()
        assert check(answer), answer
        bare = min([await microseconds(lambda: tool(**ARGUMENTS), 20_000) for _ in range(2)])
        peer = await microseconds(call, rounds)
        bare = min(bare, await microseconds(lambda: tool(**ARGUMENTS), 20_000))
        print(json.dumps({"bare": bare, "call": peer}))

    asyncio.run(main())
