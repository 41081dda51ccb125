"""Source text behind what servers say: what they were shown, or what the disk holds; never from outside."""

from __future__ import annotations

import asyncio
import os

import attrs
from toolpost import OutsideError, digest
from toolpost.workspace import Confinement

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.uris import path_of
from toolpost_lsp.server.documents import MOST_BYTES
from toolpost_lsp.server.server import Server


@attrs.frozen(kw_only=True)
class Source:
    """A document that a server speaks of.

    Attributes:
        path: as people see it; for one outside, its absolute path, or its URI.
        inside: whether it is a file of the workspace, or of a further root.
        lines: its text, if that may be and can be read.
        digest: of the bytes that were read.
    """

    path: str
    inside: bool
    lines: LineIndex | None = None
    digest: str | None = None


@attrs.define
class Sources:
    """The sources of one answer, each read once. What lies outside is named, and not read."""

    files: Confinement
    _known: dict[str, Source] = attrs.field(factory=dict, init=False)

    async def at(self, uri: str, server: Server) -> Source:
        """The source of a URI that *server* gave."""
        if uri not in self._known:
            self._known[uri] = await asyncio.to_thread(self._look, uri)
        known = self._known[uri]
        document = server.documents.get(known.path) if known.inside else None
        return known if document is None else attrs.evolve(known, lines=document.index, digest=document.digest)

    async def read(self, path: str) -> Source:
        """The source of a path of the workspace."""
        return await asyncio.to_thread(self._read, path)

    def _look(self, uri: str) -> Source:
        path = path_of(uri)
        if path is None:
            return Source(path=uri, inside=False)
        try:
            return self._read(self.files.resolve(path, missing_ok=True).shown)
        except (OutsideError, OSError):
            return Source(path=os.path.normpath(path), inside=False)

    def _read(self, shown: str) -> Source:
        try:
            data = self.files.read(shown, limit=MOST_BYTES)
            return Source(path=shown, inside=True, lines=LineIndex.of(data.decode("utf-8-sig")), digest=digest(data))
        except (OSError, UnicodeDecodeError):
            return Source(path=shown, inside=True)
