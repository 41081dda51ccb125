"""Async tests without a plugin: each runs in an event loop of its own, and within a bound."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any

BOUND = 30.0  # seconds; only a failure takes as long


def bounded(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async def within() -> None:
            async with asyncio.timeout(BOUND):
                await test(*args, **kwargs)

        asyncio.run(within(), debug=False)

    return run
