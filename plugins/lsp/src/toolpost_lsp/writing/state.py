"""What write wrapping keeps for a run: what is reported, what servers still look at, and what they owe an answer on."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import attrs
from toolpost import OutsideError, ToolError

from toolpost_lsp.diagnostics.problem import Problem
from toolpost_lsp.protocol.errors import ConnectionLost
from toolpost_lsp.server.server import Server
from toolpost_lsp.writing.elsewhere import changed_names
from toolpost_lsp.writing.examination import Carried, Examination
from toolpost_lsp.writing.keys import counted_keys
from toolpost_lsp.writing.late import Late
from toolpost_lsp.writing.ledger import Ledger
from toolpost_lsp.writing.note import News
from toolpost_lsp.writing.results import Results
from toolpost_lsp.writing.texts import Texts
from toolpost_lsp.writing.touched import Content, Touched, content, kinds, moved

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor

BEFORE = 0.2
"""Seconds that a write waits before it is done; the core waits 0.3."""
COLD = 4.5
"""Seconds that the first write waits for a server that has not answered yet; the core waits 5 in all."""
LATE = 30.0
"""Seconds after a write for which its servers may still say something of it."""
MOST_FILES = 40
"""Files of one write that are looked at; a server keeps 50 open."""
_OTHERS = 0.5
"""Seconds that other files are waited for when the write's own are done, in servers that publish."""

Files = Mapping[str, Sequence[Server]]


