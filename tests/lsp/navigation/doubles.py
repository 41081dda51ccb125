"""Scripted servers in this process, and runs in which the handlers are tools: for what needs no real server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import attrs
from toolpost import Result, Run, Scope, Tier, Tool, ToolError, allow_all, digest
from toolpost.testing import open_run, plugin
from toolpost_lsp.protocol.structure import diagnostics
from toolpost_lsp.protocol.uris import uri_of
from toolpost_lsp.server.definition import ServerDefinition
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.errors import Unreadable
from toolpost_lsp.server.verdict import Verdict

SECONDS = 30


@attrs.frozen(kw_only=True)
class Arguments:
    """Every argument that a handler reads."""

    file: Annotated[str | None, "as in the tools"] = None
    line: Annotated[int | None, "as in the tools"] = None
    symbol: Annotated[str | None, "as in the tools"] = None
    query: Annotated[str | None, "as in the tools"] = None
    title: Annotated[str, "as in the tools"] = ""
    new_name: Annotated[str, "as in the tools"] = ""
    preview: Annotated[bool, "as in the tools"] = False


@attrs.define(eq=False)
class ScriptedDocuments:
    server: ScriptedServer
    shown: dict[str, Document] = attrs.field(factory=dict)

    async def open(self, path: str, *, since: float = float("inf")) -> Document:
        if self.server.unavailable is not None:
            raise self.server.unavailable
        files = self.server.scope.files
        place = files.resolve(path, missing_ok=True)
        try:
            data = files.read(place)
        except OSError as error:
            raise Unreadable(f"{place.shown}: {error.strerror}") from None
        old = self.shown.get(place.shown)
        if old is None or old.digest != digest(data):
            self.shown[place.shown] = Document(
                path=place.shown,
                uri=uri_of(f"{place.root}/{place.path}"),
                language_id="x",
                version=old.version + 1 if old else 1,
                text=data.decode("utf-8-sig"),
                digest=digest(data),
                stamp=None,
            )
        return self.shown[place.shown]

    def get(self, path: str) -> Document | None:
        return self.shown.get(path)

    known = get

    def __iter__(self):
        return iter(self.shown.values())

    def __len__(self) -> int:
        return len(self.shown)


@attrs.define(eq=False)
class ScriptedCapabilities:
    methods: frozenset[str]

    def has(self, method: str) -> bool:
        return method in self.methods


@attrs.define(eq=False, kw_only=True)
class ScriptedServer:
    """A server whose answers are given by method: a value, an exception, or a function of the params.

    Args:
        unready: what it is at, in order, each time it is asked; ready when they are used up.
        verdict: its diagnostics: raw items, or a state that is not known.
    """

    scope: Scope
    name: str = "fake"
    answers: Mapping[str, Any] = attrs.field(factory=dict)
    encoding: str = "utf-16"
    unready: list[str] = attrs.field(factory=list)
    verdict: Any = ()
    unavailable: ToolError | None = None
    asked: list[tuple[str, Any]] = attrs.field(factory=list)
    reason: str = ""
    state: str = "running"
    crashed: bool = False
    documents: ScriptedDocuments = attrs.field(init=False)
    definition: ServerDefinition = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.documents = ScriptedDocuments(self)
        self.definition = ServerDefinition(
            id=self.name,
            languages={".py": "x"},
            command=(self.name,),
            root_markers=(".git",),
            role="types",
            priority=1,
            install="",
        )

    @property
    def root(self) -> str:
        return self.scope.workspace

    @property
    def capabilities(self) -> ScriptedCapabilities:
        return ScriptedCapabilities(frozenset(self.answers))

    async def started(self) -> None:
        if self.unavailable is not None:
            raise self.unavailable

    async def request(self, method: str, params: Any, *, timeout: float = 10.0) -> Any:
        self.asked.append((method, params))
        answer = self.answers[method]
        if isinstance(answer, list) and answer and isinstance(answer[0], BaseException):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer) and not isinstance(answer, BaseException):
            answer = answer(params)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def ready(self, timeout: float) -> str | None:
        return self.unready.pop(0) if self.unready else None

    async def diagnose(self, document: Document, *, until: float) -> Verdict:
        self.crashed = self.verdict == "crashed"
        if isinstance(self.verdict, str):
            return Verdict(state=self.verdict, waited=15.0)
        return Verdict(state="fresh", items=diagnostics(list(self.verdict)).items, version=document.version)


@attrs.define(eq=False)
class ScriptedSupervisor:
    scope: Scope
    servers: list[ScriptedServer] = attrs.field(factory=list)
    restarts: Callable[[ScriptedServer], ScriptedServer] | None = None
    writing: Any = None
    told: list[tuple[str, str]] = attrs.field(factory=list)

    async def servers_for(self, path: str) -> list[Any]:
        if self.restarts is not None:
            self.servers = [self.restarts(each) if each.crashed else each for each in self.servers]
        return list(self.servers)

    async def servers_for_workspace(self) -> list[Any]:
        return list(self.servers)

    def unavailable(self, path: str) -> ToolError:
        return ToolError(f"no server serves {path}")

    def timed_out(self, server: Any) -> None:
        self.told.append(("timed out", server.definition.id))

    def answered(self, server: Any) -> None:
        self.told.append(("answered", server.definition.id))

    def failed(self, server: Any, error: Exception) -> None:
        self.told.append(("failed", server.definition.id))
        if self.restarts is not None:
            self.servers[self.servers.index(server)] = self.restarts(server)


Script = Callable[[ScriptedSupervisor], Sequence[ScriptedServer]]


def place(path: Path | str, line: int, start: int, end: int) -> dict[str, Any]:
    """A location in the protocol's terms."""
    return {"uri": uri_of(str(path)), "range": span(line, start, end)}


def span(line: int, start: int, end: int, last: int | None = None) -> dict[str, Any]:
    last = line if last is None else last
    return {"start": {"line": line, "character": start}, "end": {"line": last, "character": end}}


def in_run(folder: Path, handlers: Mapping[str, Any], script: Script, work: Callable[[Run, Any, Any], Any]) -> Any:
    """Open a run whose tools are *handlers*, bound to the scripted servers."""
    made: list[ScriptedSupervisor] = []

    def resource(run: Scope) -> ScriptedSupervisor:
        supervisor = ScriptedSupervisor(run)
        supervisor.servers = list(script(supervisor))
        made.append(supervisor)
        return supervisor

    tools = [
        Tool(name=name, description=name, params=Arguments, handler=handler, tier=Tier.WRITE, stages=True)
        for name, handler in handlers.items()
    ]

    async def main() -> Any:
        async with (
            asyncio.timeout(SECONDS),
            open_run(folder, [plugin("scripted", *tools, resource=resource)], approver=allow_all) as run,
        ):
            return await work(run, run.surface(Tier.EXEC), made[0])

    return asyncio.run(main())


def ask(folder: Path, handler: Any, script: Script, **arguments: Any) -> Result:
    """One call of one handler."""

    async def work(run: Run, surface: Any, supervisor: Any) -> Result:
        return await surface.call("act", arguments)

    return in_run(folder, {"act": handler}, script, work)
