"""The least that a client of a language server costs: what every figure about ours is compared with.

It writes and reads messages in one process, checks nothing, and gives every request of the server the answer null.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.lsp_projects import Project

_PULLED = "textDocument/diagnostic"


@attrs.define(eq=False)
class RawClient:
    """One server, started by hand.

    Attributes:
        heard: its notifications, in order.
    """

    root: Path
    process: asyncio.subprocess.Process
    capabilities: Mapping[str, Any] = attrs.field(factory=dict, init=False)
    registered: list[Mapping[str, Any]] = attrs.field(factory=list, init=False)
    heard: list[tuple[str, Any]] = attrs.field(factory=list, init=False)
    _numbers: Iterator[int] = attrs.field(factory=itertools.count, init=False)
    _waiting: dict[int, asyncio.Future[Any]] = attrs.field(factory=dict, init=False)
    _versions: dict[str, int] = attrs.field(factory=dict, init=False)
    _news: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    def send(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    async def request(self, method: str, params: Any) -> Any:
        """The result.

        Raises:
            RuntimeError: the server's error.
        """
        number = next(self._numbers)
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send({"id": number, "method": method, "params": params})
        answer = await waiting
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    async def read(self) -> None:
        """Take what the server says, until it ends; whoever still waits learns why it ended."""
        problem: Exception = RuntimeError("the server ended")
        try:
            await self._read()
        except Exception as error:
            problem = error
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(problem)

    async def _read(self) -> None:
        assert self.process.stdout
        source = self.process.stdout
        while header := await source.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                header = await source.readline()
            message = json.loads(await source.readexactly(length))
            if "method" not in message:
                self._waiting.pop(message["id"]).set_result(message)
            elif "id" in message:
                self.send({"id": message["id"], "result": self._reply(message["method"], message.get("params"))})
            else:
                self.heard.append((message["method"], message.get("params")))
            self._news.set()

    def _reply(self, method: str, params: Any) -> Any:
        if method == "client/registerCapability":
            self.registered += params["registrations"]
        return [None for _ in params["items"]] if method == "workspace/configuration" else None

    async def until(self, holds: Any, seconds: float = 30) -> None:
        """Wait until something holds, after whatever the server says."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._news.clear()
                await self._news.wait()

    # ---- documents ----

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def show(self, name: str, language: str, text: str) -> None:
        """Open a document, or change its last line only: what the server does with it is then its own cost."""
        uri = self.uri(name)
        version = self._versions[uri] = self._versions.get(uri, 0) + 1
        if version == 1:
            self.notify(
                "textDocument/didOpen",
                {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}},
            )
            return
        *before, last = text.split("\n")
        line = len(before) - 1
        place = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
        change = {"range": place, "text": f"{before[-1]}\n{last}"}
        named = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": named, "contentChanges": [change]})
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    async def pull(self, name: str) -> list[Any]:
        """The problems of a document."""
        params: dict[str, Any] = {"textDocument": {"uri": self.uri(name)}}
        if identifier := self.pulling().get("identifier"):
            params["identifier"] = identifier
        report = await self.request(_PULLED, params)
        items: list[Any] = report["items"]
        return items

    async def published(self, name: str, seconds: float) -> bool:
        """Whether something is published of a document within so many seconds."""
        uri = self.uri(name)
        told = "textDocument/publishDiagnostics"
        try:
            await self.until(lambda: any(each == told and said["uri"] == uri for each, said in self.heard), seconds)
        except TimeoutError:
            return False
        return True

    def pulling(self) -> Mapping[str, Any]:
        """The options of its pulled diagnostics; nothing if it offers none."""
        static = self.capabilities.get("diagnosticProvider")
        dynamic = (each.get("registerOptions") or {} for each in self.registered if each["method"] == _PULLED)
        return static or next(dynamic, {})


@asynccontextmanager
async def raw_client(project: Project) -> AsyncIterator[RawClient]:
    """A server that has been initialized, on the project, written anew."""
    with tempfile.TemporaryDirectory() as folder:
        project.write(Path(folder))
        async with _started(project.command, Path(folder)) as client:
            yield client


@asynccontextmanager
async def _started(command: tuple[str, ...], root: Path) -> AsyncIterator[RawClient]:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=root,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=1 << 26,
    )
    client = RawClient(root, process)
    reading = asyncio.create_task(client.read())
    try:
        offered = {
            "general": {"positionEncodings": ["utf-8", "utf-16"]},
            "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
            "textDocument": {
                "diagnostic": {"dynamicRegistration": True},
                "publishDiagnostics": {"versionSupport": True},
                "synchronization": {"didSave": True},
                "hover": {"contentFormat": ["markdown", "plaintext"]},
                "definition": {"linkSupport": True},
            },
        }
        folders = [{"uri": root.as_uri(), "name": root.name}]
        params = {
            "processId": os.getpid(),
            "rootUri": root.as_uri(),
            "workspaceFolders": folders,
            "capabilities": offered,
        }
        client.capabilities = (await client.request("initialize", params))["capabilities"]
        client.notify("initialized", {})
        yield client
    finally:
        assert process.stdin
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 3)
        except TimeoutError:
            process.kill()
            await process.wait()
        await reading