@attrs.define(eq=False, kw_only=True)
class Writing:
    """The write wrapping of one run.

    Attributes:
        under_way: the files that are being written, and looked at for that.
        interrupted: what files held before a write that was cancelled, so that nothing was told of it.
    """

    supervisor: Supervisor
    ledger: Ledger = attrs.field(factory=Ledger, init=False)
    late: Late = attrs.field(init=False)
    _warm: WeakSet[Server] = attrs.field(factory=WeakSet, init=False)
    _waited: WeakSet[Server] = attrs.field(factory=WeakSet, init=False)
    _texts: WeakKeyDictionary[Server, Texts] = attrs.field(factory=WeakKeyDictionary, init=False)
    _reading: WeakKeyDictionary[Server, asyncio.Task[None]] = attrs.field(factory=WeakKeyDictionary, init=False)
    under_way: set[str] = attrs.field(factory=set, init=False)
    interrupted: dict[str, Content] = attrs.field(factory=dict, init=False)
    _turn: dict[str, Touched] = attrs.field(factory=dict, init=False)

    @late.default
    def _nothing_late(self) -> Late:
        return Late(supervisor=self.supervisor, ledger=self.ledger, answered=self._answered)

    @classmethod
    def of(cls, supervisor: Supervisor) -> Writing:
        """The one of a run."""
        if supervisor.writing is None:
            supervisor.writing = cls(supervisor=supervisor)
        writing: Writing = supervisor.writing
        return writing

    # ---- a write ----

    async def prepare(self, paths: Sequence[str]) -> None:
        """Begin to read the project, and have the servers that are asked, and have answered before, say what is wrong
        with the texts as they are.

        What is not done in time is asked for afterwards, with the texts of before; but a server that watches the disk
        by itself (zuban) may mix the two.
        """
        for server in {each for path in paths for each in self.supervisor.known_for(path) if _crosses(each)}:
            self._reading[server] = self._read(server)
        unknown = [
            (server, path)
            for path in paths[:MOST_FILES]
            for server in self.supervisor.known_for(path)
            if server in self._warm and server.diagnosing.asks and server.latest(path) is None
        ]
        if unknown:
            since = self.supervisor.scope.clock.monotonic()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEFORE):
                    await asyncio.gather(*(self._prepare(server, path, since) for server, path in unknown))

    async def _prepare(self, server: Server, path: str, since: float) -> None:
        if self.supervisor.resting(server) > 0 or self.late.looks(server):
            return
        with contextlib.suppress(ToolError, OutsideError, ConnectionLost):
            document = await server.documents.open(path, since=since)
            await server.diagnose(document, until=server.clock.monotonic() + LATE)

    async def servers(self, paths: Iterable[str]) -> Files:
        """The servers of some files, which start now if they do not run."""
        found = {}
        for path in paths:
            try:
                found[path] = await self.supervisor.servers_for(path)
            except ToolError:  # it leads out of the workspace
                continue
            for server in found[path]:
                server.start()
        return found

    async def look(
        self, touched: Sequence[Touched], looking: asyncio.Task[Files], wait: float | None = None
    ) -> News | None:
        """Tell all servers of a write, and wait for what those of its files have to say; None if none has to.

        Args:
            looking: finds the servers of the files.
            wait: seconds; those of the configuration unless given.
        """
        clock, config = self.supervisor.scope.clock, self.supervisor.config
        began = clock.monotonic()
        wait = config.wait if wait is None else wait
        if not await self._within(looking, began + COLD):
            return News(pending={"": [each.path for each in touched]}, waited=clock.monotonic() - began)
        by_server = self._by_server(touched, looking.result())
        self._tell_others(touched, by_server)
        if not by_server:
            return None
        self._follow(touched)
        results = Results(supervisor=self.supervisor, ledger=self.ledger, touched=touched)
        examinations: list[tuple[Examination, asyncio.Task[None]]] = []
        for server, own in by_server.items():
            if self.supervisor.resting(server) > 0 or server.state in ("crashed", "closed"):
                await server.documents.changed(kinds(touched))
                results.missing(server)
                continue
            carried = self.late.carried(server, {path for each in own for path in (each.path, each.old.path)})
            others = await self._others(server, own, touched, carried)
            examination = Examination(
                server=server,
                touched=own[:MOST_FILES],
                all_touched=touched,
                others=others,
                carried=carried,
                until=began + COLD + LATE,
            )
            results.beyond(server, own[MOST_FILES:])
            examinations.append((examination, asyncio.create_task(examination.run())))
        try:
            for examination, task in sorted(examinations, key=lambda each: each[0].server not in self._warm):
                await self._wait_for(examination, task, began, wait)
        finally:
            for examination, task in examinations:
                self.late.keep(examination, task)
        for examination, _ in examinations:
            results.take(examination)
            if any(each.known for each in examination.looks.values()):
                self._answered(examination.server)
        return results.news(clock.monotonic() - began)

    def _answered(self, server: Server) -> None:
        self._warm.add(server)
        self.supervisor.answered(server)

    async def _wait_for(self, examination: Examination, task: asyncio.Task[None], began: float, wait: float) -> None:
        """Wait for one server, as long as this write may."""
        server, clock = examination.server, self.supervisor.scope.clock
        warm = server in self._warm
        cold_once = not warm and server not in self._waited
        until = began + (max(COLD, wait) if cold_once else wait)
        settled = asyncio.ensure_future(examination.settled.wait())
        in_time = await self._within(settled, until)
        settled.cancel()
        if not warm:
            self._waited.add(server)
        if not in_time:
            if warm and not server.progress.active:
                self.supervisor.timed_out(server)
            return
        patience = until if server.diagnosing.asks else min(until, clock.monotonic() + _OTHERS)
        await self._within(task, patience)

    async def _within(self, work: asyncio.Future[Any], until: float) -> bool:
        """Whether something is done before a time of the run's clock. If it is not, it goes on."""
        if not work.done():
            clock = self.supervisor.scope.clock
            sleeper = asyncio.ensure_future(clock.sleep(max(until - clock.monotonic(), 0.0)))
            try:
                await asyncio.wait({work, sleeper}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                sleeper.cancel()
        return work.done()

    def _follow(self, touched: Sequence[Touched]) -> None:
        """Have the ledger know which files moved, and which are gone."""
        for each in touched:
            if each.origin is not None:
                self.ledger.move(each.origin.path, each.path)
        for each in touched:
            if each.after is None:
                self.ledger.forget(each.path)

    def _by_server(self, touched: Sequence[Touched], files: Files) -> dict[Server, list[Touched]]:
        found: dict[Server, list[Touched]] = {}
        for each in touched:
            for server in files.get(each.path, ()):
                found.setdefault(server, []).append(each)
        return found

    def _tell_others(self, touched: Sequence[Touched], told: Iterable[Server]) -> None:
        """Have the servers of other files know as well: a write may change what they read."""
        for server in self.supervisor.running:
            if server not in told and server.state == "running":
                server.documents.changed_meanwhile(kinds(touched))

    # ---- other files ----

    async def _others(
        self, server: Server, own: Sequence[Touched], touched: Sequence[Touched], carried: Mapping[str, Carried]
    ) -> list[Touched]:
        """Further files that a server is to look at: those that earlier writes left open, and those that may break now."""
        files, here = self.supervisor.scope.files, {each.path for each in touched}
        paths = [path for path in carried if path not in here]
        if _crosses(server):
            names = {name for each in own for name in changed_names(each)}
            if names:
                modules = {os.path.basename(each.path).partition(".")[0] for each in own}
                await (self._reading.pop(server, None) or self._read(server))
                known = {os.path.join(self.supervisor.scope.workspace, path) for path in here}
                found = self._texts[server].naming(names, modules, known)
                for absolute in found:
                    try:
                        shown = files.resolve(absolute).shown
                    except OSError:
                        continue
                    if shown not in here and shown not in self.under_way:
                        paths.append(shown)
        others = []
        for path in dict.fromkeys(paths):
            data = content(files, path)
            if isinstance(data, bytes):
                others.append(Touched(path=path, before=data, after=data))
        return others

    def _read(self, server: Server) -> asyncio.Task[None]:
        """Begin to look at the texts of a server's project."""
        texts = self._texts.get(server)
        if texts is None:
            takes = server.definition.language_of
            texts = self._texts[server] = Texts(server.root, lambda name: takes(name) is not None)
        return asyncio.create_task(asyncio.to_thread(texts.look))

    # ---- turns ----

    async def remember(self, touched: Sequence[Touched]) -> None:
        """Keep what files held before the first write of a turn, and tell the servers that run."""
        for each in touched:
            self._turn.setdefault(each.path, each)
        self._tell_others(touched, ())

    async def end_turn(self, wait: float) -> News | None:
        """What all writes since the last such question newly broke, together."""
        turn, self._turn = self._turn, {}
        files = self.supervisor.scope.files
        touched = moved(
            [Touched(path=path, before=each.before, after=content(files, path)) for path, each in turn.items()]
        )
        changed = [each for each in touched if each.before != each.after]
        if not changed:
            return None
        looking = asyncio.create_task(
            self.servers(tuple(filter(self.supervisor.serves, (each.path for each in changed))))
        )
        return await self.look(changed, looking, wait)

    # ---- what else was reported ----

    def reported(self, path: str, problems: Sequence[Problem], servers: Sequence[str]) -> None:
        """`lsp diagnostics` has shown these: no write shows them again."""
        for server in servers:
            now = counted_keys(each.diagnostic for each in problems if server in each.servers)
            self.ledger.replace(path, server, now)

    async def close(self) -> None:
        """Stop looking."""
        await self.late.close()


def _crosses(server: Server) -> bool:
    """Whether what one file holds may be an error in another one."""
    return server.definition.role == "types" and not server.definition.own_text
