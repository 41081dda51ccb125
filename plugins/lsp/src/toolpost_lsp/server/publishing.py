"""What a server published of its documents, and when that can be believed (facts §0.2, §0.3, §4).

A publish belongs to a text by its version, or, where the server gives none, by its time. The first one is often empty or
not whole, so a short silence must follow it. A server without versions may publish nothing when nothing changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from toolpost_lsp.protocol.structure import diagnostics
from toolpost_lsp.protocol.types import Diagnostic
from toolpost_lsp.protocol.uris import path_of

from .shifting import shifted
from .verdict import Verdict

if TYPE_CHECKING:
    from .documents import Document
    from .server import Server

_SETTLE_UNVERSIONED = 0.25  # at least: without a version, a publish may be of the text before
_PATIENCE, _MOST_PATIENCE = 0.4, 1.5
_TIMES_USUAL = 3
_WEIGHT = 0.3  # of the newest answer's time in the mean


@attrs.frozen(kw_only=True)
class _Publish:
    items: tuple[Diagnostic, ...]
    at: float


@attrs.define(kw_only=True)
class _Known:
    """Of one open document.

    `publish` is of the present text; `believed` are the items that were last known, with the text that they are of.
    `unanswered` counts the texts shown for which nothing was published yet.
    """

    document: Document
    shown_at: float
    publish: _Publish | None = None
    believed: tuple[tuple[Diagnostic, ...], Document] | None = None
    unanswered: int = 1


@attrs.define(eq=False)
class Publishing:
    """The published diagnostics of one server.

    Attributes:
        ever: whether it has published anything.
        versioned: whether it gives versions; None until it has published something of an open document.
        changed_at: when it was last shown another text of any file, which may change what is wrong with every other.
    """

    server: Server
    ever: bool = attrs.field(default=False, init=False)
    versioned: bool | None = attrs.field(default=None, init=False)
    changed_at: float = attrs.field(default=float("-inf"), init=False)
    _known: dict[str, _Known] = attrs.field(factory=dict, init=False)  # by URI
    _closed: dict[str, tuple[Diagnostic, ...]] = attrs.field(factory=dict, init=False)  # by absolute path
    _reopened: set[str] = attrs.field(factory=set, init=False)  # URIs, also of those that are closed now
    _usual: float | None = attrs.field(default=None, init=False)

    def shown(self, document: Document) -> None:
        """The server was sent that text."""
        now = self.server.clock.monotonic()
        before = self._known.get(document.uri)
        known = self._known[document.uri] = _Known(document=document, shown_at=now)
        if before:
            known.believed = (before.publish.items, before.document) if before.publish else before.believed
            known.unanswered = before.unanswered + 1
        elif document.uri in self._reopened:
            known.unanswered += 1  # many servers publish an empty list for a closed document

    def forget(self, uri: str) -> None:
        """That document was closed."""
        if self._known.pop(uri, None):
            self._reopened.add(uri)

    def heard(self, params: Any) -> None:
        """Take one `textDocument/publishDiagnostics`; what is malformed is passed over, a text too old as well."""
        uri = params.get("uri") if isinstance(params, Mapping) else None
        path = path_of(uri) if isinstance(uri, str) else None
        if path is None:
            return
        self.ever = True
        read = diagnostics(params.get("diagnostics"))
        if read.skipped and not read.items:
            return  # nothing of it could be read, which is not that there is nothing
        items = read.items
        # Servers may escape other characters of a URI than we do; the path is the same.
        known = next((each for each in self._known.values() if path_of(each.document.uri) == path), None)
        if known is None:
            self._closed[path] = items
            return
        version = params.get("version")
        self.versioned = isinstance(version, int) and version > 0  # 0 means none (gopls, jedi)
        if self.versioned and version < known.document.version:
            return
        now = self.server.clock.monotonic()
        if known.publish is None:
            took = now - known.shown_at
            self._usual = took if self._usual is None else (1 - _WEIGHT) * self._usual + _WEIGHT * took
        known.publish = _Publish(items=items, at=now)

    @property
    def closed(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        """What was last published of files that are not open, by absolute path."""
        return dict(self._closed)

    def of_closed(self, path: str) -> tuple[Diagnostic, ...]:
        """What was last published of a file that is not open, by its absolute path."""
        return self._closed.get(path, ())

    def said(self, uri: str) -> tuple[Diagnostic, ...]:
        """What was published of the present text so far, whole or not; without a version, it may be of another text."""
        known = self._known.get(uri)
        return known.publish.items if known and known.publish and self.versioned else ()

    def look(self, document: Document) -> tuple[Verdict | None, float | None]:
        """What can be believed of a document now; else when to look again at the latest, where that is known."""
        known = self._known.get(document.uri)
        if known is None:
            return None, None
        now = self.server.clock.monotonic()
        version = known.document.version
        if known.publish and known.publish.at >= self.changed_at:
            whole_at = known.publish.at + self._settle(known)
            if now < whole_at:
                return None, whole_at
            known.unanswered = 0
            return Verdict(state="fresh", items=known.publish.items, version=version), None
        items = self._inferred(known)
        if items is None or self.server.progress.active:
            return None, None
        silent_at = max(known.shown_at, self.changed_at) + self._patience
        if now < silent_at:
            return None, silent_at
        return Verdict(state="inferred", items=items, version=version), None

    def _inferred(self, known: _Known) -> tuple[Diagnostic, ...] | None:
        """What still holds if the server stays silent; None where silence tells nothing."""
        if known.publish:  # of this text, before another file changed
            return known.publish.items
        if known.believed and self.versioned is False:
            items, document = known.believed
            return shifted(items, document.index, known.document.index)
        return None

    def _settle(self, known: _Known) -> float:
        settle = self.server.definition.settle
        if self.versioned:
            return settle
        # With another text unanswered, this may be the answer to that one.
        return self._patience if known.unanswered > 1 else max(settle, _SETTLE_UNVERSIONED)

    @property
    def _patience(self) -> float:
        """Seconds of silence after which nothing more is expected."""
        return min(max(_PATIENCE, _TIMES_USUAL * (self._usual or 0.0)), _MOST_PATIENCE)
