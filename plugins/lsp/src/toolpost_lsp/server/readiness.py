"""Whether a server's answers are whole yet: a rename while it still reads the project is silently partial (facts §0.5, §0.11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError

if TYPE_CHECKING:
    from .server import Server

_BEGINS_WITHIN = 1.0  # seconds after the first document, in which a server that indexes says that it does
_QUIET = 0.1  # between the end of one piece of work and the begin of the next
_LOG_WITHIN = 10.0  # later than that, a server that answers has said it in words that are not known here


@attrs.define(eq=False)
class Readiness:
    """What one server has proven."""

    server: Server
    _found: bool = attrs.field(default=False, init=False)
    _asked: bool = attrs.field(default=False, init=False)
    _idle_once: bool = attrs.field(default=False, init=False)

    def heard(self, params: Any) -> None:
        """Take one `window/logMessage`."""
        pattern = self.server.definition.ready_log
        message = params.get("message") if isinstance(params, Mapping) else None
        if pattern and isinstance(message, str) and re.search(pattern, message):
            self._found = True

    async def wait(self, until: float) -> str | None:
        """Wait until the answers are whole; None then, else what the server is at."""
        server, bell = self.server, self.server.bell
        if not await bell.wait_for(lambda: server.state != "starting", until) or server.state != "running":
            return server.state
        if server.definition.ready_log and not self._found:
            within = min(until, server.running_since + _LOG_WITHIN)
            await bell.wait_for(lambda: self._found or self._over, within)
            if self._over:
                return server.state
            if not self._found and server.clock.monotonic() < server.running_since + _LOG_WITHIN:
                return "finding the project's files"
        if not self._asked and (said := await self._ask(until)):
            return said
        return await self._idle(until)

    @property
    def _over(self) -> bool:
        return self.server.state != "running"

    async def _idle(self, until: float) -> str | None:
        """Wait until nothing is under way, and nothing begins right after."""
        server, bell = self.server, self.server.bell
        if server.definition.indexes and not server.progress.begun and server.documents.first_opened is not None:
            await bell.wait_for(
                lambda: server.progress.begun, min(until, server.documents.first_opened + _BEGINS_WITHIN)
            )
        if self._idle_once and not server.progress.active:
            return None  # work that begins later is some question's own, or will be seen
        while True:
            if not await bell.wait_for(lambda: not server.progress.active or server.state != "running", until):
                return server.progress.text
            if server.state != "running":
                return server.state
            quiet = server.progress.changed + _QUIET
            if self._idle_once or server.clock.monotonic() >= quiet or not server.progress.begun:
                self._idle_once = True
                return None
            await bell.wait_for(lambda: server.progress.active, min(until, quiet))
            if server.clock.monotonic() >= until:
                return server.progress.text or "indexing"

    async def _ask(self, until: float) -> str | None:
        """Have it answer one question about an open document, for which it must have read the project."""
        server = self.server
        document = next(iter(server.documents), None)
        if document is None:
            return None
        verdict = None
        try:
            if server.diagnosing.asks:
                verdict = await server.diagnosing.diagnose(document, until)
                self._asked = verdict.known
            elif server.capabilities.has("textDocument/documentSymbol"):
                left = until - server.clock.monotonic()
                await server.request(
                    "textDocument/documentSymbol", {"textDocument": {"uri": document.uri}}, timeout=max(left, 0.0)
                )
                self._asked = True
            else:
                self._asked = True
        except TimeoutError:
            pass
        except ResponseError:
            self._asked = True  # an answer none the less
        except ConnectionLost:
            return server.state
        return None if self._asked else "reading the project"
