"""A plain client of the fake server, for tests of the server itself: it believes everything and hides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
from lsp.fake.definition import command, environment
from lsp.fake.log import Log
from lsp.fake.modes import Modes
from lsp.fake.texts import uri_of
from toolpost.processes import Process, child_environment
from toolpost.testing import open_run
from toolpost_lsp.protocol.rpc import Connection

SECONDS = 30


@attrs.define(eq=False)
class Client:
    """One connection to one server.

    Attributes:
        told: the notifications that came, in order.
        asked: the server's own requests.
    """

    root: Path
    process: Process
    log: Log
    connection: Connection = attrs.field(init=False)
    told: list[tuple[str, Any]] = attrs.field(factory=list, init=False)
    asked: list[tuple[str, Any]] = attrs.field(factory=list, init=False)
    answer: Any = None
    _news: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _versions: dict[str, int] = attrs.field(factory=dict, init=False)

    async def initialize(self) -> Mapping[str, Any]:
        result = await self.connection.request("initialize", {"rootUri": uri_of(str(self.root)), "capabilities": {}})
        self.connection.notify("initialized", {})
        return result["capabilities"]

    def uri(self, name: str) -> str:
        return uri_of(str(self.root / name))

    def show(self, name: str, text: str) -> int:
        """Open a document, or change it as a whole; the version is the answer."""
        uri = self.uri(name)
        version = self._versions[uri] = self._versions.get(uri, 0) + 1
        if version == 1:
            document = {"uri": uri, "languageId": "fake", "version": 1, "text": text}
            self.connection.notify("textDocument/didOpen", {"textDocument": document})
        else:
            changes = [{"text": text}]
            self.connection.notify(
                "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
            )
        return version

    async def at(self, method: str, name: str, line: int, character: int, **more: Any) -> Any:
        """Ask about a place."""
        place = {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}}
        return await self.connection.request(method, {**place, **more})

    async def pull(self, name: str, *, timeout: float = SECONDS) -> list[str]:
        """The codes of the problems that the server finds when it is asked."""
        params = {"textDocument": {"uri": self.uri(name)}, "identifier": "fake"}
        return codes(await self.connection.request("textDocument/diagnostic", params, timeout=timeout))

    async def until(self, number: int, method: str = "textDocument/publishDiagnostics") -> list[Any]:
        """The params of the first notifications of a method, once there are so many."""
        while len(self.heard(method)) < number:
            self._news.clear()
            await self._news.wait()
        return self.heard(method)

    def heard(self, method: str) -> list[Any]:
        return [params for name, params in self.told if name == method]

    def take(self, method: str, params: Any) -> None:
        self.told.append((method, params))
        self._news.set()

    async def reply(self, method: str, params: Any) -> Any:
        self.asked.append((method, params))
        self._news.set()
        return self.answer

    async def until_asked(self, method: str) -> Any:
        """The params of the server's first request of a method."""
        while not (found := [params for name, params in self.asked if name == method]):
            self._news.clear()
            await self._news.wait()
        return found[0]


def codes(report: Mapping[str, Any]) -> list[str]:
    """The codes of the problems of a report or of a publish."""
    return [each["code"] for each in report.get("items", report.get("diagnostics"))]


@asynccontextmanager
async def client(workspace: Path, modes: Modes) -> AsyncIterator[Client]:
    """A client of a server that has begun; whatever happens, it takes no longer than `SECONDS`."""
    log = workspace.parent / "fake.log"
    async with asyncio.timeout(SECONDS), open_run(workspace) as run:
        process = await run.scope.processes.spawn(
            command(attrs.evolve(modes, log=str(log))), env=child_environment(environment()), cwd=str(workspace)
        )
        assert process.stdout is not None and process.stdin is not None
        peer = Client(workspace, process, Log(log))
        peer.connection = Connection(
            process.stdout, process.stdin, on_request=peer.reply, on_notification=peer.take, clock=run.scope.clock
        )
        try:
            yield peer
        finally:
            await peer.connection.close()
