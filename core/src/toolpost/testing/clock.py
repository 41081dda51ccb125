"""A clock that a test moves by hand."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Iterator

import attrs


@attrs.define
class FakeClock:
    """A `toolpost.Clock` whose time passes only by `advance`.

    Attributes:
        seconds: the time now, both monotonic and since the epoch.
    """

    seconds: float = 1_000_000.0
    _sleepers: list[tuple[float, int, asyncio.Future[None]]] = attrs.field(factory=list, init=False)
    _numbers: Iterator[int] = attrs.field(factory=itertools.count, init=False)

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        """Wait until a test has advanced the clock that far."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.seconds + seconds, next(self._numbers), woken))
        await woken

    async def advance(self, seconds: float) -> None:
        """Let time pass: wake whoever slept until then, in order, and let each of them go on."""
        end = self.seconds + seconds
        while self._sleepers and self._sleepers[0][0] <= end:
            self.seconds, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)
            await asyncio.sleep(0)
        self.seconds = end
        await asyncio.sleep(0)
