"""A server made by hand in an open run: what the tests of a server's own parts talk to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
from lsp.fake.clock import FastClock
from lsp.fake.definition import definition
from lsp.fake.log import Log
from lsp.fake.modes import Modes
from toolpost import Run
from toolpost.testing import open_run
from toolpost_lsp.server.definition import ServerDefinition
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.server import Server
from toolpost_lsp.server.verdict import Verdict

SECONDS = 30
ENOUGH = 10.0
"""Seconds of the run's clock within which everything that is not meant to hang is answered."""


@attrs.frozen(eq=False)
class Serving:
    """One server, its project, and what it heard if it is the fake one.

    Attributes:
        folder: the project, which is the whole workspace.
    """

    folder: Path
    run: Run
    server: Server
    log: Log

    def write(self, name: str, text: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    async def open(self, name: str, text: str | bytes | None = None) -> Document:
        """The document of a file, which is written first if a text is given."""
        if text is not None:
            self.write(name, text)
        return await self.server.documents.open(name)

    async def diagnose(self, name: str, text: str | bytes | None = None, *, wait: float = ENOUGH) -> Verdict:
        """What the server says of a file, which is written first if a text is given."""
        document = await self.open(name, text)
        return await self.server.diagnose(document, until=self.server.clock.monotonic() + wait)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until what the server says or does makes it hold."""
        assert await self.server.bell.wait_for(condition, self.server.clock.monotonic() + ENOUGH)

    async def heard(self, method: str, number: int = 1) -> list[Any]:
        """What the fake server heard of a method, once it was so often; it is asked something, so that it has read on."""
        while True:
            await self.server.request("workspace/symbol", {"query": ""})
            if len(heard := self.log.heard(method)) >= number:
                return heard


def codes(verdict: Verdict) -> list[str | None]:
    """The codes of the problems, in their order."""
    return [each.code for each in verdict.items]


@asynccontextmanager
async def serving(
    folder: Path, modes: Modes | None = None, *, speed: float = 1.0, of: ServerDefinition | None = None, **terms: Any
) -> AsyncIterator[Serving]:
    """A server of a folder, not started yet.

    Args:
        modes: what the fake server does.
        speed: how fast the run's clock goes.
        of: another server than the fake one.
        terms: other arguments of Server.
    """
    log = folder.parent / "fake.log"
    record = of or definition(attrs.evolve(modes or Modes(), log=str(log)))
    clock = FastClock(speed) if speed != 1 else None
    async with asyncio.timeout(SECONDS), open_run(folder, clock=clock) as run:
        own: dict[str, Any] = {
            "definition": record,
            "command": record.command,
            "root": str(folder),
            "scope": run.scope,
            "settings": record.settings,
            "initialization_options": record.initialization_options,
        }
        server = Server(**{**own, **terms})
        try:
            yield Serving(folder, run, server, Log(log))
        finally:
            await server.close()


def serve(folder: Path, work: Callable[[Serving], Awaitable[None]], modes: Modes | None = None, **terms: Any) -> None:
    """Do something with a server; the fake one has found no fault with its client then."""

    async def main() -> Log:
        async with serving(folder, modes, **terms) as peer:
            await work(peer)
        return peer.log

    assert asyncio.run(main()).faults() == []
