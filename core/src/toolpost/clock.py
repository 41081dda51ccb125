"""Time, as a plugin gets it: from `scope.clock`, so that tests need no sleeping."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What a clock can do; `toolpost.testing` has one that a test moves by hand."""

    def monotonic(self) -> float:
        """Seconds that never go back."""

    def now(self) -> float:
        """Seconds since the epoch."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    monotonic = staticmethod(time.monotonic)
    now = staticmethod(time.time)
    sleep = staticmethod(asyncio.sleep)
