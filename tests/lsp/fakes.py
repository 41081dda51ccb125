"""Runs of the real plugin on scripted fake servers, and an agent that writes in them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
from lsp.fake.clock import FastClock
from lsp.fake.installed import installed
from lsp.fake.log import Log, runs
from lsp.fake.modes import Modes
from toolpost import Result, Run, Tier, allow_all
from toolpost.testing import open_run
from toolpost_lsp.supervisor import Supervisor

SECONDS = 40
NONE = "no new problems"


@attrs.define
class Agent:
    """Who writes, in one run."""

    run: Run

    @property
    def supervisor(self) -> Supervisor:
        handle: Supervisor = self.run.bindings["lsp"].handle
        return handle

    async def call(self, tool: str, **arguments: Any) -> Result:
        result = await self.run.surface(Tier.EXEC).call(tool, arguments)
        assert not result.is_error, result.text
        return result

    async def write(self, path: str, content: str) -> str:
        """Write a file; what the plugin tells with it."""
        return told(await self.call("write", path=path, content=content))

    async def patch(self, *sections: str) -> str:
        """Apply sections of a patch; what the plugin tells with it."""
        patch = "\n".join(["*** Begin Patch", *sections, "*** End Patch"])
        return told(await self.call("apply_patch", patch=patch))

    async def late(self) -> None:
        """Until every server has said what it still has to say of earlier writes."""
        await self.supervisor.writing.late.idle()
        await asyncio.sleep(0)


def told(result: Result) -> str:
    """What the plugin says behind the tool's own lines."""
    return "\n".join(note.text for note in result.notes if note.source == "lsp")


def error(path: str, line: int, code: str, servers: str = "fake", column: int = 1) -> str:
    """The line of one ERROR:code."""
    return f"{path}:{line}:{column}: error[{code}] it says {code} ({servers})"


def warning(path: str, line: int, code: str, servers: str = "fake") -> str:
    """The line of one WARNING:code."""
    return f"{path}:{line}:1: warning[{code}] it says {code} ({servers})"


def missing(path: str, line: int, name: str, column: int = 1) -> str:
    """The line of one NEEDS:name that nobody makes."""
    return f"{path}:{line}:{column}: error[missing] {name} is missing (fake)"


@contextmanager
def stopped(log: Log) -> Iterator[None]:
    """The server hangs for as long as the block lasts."""
    pid = log.starts()[-1]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


@attrs.define
class Fakes:
    """The fake servers of one test."""

    workspace: Path
    folder: Path
    stack: ExitStack
    logs: dict[str, Log] = attrs.field(factory=dict)

    def put(self, files: Mapping[str, str | bytes]) -> None:
        """Put files into the workspace."""
        for name, text in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def install(self, modes: Modes | None = None, **fields: Any) -> Log:
        """Install one more of them; *fields* are those of its record that differ."""
        name = fields.get("id", "fake")
        self.logs[name] = log = Log(self.folder / f"{name}.log")
        modes = attrs.evolve(modes or Modes(), log=str(log.path))
        self.stack.enter_context(installed(self.folder / f"installed-{name}", modes, **fields))
        return log

    @asynccontextmanager
    async def open(
        self, *, speed: float = 1.0, plugins: Sequence[Any] = ("files", "lsp"), **config: Any
    ) -> AsyncIterator[Agent]:
        """A run whose clock goes *speed* times as fast; *config* is the plugin's. One server of all marks unless installed."""
        if not self.logs:
            self.install()
        clock = FastClock(speed) if speed != 1 else None
        terms = {"approver": allow_all, "clock": clock, "config": {"lsp": config}}
        async with asyncio.timeout(SECONDS), open_run(self.workspace, plugins, **terms) as run:
            yield Agent(run)

    def check(self) -> None:
        """The client broke no rule of the protocol, and nothing runs on."""
        for log in self.logs.values():
            assert log.faults() == []
            assert not [pid for pid in (*log.starts(), *log.children()) if runs(pid)]
