"""One server's look at one write: what it said of the texts before, and what it says of those after (facts §4).

Where it was never shown the text before, it is shown that first, although the disk holds the new one already: the
baseline is then exact, also of a server that has just started, and the write itself waits for nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Mapping, Sequence

import attrs
from toolpost import OutsideError, digest

from toolpost_lsp.protocol.errors import ConnectionLost
from toolpost_lsp.protocol.types import Diagnostic
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.errors import Unavailable, Unreadable
from toolpost_lsp.server.server import Server
from toolpost_lsp.server.verdict import Verdict
from toolpost_lsp.writing.keys import Key, counted_keys
from toolpost_lsp.writing.touched import Touched, kinds

OPEN_SILENT = 5
"""Other files that are opened in a server that is not asked but publishes: each may cost it a whole translation unit."""


@attrs.frozen(kw_only=True)
class Carried:
    """What an earlier write on the same file left open: its text before, and the baseline, if that was known already."""

    touched: Touched
    before: Counter[Key] | None


@attrs.define(kw_only=True, eq=False)
class Look:
    """One file in one server.

    Attributes:
        other: it is not one of the write's own files, which are waited for.
        owed: an earlier write left it open.
        before: what was wrong before the write; None: not known.
        verdict: what it says now; None: nothing yet.
        document: what it speaks of.
        reason: why it cannot say anything, where that is the file's own fault.
    """

    touched: Touched
    other: bool = False
    owed: bool = False
    before: Counter[Key] | None = None
    document: Document | None = None
    verdict: Verdict | None = None
    reason: str = ""

    @property
    def path(self) -> str:
        return self.touched.path

    @property
    def stranger(self) -> bool:
        """Whether no write of this run has to do with it."""
        return self.other and not self.owed

    @property
    def known(self) -> bool:
        return self.verdict is not None and self.verdict.known

    @property
    def pending(self) -> bool:
        """Whether something may still come."""
        return (self.verdict is None or self.verdict.state in ("timeout", "starting")) and not self.reason


@attrs.define(kw_only=True, eq=False)
class Examination:
    """The look of one server at all the files of a write.

    Args:
        touched: the files that it takes.
        all_touched: all files of the write, of which it may want to hear.
        others: further files that the write may break, as they are on disk.
        carried: what earlier writes left open, by path.
        until: by the run's clock; after that nobody waits any more.

    Attributes:
        looks: by path; complete when `settled`.
        closed: errors published for files that are not open, by absolute path: before, and now.
    """

    server: Server
    touched: Sequence[Touched]
    all_touched: Sequence[Touched]
    others: Sequence[Touched] = ()
    carried: Mapping[str, Carried] = attrs.field(factory=dict)
    until: float
    looks: dict[str, Look] = attrs.field(factory=dict, init=False)
    closed: dict[str, tuple[Counter[Key], Sequence[Diagnostic]]] = attrs.field(factory=dict, init=False)
    settled: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    unavailable: bool = attrs.field(default=False, init=False)
    _published: Mapping[str, tuple[Diagnostic, ...]] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for each in self.touched:
            if each.kind != "deleted":
                self.looks[each.path] = Look(touched=each)
        for each in self.others:
            self.looks.setdefault(each.path, Look(touched=each, other=True, owed=each.path in self.carried))

    async def run(self) -> None:
        """Look before, synchronise, look after. `settled` is set when the files of the write itself are looked at."""
        try:
            await self.server.started()
            self._spare()
            await self._before()
            self._published = dict(self.server.diagnosing.published.closed)
            await self.server.documents.changed(kinds(self.all_touched))
            await self._after([each for each in self.looks.values() if not each.other])
            self._closed_ones()
            self.settled.set()
            await self._after([each for each in self.looks.values() if each.other])
        except (Unavailable, ConnectionLost):
            self.unavailable = True
        finally:
            self.settled.set()

    def _spare(self) -> None:
        """Open only some of the other files in a server that is not asked; it may say so only once it runs."""
        if not self.server.diagnosing.asks:
            for each in [path for path, look in self.looks.items() if look.stranger][OPEN_SILENT:]:
                del self.looks[each]

    # ---- before ----

    async def _before(self) -> None:
        documents = self.server.documents
        asked: list[tuple[Look, Document]] = []
        held: list[str] = []
        try:
            for look in tuple(self.looks.values()):
                carried = self.carried.get(look.path) or self.carried.get(look.touched.old.path)
                old = carried.touched if carried else look.touched.old
                if carried and carried.before is not None:
                    look.before = carried.before
                elif old.before is None:
                    look.before = Counter()
                elif not isinstance(old.before, bytes) or self._said(look, old.path, old.before) or self._mixes(look):
                    continue
                elif look.stranger:
                    if documents.holds(look.path):
                        del self.looks[look.path]  # another write is under way there, and answers for it
                    elif document := self._shown(look.path):
                        asked.append((look, document))
                elif document := self._shown(old.path, old.before):
                    held.append(document.path)
                    asked.append((look, document))
            await asyncio.gather(*(self._baseline(*each) for each in asked))
        finally:
            documents.let_go(held)

    def _mixes(self, look: Look) -> bool:
        """Whether the server would see the text before of one file with those after of others."""
        if not self.server.definition.reads_disk:
            return False
        takes = self.server.definition.language_of
        return look.stranger or sum(takes(each.path) is not None for each in self.all_touched) > 1

    def _said(self, look: Look, path: str, data: bytes) -> bool:
        """Whether the server has said before what is wrong with that text."""
        document, latest = self.server.documents.get(path), self.server.latest(path)
        if document is None or document.digest != digest(data) or latest is None or not latest.known:
            return False
        look.before = counted_keys(latest.items)
        return True

    def _shown(self, path: str, data: bytes | None = None) -> Document | None:
        """Have the server know a text, or that on disk; None where it cannot: the text after may be better."""
        documents = self.server.documents
        try:
            return documents.fetch(path) if data is None else documents.show(path, data)
        except (Unreadable, OutsideError):
            return None

    async def _baseline(self, look: Look, document: Document) -> None:
        verdict = await self.server.diagnose(document, until=self.until)
        # Somebody else may have had the server look at the disk meanwhile: what it says then is of the text after.
        if verdict.known and verdict.version == document.version:
            look.before = counted_keys(verdict.items)

    # ---- after ----

    async def _after(self, looks: Sequence[Look]) -> None:
        await asyncio.gather(*map(self._verdict, looks))

    async def _verdict(self, look: Look) -> None:
        documents = self.server.documents
        if look.stranger and documents.holds(look.path):
            del self.looks[look.path]
            return
        try:
            here = None if look.other else documents.get(look.path)
            document = here or documents.fetch(look.path)
        except (Unreadable, OutsideError) as error:
            look.reason = str(error)
            return
        look.verdict = verdict = await self.server.diagnose(document, until=self.until)
        look.document = documents.get(look.path) or document
        if verdict.version is not None and verdict.version != look.document.version:
            look.verdict = attrs.evolve(verdict, state="timeout")
        after = look.touched.after
        if look.stranger and isinstance(after, bytes) and look.document.digest != digest(after):
            del self.looks[look.path]  # another write changed it meanwhile, and answers for it

    def _closed_ones(self) -> None:
        """What a server published of files that are not open (gopls does), against what it had published before."""
        for path, items in self.server.diagnosing.published.closed.items():
            before = self._published.get(path, ())
            if items != before and not self._opened(path):
                self.closed[path] = (counted_keys(before), items)

    def _opened(self, path: str) -> bool:
        workspace = self.server.scope.workspace
        return any(os.path.join(workspace, each) == path for each in self.looks)
