"""A fake language server, a real process: `python -P -m lsp.fake.server MODES`, with a script of faults as JSON.

It holds the client to the protocol too: what the client does wrong stands as a "fault" in its log.
"""

from __future__ import annotations

import heapq
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
from lsp.fake.answers import Answers, Refused
from lsp.fake.log import Log, writer
from lsp.fake.modes import Modes
from lsp.fake.pushing import Pushing
from lsp.fake.texts import Text, Texts, path_of, uri_of

ENDINGS = (".fake",)
_REQUEST_CANCELLED = -32800
_STEPS = 4


@attrs.define(eq=False)
class Fake:
    """One life of the server."""

    modes: Modes
    log: Callable[[Mapping[str, Any]], None]
    answers: Answers = attrs.field(init=False)
    texts: Texts = attrs.field(init=False)
    _incoming: queue.SimpleQueue[dict[str, Any] | None] = attrs.field(factory=queue.SimpleQueue, init=False)
    _later: list[tuple[float, int, Callable[[], None]]] = attrs.field(factory=list, init=False)
    _numbers: Any = attrs.field(factory=itertools.count, init=False)
    _waiting: set[int | str] = attrs.field(factory=set, init=False)
    _pushing: Pushing | None = attrs.field(default=None, init=False)

    # ---- life ----

    def run(self) -> None:
        self._begin()
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            while self._later and self._later[0][0] <= time.monotonic():
                heapq.heappop(self._later)[2]()
            left = self._later[0][0] - time.monotonic() if self._later else None
            try:
                message = self._incoming.get(timeout=left and max(left, 0))
            except queue.Empty:
                continue
            if message is not None:
                self._take(message)
            elif not self.modes.stubborn:
                return

    def _begin(self) -> None:
        modes = self.modes
        if modes.stubborn:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for _ in range(modes.children):
            child = subprocess.Popen(["sleep", "600"], start_new_session=True)
            self.log({"child": child.pid})
        if modes.exits is not None:
            print("fatal: the fake server does not want to", file=sys.stderr)
            sys.exit(modes.exits)
        time.sleep(modes.starts_after)

    def _read(self) -> None:
        source = sys.stdin.buffer
        while header := source.readline():
            length = int(header.removeprefix(b"Content-Length:"))
            while source.readline() != b"\r\n":
                pass
            message = json.loads(source.read(length))
            self._incoming.put(message)
            if message.get("method", "") == self.modes.hangs_on:
                return  # and nobody reads on
        self._incoming.put(None)

    def _take(self, message: dict[str, Any]) -> None:
        self.log(message)
        method, params = message.get("method"), message.get("params")
        if method is None:
            return  # the answer to a request of its own is in the log
        if method == self.modes.hangs_on:
            while True:
                signal.pause()
        if "id" in message:
            self._answer(message["id"], method, params)
            return
        try:
            self._told(method, params)
        except (LookupError, ValueError) as error:
            self.log({"fault": f"{method}: {type(error).__name__}: {error}"})

    def after(self, seconds: float, do: Callable[[], None]) -> None:
        """Do something later, in the order of the times."""
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), do))

    # ---- talking ----

    def _send(self, message: Mapping[str, Any], *, half: bool = False) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        data = self.modes.garbage.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
        sys.stdout.buffer.write(data[: len(data) - len(body) // 2] if half else data)
        sys.stdout.buffer.flush()

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> None:
        number = next(self._numbers)
        self._send(
            {"id": f"fake-{number}" if self.modes.ids == "strings" else number, "method": method, "params": params}
        )

    def _answer(self, number: int | str, method: str, params: Any) -> None:
        if method == "initialize":
            outcome: dict[str, Any] = {"result": self._initialize(params)}
        elif method == "shutdown":
            outcome = {"result": None}
        else:
            try:
                outcome = {"result": self.answers.to(method, params)}
            except Refused as refused:
                outcome = {"error": refused.error}
            except (LookupError, ValueError) as error:
                self.log({"fault": f"{method}: {type(error).__name__}: {error}"})
                outcome = {"error": {"code": -32602, "message": str(error)}}
        if method == self.modes.dies_on:
            print("fatal: the fake server is out of ideas", file=sys.stderr, flush=True)
            self._send({"id": number, **outcome}, half=True)
            os._exit(7)
        self._waiting.add(number)
        if method not in self.modes.mute:
            self.after(self.modes.delays.get(method, 0.0), lambda: self._finish(number, outcome))

    def _finish(self, number: int | str, outcome: Mapping[str, Any]) -> None:
        if number in self._waiting:
            self._waiting.remove(number)
            self._send({"id": number, **outcome})

    def _initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        flood = b"0123456789 abcdefghijklmnopqrstuvwxyz and so on\n"
        for _ in range(self.modes.floods // len(flood)):
            os.write(2, flood)
        encoding = self.modes.encoding or "utf-16"
        self.texts = Texts(path_of(params["rootUri"]), encoding, ENDINGS, self.modes.finds)
        self.answers = Answers(self.modes, self.texts, indexing=self.modes.indexes > 0)
        self.texts.read_all()
        if self.modes.diagnostics == "push":
            self._pushing = Pushing(self.modes, self.texts, self.notify, self.after)
        return {"capabilities": self.answers.capabilities(), "serverInfo": {"name": "fake", "version": "1"}}

    def _told(self, method: str, params: Any) -> None:
        match method:
            case "initialized":
                self._initialized()
            case "$/cancelRequest":
                error = {"code": _REQUEST_CANCELLED, "message": "cancelled"}
                self._finish(params["id"], {"error": error})
            case "textDocument/didOpen":
                self._opened(params["textDocument"])
            case "textDocument/didChange":
                self._changed(params)
            case "textDocument/didSave":
                text = self.texts.open[path_of(params["textDocument"]["uri"])][1]
                if params.get("text") != text.text:
                    raise ValueError("another text is saved than that which was shown")
            case "textDocument/didClose":
                path = path_of(params["textDocument"]["uri"])
                self.texts.close(path)
                if self._pushing:
                    self._pushing.closed(path)
            case "workspace/didChangeWatchedFiles":
                for change in params["changes"]:
                    self.texts.read(path_of(change["uri"]))
                if self._pushing:
                    self._pushing.changed({})
            case "exit":
                if not self.modes.stubborn:
                    os._exit(0)

    # ---- what it does by itself ----

    def _initialized(self) -> None:
        if self.modes.watches:
            watchers = [{"globPattern": each} for each in self.modes.watches]
            self._register("workspace/didChangeWatchedFiles", {"watchers": watchers})
        if self.modes.registers_after is not None:
            options = {"documentSelector": None, **self.answers.diagnostic_options()}
            self.after(self.modes.registers_after, lambda: self._register("textDocument/diagnostic", options))
        for method, params in self.modes.tells:
            self.notify(method, params)
        for method, params in self.modes.asks:
            self.request(method, params)
        if self.modes.indexes:
            self._index()
        else:
            self._ready()

    def _register(self, method: str, options: Mapping[str, Any]) -> None:
        registrations = [{"id": method, "method": method, "registerOptions": options}]
        self.request("client/registerCapability", {"registrations": registrations})

    def _index(self) -> None:
        def say(**value: Any) -> None:
            if self.modes.says_progress:
                self.notify("$/progress", {"token": "index", "value": value})

        def step(number: int) -> None:
            if number < _STEPS:
                say(kind="report", message=f"{number}/{_STEPS}")
                self.after(self.modes.indexes / _STEPS, lambda: step(number + 1))
            else:
                say(kind="end")
                self._ready()

        if self.modes.says_progress:
            self.request("window/workDoneProgress/create", {"token": "index"})
        say(kind="begin", title="indexing", message=f"0/{_STEPS}")
        self.after(self.modes.indexes / _STEPS, lambda: step(1))

    def _ready(self) -> None:
        self.answers.indexing = False
        self.notify("window/logMessage", {"type": 3, "message": f"Found {len(self.texts.all())} source files"})

    def _opened(self, document: Mapping[str, Any]) -> None:
        path = path_of(document["uri"])
        if path in self.texts.open:
            raise ValueError(f"{path} is open already")
        text = Text(document["text"], self.texts.encoding)
        self._show(path, document["version"], text)
        if self.modes.applies_edit:
            change = {"range": text.range(0, 0), "newText": "by the server\n"}
            self.request("workspace/applyEdit", {"edit": {"changes": {uri_of(path): [change]}}})

    def _changed(self, params: Mapping[str, Any]) -> None:
        path, version = path_of(params["textDocument"]["uri"]), params["textDocument"]["version"]
        before, text = self.texts.open[path]
        if version <= before:
            raise ValueError(f"version {version} follows {before}")
        for change in params["contentChanges"]:
            if self.modes.sync == 1 and "range" in change:
                raise ValueError("a range, though whole texts are wanted")
            text = text.changed(change)
        self._show(path, version, text)

    def _show(self, path: str, version: int, text: Text) -> None:
        before = self.texts.open.get(path)
        older = (before[0], self.texts.problems(path)) if before else (version, [])
        self.texts.open[path] = (version, text)
        if self._pushing:
            self._pushing.shown(path, version, older)


def main() -> None:
    modes = Modes.of(sys.argv[1])
    log = writer(modes.log)
    log({"start": os.getpid()})
    if modes.log and modes.faulty_starts is not None and len(Log(Path(modes.log)).starts()) > modes.faulty_starts:
        modes = modes.well_behaved()
    Fake(modes, log).run()


if __name__ == "__main__":
    main()
