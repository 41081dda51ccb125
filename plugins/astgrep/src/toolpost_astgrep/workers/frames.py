"""What harness and worker say to each other: a JSON header and raw bytes, each with its length before it.

Plain data only: a worker runs foreign grammars, so nothing that it sends may be more than data (no pickle).
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import asyncio  # a worker does without, and starts the sooner

_LENGTHS = struct.Struct("<II")
_LARGEST = 1 << 30


def encode(header: dict[str, Any], blob: bytes = b"") -> bytes:
    """One frame."""
    text = json.dumps(header).encode()
    return _LENGTHS.pack(len(text), len(blob)) + text + blob


def read(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next frame, in the worker; None at the end."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    header, blob = _LENGTHS.unpack(lengths)
    return json.loads(stream.read(header)), stream.read(blob)


async def receive(stream: asyncio.StreamReader) -> tuple[dict[str, Any], bytes]:
    """The next frame, in the harness.

    Raises:
        asyncio.IncompleteReadError: the worker is gone.
        ValueError: what came is no frame.
    """
    header, blob = _LENGTHS.unpack(await stream.readexactly(_LENGTHS.size))
    if header > _LARGEST or blob > _LARGEST:
        raise ValueError(f"a worker announced a frame of {header + blob} bytes")
    content = json.loads(await stream.readexactly(header))
    return content, await stream.readexactly(blob)
