"""One program that a run started."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

import attrs

from .guard import procfs
from .guard.procfs import Identity
from .streams import Streams


@attrs.define(kw_only=True, eq=False)
class Process:
    """A supervised program. It ends with its run at the latest, together with everything that it started.

    When the program itself ends, what it left running is killed, so a returncode means that its whole tree is dead.

    Attributes:
        argv: the program and its arguments.
    """

    argv: tuple[str, ...]
    _identity: Identity
    _streams: Streams
    _ended: asyncio.Future[int]
    _order_kill: Callable[[], None]

    def __attrs_post_init__(self) -> None:
        """Let go of standard input as soon as nobody can read it."""
        self._ended.add_done_callback(lambda _: self._streams.drop_stdin())

    @property
    def pid(self) -> int:
        """The program's process id. It may be in use again once `returncode` is set."""
        return self._identity[0]

    @property
    def stdin(self) -> asyncio.StreamWriter | None:
        """Its standard input, where that is a pipe."""
        return self._streams.stdin

    @property
    def stdout(self) -> asyncio.StreamReader | None:
        """Its standard output, where that is a pipe."""
        return self._streams.stdout

    @property
    def stderr(self) -> asyncio.StreamReader | None:
        """Its standard error, where that is a pipe."""
        return self._streams.stderr

    @property
    def returncode(self) -> int | None:
        """None while it runs; then its exit code, or the negated number of the signal that ended it."""
        return self._ended.result() if self._ended.done() else None

    def stderr_tail(self) -> str:
        """The last 16 KiB of standard error, where it was started with RING; else nothing."""
        return self._streams.tail()

    async def wait(self) -> int:
        """Wait until it and everything it started is dead; return the returncode. Cancelling this does not end it."""
        code = await asyncio.shield(self._ended)
        # Every writer is dead, so the end is there already, unless the pipe was handed to a program of somebody else's.
        await self._streams.drained(0.5)
        return code

    def send_signal(self, signum: int) -> bool:
        """Signal the program alone, not what it started; False when it has ended."""
        return not self._ended.done() and procfs.send(self._identity, signum)

    async def kill(self) -> None:
        """Kill it and everything it started, whatever sessions they opened; returns when all are dead."""
        if not self._ended.done():
            self._order_kill()
        await self.wait()

    async def terminate(self, grace: float) -> None:
        """Ask it to end (SIGTERM); kill its tree if it has not after `grace` seconds. Returns when all are dead."""
        self.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.wait(), grace)
        except TimeoutError:
            await self.kill()
