"""JSON-RPC 2.0 over a pair of streams, framed as language servers frame it.

Lenient in what it reads: a banner before a header, answers to nothing, ids that became strings, batches within batches.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import attrs
from toolpost import Clock, SystemClock
from toolpost.processes import Decoder, FramingError, encode

from toolpost_lsp.protocol.errors import (
    INTERNAL_ERROR,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    ConnectionLost,
    ResponseError,
)
from toolpost_lsp.words import clean

log = logging.getLogger("toolpost.lsp")

MOST_UNREAD = 128 * 1024 * 1024
"""Bytes that may wait for a peer that does not read; it is given up then, before it takes all memory."""
MOST_SERVED = 256
"""Requests of the peer that are answered at one time; further ones are refused."""
_CHUNK = 64 * 1024
_GRACE = 1.0  # seconds in which a closed connection's last messages, and its handlers, may end
_write = json.JSONEncoder(separators=(",", ":")).encode


@attrs.define(eq=False)
class Connection:
    """One peer. It reads from the moment it is made, which must be within a running loop, until `close`.

    Args:
        reader: what the peer writes.
        writer: what the peer reads.
        on_request: answers the peer's requests; each is begun before the next message is looked at. A ResponseError is
            sent as it is; of any other error the peer learns only that there was one.
        on_notification: takes the peer's notifications, in order.
        clock: what timeouts are measured with.
    """

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _on_request: Callable[[str, Any], Awaitable[Any]] = attrs.field(kw_only=True)
    _on_notification: Callable[[str, Any], None] = attrs.field(kw_only=True)
    _clock: Clock | None = attrs.field(default=None, kw_only=True)
    faults: int = attrs.field(default=0, init=False)
    """How many messages were none."""
    _decoder: Decoder = attrs.field(factory=lambda: Decoder(lenient=True), init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _pending: dict[float, asyncio.Future[Any]] = attrs.field(factory=dict, init=False)
    _serving: dict[asyncio.Task[None], int | str] = attrs.field(factory=dict, init=False)
    _ended: asyncio.Future[str] = attrs.field(init=False)
    _reading: asyncio.Task[None] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ended = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read())

    @property
    def closed(self) -> str | None:
        """Why there is no peer any more; None while there is one."""
        return self._ended.result() if self._ended.done() else None

    @property
    def pending(self) -> int:
        """How many requests wait for their answers."""
        return len(self._pending)

    @property
    def noise(self) -> str:
        """The beginning of what the peer printed outside of messages, for people."""
        return clean(self._decoder.noise.decode(errors="replace"))

    async def wait_closed(self) -> str:
        """Wait until there is no peer any more; return why."""
        return await asyncio.shield(self._ended)

    # ---- what this side says ----

    async def request(self, method: str, params: Any = None, *, timeout: float | None = None) -> Any:
        """Ask the peer, and wait for its answer; when that is given up, the peer is told, and a late answer is dropped.

        Args:
            params: None sends none.
            timeout: seconds.

        Raises:
            TimeoutError: no answer in time.
            ResponseError: the peer's error.
            ConnectionLost: there is no peer, or it went before it answered.
        """
        if (closed := self._unwritable()) is not None:
            raise ConnectionLost(closed)
        number = next(self._numbers)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[number] = answer
        stop = self._start_timer(answer, timeout, method)
        try:
            self._send({"id": number, "method": method}, params)
            return await answer
        except (TimeoutError, asyncio.CancelledError):
            self.notify("$/cancelRequest", {"id": number})
            raise
        finally:
            stop()
            self._pending.pop(number, None)

    def notify(self, method: str, params: Any = None) -> None:
        """Tell the peer; it gets what it is told and asked in the order of the calls. Without a peer nothing happens."""
        if self._unwritable() is None:
            self._send({"method": method}, params)

    async def flush(self) -> None:
        """Wait until the peer has taken most of what was said.

        Raises:
            ConnectionLost: there is no peer.
        """
        with contextlib.suppress(OSError):
            await self._writer.drain()
        if (closed := self._unwritable()) is not None:
            raise ConnectionLost(closed)

    async def close(self) -> None:
        """End the conversation: whatever waits for an answer fails. What was said before is still sent."""
        self._end("this side closed the connection", abort=False)
        tasks = {self._reading, *self._serving} - {asyncio.current_task()}
        await asyncio.wait(tasks, timeout=_GRACE)
        self._writer.close()
        closing = asyncio.ensure_future(self._writer.wait_closed())
        try:
            await asyncio.wait({closing}, timeout=_GRACE)
        finally:
            if not closing.done():
                self._writer.transport.abort()
        with contextlib.suppress(OSError):  # the peer was gone before
            await closing

    def _unwritable(self) -> str | None:
        if self._ended.done():
            return self._ended.result()
        return "the server reads no more" if self._writer.is_closing() else None

    def _send(self, message: dict[str, Any], params: Any = None) -> None:
        if params is not None:
            message["params"] = params
        self._writer.write(encode(_write({"jsonrpc": "2.0", **message}).encode()))
        if self._writer.transport.get_write_buffer_size() > MOST_UNREAD:
            self._end(f"the server left {MOST_UNREAD} bytes unread")

    def _start_timer(self, answer: asyncio.Future[Any], timeout: float | None, method: str) -> Callable[[], object]:
        def expire() -> None:
            if not answer.done():
                answer.set_exception(TimeoutError(f"{method} was not answered within {timeout:g} s"))

        if timeout is None:
            return lambda: None
        if self._clock is None or isinstance(self._clock, SystemClock):
            return asyncio.get_running_loop().call_later(timeout, expire).cancel
        sleeper = asyncio.ensure_future(self._clock.sleep(timeout))
        sleeper.add_done_callback(lambda slept: None if slept.cancelled() else expire())
        return sleeper.cancel

    # ---- what the peer says ----

    async def _read(self) -> None:
        heard = False
        try:
            while data := await self._reader.read(_CHUNK):
                for body in self._decoder.feed(data):
                    heard = True
                    await self._take(body)
            self._decoder.finish()
            reason = "the server closed its output"
        except (FramingError, OSError) as error:
            reason = f"the server's output broke: {error}"
        except Exception:
            log.exception("a server's message could not be handled")
            reason = "reading what the server said failed"
        if not heard and self.noise:
            reason += f"; it printed: {self.noise}"
        self._end(reason)

    def _end(self, reason: str, *, abort: bool = True) -> None:
        """Nothing is read, answered or asked any more. The first reason is the one that counts."""
        if self._ended.done():
            return
        self._ended.set_result(reason)
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(ConnectionLost(reason))
        for task in {self._reading, *self._serving} - {asyncio.current_task()}:
            task.cancel()
        if abort and not self._writer.is_closing():
            self._writer.transport.abort()

    async def _take(self, body: bytes) -> None:
        try:
            waiting = [json.loads(body)]
        except (ValueError, RecursionError):
            self.faults += 1
            return
        while waiting:
            message = waiting.pop()
            if isinstance(message, list):  # a batch
                waiting += reversed(message)
            elif not isinstance(message, dict):
                self.faults += 1
            elif isinstance(message.get("method"), str):
                await self._asked(message, message["method"], message.get("params"))
            else:
                self._answered(message)

    async def _asked(self, message: dict[str, Any], method: str, params: Any) -> None:
        number = message.get("id")
        if isinstance(number, int | str):
            task = asyncio.create_task(self._serve(number, method, params))
            self._serving[task] = number
            task.add_done_callback(self._serving.pop)
            await asyncio.sleep(0)  # it begins now: what follows may depend on it
        elif method == "$/cancelRequest":
            self._cancel(params)
        else:
            try:
                self._on_notification(method, params)
            except Exception:
                log.exception("a handler failed on %s", clean(method, 100))

    def _cancel(self, params: Any) -> None:
        number = params.get("id") if isinstance(params, dict) else None
        for task, served in self._serving.items():
            if served == number:
                task.cancel()

    async def _serve(self, number: int | str, method: str, params: Any) -> None:
        try:
            if len(self._serving) > MOST_SERVED:
                raise ResponseError(REQUEST_FAILED, "too many requests at one time")
            answer = {"result": await self._on_request(method, params)}
            _write(answer)
        except ResponseError as error:
            data = {} if error.data is None else {"data": error.data}
            answer = {"error": {"code": error.code, "message": error.message, **data}}
        except asyncio.CancelledError:  # by the peer, or by the end, after which nothing is sent
            answer = {"error": {"code": REQUEST_CANCELLED, "message": "cancelled"}}
        except Exception:
            log.exception("a handler failed on %s", clean(method, 100))
            answer = {"error": {"code": INTERNAL_ERROR, "message": "internal error"}}
        if self._unwritable() is None:
            self._send({"id": number, **answer})

    def _answered(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        if isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) < 18:
            number = int(number)
        answer = self._pending.get(number) if isinstance(number, int | float) else None
        if answer is None or answer.done():
            return  # late, or to nothing that was asked
        error = message.get("error")
        if error is None:
            answer.set_result(message.get("result"))
            return
        said = error if isinstance(error, dict) else {}
        code = said.get("code")
        text = clean(str(said.get("message") or "the server does not say why"))
        answer.set_exception(ResponseError(code if isinstance(code, int) else INTERNAL_ERROR, text, said.get("data")))
