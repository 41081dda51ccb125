"""`toolpost run`: a JSON call a line in, an answer a line out, in one run (contract cli:run)."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import threading
from typing import Any

from toolpost import Result, Surface
from toolpost.cli import options, output

_LINE = 64 * 1024 * 1024
_WAITING = 256


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "run",
        help="read a JSON call a line, answer a line each, in one run",
        description='Reads lines such as {"id": 1, "tool": "ast_grep", "args": {…}} and answers one each: '
        '{"id": 1, "is_error": false, "text": "…", "images": […], "data": …}. One run: staged edits, sessions and '
        "kernels live between calls. Calls start as lines arrive and answers come as they end.",
    )
    options.add(parser)
    parser.set_defaults(run=lambda given: asyncio.run(_run(given)))


async def _run(given: argparse.Namespace) -> int:
    async with options.opened(given) as here:
        lines, room = _lines()
        answering: set[asyncio.Task[None]] = set()
        while (line := await lines.get()) is not None:
            room.release()
            if line.strip():
                task = asyncio.create_task(_answer(line, here.surface))
                answering.add(task)
                task.add_done_callback(answering.discard)
                # A call starts before the next line is read, so that what must be in order can be sent in order.
                await asyncio.sleep(0)
            if len(answering) >= _WAITING:
                await asyncio.wait(answering, return_when=asyncio.FIRST_COMPLETED)
        if answering:
            await asyncio.wait(answering)
    return 0


async def _answer(line: bytes, surface: Surface) -> None:
    number: Any = None
    try:
        call = json.loads(line)
        if isinstance(call, dict):
            number = call.get("id")
        name, arguments = _understood(call)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        result = Result.error(
            f'this line is no call ({what}); write {{"id": 1, "tool": "…", "args": {{…}}}}', "arguments"
        )
    else:
        result = await surface.call(name, arguments)
    print(output.dumps({"id": output.jsonable(number), **output.as_json(result)}), flush=True)


def _understood(call: Any) -> tuple[str, Any]:
    if not isinstance(call, dict):
        raise ValueError("it is no JSON object")
    unknown = sorted(set(call) - {"id", "tool", "args"})
    if unknown:
        raise ValueError(f"unknown member {unknown[0]!r}")
    if not isinstance(call.get("tool"), str):
        raise ValueError("its tool must be a name")
    return call["tool"], call.get("args", {})


def _lines() -> tuple[asyncio.Queue[bytes | None], threading.Semaphore]:
    """Standard input, a line each, then None; release the semaphore for each line taken.

    A daemon thread reads: standard input may be a file, which no event loop can watch.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()
    room = threading.Semaphore(_WAITING)

    def put(line: bytes | None) -> None:
        try:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        except RuntimeError:
            return  # the run is over

    def read() -> None:
        # Not through sys.stdin: a thread that waits in its buffer holds the buffer's lock when Python shuts down.
        rest = b""
        while block := os.read(0, 1 << 16):
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                room.acquire()
                put(line)
            if len(rest) > _LINE:
                put(b"(a line over %d bytes)" % _LINE)
                break
        if rest.strip():
            put(rest)
        put(None)

    threading.Thread(target=read, daemon=True, name="toolpost:stdin").start()
    return queue, room
