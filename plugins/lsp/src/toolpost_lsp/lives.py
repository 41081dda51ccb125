"""The lives of servers: which run, when one that ended may start again, and when one that does not answer is left alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Literal

import attrs
from toolpost import Clock, Scope

from toolpost_lsp.config import LspConfig
from toolpost_lsp.detection.detect import Usable
from toolpost_lsp.server.server import Server

State = Literal["running", "starting", "crashed", "closed", "resting"]

PAUSES = (0.0, 2.0, 8.0)
"""Seconds from a crash to the first, second and third new start; there is no fourth within `WITHIN`."""
WITHIN = 300.0
REST = 30.0
"""Seconds for which a server is left alone that did not answer `PATIENCE` times in a row."""
PATIENCE = 2
_SPARE_AFTER = 1.0
"""A server that was used more recently does not make room for another: one call may use several."""


@attrs.define(eq=False, kw_only=True)
class Life:
    """A server of one project, through its restarts.

    Attributes:
        usable: how it is started.
        server: the present one.
        used: when somebody last asked for it, by the run's clock.
        lost: its connection was lost, or it hangs: the next who asks gets a new one.
    """

    usable: Usable
    server: Server
    clock: Clock
    used: float
    lost: bool = False
    _restarts: deque[float] = attrs.field(factory=deque, init=False)
    _ended: float | None = attrs.field(default=None, init=False)
    _silent: int = attrs.field(default=0, init=False)
    _rests_until: float = attrs.field(default=float("-inf"), init=False)

    @property
    def state(self) -> State:
        """As `Server.state`, or "resting"."""
        return "resting" if self.rest > 0 and self.server.state == "running" else self.server.state

    @property
    def rest(self) -> float:
        """Seconds for which it is still left alone."""
        return max(self._rests_until - self.clock.monotonic(), 0.0)

    @property
    def restarts(self) -> int:
        """How often it was started anew of late."""
        while self._restarts and self._restarts[0] < self.clock.monotonic() - WITHIN:
            self._restarts.popleft()
        return len(self._restarts)

    @property
    def over(self) -> bool:
        """Whether it must be started anew before it can answer."""
        return self.lost or self.server.state in ("crashed", "closed")

    def answered(self) -> None:
        """It gave an answer: what came before is forgiven."""
        self._silent, self._rests_until = 0, float("-inf")

    def timed_out(self) -> None:
        """It gave none in time. After a rest one more question is enough to call it hung."""
        self._silent += 1
        if self._silent > PATIENCE:
            self.lost = True
        elif self._silent == PATIENCE:
            self._rests_until = self.clock.monotonic() + REST

    def may_restart(self) -> bool:
        """Whether it may be started anew now."""
        now = self.clock.monotonic()
        if self._ended is None:
            self._ended = now
        return self.restarts < len(PAUSES) and now >= self._ended + PAUSES[self.restarts]

    def restart(self, server: Server) -> None:
        """*server* takes over."""
        self._restarts.append(self.clock.monotonic())
        self.server, self.lost, self._ended = server, False, None
        self.answered()


@attrs.define(eq=False, kw_only=True)
class Lives:
    """All servers of a run, at most `LspConfig.servers` of them running unless one call needs more."""

    scope: Scope
    config: LspConfig
    _lives: dict[tuple[str, str], Life] = attrs.field(factory=dict, init=False)
    _ending: set[asyncio.Task[None]] = attrs.field(factory=set, init=False)
    _reaper: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    def __iter__(self) -> Iterator[Life]:
        return iter(tuple(self._lives.values()))

    def __contains__(self, key: object) -> bool:
        return key in self._lives

    def find(self, server: Server) -> Life | None:
        """The life that a server is, or was, part of."""
        life = self._lives.get((server.definition.id, server.root))
        return life if life is not None and life.server is server else None

    def of(self, usable: Usable) -> Server:
        """The server, which nobody has started yet where it is a new one.

        One that ended is followed by a new one, unless that happened too often: then it is given as it is.
        """
        life = self._lives.get(usable.key)
        if life is None:
            self._make_room()
            life = self._lives[usable.key] = Life(
                usable=usable, server=self._new(usable), clock=self.scope.clock, used=self.scope.clock.monotonic()
            )
            if self._reaper is None:
                self._reaper = asyncio.create_task(self._reap())
        elif life.over and life.may_restart():
            self._end_later(life.server)
            self._make_room(life)
            life.usable = usable  # its program may be another by now
            life.restart(self._new(usable))
        life.used = self.scope.clock.monotonic()
        return life.server

    async def end(self, lives: Iterable[Life]) -> None:
        """End servers and forget them."""
        for life in lives:
            if self._lives.get(life.usable.key) is life:
                del self._lives[life.usable.key]
            self._end_later(life.server)
        await self._ended()

    async def close(self) -> None:
        """End everything."""
        if self._reaper is not None:
            self._reaper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reaper
        await self.end(tuple(self._lives.values()))

    # ---- inside ----

    def _new(self, usable: Usable) -> Server:
        return Server(
            definition=usable.definition,
            command=usable.command,
            root=usable.root,
            scope=self.scope,
            env=usable.env,
            settings=usable.settings,
            initialization_options=usable.initialization_options,
            lacks=usable.lacks,
        )

    def _make_room(self, wanted: Life | None = None) -> None:
        """End the servers that were used least recently, as long as there are too many beside the one that is wanted."""
        now = self.scope.clock.monotonic()
        others = [each for each in self._lives.values() if each is not wanted]
        running = [each for each in others if each.server.state in ("starting", "running")]
        excess = len(running) + 1 - self.config.servers
        spare = [each for each in running if now - each.used >= _SPARE_AFTER and not each.server.busy]
        for life in sorted(spare, key=lambda each: each.used)[: max(excess, 0)]:
            self._forget(life)

    async def _reap(self) -> None:
        """End what nobody has used for long."""
        clock = self.scope.clock
        while True:
            now = clock.monotonic()
            for life in self:
                if life.used + self.config.idle <= now and not life.server.busy:
                    self._forget(life)
            soonest = min((each.used for each in self._lives.values()), default=now) + self.config.idle
            await clock.sleep(max(soonest - now, 1.0))

    def _forget(self, life: Life) -> None:
        self.scope.log.debug("language server %s (%s) is not used and ends", *life.usable.key)
        del self._lives[life.usable.key]
        self._end_later(life.server)

    def _end_later(self, server: Server) -> None:
        task = asyncio.create_task(server.close())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _ended(self) -> None:
        if self._ending:
            await asyncio.wait(tuple(self._ending))
