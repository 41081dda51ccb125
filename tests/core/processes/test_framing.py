"""Messages with a Content-Length header."""

from __future__ import annotations

import asyncio

import pytest
from core.processes.bounded import bounded
from hypothesis import given
from hypothesis import strategies as st
from toolpost.processes import Decoder, FramingError, encode, read_messages

HEADERS = st.sampled_from(
    [
        b"Content-Length: %d\r\n",
        b"content-length:%d\r\n",
        b"CONTENT-LENGTH:   %d  \r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n",
        b"Content-Length: %d\r\nX-Other: a:b\r\n",
    ]
)
MESSAGES = st.lists(
    st.tuples(HEADERS, st.binary(max_size=200) | st.sampled_from([b"", b"\r\n\r\n", encode(b"nested")]))
)


@given(MESSAGES, st.data())
def test_any_split_of_any_messages_decodes_the_same(messages: list[tuple[bytes, bytes]], data: st.DataObject) -> None:
    stream = b"".join(header % len(body) + b"\r\n" + body for header, body in messages)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    decoder = Decoder()
    bodies = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        bodies += decoder.feed(stream[begin:end])
    decoder.finish()
    assert bodies == [body for _, body in messages]


NOISE = st.sampled_from([b"", b"Starting the server...\r\n\r\n", b"content", b"\xff\n", b"a: b\r\n", b"no end " * 2000])


@given(st.lists(st.tuples(NOISE, HEADERS, st.binary(max_size=40))), NOISE, st.data())
def test_a_lenient_one_passes_over_what_stands_between_messages(
    messages: list[tuple[bytes, bytes, bytes]], last: bytes, data: st.DataObject
) -> None:
    stream = b"".join(noise + header % len(body) + b"\r\n" + body for noise, header, body in messages) + last
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    decoder = Decoder(lenient=True)
    bodies = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        bodies += decoder.feed(stream[begin:end])
    decoder.finish()
    assert bodies == [body for _, _, body in messages]


def test_a_lenient_one_keeps_the_beginning_of_what_it_passed_over() -> None:
    decoder = Decoder(lenient=True)
    assert decoder.feed(b"Usage: server [--stdio]\n" + encode(b"{}")) == [b"{}"]
    assert decoder.noise == b"Usage: server [--stdio]\n"
    decoder.feed(b"more " * 100)
    decoder.finish()
    assert decoder.noise == (b"Usage: server [--stdio]\n" + b"more " * 100)[:200]
    with pytest.raises(FramingError, match="bytes of a message"):
        decoder.feed(b"x" + encode(b"{}")[:-1])
        decoder.finish()


def test_encoding_counts_bytes() -> None:
    assert encode("ü".encode()) == b"Content-Length: 2\r\n\r\n\xc3\xbc"


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (b"Starting the server...\r\n\r\n", "expected a header line, read instead: 'Starting the server...'"),
        (b"Content-Type: x\r\n\r\n", "expected one Content-Length header, read instead: 'Content-Type: x'"),
        (b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "expected one Content-Length header"),
        (b"Content-Length: -1\r\n\r\n", "expected a number of bytes as Content-Length, read instead: '-1'"),
        (b"Content-Length: 1e3\r\n\r\n", "read instead: '1e3'"),
        (
            b"Content-Length: 67108865\r\n\r\n",
            "a message of 67108865 bytes is announced; the most that is taken is 67108864",
        ),
        (b"no end " * 2000, "no end of a header within 8192 bytes; read instead: 'no end no end"),
        (b"x: " + b"y" * 9000 + b"\r\n\r\n", "no end of a header within 8192 bytes"),
        (b"\xff\xfe: odd\r\n\r\n", r"\xff\xfe"),
    ],
)
def test_what_is_no_message_is_shown(read: bytes, words: str) -> None:
    decoder = Decoder()
    with pytest.raises(FramingError) as caught:
        decoder.feed(read)
    assert words.replace("\\", "") in str(caught.value).replace("\\", "")
    with pytest.raises(FramingError):
        decoder.feed(encode(b"after a fault nothing is trusted"))


def test_the_largest_message_is_taken() -> None:
    body = b"x" * (64 * 1024 * 1024)
    stream = memoryview(encode(body))
    decoder = Decoder()
    bodies = []
    for begin in range(0, len(stream), 1 << 20):
        bodies += decoder.feed(bytes(stream[begin : begin + (1 << 20)]))
    assert bodies == [body]


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        (encode(b"whole")[:-2], "after 3 of 5 bytes of a message"),
        (b"Content-Le", "within a header, after 'Content-Le'"),
    ],
)
def test_a_stream_that_ends_within_a_message_is_a_fault(stream: bytes, words: str) -> None:
    decoder = Decoder()
    assert decoder.feed(encode(b"first") + stream) == [b"first"]
    with pytest.raises(FramingError, match=words):
        decoder.finish()


@bounded
async def test_messages_are_read_from_a_stream_to_its_end() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(encode(b"one") + encode(b"") + encode(b"three"))
    reader.feed_eof()
    assert [body async for body in read_messages(reader)] == [b"one", b"", b"three"]


@bounded
async def test_a_stream_that_breaks_off_gives_what_was_whole_first() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(encode(b"one") + b"Content-Length: 9\r\n\r\nshort")
    reader.feed_eof()
    bodies = []
    with pytest.raises(FramingError, match="after 5 of 9 bytes"):
        async for body in read_messages(reader):
            bodies.append(body)
    assert bodies == [b"one"]
