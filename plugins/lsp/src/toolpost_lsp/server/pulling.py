"""Asking a server for a document's problems (`textDocument/diagnostic`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from toolpost_lsp.protocol.errors import CONTENT_MODIFIED, SERVER_CANCELLED, ResponseError
from toolpost_lsp.protocol.structure import diagnostics
from toolpost_lsp.protocol.types import Diagnostic

if TYPE_CHECKING:
    from .documents import Document
    from .server import Server

METHOD = "textDocument/diagnostic"
_PAUSES = (0.05, 0.1, 0.2)


@attrs.define(eq=False)
class Pulling:
    """The questions to one server, and its last answers."""

    server: Server
    _last: dict[tuple[str, str | None], tuple[str, tuple[Diagnostic, ...]]] = attrs.field(factory=dict, init=False)

    def offered(self) -> bool:
        """Whether the server can be asked; it may say so late."""
        return self.server.capabilities.has(METHOD)

    def outdated(self) -> None:
        """The server asked for a new round: earlier answers are not to be referred to."""
        self._last.clear()

    def forget(self, uri: str) -> None:
        """That document was closed."""
        for key in [each for each in self._last if each[0] == uri]:
            del self._last[key]

    async def ask(self, document: Document, until: float) -> tuple[Diagnostic, ...]:
        """All problems of a document, from each of the server's sources.

        Raises:
            TimeoutError, ResponseError, ConnectionLost: as a request; a malformed answer is a ResponseError, and so is a
                document that the server is not to be asked of.
        """
        found: list[Diagnostic] = []
        identifiers = tuple(self._identifiers(document))
        if not identifiers:
            raise ResponseError(0, f"it is not to be asked of {document.language_id}", None)
        for identifier in identifiers:
            found += await self._one(document, identifier, until)
        return tuple(found)

    def _identifiers(self, document: Document) -> Iterator[str | None]:
        seen = set()
        for options in self.server.capabilities.all_options(METHOD):
            identifier = options.get("identifier") if isinstance(options, Mapping) else None
            if identifier not in seen and _selects(options, document.language_id):
                seen.add(identifier)
                yield identifier

    async def _one(self, document: Document, identifier: str | None, until: float) -> tuple[Diagnostic, ...]:
        key = (document.uri, identifier)
        params: dict[str, Any] = {"textDocument": {"uri": document.uri}}
        if identifier is not None:
            params["identifier"] = identifier
        last = self._last.get(key)  # a refresh may take it away while the server answers with reference to it
        if last is not None:
            params["previousResultId"] = last[0]
        answer = await self._retried(params, until)
        if not isinstance(answer, Mapping):
            raise ResponseError(0, "the answer is no diagnostic report", None)
        if answer.get("kind") == "unchanged":
            if last is None:
                raise ResponseError(0, "the answer refers to an earlier one that there is not", None)
            items = last[1]
        elif "items" not in answer:
            raise ResponseError(0, "the answer is no diagnostic report", None)
        else:
            read = diagnostics(answer.get("items"))
            if read.skipped and not read.items:
                raise ResponseError(0, "nothing of the diagnostic report could be read", None)
            items = read.items
        self._last.pop(key, None)
        if isinstance(result_id := answer.get("resultId"), str):
            self._last[key] = (result_id, items)
        return items

    async def _retried(self, params: Any, until: float) -> Any:
        """The answer, asked for again for as long as the server says that it was interrupted."""
        clock, attempt = self.server.clock, 0
        while True:
            left = until - clock.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                return await self.server.ask(METHOD, params, timeout=left)
            except ResponseError as error:
                if not _again(error):
                    raise
            await clock.sleep(min(_PAUSES[min(attempt, len(_PAUSES) - 1)], max(until - clock.monotonic(), 0)))
            attempt += 1


def _again(error: ResponseError) -> bool:
    if error.code == CONTENT_MODIFIED:
        return True
    data = error.data if isinstance(error.data, Mapping) else {}
    return error.code == SERVER_CANCELLED and bool(data.get("retriggerRequest", True))


def _selects(options: Any, language_id: str) -> bool:
    """Whether a registration is for that language; one without a selector is for all."""
    selector = options.get("documentSelector") if isinstance(options, Mapping) else None
    if not isinstance(selector, list):
        return True
    return any(isinstance(each, Mapping) and each.get("language", language_id) == language_id for each in selector)
