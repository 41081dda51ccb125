"""Reading for the file tools: confined, bounded, in a thread, and in errors that a model can act on."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from typing import Any

import attrs

from toolpost import Call, OutsideError, ToolError
from toolpost.builtin.text import BOM, decode, split_lines
from toolpost.workspace import NotAFileError, TooLargeError

LARGEST = 10 * 1024 * 1024
"""Bytes of a file that is read whole."""
_SHOWN = 45_000
_PART = 2 * 1024 * 1024


@attrs.frozen(kw_only=True)
class Lines:
    """Some lines of a file.

    Attributes:
        first, last: 1-based; `last` is before `first` where there are none.
        total: None where the file was too large to be counted.
        encoding: `utf-8-sig` with a byte-order mark, which is no part of the text.
    """

    path: str
    text: str
    first: int
    last: int
    total: int | None
    encoding: str

    def shown(self, *, numbered: bool) -> str:
        """The lines for a model, bounded: what was left out is counted, with how to go on."""
        text = self.text
        if numbered:
            width = len(str(self.last))
            lines = enumerate(split_lines(text), self.first)
            text = "".join(f"{number:>{width}}  {line}" for number, line in lines)
        if len(text) <= _SHOWN:
            return text
        cut = text.rfind("\n", 0, _SHOWN) + 1
        of = f" of {self.total}" if self.total else ""
        if cut:
            line = self.first + text.count("\n", 0, cut)
            return (
                f"{text[:cut]}… cut here: lines {line} to {self.last}{of} are left out; read on with start_line={line}"
            )
        end = text.find("\n", _SHOWN)
        left = (end if end >= 0 else len(text)) - _SHOWN
        on = f"; read on with start_line={self.first + 1}" if self.last > self.first else ""
        return (
            f"{text[:_SHOWN]}\n… cut here: {left} more characters of line {self.first}, which is all that is shown{on}"
        )


async def read_file(call: Call[Any], path: str, *, limit: int | None = LARGEST) -> bytes:
    """A file's bytes.

    Raises:
        FileNotFoundError: there is none.
        ToolError: it cannot be read; the text says why and what to do.
    """
    try:
        return await asyncio.to_thread(call.scope.files.read, path, limit=limit)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _told(error, path) from error


async def read_lines(call: Call[Any], path: str, first: int, last: int | None) -> Lines:
    """The lines *first* to *last* (None: the end).

    A file over the limit is not read whole: given a range, its lines are streamed.

    Raises:
        ToolError: it cannot be read; the text says why and what to do.
    """
    shown = call.resolve_path(path)
    try:
        data = await asyncio.to_thread(call.scope.files.read, shown, limit=LARGEST)
    except FileNotFoundError:
        raise ToolError(f"{path}: there is no such file") from None
    except TooLargeError as error:
        if first == 1 and last is None:
            raise ToolError(
                f"{shown} has {error.size} bytes, over the limit of {LARGEST}; read a part of it with start_line and end_line"
            ) from None
        data = await asyncio.to_thread(_stream, call, shown, first, last)
        text, encoding = _decoded(data, shown)
        count = text.count("\n") + (not text.endswith("\n"))
        return Lines(path=shown, text=text, first=first, last=first + count - 1, total=None, encoding=encoding)
    except OSError as error:
        raise _told(error, shown) from error
    text, encoding = _decoded(data, shown)
    lines = split_lines(text)
    total = len(lines)
    if first > max(total, 1):
        raise ToolError(f"{shown} has {total} lines; there is no line {first}")
    end = total if last is None else min(last, total)
    return Lines(
        path=shown, text="".join(lines[first - 1 : end]), first=first, last=end, total=total, encoding=encoding
    )


def _decoded(data: bytes, path: str) -> tuple[str, str]:
    decoded = decode(data, path)
    if decoded.text.startswith(BOM):
        return decoded.text[1:], "utf-8-sig"
    return decoded.text, decoded.encoding


def _stream(call: Call[Any], path: str, first: int, last: int | None) -> bytes:
    """Some lines of a large file, without holding the rest."""
    descriptor = call.scope.files.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ToolError(f"{path} is not a regular file")
        if b"\0" in file.peek():
            raise ToolError(f"{path} is a binary file, not text")
        made = b"".join(_between(file, first, last, path))
    if not made:
        raise ToolError(f"{path} has no line {first}")
    return made


def _between(file: Any, first: int, last: int | None, path: str) -> Iterator[bytes]:
    size = 0
    number = 1
    while (last is None or number <= last) and (line := file.readline(_PART)):
        if number >= first:
            size += len(line)
            if size > _PART:
                raise ToolError(f"{path}: these lines have over {_PART} bytes; ask for fewer of them")
            yield line
        number += line.endswith(b"\n")


def _told(error: OSError, path: str) -> ToolError:
    match error:
        case OutsideError():
            return ToolError(str(error))
        case NotAFileError() if "directory" in str(error):
            return ToolError(f"{path} is a directory; name a file in it")
        case NotAFileError():
            return ToolError(str(error))
        case TooLargeError():
            return ToolError(f"{path} has {error.size} bytes, over the limit of {error.limit} for this tool")
        case NotADirectoryError():
            return ToolError(f"{path}: a part of the path is a file, not a folder")
        case _:
            return ToolError(f"{path}: {error.strerror or error}")
