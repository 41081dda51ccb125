"""What a server writes to standard error: always read, as a full pipe would stop it, and its end kept for people."""

from __future__ import annotations

import asyncio

import attrs

MOST_KEPT = 64 * 1024


@attrs.define(eq=False)
class Output:
    """The end of a stream that is read all the time."""

    reader: asyncio.StreamReader
    _kept: bytearray = attrs.field(factory=bytearray, init=False)
    _reading: asyncio.Task[None] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while data := await self.reader.read(MOST_KEPT):
            self._kept += data
            del self._kept[:-MOST_KEPT]

    def tail(self) -> str:
        """The last 64 KiB, as text; what is no UTF-8 is replaced."""
        return self._kept.decode(errors="replace")

    async def ended(self, seconds: float) -> None:
        """Wait for the stream's end, but no longer than that many seconds."""
        await asyncio.wait({self._reading}, timeout=seconds)

    async def close(self) -> None:
        """Stop reading."""
        self._reading.cancel()
        await asyncio.wait({self._reading})
