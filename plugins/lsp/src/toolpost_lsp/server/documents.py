"""What a server was shown: the documents that are open in it, as they are on disk."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import OutsideError, digest
from toolpost.workspace import NotAFileError, TooLargeError

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.uris import uri_of

from .change import smallest_change
from .errors import Unreadable
from .tree import Tree, concerning, configuring
from .watching import Kind, events, watches

if TYPE_CHECKING:
    from .server import Server

MOST_OPEN = 50
MOST_BYTES = 4 * 1024 * 1024
# A file may be written twice within one step of its file system's clock. So a look so soon after a write is no proof.
_COARSE_STEP, _FINE_STEP = 2_000_000_000, 100_000_000  # nanoseconds; those of FAT, and more than those of any other
_SECOND = 1_000_000_000

_FULL, _INCREMENTAL = 1, 2  # TextDocumentSyncKind


@attrs.frozen(kw_only=True, eq=False)
class Document:
    """One text, as the server was shown it. A later text of the file is another Document.

    Attributes:
        path: relative to the workspace, or absolute in a further root; its links are resolved.
        version: counts from 1; a reopened document counts on.
        text: without a byte order mark.
        digest: of the file's bytes.
        stamp: what the file looked like just before it was read; None where that proves nothing.
    """

    path: str
    uri: str
    language_id: str
    version: int
    text: str
    digest: str
    stamp: tuple[int, ...] | None

    @cached_property
    def index(self) -> LineIndex:
        """Its lines and columns."""
        return LineIndex.of(self.text)


@attrs.define(eq=False)
class Documents:
    """The open documents of one server, the least recently used one first.

    Files are read in one step with telling the server of them, so nothing comes between the two.
    """

    server: Server
    _open: dict[str, Document] = attrs.field(factory=dict, init=False)
    _versions: dict[str, int] = attrs.field(factory=dict, init=False)  # of the closed ones too: versions only grow
    _untold: dict[str, Kind] = attrs.field(factory=dict, init=False)  # by absolute path
    _unsaved: set[str] = attrs.field(factory=set, init=False)
    _held: set[str] = attrs.field(factory=set, init=False)
    _kept: Counter[str] = attrs.field(factory=Counter, init=False)
    _tree: Tree = attrs.field(init=False)
    _configures: Callable[[str], bool] = attrs.field(init=False)
    _looking: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _synced: dict[str, float] = attrs.field(
        factory=dict, init=False
    )  # which look a document was brought up to date for
    _looked_at: float = attrs.field(default=float("-inf"), init=False)
    first_opened: float | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        definition = self.server.definition
        self._tree, self._configures = Tree(self.server.root, concerning(definition)), configuring(definition)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def get(self, path: str) -> Document | None:
        """The document of a path, if it is open."""
        return self._open.get(path) or self._open.get(self._place(path)[0])

    async def open(self, path: str, *, since: float = float("inf")) -> Document:
        """The document of a file, as the file is now; all other open documents are brought up to date as well.

        Args:
            since: by the run's clock; whoever looked at the project since then looked for this call too.

        Raises:
            Unreadable: it is not there, binary, over 4 MB, not UTF-8, or of a language that this server does not take.
            OutsideError: it is outside the workspace.
            Unavailable: the server did not start.
        """
        await self.server.started()
        if self._looked_at < since:
            await self.refresh(since)
        elif (known := self._open.get(path)) and self._synced.get(path, float("-inf")) >= since:
            return known
        shown, absolute = self._place(path)
        document = self._sync(shown, absolute)
        self._synced[shown] = self._looked_at
        self._use(shown)
        return document

    def _use(self, shown: str) -> None:
        """The most recently used document is last; the first ones are closed when there are too many."""
        self._open[shown] = self._open.pop(shown)
        excess = len(self._open) - MOST_OPEN
        if excess > 0:
            spare = [path for path in self._open if path != shown and path not in self._held and not self._kept[path]]
            for path in spare[:excess]:
                self.close(path)

    @contextlib.contextmanager
    def kept(self, path: str) -> Iterator[None]:
        """Within the block the document of a path is not closed for being one too many."""
        shown = self._place(path)[0]
        self._kept[shown] += 1
        try:
            yield
        finally:
            self._kept[shown] -= 1
            if not self._kept[shown]:
                del self._kept[shown]

    def known(self, shown: str) -> Document | None:
        """The document of a path whose links are resolved, if it is open."""
        return self._open.get(shown)

    def show(self, path: str, data: bytes) -> Document:
        """Show the server a text that the disk does not hold (any more), until somebody opens the file, or `let_go`.

        A write's baseline needs it: what was wrong with the text before.

        Raises:
            Unreadable, OutsideError: as `open`.
        """
        shown, absolute = self._place(path)
        document = self._take(shown, absolute, data, None, saved=False)
        self._held.add(shown)
        return document

    def holds(self, path: str) -> bool:
        """Whether somebody needs the server to know another text of a file than the disk's."""
        return self._place(path)[0] in self._held

    def let_go(self, paths: Iterable[str]) -> None:
        """From the next look on, these files are as they are on disk."""
        self._held.difference_update(paths)

    def fetch(self, path: str) -> Document:
        """The document of a file, as the file is now; the others are not looked at.

        Raises:
            Unreadable, OutsideError: as `open`.
        """
        shown, absolute = self._place(path)
        document = self._sync(shown, absolute)
        self._use(shown)
        return document

    async def changed(self, paths: Mapping[str, Kind]) -> None:
        """Tell the server what the run did to files: the open ones are synchronised, and it hears of all of them once."""
        if self.server.state != "running":
            return  # it will read them itself
        happened = dict(self._untold)
        self._untold.clear()
        for path, kind in paths.items():
            try:
                shown, absolute = self._place(path)
            except (Unreadable, OutsideError):
                continue
            happened[absolute] = kind
            if shown in self._open:
                self._bring_up_to_date(shown, absolute)
            elif kind != "deleted":
                self._unsaved.add(shown)
        self._tell(happened)
        if "created" in happened.values() and self.server.definition.rechecks_on_created:
            self._show_again()

    def changed_meanwhile(self, paths: Mapping[str, Kind]) -> None:
        """Files that this server does not take changed: it hears of them before it is asked the next question."""
        for path, kind in paths.items():
            with contextlib.suppress(Unreadable, OutsideError):
                self._untold[self._place(path)[1]] = kind

    async def refresh(self, since: float = float("inf")) -> None:
        """Notice what anybody did to the project's files, and tell the server.

        Args:
            since: by the run's clock; nothing is done if somebody has looked since then.
        """
        if self.server.state != "running":
            return
        async with self._looking:
            if self._looked_at >= since:
                return
            looked_at = self.server.clock.monotonic()
            seen = self._tree.look() if self._tree.quick else await asyncio.to_thread(self._tree.look)
            self._take_in({**self._untold, **seen})
            self._looked_at = looked_at

    def _take_in(self, happened: dict[str, Kind]) -> None:
        """Bring all documents up to date, and tell the server of what happened to other files."""
        self._untold.clear()
        for document in self:
            if document.path in self._held:
                continue
            absolute = self.absolute(document)
            if document.stamp is not None and self._tree.seen(absolute) == document.stamp[:3]:
                continue
            stamp = self._stamp(document.path)
            if stamp is None or stamp != document.stamp:
                before = document.digest
                if self._bring_up_to_date(document.path, absolute) is None:
                    happened[absolute] = _fate(absolute)
                elif self._open[document.path].digest != before:
                    happened.setdefault(absolute, "changed")
        self._tell(happened)
        if "created" in happened.values() and self.server.definition.rechecks_on_created:
            self._show_again()

    def close(self, path: str) -> None:
        """Close a document; nothing happens if it is not open."""
        if document := self._open.pop(path, None):
            self.server.notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})
            self.server.diagnosing.closed(document)
            self.server.bell.ring()  # nobody need wait any more for what is said of it

    # ---- one document ----

    def _bring_up_to_date(self, shown: str, absolute: str) -> Document | None:
        """Synchronise an open document, or close it if its file cannot be shown any more."""
        try:
            return self._sync(shown, absolute)
        except (Unreadable, OutsideError):  # a link may have taken its place
            self.close(shown)
            return None

    def _sync(self, shown: str, absolute: str) -> Document:
        self._held.discard(shown)
        stamp = self._stamp(shown)
        before = self._open.get(shown)
        if before and stamp is not None and stamp == before.stamp:
            return before
        return self._take(shown, absolute, self._read(shown), stamp)

    def _take(
        self, shown: str, absolute: str, data: bytes, stamp: tuple[int, ...] | None, *, saved: bool = True
    ) -> Document:
        """Have the server know this text."""
        before = self._open.get(shown)
        now = digest(data)
        if before and before.digest == now:
            self._open[shown] = document = attrs.evolve(before, stamp=stamp)
            return document
        language = self.server.definition.language_of(shown)
        if language is None:
            raise Unreadable(f"{shown}: {self.server.definition.id} takes no files of this kind")
        self._versions[shown] = version = self._versions.get(shown, 0) + 1
        self._open[shown] = document = Document(
            path=shown,
            uri=before.uri if before else _uri(shown, absolute),
            language_id=language,
            version=version,
            text=_text(shown, data),
            digest=now,
            stamp=stamp,
        )
        self._show(document, before)
        if saved:
            if before or shown in self._unsaved:
                self._save(document)
            self._unsaved.discard(shown)
        self.server.diagnosing.shown(document, before)
        return document

    def _show(self, document: Document, before: Document | None) -> None:
        if before is None:
            item = {
                "uri": document.uri,
                "languageId": document.language_id,
                "version": document.version,
                "text": document.text,
            }
            self.server.notify("textDocument/didOpen", {"textDocument": item})
            if self.first_opened is None:
                self.first_opened = self.server.clock.monotonic()
            return
        kind = self.server.capabilities.sync_kind
        if kind not in (_FULL, _INCREMENTAL):
            return
        # vtsls keeps its old text beside a whole new one, so the servers that take ranges get one.
        ranged = kind == _INCREMENTAL
        whole = {"text": document.text}
        self._changed(document, smallest_change(before.index, document.text, self.server.encoding) if ranged else whole)

    def _changed(self, document: Document, change: dict[str, Any]) -> None:
        identity = {"uri": document.uri, "version": document.version}
        self.server.notify("textDocument/didChange", {"textDocument": identity, "contentChanges": [change]})

    def _save(self, document: Document) -> None:
        save = self.server.capabilities.save
        if save is not None:
            text = {"text": document.text} if save.include_text else {}
            self.server.notify("textDocument/didSave", {"textDocument": {"uri": document.uri}, **text})

    def _show_again(self) -> None:
        """Show every document once more, unchanged: clangd looks for a missing header only then."""
        for document in self:
            self._versions[document.path] = version = document.version + 1
            self._open[document.path] = again = attrs.evolve(document, version=version)
            self._changed(again, smallest_change(again.index, again.text, self.server.encoding))
            self.server.diagnosing.shown(again, document)

    # ---- files ----

    def _place(self, path: str) -> tuple[str, str]:
        """What people see, and the absolute path."""
        try:
            place = self.server.scope.files.resolve(path, missing_ok=True)
        except OutsideError:
            raise
        except OSError as error:
            raise _unreadable(path, error) from None
        return place.shown, os.path.join(place.root, place.path)

    def absolute(self, document: Document) -> str:
        """The absolute path of a document's file."""
        return os.path.join(self.server.scope.workspace, document.path)

    def _stamp(self, path: str) -> tuple[int, ...] | None:
        try:
            about = self.server.scope.files.stat(path)
        except OSError:
            return None
        fine = about.st_mtime_ns % _SECOND and about.st_ctime_ns % _SECOND
        if time.time_ns() - max(about.st_mtime_ns, about.st_ctime_ns) < (_FINE_STEP if fine else _COARSE_STEP):
            return None
        return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino, about.st_dev

    def _read(self, path: str) -> bytes:
        try:
            return self.server.scope.files.read(path, limit=MOST_BYTES)
        except OutsideError:
            raise
        except TooLargeError as error:
            raise Unreadable(
                f"{path}: it has {error.size} bytes; a language server is shown {MOST_BYTES} at most"
            ) from None
        except NotAFileError as error:
            raise Unreadable(str(error)) from None
        except OSError as error:
            raise _unreadable(path, error) from None

    def _tell(self, happened: Mapping[str, Kind]) -> None:
        if not happened:
            return
        root = self.server.root.rstrip("/") + "/"
        inside = {path: kind for path, kind in happened.items() if path.startswith(root)}
        registered = self.server.capabilities.all_options("workspace/didChangeWatchedFiles")
        if changes := events(inside, watches(registered, self.server.root)):
            self.server.notify("workspace/didChangeWatchedFiles", {"changes": changes})
            self.server.diagnosing.changed(inside)
            if any(self._configures(os.path.basename(path)) for path in inside):
                self.server.diagnosing.reconfigured()


def _unreadable(path: str, error: OSError) -> Unreadable:
    return Unreadable(f"{path}: {(error.strerror or 'it cannot be read').lower()}")


def _fate(absolute: str) -> Kind:
    """What became of a file that no server can be shown any more."""
    return "changed" if os.path.exists(absolute) else "deleted"


def _uri(path: str, absolute: str) -> str:
    try:
        return uri_of(absolute)
    except ValueError as error:
        raise Unreadable(f"{path}: {error}") from None


def _text(path: str, data: bytes) -> str:
    if b"\0" in data:
        raise Unreadable(f"{path}: it is binary")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: it is not UTF-8 (byte {error.start})") from None
