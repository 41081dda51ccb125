"""Finding out what a server says of a document, in the way in which this server can tell (facts §4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import attrs

from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError
from toolpost_lsp.protocol.structure import diagnostics
from toolpost_lsp.protocol.types import Diagnostic
from toolpost_lsp.protocol.uris import path_of

from . import tsserver
from .publishing import Publishing
from .pulling import Pulling
from .verdict import Verdict

if TYPE_CHECKING:
    from .documents import Document
    from .server import Server

__all__ = ["Diagnosing", "Verdict"]

Kind = Literal["command", "pull", "push"]

_ROUNDS = 3  # so often is asked again when something changed between question and answer
_DECIDED_AFTER = 1.0  # seconds after `initialized`: a server may register late that it can be asked


@attrs.define(eq=False)
class Diagnosing:
    """The verdicts of one server.

    Attributes:
        published: what it published.
    """

    server: Server
    published: Publishing = attrs.field(init=False)
    _pulling: Pulling = attrs.field(init=False)
    _latest: dict[str, tuple[Verdict, float]] = attrs.field(factory=dict, init=False)  # by URI; when it was asked for
    _outdated_at: float = attrs.field(default=float("-inf"), init=False)
    _configured_at: float = attrs.field(default=float("-inf"), init=False)  # by then its configuration is the new one
    _unable: dict[str, str] = attrs.field(factory=dict, init=False)  # why, by path

    def __attrs_post_init__(self) -> None:
        self.published, self._pulling = Publishing(self.server), Pulling(self.server)

    @property
    def kind(self) -> Kind:
        """By a command of its own, by asking, or by waiting; a late registration changes it."""
        commands = self.server.capabilities.options("workspace/executeCommand")
        if commands and tsserver.COMMAND in (commands.get("commands") or ()):
            return "command"
        return "pull" if self._pulling.offered() else "push"

    @property
    def asks(self) -> bool:
        """Whether the server is asked, so that its answer is one to the present text."""
        return self.kind != "push"

    # ---- what happened ----

    def shown(self, document: Document, before: Document | None) -> None:
        """The server was sent that text, or a first one."""
        self.published.shown(document)
        if before is not None:
            self.changed([document.path])

    def changed(self, paths: Iterable[str]) -> None:
        """Files changed: what was said of all others may not hold any more."""
        definition = self.server.definition
        if not definition.own_text or any(definition.language_of(path) is None for path in paths):
            self.published.changed_at = self.server.clock.monotonic()

    def reconfigured(self) -> None:
        """What configures the server changed: it takes that in after a while, and may say when it has."""
        self._configured_at = self.server.clock.monotonic() + self.server.definition.reconfigures

    def heard(self, method: str, params: Any) -> None:
        """Take any message of the server: some say that it cannot check a document, or can again."""
        unable = self.server.definition.unable
        if unable is not None and (said := unable(method, params)) and (path := path_of(said[0])):
            self._unable[path] = said[1]

    def closed(self, document: Document) -> None:
        """The document was closed."""
        self.published.forget(document.uri)
        self._pulling.forget(document.uri)
        self._latest.pop(document.uri, None)
        self._unable.pop(self.server.documents.absolute(document), None)

    def outdated(self) -> None:
        """The server says itself that its earlier answers do not hold any more."""
        self._configured_at = float("-inf")
        self._outdated_at = self.server.clock.monotonic()
        self._pulling.outdated()

    # ---- verdicts ----

    @property
    def troubles(self) -> tuple[str, ...]:
        """What keeps the server from telling what is wrong, of any document."""
        return tuple(dict.fromkeys(filter(None, (self.server.lacks, *self._unable.values()))))

    def latest(self, document: Document) -> Verdict | None:
        """What is known of that text without asking or waiting; None if nothing is."""
        if self._kept_from(document) or self._reconfigures:
            return None
        if not self.asks:
            return self.published.look(document)[0]
        verdict, at = self._latest.get(document.uri, (None, 0.0))
        return verdict if verdict and verdict.version == document.version and self._holds(at) else None

    def _holds(self, at: float) -> bool:
        """Whether an answer to a question of that time was given in the knowledge of all that has happened since."""
        return at >= self.published.changed_at and at > self._outdated_at

    async def diagnose(self, document: Document, until: float) -> Verdict:
        """What the server says of a document's present text, waiting until a time of the run's clock at most."""
        began = self.server.clock.monotonic()
        with self.server.documents.kept(document.path):
            verdict = await self._diagnose(document, until)
        return attrs.evolve(verdict, waited=self.server.clock.monotonic() - began)

    async def _diagnose(self, document: Document, until: float) -> Verdict:
        server, bell = self.server, self.server.bell
        server.start()
        await bell.wait_for(lambda: server.state != "starting", until)
        if server.state != "running":
            return Verdict(state="starting" if server.state == "starting" else "crashed")
        if server.lacks:
            return Verdict(state="failed", version=document.version)
        decided = min(until, server.running_since + _DECIDED_AFTER)
        await bell.wait_for(lambda: self.asks or self.published.ever or server.state != "running", decided)
        await bell.wait_for(lambda: not self._reconfigures, min(until, self._configured_at))
        if self._reconfigures:
            return Verdict(state="starting", version=document.version)
        rounds = 0
        while server.state == "running":
            current = server.documents.get(document.path)
            if current is None:  # of a closed file many servers say that nothing is wrong
                return Verdict(state="failed", version=document.version)
            document, began = current, server.clock.monotonic()
            asks = self.asks
            verdict = await (self._asked(document, until) if asks else self._pushed(document, until))
            if verdict and verdict.known and self._kept_from(document):
                return Verdict(state="failed", version=document.version)
            if verdict and verdict.state == "timeout":
                return verdict
            now = server.documents.get(document.path)
            settled = not asks or self._holds(began) or rounds == _ROUNDS
            if verdict and now and now.version == verdict.version and settled:
                return verdict
            # Its text changed meanwhile, or another one, or how the server is to be asked.
            rounds = min(rounds + 1, _ROUNDS)
        return Verdict(state="crashed", version=document.version)

    @property
    def _reconfigures(self) -> bool:
        return self.server.clock.monotonic() < self._configured_at

    def _kept_from(self, document: Document) -> str:
        """What keeps the server from telling what is wrong with a document, whatever it answers; nothing if nothing does."""
        return self.server.lacks or self._unable.get(self.server.documents.absolute(document), "")

    async def _asked(self, document: Document, until: float) -> Verdict:
        at = self.server.clock.monotonic()
        try:
            if self.kind == "command":
                items = await self._commanded(document, until)
            else:
                items = await self._pulling.ask(document, until)
        except TimeoutError:
            return Verdict(state="timeout", version=document.version)
        except ResponseError as error:
            self.server.scope.log.debug("%s: %s of %s", self.server.definition.id, error, document.path)
            return Verdict(state="failed", version=document.version)
        except ConnectionLost:
            return Verdict(state="crashed", version=document.version)
        items += tuple(each for each in self.published.said(document.uri) if not _among(each, items))
        verdict = Verdict(state="fresh", items=items, version=document.version)
        self._latest[document.uri] = (verdict, at)
        return verdict

    async def _commanded(self, document: Document, until: float) -> tuple[Diagnostic, ...]:
        clock = self.server.clock

        async def request(method: str, params: Any) -> Any:
            return await self.server.ask(method, params, timeout=max(until - clock.monotonic(), 0.0))

        found = await tsserver.ask(request, self.server.documents.absolute(document))
        if found is None:
            raise ResponseError(0, "tsserver gave no diagnostics", None)
        return diagnostics(found).items

    async def _pushed(self, document: Document, until: float) -> Verdict | None:
        """Wait for a publish that can be believed, or for enough silence; None to look at everything again."""
        server = self.server
        while True:
            verdict, again = self.published.look(document)
            if verdict:
                return verdict
            if server.clock.monotonic() >= until:
                return Verdict(state="timeout", version=document.version)
            await server.bell.wait(until if again is None else min(until, again))
            if server.state != "running":
                return Verdict(state="crashed", version=document.version)
            if self.asks or server.documents.get(document.path) is not document:
                return None


def _among(item: Diagnostic, items: tuple[Diagnostic, ...]) -> bool:
    return any((item.range, item.code, item.message) == (each.range, each.code, each.message) for each in items)
