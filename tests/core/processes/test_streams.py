"""A child's pipes are closed whatever interrupts their way to the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os

import pytest
from toolpost.processes import PIPE, RING
from toolpost.processes.streams import Streams


@pytest.mark.requirement("core:cancel")
@pytest.mark.parametrize("stderr", [PIPE, RING], ids=["pipe", "ring"])
@pytest.mark.parametrize("turns", range(12))
def test_connecting_that_is_cancelled_at_any_turn_leaves_no_descriptor_open(turns: int, stderr: int):
    def held() -> set[str]:
        return set(os.listdir("/proc/self/fd"))

    async def main() -> None:
        await asyncio.sleep(0)
        before = held()
        with contextlib.ExitStack() as theirs:
            streams, _ = Streams.open(PIPE, PIPE, stderr, theirs)
        connecting = asyncio.create_task(streams.connect())
        for _ in range(turns):
            await asyncio.sleep(0)
        connecting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await connecting
        streams.close()
        for _ in range(3):  # the event loop closes a pipe in a later turn
            await asyncio.sleep(0)
        assert held() == before

    asyncio.run(main())
