"""Pools for tests: real workers under real guards, and scripted ones that misbehave as told."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
from astgrep.harness import SECONDS
from toolpost.processes import Process, Processes
from toolpost.testing import FakeClock
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.search import Query
from toolpost_astgrep.workers.pool import Pool
from toolpost_astgrep.workers.progress import Progress

SLOW = "x = " + "(" * 200_000 + ")" * 200_000 + "\n"
"""Python that takes so long to parse that a worker can be caught at it."""

SPEAKING = """
import os, sys, time
from toolpost_astgrep.workers import frames
from toolpost_astgrep.workers.progress import NO_FILE, Progress
progress = Progress(int(sys.argv[1]))
progress.at(NO_FILE)
"""
"""How a scripted worker starts."""

HOSTILE = """
import os, signal
from toolpost_astgrep.workers import worker
class Parser:
    def __init__(self, grammar):
        self.parser = real(grammar)
    def parse(self, data):
        while b"hang" in data:
            pass
        if b"crash" in data:
            os.kill(os.getpid(), signal.SIGSEGV)
        return self.parser.parse(data)
real, worker.Parser = worker.Parser, Parser
worker.main()
"""
"""A worker whose grammars hang on files that hold the word `hang` and crash on those that hold `crash`."""


@attrs.define
class Workers:
    """The processes that a pool has started, each with the words that it shares.

    Attributes:
        script: a program to run in place of the worker; it gets the same arguments.
    """

    script: str | None = None
    processes: list[Process] = attrs.field(factory=list)
    progress: list[Progress] = attrs.field(factory=list)
    _supervised: Processes = attrs.field(factory=lambda: Processes(tag=f"pool-test-{os.getpid()}"))

    async def spawn(self, argv: Sequence[str], descriptors: Sequence[int]) -> Process:
        self.progress.append(Progress(descriptors[0]))
        if self.script is not None:
            argv = [sys.executable, "-P", "-c", self.script, *argv[-2:]]
        process = await self._supervised.spawn(argv, pass_fds=descriptors, cwd="/")
        self.processes.append(process)
        return process

    async def at(self, index: int) -> None:
        """Wait until the latest worker is at that file."""
        while not self.progress or self.progress[-1].now()[0] != index:
            await asyncio.sleep(0.0005)

    async def timed_out(self, clock: FakeClock) -> None:
        """Let time pass, for the clock only, until the latest worker is dead of it."""
        worker = self.processes[-1]
        while worker.returncode is None:
            await clock.advance(0.25)
            await asyncio.sleep(0.001)

    def signal(self, number: signal.Signals) -> None:
        """Send the latest worker a signal."""
        os.kill(self.processes[-1].pid, number)

    def forget(self) -> None:
        """Let go of the processes so far, which have ended."""
        for words in self.progress:
            words.close()
        self.processes.clear()
        self.progress.clear()

    async def close(self) -> None:
        for words in self.progress:
            words.close()
        await self._supervised.close()


@asynccontextmanager
async def pooled(script: str | None = None, **options: Any) -> AsyncIterator[tuple[Engine, Workers]]:
    """An engine on a pool, and its workers."""
    workers = Workers(script)
    pool = Pool(workers.spawn, **options)
    try:
        yield Engine(pool), workers
    finally:
        await pool.close()
        await workers.close()


def run(work: Callable[[], Awaitable[Any]], *, seconds: float = SECONDS) -> Any:
    """Run a test's coroutine, bounded."""

    async def bounded() -> Any:
        async with asyncio.timeout(seconds):
            return await work()

    return asyncio.run(bounded())


def query(folder: Path, pattern: str = "f($X)", language: str = "python") -> Query:
    """A question about all files below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    listed = sorted((path.relative_to(folder).as_posix(), path.stat().st_size) for path in files)
    return Query(pattern=pattern, language=language, root=str(folder), files=tuple(listed))
