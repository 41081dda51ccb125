"""What harness and worker say to each other."""

from __future__ import annotations

import asyncio
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost_astgrep.workers import frames

HEADERS = st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.integers()), max_size=4)
FRAMES = st.lists(st.tuples(HEADERS, st.binary(max_size=200)), max_size=4)


def received(data: bytes, chunk: int) -> list[tuple[dict[str, object], bytes]]:
    async def main() -> list[tuple[dict[str, object], bytes]]:
        stream = asyncio.StreamReader()
        for at in range(0, len(data), chunk):
            stream.feed_data(data[at : at + chunk])
        stream.feed_eof()
        found = []
        while not stream.at_eof():
            found.append(await frames.receive(stream))
        return found

    return asyncio.run(main())


@given(sent=FRAMES, chunk=st.integers(1, 50))
def test_both_ends_read_what_was_written(sent: list[tuple[dict[str, object], bytes]], chunk: int):
    data = b"".join(frames.encode(header, blob) for header, blob in sent)
    assert received(data, chunk) == sent
    stream = io.BytesIO(data)
    assert [frames.read(stream) for _ in sent] == sent
    assert frames.read(stream) is None


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xff" * 8, ValueError),
        (frames.encode({"a": 1})[:-1], asyncio.IncompleteReadError),
        (b"\x02\0\0\0\0\0\0\0{]", ValueError),
    ],
)
def test_what_is_no_frame_is_refused(data: bytes, error: type[Exception]):
    with pytest.raises(error):
        received(data, 100)
