"""Messages with a Content-Length header, as the Language Server Protocol and the Debug Adapter Protocol frame them.

Source: LSP 3.17, "Base Protocol", header part; DAP "Base Protocol".
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import attrs

MOST_HEADER = 8 * 1024
MOST_BODY = 64 * 1024 * 1024
_END = b"\r\n\r\n"
_HEADER = re.compile(rb"content-length[ \t]{0,8}:", re.IGNORECASE)
_SHOWN = 200


class FramingError(ValueError):
    """The peer wrote something that is not a framed message; the text shows what."""


def encode(body: bytes) -> bytes:
    """Frame one message."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@attrs.define
class Decoder:
    """Cuts a stream of bytes into messages; does no input or output itself.

    Header names may be in any case, and other headers are skipped. After a FramingError the stream cannot be trusted:
    every later `feed` raises it again.

    Attributes:
        lenient: pass over what stands before a Content-Length header, for peers that greet on their standard output.
        noise: the beginning of what was passed over.
    """

    lenient: bool = False
    noise: bytes = attrs.field(default=b"", init=False)
    _data: bytearray = attrs.field(factory=bytearray, init=False)
    _length: int | None = attrs.field(default=None, init=False)  # of the body being read; None within a header
    _broken: str | None = attrs.field(default=None, init=False)

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes; return the bodies that are now complete.

        Raises:
            FramingError: no Content-Length header, a bad one, a header over 8 KiB, or a body over 64 MiB. Bodies that
                the same bytes completed before the fault are lost with it.
        """
        if self._broken:
            raise FramingError(self._broken)
        self._data += data
        bodies = []
        try:
            while (body := self._next()) is not None:
                bodies.append(body)
        except FramingError as error:
            self._broken = str(error)
            raise
        return bodies

    def finish(self) -> None:
        """Say that the stream has ended.

        Raises:
            FramingError: it ended within a message.
        """
        if self._length is not None:
            raise FramingError(f"the stream ended after {len(self._data)} of {self._length} bytes of a message")
        if self.lenient and not _HEADER.match(self._data):
            self._drop(len(self._data))
        if self._data:
            raise FramingError(f"the stream ended within a header, after {_shown(self._data)}")

    def _next(self) -> bytes | None:
        if self._length is None:
            if self.lenient and not self._reach_header():
                return None
            end = self._data.find(_END)
            if end > MOST_HEADER or (end < 0 and len(self._data) > MOST_HEADER):
                raise FramingError(f"no end of a header within {MOST_HEADER} bytes; read instead: {_shown(self._data)}")
            if end < 0:
                return None
            self._length = _content_length(bytes(self._data[:end]))
            del self._data[: end + len(_END)]
        if len(self._data) < self._length:
            return None
        body = bytes(self._data[: self._length])
        del self._data[: self._length]
        self._length = None
        return body

    def _reach_header(self) -> bool:
        header = _HEADER.search(self._data)
        # Without one, the last bytes may still be the beginning of one.
        self._drop(header.start() if header else max(0, len(self._data) - 24))
        return header is not None

    def _drop(self, count: int) -> None:
        self.noise += self._data[: min(count, _SHOWN - len(self.noise))]
        del self._data[:count]


def _content_length(header: bytes) -> int:
    lengths = set()
    for line in header.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if not colon:
            raise FramingError(f"expected a header line, read instead: {_shown(line)}")
        if name.strip().lower() == b"content-length":
            lengths.add(value.strip())
    if len(lengths) != 1:
        raise FramingError(f"expected one Content-Length header, read instead: {_shown(header)}")
    value = lengths.pop()
    if not value.isdigit() or len(value) > 18:
        raise FramingError(f"expected a number of bytes as Content-Length, read instead: {_shown(value)}")
    if int(value) > MOST_BODY:
        raise FramingError(f"a message of {int(value)} bytes is announced; the most that is taken is {MOST_BODY}")
    return int(value)


def _shown(data: bytes | bytearray) -> str:
    text = bytes(data[:_SHOWN]).decode(errors="backslashreplace")
    return repr(text) + (" …" if len(data) > _SHOWN else "")


async def read_messages(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the bodies of the messages on a stream until it ends.

    Raises:
        FramingError: something else was on the stream, or it ended within a message.
    """
    decoder = Decoder()
    while data := await reader.read(64 * 1024):
        for body in decoder.feed(data):
            yield body
    decoder.finish()
