"""A child's standard streams: its ends, which are given away, and the harness's ends, which become asyncio streams."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
from subprocess import DEVNULL, PIPE

import attrs

RING = -16
"""For `stderr`: read in the background; the last 16 KiB are kept for `Process.stderr_tail`."""

_TAIL = 16 * 1024
_READ_LIMIT = 1024 * 1024  # the longest line that readline takes; about twice as much is buffered


@attrs.define(eq=False)
class _Ring(asyncio.Protocol):
    """Reads a stream all the time, and keeps its end."""

    tail: bytearray = attrs.field(factory=bytearray, init=False)
    ended: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    def data_received(self, data: bytes) -> None:
        self.tail += data
        del self.tail[:-_TAIL]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's signature)
        self.ended.set()


@attrs.define(eq=False)
class Streams:
    """The harness's side of one child's standard streams.

    Attributes:
        stdin: set by `connect`, where it is a pipe; so are `stdout` and `stderr`.
    """

    stdin: asyncio.StreamWriter | None = attrs.field(default=None, init=False)
    stdout: asyncio.StreamReader | None = attrs.field(default=None, init=False)
    stderr: asyncio.StreamReader | None = attrs.field(default=None, init=False)
    _ring: _Ring | None = attrs.field(default=None, init=False)
    _files: list[io.FileIO | None] = attrs.field(factory=list, init=False)
    _transports: list[asyncio.BaseTransport] = attrs.field(factory=list, init=False)

    @classmethod
    def open(cls, stdin: int, stdout: int, stderr: int, theirs: contextlib.ExitStack) -> tuple[Streams, list[int]]:
        """Open the pipes; return this side, and the child's three descriptors, which `theirs` closes.

        Raises:
            OSError: a descriptor is not open, or there are too many.
        """
        streams = cls()
        given: list[int] = []
        try:
            for number, kind in enumerate((stdin, stdout, stderr)):
                file = None
                if kind == PIPE or (kind == RING and number == 2):
                    readable, writable = os.pipe()
                    end, mine = (readable, writable) if number == 0 else (writable, readable)
                    file = io.FileIO(mine, "w" if number == 0 else "r")
                elif kind == DEVNULL:
                    end = os.open(os.devnull, os.O_RDWR)
                else:
                    end = os.dup(kind)
                theirs.callback(os.close, end)
                given.append(end)
                streams._files.append(file)
        except BaseException:
            streams.close()
            raise
        streams._ring = _Ring() if stderr == RING else None
        return streams, given

    async def connect(self) -> None:
        """Hand the pipes to the event loop."""
        loop = asyncio.get_running_loop()
        if stdin := self._handed_over(0):
            protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
            transport, _ = await loop.connect_write_pipe(lambda: protocol, stdin)
            self._transports.append(transport)
            self.stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        if stdout := self._handed_over(1):
            self.stdout = await self._read(stdout)
        if stderr := self._handed_over(2):
            if self._ring:
                await self._connect(self._ring, stderr)
            else:
                self.stderr = await self._read(stderr)

    def _handed_over(self, number: int) -> io.FileIO | None:
        """That pipe, which is the event loop's from here on: cancelled half way, the loop closes it, and only it."""
        file, self._files[number] = self._files[number], None
        return file

    async def _read(self, file: io.FileIO) -> asyncio.StreamReader:
        reader = asyncio.StreamReader(limit=_READ_LIMIT)
        await self._connect(asyncio.StreamReaderProtocol(reader), file)
        return reader

    async def _connect(self, protocol: asyncio.BaseProtocol, file: io.FileIO) -> None:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, file)
        self._transports.append(transport)

    @property
    def open_ends(self) -> bool:
        """Whether a pipe is still with the event loop."""
        return not all(transport.is_closing() for transport in self._transports)

    def tail(self) -> str:
        """What the ring holds, as text; what is no UTF-8 is replaced."""
        return self._ring.tail.decode(errors="replace") if self._ring else ""

    async def drained(self, seconds: float) -> None:
        """Wait until the ring has its stream's end, but no longer than `seconds`."""
        if self._ring:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ring.ended.wait(), seconds)

    def drop_stdin(self) -> None:
        """Close the child's standard input without waiting for what it never read."""
        if self.stdin is not None and not self.stdin.is_closing():
            self.stdin.transport.abort()

    def close(self) -> None:
        """Close every pipe, in the loop's next turn; what was not read is lost."""
        self.drop_stdin()
        for transport in self._transports:
            transport.close()
        for file in self._files:
            if file:
                file.close()
