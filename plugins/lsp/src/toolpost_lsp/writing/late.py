"""What servers owe of earlier writes: they still look at them, or what they said was not delivered yet (write:bounded)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import attrs
from toolpost import digest

from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean, listed
from toolpost_lsp.writing.examination import Carried, Examination
from toolpost_lsp.writing.ledger import Ledger
from toolpost_lsp.writing.results import Results
from toolpost_lsp.writing.touched import content

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor


@attrs.define(eq=False, kw_only=True)
class Owed:
    """One server's look at one write that was not done in time.

    Attributes:
        paths: the files that it owes an answer on.
    """

    examination: Examination
    task: asyncio.Task[None]
    paths: set[str]

    def take(self, path: str) -> Carried:
        """Have another look answer for that file."""
        self.paths.discard(path)
        look = self.examination.looks[path]
        before = self.examination.carried.get(path)
        return Carried(touched=before.touched if before else look.touched.old, before=look.before)


@attrs.define(eq=False, kw_only=True)
class Late:
    """All that is owed in a run.

    Nothing of it counts as reported before it is delivered: a write that comes first takes it over.

    Args:
        answered: called with a server that has answered late.
    """

    supervisor: Supervisor
    ledger: Ledger
    answered: Callable[[Server], object]
    _owed: WeakKeyDictionary[Server, list[Owed]] = attrs.field(factory=WeakKeyDictionary, init=False)

    def looks(self, server: Server) -> bool:
        """Whether a server still looks at an earlier write."""
        return any(not each.task.done() for each in self._owed.get(server, ()))

    def keep(self, examination: Examination, task: asyncio.Task[None]) -> None:
        """Let a server go on that was not done in time."""
        if task.done():
            if not task.cancelled():
                task.result()
            return
        paths = {path for path, look in examination.looks.items() if look.pending}
        owed = Owed(examination=examination, task=task, paths=paths)
        self._owed.setdefault(examination.server, []).append(owed)
        task.add_done_callback(lambda _: self._came(owed))

    def carried(self, server: Server, here: Collection[str]) -> dict[str, Carried]:
        """What a write has to answer for beside its own: all that the server still looks at, and stops to.

        Args:
            here: the files that the write touches: what was said of those, and not delivered, does not hold any more.
        """
        carried: dict[str, Carried] = {}
        for owed in tuple(self._owed.get(server, ())):
            if owed.task.done():
                paths = owed.paths.intersection(here)
            else:
                owed.task.cancel()
                self._forget(owed)
                looks = owed.examination.looks
                paths = {path for path in owed.paths if not looks[path].stranger or looks[path].before is not None}
            for path in paths:
                carried.setdefault(path, owed.take(path))
        return carried

    async def close(self) -> None:
        """Stop looking."""
        tasks = [each.task for all_owed in self._owed.values() for each in all_owed]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def idle(self) -> None:
        """Wait until no server looks at an earlier write any more."""
        while tasks := [each.task for all_owed in self._owed.values() for each in all_owed if not each.task.done()]:
            await asyncio.wait(tasks)

    # ---- inside ----

    def _came(self, owed: Owed) -> None:
        """A server was done late."""
        looks = owed.examination.looks
        if owed.task.cancelled():
            self._forget(owed)
        elif error := owed.task.exception():
            self._forget(owed)
            self.supervisor.scope.log.warning("looking at a write failed", exc_info=error)
        elif not any(looks[path].known for path in owed.paths):
            self._forget(owed)
        else:
            self.answered(owed.examination.server)
            self.supervisor.scope.notice("lsp", lambda: self._deliver(owed))

    def _deliver(self, owed: Owed) -> str | None:
        """What stands behind the next result, of the files that are as they were."""
        self._forget(owed)
        examination = owed.examination
        paths = {path for path in owed.paths if self._holds(examination, path)}
        results = Results(supervisor=self.supervisor, ledger=self.ledger, touched=examination.all_touched)
        results.take(examination, only=paths)
        news = results.news(0.0)
        if not paths or not (news.new or news.elsewhere or news.fixed or news.whole):
            return None
        names = [
            f"{clean(path)} (version {document.version})"
            for path in sorted(paths)
            if (document := examination.looks[path].document)
        ]
        return f"late, of {listed(names, 5)}: {news.text}"

    def _holds(self, examination: Examination, path: str) -> bool:
        """Whether the server spoke of a file, and it is as it was then."""
        look = examination.looks[path]
        document = look.document if look.known else None
        data = content(self.supervisor.scope.files, path)
        return document is not None and isinstance(data, bytes) and digest(data) == document.digest

    def _forget(self, owed: Owed) -> None:
        all_owed = self._owed.get(owed.examination.server, [])
        if owed in all_owed:
            all_owed.remove(owed)
