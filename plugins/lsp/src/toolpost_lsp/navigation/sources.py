"""Source text behind what servers say: what they were shown, or what the disk holds; never from outside."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable

import attrs
from toolpost import OutsideError, digest
from toolpost.workspace import Confinement

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.uris import path_of
from toolpost_lsp.server.documents import MOST_BYTES
from toolpost_lsp.server.server import Server

_AT_ONCE = 3
"""Files that are read without a thread of their own."""


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
        await self.gather([uri], server)
        return self._known[uri]

    async def gather(self, uris: Iterable[str], server: Server) -> None:
        """Read what *server* speaks of: the documents that it was shown are known, many others take one thread."""
        unread = [uri for uri in dict.fromkeys(uris) if uri not in self._known and not self._shown(uri, server)]
        if len(unread) > _AT_ONCE:
            found = await asyncio.to_thread(lambda: [self._look(uri) for uri in unread])
        else:
            found = [self._look(uri) for uri in unread]
        self._known.update(zip(unread, found, strict=True))

    async def read(self, path: str) -> Source:
        """The source of a path of the workspace."""
        return await asyncio.to_thread(self._read, path)

    def _shown(self, uri: str, server: Server) -> bool:
        """Take the text that the server was shown, if it was."""
        path = path_of(uri)
        if path is None:
            return False
        try:
            document = server.documents.known(self.files.resolve(path, missing_ok=True).shown)
        except (OutsideError, OSError):
            return False
        if document is None:
            return False
        self._known[uri] = Source(path=document.path, inside=True, lines=document.index, digest=document.digest)
        return True

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
