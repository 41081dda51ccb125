"""The processes of one run: started under its guards, and dead when it is."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import PIPE

import attrs

from .environment import child_environment
from .failure import SpawnError, explain
from .guard.order import Order
from .guards import Guards
from .process import Process
from .streams import RING, Streams
from .sweep import RUN_VARIABLE

_AT_ONCE = 16  # starts under way together; each holds several descriptors until its answer comes
_CLOSE_SECONDS = 1.0  # core:processes
_GUARDS_SECONDS = 0.3  # of these, before the harness does the guards' work; they need a hundredth of a second


class StillAlive(RuntimeError):
    """A run was closed, and something that it started was not dead after a second."""


def _folder(program: str, cwd: str | None) -> str:
    try:
        return cwd if cwd and os.path.isabs(cwd) else os.path.join(os.getcwd(), cwd or "")
    except OSError as error:
        text = f"cannot start {program!r}: this process's own working directory is gone; pass cwd"
        raise SpawnError(text, error.errno) from error


@attrs.define(eq=False)
class _Start:
    """One order that was sent: `started` gets the child's pid and start time, `ended` its returncode."""

    program: str
    cwd: str
    path: str
    started: asyncio.Future[tuple[int, int]] = attrs.field(init=False)
    ended: asyncio.Future[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.started, self.ended = loop.create_future(), loop.create_future()

    def fail(self, error: SpawnError) -> None:
        if not self.started.done():  # else its spawn was cancelled
            self.started.set_exception(error)


@attrs.define(kw_only=True, eq=False)
class Processes:
    """Starts the processes of one run, and ends them all.

    Two guards stand between the harness and what it starts. They come with the first `spawn`, none before
    (core:open-starts-nothing). However the harness ends, or one of the guards, everything is dead within a second
    (core:processes); when both are killed at once, `sweep` does it. Use it from one event loop; SIGCHLD is not used.

    Linux only, as it needs subreapers and /proc. Elsewhere `spawn` refuses: it would start what nobody clears up.

    Args:
        tag: names the run in its children's environment and in the ledger; letters, digits, `.`, `_`, `-`.
        ledger: a file to keep the ledger in, in the folder that `sweep` is given. Without one, nothing finds children
            that outlive both guards and the harness.
        python: the interpreter that runs the guards, 3.11 or later.
    """

    tag: str = attrs.field(validator=attrs.validators.matches_re(r"[\w.-]+", re.ASCII, re.fullmatch))
    ledger: Path | None = None
    python: str = sys.executable
    _guards: Guards | None = attrs.field(default=None, init=False)
    _starts: dict[bytes, _Start] = attrs.field(factory=dict, init=False)
    _streams: list[Streams] = attrs.field(factory=list, init=False)
    _count: int = attrs.field(default=0, init=False)
    _slots: asyncio.Semaphore = attrs.field(factory=lambda: asyncio.Semaphore(_AT_ONCE), init=False)
    _closing: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    @property
    def started(self) -> bool:
        """Whether the guards were started, which the first `spawn` does."""
        return self._guards is not None

    async def spawn(
        self,
        argv: Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        stdin: int = PIPE,
        stdout: int = PIPE,
        stderr: int = RING,
        pass_fds: Sequence[int] = (),
        new_session: bool = True,
        deadline: float | None = None,
    ) -> Process:
        """Start a program. If this is cancelled, the program is killed should it have started.

        Args:
            argv: the program and its arguments. A name without a slash is looked up on the PATH of `env`.
            cwd: its folder; the harness's unless given.
            env: its whole environment; `child_environment()` unless given. TOOLPOST_RUN is added.
            stdin: PIPE, DEVNULL or a descriptor, which stays yours.
            stdout: likewise.
            stderr: likewise, or RING.
            pass_fds: descriptors that it gets under the same numbers, at most 200.
            new_session: give it a session of its own; else only a process group.
            deadline: seconds after which the guards kill it with all it started, even if the harness is blocked.

        Raises:
            SpawnError: it could not be started; the text says why.
            ValueError: `argv` is empty, or something holds a NUL byte.
        """
        if not argv:
            raise ValueError("argv is empty; its first word must be the program to start")
        variables = {**(child_environment() if env is None else env), RUN_VARIABLE: self.tag}
        start = _Start(argv[0], _folder(argv[0], cwd), variables.get("PATH", os.defpath))
        order = Order(
            argv=[os.fsencode(word) for word in argv],
            env={os.fsencode(name): os.fsencode(value) for name, value in variables.items()},
            cwd=os.fsencode(start.cwd),
            targets=[0, 1, 2, *pass_fds],
            new_session=new_session,
            deadline=deadline,
        ).encode()
        async with self._slots:
            guards = self._open_guards(start)
            self._count += 1
            ident = b"%d" % self._count
            self._starts[ident] = start
            streams = self._send(guards, ident, order, start, (stdin, stdout, stderr), pass_fds)
            try:
                identity = await start.started
                await streams.connect()
                if self._closing:
                    raise self._refusal(start)
                self._streams = [*(known for known in self._streams if known.open_ends), streams]
            except BaseException:
                guards.send(b"kill\0" + ident)
                streams.close()
                raise
        return Process(
            argv=tuple(argv),
            identity=identity,
            streams=streams,
            ended=start.ended,
            order_kill=lambda: guards.send(b"kill\0" + ident),
        )

    async def close(self) -> None:
        """End everything that this run started, and its guards; a second call changes nothing.

        Raises:
            StillAlive: something was not dead after a second.
        """
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self._guards is None:
            return
        self._guards.hang_up()
        try:
            if not await self._gone(self._guards, _GUARDS_SECONDS):
                self._guards.end_by_force()
            if not await self._gone(self._guards, _CLOSE_SECONDS - _GUARDS_SECONDS):
                raise StillAlive(
                    f"the run {self.tag} was closed, but after {_CLOSE_SECONDS:g} s these processes are not dead: "
                    f"{self._guards.alive()}; one in state D (ps) waits for a disk or a network file system"
                )
        finally:
            for streams in self._streams:
                streams.close()
            await asyncio.sleep(0)  # the event loop closes a pipe in its next turn

    @staticmethod
    async def _gone(guards: Guards, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(guards.gone.wait(), seconds)
        return guards.gone.is_set()

    def _open_guards(self, start: _Start) -> Guards:
        """The guards, started if need be."""
        if sys.platform != "linux":
            raise SpawnError(f"cannot start {start.program!r}: toolpost can supervise what it starts on Linux only")
        if self._closing or (self._guards and self._guards.lost):
            raise self._refusal(start)
        if self._guards is None:
            try:
                self._guards = Guards.start(
                    tag=self.tag, path=self.ledger, python=self.python, on_news=self._take, on_gone=self._bury
                )
            except OSError as error:
                text = f"cannot start {start.program!r}: its supervisors or their ledger failed first: {error}"
                raise SpawnError(text, error.errno) from error
        return self._guards

    def _send(
        self,
        guards: Guards,
        ident: bytes,
        order: bytes,
        start: _Start,
        kinds: tuple[int, int, int],
        extra: Sequence[int],
    ) -> Streams:
        """Open the streams and send the order with all its descriptors."""
        with contextlib.ExitStack() as theirs:
            try:
                paper = os.memfd_create("toolpost-order")
                theirs.callback(os.close, paper)
                os.write(paper, order)
                copies = []  # as the caller may close its own before they are sent
                for fd in extra:
                    copies.append(os.dup(fd))
                    theirs.callback(os.close, copies[-1])
                streams, given = Streams.open(*kinds, theirs)
            except OSError as error:
                del self._starts[ident]
                failure = explain(start.program, error.errno or errno.EIO, "descriptor", cwd=start.cwd, path=start.path)
                raise failure from error
            guards.send(b"spawn\0" + ident, [paper, *given, *copies], theirs.pop_all())
        return streams

    def _take(self, words: list[bytes]) -> None:
        """Hear the inner guard."""
        verb, ident, *rest = words
        start = self._starts.get(ident)
        if start is None:
            return
        if verb == b"started":
            if not start.started.done():
                start.started.set_result((int(rest[0]), int(rest[1])))
            return
        del self._starts[ident]
        if verb == b"failed":
            code, stage, _ = rest
            start.fail(explain(start.program, int(code), stage.decode(), cwd=start.cwd, path=start.path))
        else:
            start.ended.set_result(int(rest[0]))

    def _bury(self) -> None:
        """Both guards are gone, and with them everything that they had started."""
        for start in self._starts.values():
            start.fail(self._refusal(start))
            start.ended.set_result(-signal.SIGKILL)
        self._starts.clear()

    def _refusal(self, start: _Start) -> SpawnError:
        if self._closing:
            return SpawnError(f"cannot start {start.program!r}: the run {self.tag} is closed")
        return SpawnError(
            f"cannot start {start.program!r}: the supervisors of the run {self.tag} ({self.python}) have died, "
            f"and everything that they had started with them; open a new run"
        )
