"""One live server of one root."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping
from subprocess import PIPE
from typing import Any, Literal

import attrs
from toolpost import Clock, Scope
from toolpost.processes import Process, SpawnError, child_environment

from toolpost_lsp.protocol.capabilities import CLIENT_CAPABILITIES, Capabilities
from toolpost_lsp.protocol.errors import CONTENT_MODIFIED, ConnectionLost, ResponseError
from toolpost_lsp.protocol.rpc import Connection
from toolpost_lsp.protocol.types import Encoding
from toolpost_lsp.protocol.uris import uri_of
from toolpost_lsp.words import clean

from .answering import Answering, nested, workspace_folders
from .bell import Bell
from .definition import ServerDefinition
from .diagnosing import Diagnosing, Verdict
from .documents import Document, Documents
from .errors import Unavailable
from .output import Output
from .progress import Progress
from .readiness import Readiness

__all__ = ["Server", "State", "Unavailable"]

State = Literal["starting", "running", "crashed", "closed"]

_START_SECONDS = 45.0
_SHUTDOWN_SECONDS, _EXIT_SECONDS, _TERMINATE_SECONDS = 2.0, 2.0, 2.0
_LAST_WORDS_SECONDS = 0.5
_PAUSES = (0.05, 0.1, 0.2)


@attrs.define(eq=False, kw_only=True)
class Server:
    """A language server that runs, or starts, or has ended; a new start is a new Server.

    Args:
        definition: what is known of it.
        command: the program's absolute path and its arguments.
        root: the absolute path of the project that it works in.
        scope: the run.
        env: variables beside those that every child gets.
        settings: what it is configured with.
        initialization_options: sent with `initialize`.
        lacks: what keeps it from finding any problems; nothing if nothing does.

    Attributes:
        state: "starting" also before the start; "crashed" and "closed" are final.
        reason: why it is not running, in one line; nothing while it is.
        running_since: when it said that it is initialized, by the run's clock.
        bell: rung at whatever it says or does.
    """

    definition: ServerDefinition
    command: tuple[str, ...]
    root: str
    scope: Scope
    env: Mapping[str, str] = attrs.field(factory=dict)
    settings: Mapping[str, Any] = attrs.field(factory=dict)
    initialization_options: Any = None
    lacks: str = ""

    state: State = attrs.field(default="starting", init=False)
    reason: str = attrs.field(default="", init=False)
    running_since: float = attrs.field(default=float("inf"), init=False)
    info: Mapping[str, Any] = attrs.field(factory=dict, init=False)
    capabilities: Capabilities = attrs.field(factory=Capabilities, init=False)
    bell: Bell = attrs.field(init=False)
    progress: Progress = attrs.field(init=False)
    diagnosing: Diagnosing = attrs.field(init=False)
    documents: Documents = attrs.field(init=False)
    readiness: Readiness = attrs.field(init=False)
    _answering: Answering = attrs.field(init=False)
    _process: Process | None = attrs.field(default=None, init=False)
    _output: Output | None = attrs.field(default=None, init=False)
    _connection: Connection | None = attrs.field(default=None, init=False)
    _life: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.bell, self.progress = Bell(self.clock), Progress(self.clock)
        self.diagnosing, self.documents = Diagnosing(self), Documents(self)
        self.readiness, self._answering = Readiness(self), Answering(self)

    @property
    def clock(self) -> Clock:
        """The run's time."""
        return self.scope.clock

    @property
    def encoding(self) -> Encoding:
        """What it counts characters in."""
        return self.capabilities.encoding

    @property
    def pid(self) -> int | None:
        """Its process id; None before the start and after the end."""
        return self._process.pid if self._process and self._process.returncode is None else None

    @property
    def busy(self) -> bool:
        """Whether an answer of it is waited for."""
        return self._connection is not None and self._connection.pending > 0

    def stderr_tail(self) -> str:
        """The last 64 KiB that it wrote to standard error."""
        return self._output.tail() if self._output else ""

    # ---- its life ----

    def start(self) -> None:
        """Begin to start it, in the background; once."""
        if self._life is None and self.state == "starting":
            self._life = asyncio.create_task(self._live())

    async def started(self) -> None:
        """Wait until it answers. To stop waiting does not stop the start.

        Raises:
            Unavailable: it did not start, or has ended.
        """
        self.start()
        while self.state == "starting":
            await self.bell.wait(float("inf"))
        if self.state != "running":
            raise Unavailable(f"{self.definition.id} is not available: {self.reason}")

    async def _live(self) -> None:
        """From the start to the end."""
        try:
            connection = await self._begin()
            reason = await connection.wait_closed()
        except TimeoutError:
            reason = f"it did not answer within {_START_SECONDS:g} s"
        except (SpawnError, ResponseError, ConnectionLost, ValueError) as error:
            reason = str(error)
        except Exception as error:  # whatever it is, who waits for the start must not wait for ever
            self.scope.log.exception("language server %s (%s) could not be started", self.definition.id, self.root)
            reason = f"starting it failed: {type(error).__name__}"
        if self.state == "closed":
            return
        self.reason = await self._last_words(reason)
        self.state = "crashed"
        self.bell.ring()
        self.scope.log.debug("language server %s (%s): %s", self.definition.id, self.root, self.reason)
        await self._end()

    async def _begin(self) -> Connection:
        environment = child_environment({**self.definition.env, **self.env})
        self._process = process = await self.scope.processes.spawn(
            self.command, cwd=self.root, env=environment, stderr=PIPE
        )
        assert process.stdin and process.stdout and process.stderr  # they are pipes
        self._output = Output(process.stderr)
        self._connection = connection = Connection(
            process.stdout,
            process.stdin,
            on_request=self._asked,
            on_notification=self._heard,
            clock=self.clock,
        )
        result = await connection.request("initialize", self._introduction(), timeout=_START_SECONDS)
        self.capabilities.set_static(result)
        info = result.get("serverInfo") if isinstance(result, Mapping) else None
        self.info = info if isinstance(info, Mapping) else {}
        connection.notify("initialized", {})
        for method in self.definition.announces:
            connection.notify(method, None)
        if self.settings:
            connection.notify("workspace/didChangeConfiguration", {"settings": nested(self.settings)})
        self.running_since = self.clock.monotonic()
        self.state = "running"
        self.bell.ring()
        return connection

    def _introduction(self) -> dict[str, Any]:
        options = self.initialization_options
        return {
            "processId": os.getpid(),
            "clientInfo": {"name": "toolpost"},
            "rootPath": self.root,
            "rootUri": uri_of(self.root),
            "workspaceFolders": workspace_folders(self.root),
            "capabilities": CLIENT_CAPABILITIES,
            **({} if options is None else {"initializationOptions": options}),
        }

    async def _last_words(self, reason: str) -> str:
        """Why it ended: its exit code and its last line, where there are any."""
        if self._process is None or self._output is None:
            return clean(reason)
        ended = asyncio.ensure_future(self._process.wait())
        await asyncio.wait({ended}, timeout=_LAST_WORDS_SECONDS)
        ended.cancel()
        code = self._process.returncode
        if code is not None:
            await self._output.ended(_LAST_WORDS_SECONDS)
            reason = f"it ended with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"
        lines = [line for line in self._output.tail().splitlines() if line.strip()]
        if lines:
            reason += f"; its last words: {clean(lines[-1], 200)}"
        elif self.state == "starting" and self._connection and (printed := self._connection.noise):
            reason += f"; it printed: {clean(printed, 200)}"
        return clean(reason)

    async def close(self) -> None:
        """End it, politely if it listens: a second call changes nothing. Takes 8 s at most."""
        if self.state == "closed":
            return
        was, self.state = self.state, "closed"
        self.reason = self.reason or "it was closed"
        self.bell.ring()
        if was == "running" and self._connection:
            with contextlib.suppress(ResponseError, ConnectionLost, TimeoutError):
                await self._connection.request("shutdown", None, timeout=_SHUTDOWN_SECONDS)
                self._connection.notify("exit", None)
                await self._connection.flush()
        elif was == "starting" and self._life:
            self._life.cancel()
            await asyncio.wait({self._life})
        await self._end(_EXIT_SECONDS if was == "running" else 0.0)
        if self._life and self._life is not asyncio.current_task():
            await asyncio.wait({self._life})

    async def _end(self, patience: float = 0.0) -> None:
        """Close its pipes and see it dead."""
        if self._connection:
            await self._connection.close()
        if self._process:
            if self._process.stdin:
                self._process.stdin.close()
            if patience:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), patience)
            await self._process.terminate(_TERMINATE_SECONDS)
        if self._output:
            await self._output.close()

    # ---- talking ----

    def notify(self, method: str, params: Any) -> None:
        """Send a notification; nothing happens if it does not run."""
        if self._connection and self.state == "running":
            self._connection.notify(method, params)

    async def request(self, method: str, params: Any, *, timeout: float = 10.0) -> Any:
        """Ask it, waiting for its start as well; a question that a change of a file overtook is asked again.

        Args:
            method: what to ask.
            params: with which arguments.
            timeout: seconds for everything.

        Raises:
            TimeoutError: no answer in time; the server is told that none is needed any more.
            ResponseError: it refused.
            ConnectionLost: it ended; the text says why.
            Unavailable: it did not start.
        """
        until = self.clock.monotonic() + timeout
        self.start()
        if not await self.bell.wait_for(lambda: self.state != "starting", until):
            raise TimeoutError(f"{self.definition.id} has not started within {timeout:g} s")
        await self.started()
        for pause in (*_PAUSES, None):
            try:
                return await self.ask(method, params, timeout=max(until - self.clock.monotonic(), 0.0))
            except ResponseError as error:
                if error.code != CONTENT_MODIFIED or pause is None:
                    raise
                await self.clock.sleep(pause)
        raise AssertionError  # the last pause is None

    async def ask(self, method: str, params: Any, *, timeout: float) -> Any:
        """Ask it once, while it runs.

        Raises:
            TimeoutError, ResponseError, ConnectionLost: as `request`.
        """
        if self._connection is None or self.state != "running":
            raise ConnectionLost(f"{self.definition.id}: {self.reason or 'it does not run'}")
        try:
            return await self._connection.request(method, params, timeout=timeout)
        except ConnectionLost as error:
            await self.bell.wait_for(lambda: self.state != "running", self.clock.monotonic() + 2 * _LAST_WORDS_SECONDS)
            raise ConnectionLost(f"{self.definition.id}: {self.reason or error}") from None

    async def _asked(self, method: str, params: Any) -> Any:
        self.diagnosing.heard(method, params)
        try:
            return await self._answering.answer(method, params)
        finally:
            self.bell.ring()

    def _heard(self, method: str, params: Any) -> None:
        self.diagnosing.heard(method, params)
        match method:
            case "textDocument/publishDiagnostics":
                self.diagnosing.published.heard(params)
            case "$/progress":
                self.progress.heard(params)
            case "window/logMessage":
                self.readiness.heard(params)
        self.bell.ring()

    # ---- what it knows ----

    async def ready(self, timeout: float) -> str | None:
        """Wait until its answers are whole; None then, else what it is at, such as "indexing 13/51"."""
        return await self.readiness.wait(self.clock.monotonic() + timeout)

    async def diagnose(self, document: Document, *, until: float) -> Verdict:
        """What it says of a document's present text, waiting until a time of the run's clock at most."""
        return await self.diagnosing.diagnose(document, until)

    def latest(self, path: str) -> Verdict | None:
        """What it last said of a document, if that is of its present text; None if nothing is known."""
        document = self.documents.get(path)
        return self.diagnosing.latest(document) if document else None
