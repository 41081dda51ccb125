"""Waiting for something that a server may say, until a time of the run's clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import attrs
from toolpost import Clock


@attrs.define(eq=False)
class Bell:
    """Rung whenever something happened; who waits looks again at what it waits for."""

    clock: Clock
    _rung: asyncio.Future[None] | None = attrs.field(default=None, init=False)

    def ring(self) -> None:
        """Wake everybody who waits."""
        rung, self._rung = self._rung, None
        if rung is not None and not rung.done():
            rung.set_result(None)

    async def wait(self, until: float) -> bool:
        """Wait for the next ring; False when the time has come before it."""
        if self.clock.monotonic() >= until:
            await asyncio.sleep(0)  # whoever polls lets the others go on
            return False
        rung = self._rung = self._rung or asyncio.get_running_loop().create_future()
        sleeper = asyncio.ensure_future(self.clock.sleep(until - self.clock.monotonic()))
        try:
            await asyncio.wait({rung, sleeper}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeper.cancel()
        return rung.done()

    async def wait_for(self, condition: Callable[[], bool], until: float) -> bool:
        """Wait until the condition holds; False when the time has come before it."""
        while not condition():
            if not await self.wait(until) and self.clock.monotonic() >= until:
                return condition()
        return True
