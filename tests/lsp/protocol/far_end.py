"""The far end of a connection, moved by hand: what a server could send, message by message."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import attrs
from toolpost import Clock
from toolpost.processes import Decoder, encode
from toolpost_lsp.protocol.errors import METHOD_NOT_FOUND, ResponseError
from toolpost_lsp.protocol.rpc import Connection


async def unknown(method: str, params: Any) -> Any:
    raise ResponseError(METHOD_NOT_FOUND, f"no {method}")


@attrs.define(eq=False)
class FarEnd:
    """A server without a process."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    _decoder: Decoder = attrs.field(factory=Decoder, init=False)
    _heard: list[dict[str, Any]] = attrs.field(factory=list, init=False)

    async def hear(self) -> dict[str, Any]:
        """The next message from this side."""
        while not self._heard:
            data = await self.reader.read(1 << 16)
            assert data, "the connection is gone"
            self._heard += [json.loads(each) for each in self._decoder.feed(data)]
        return self._heard.pop(0)

    def say(self, *messages: Any) -> None:
        """Send messages, all in one piece."""
        self.raw(b"".join(encode(json.dumps(each).encode()) for each in messages))

    def answer(self, asked: dict[str, Any], result: Any) -> None:
        """Answer what was asked."""
        self.say({"jsonrpc": "2.0", "id": asked["id"], "result": result})

    def raw(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)

    def die(self) -> None:
        """Close both streams."""
        self.writer.close()


@asynccontextmanager
async def connected(
    *,
    on_request: Callable[[str, Any], Any] = unknown,
    on_notification: Callable[[str, Any], None] = lambda method, params: None,
    clock: Clock | None = None,
) -> AsyncIterator[tuple[Connection, FarEnd]]:
    """A connection and its far end; no task is left when it is closed."""
    before = asyncio.all_tasks()
    near, far = socket.socketpair()
    far_end = FarEnd(*await asyncio.open_connection(sock=far))
    reader, writer = await asyncio.open_connection(sock=near)
    connection = Connection(reader, writer, on_request=on_request, on_notification=on_notification, clock=clock)
    try:
        yield connection, far_end
    finally:
        await connection.close()
        far_end.writer.transport.abort()
        with suppress(OSError):
            await far_end.writer.wait_closed()
        assert asyncio.all_tasks() == before
