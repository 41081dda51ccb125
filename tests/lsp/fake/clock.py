"""A clock for servers that make a test wait."""

from __future__ import annotations

import asyncio
import time

import attrs


@attrs.frozen
class FastClock:
    """The system's clock, so many times as fast."""

    speed: float

    def monotonic(self) -> float:
        return time.monotonic() * self.speed

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.speed)
