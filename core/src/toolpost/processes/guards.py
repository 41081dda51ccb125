"""The harness's side of the guards: starts them, sends them orders, hears their news and their deaths."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from .guard import ledger, procfs
from .guard.ledger import Ledger
from .sweep import RUN_VARIABLE, end_run

_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from guard.outer import main; main(sys.argv[2:])"
_FOLDER = str(Path(__file__).parent)
_FORCE_SECONDS = 0.4  # the event loop is blocked meanwhile, so not for long


@attrs.define(kw_only=True, eq=False)
class Guards:
    """The two guards of one run.

    Attributes:
        on_news: called with the words of each message of the inner guard.
        on_gone: called once when both guards are dead, and with them everything that the run started.
        lost: one of them has died or was told to end; no order is taken any more.
        gone: set when both are dead.
    """

    on_news: Callable[[list[bytes]], None]
    on_gone: Callable[[], None]
    _program: subprocess.Popen[bytes]
    _orders: socket.socket  # to the inner guard; at its end when that is dead
    _lifeline: socket.socket  # to the outer guard; likewise
    _record: Ledger
    _path: str
    _loop: asyncio.AbstractEventLoop = attrs.field(factory=asyncio.get_running_loop, init=False)
    _outbox: deque[tuple[bytes, Sequence[int], contextlib.ExitStack]] = attrs.field(factory=deque, init=False)
    lost: bool = attrs.field(default=False, init=False)
    gone: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    @classmethod
    def start(
        cls,
        *,
        tag: str,
        path: Path | None,
        python: str,
        on_news: Callable[[list[bytes]], None],
        on_gone: Callable[[], None],
    ) -> Guards:
        """Write the ledger and start the guards; returns before they run, as their sockets hold what is sent early.

        Raises:
            OSError: the ledger cannot be written, or the interpreter cannot be started.
        """
        me = procfs.identity(os.getpid())
        if me is None:
            raise OSError("/proc does not show this process; toolpost supervises its children through /proc")
        record = Ledger(tag, me, [], [], ledger.here())
        if path is not None:
            path = path.absolute()  # the guards leave this folder
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            ledger.write(str(path), record)
        lifeline, its_lifeline = socket.socketpair()
        orders, its_orders = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its_lifeline, its_orders:
            numbers = (its_lifeline.fileno(), its_orders.fileno())
            words = [_FOLDER, str(os.getpid()), *map(str, numbers), tag, str(path or "")]
            # /proc shows a program's variables, so it gets none but what the interpreter may need to find its library.
            environment = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
            try:
                program = subprocess.Popen(
                    [python, "-I", "-S", "-c", _PROGRAM, *words],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=numbers,
                    env={RUN_VARIABLE: tag, **environment},
                    start_new_session=True,  # a terminal's Ctrl-C is for the harness, which decides
                )
            except BaseException:
                lifeline.close()
                orders.close()
                ledger.remove(str(path))
                raise
        guards = cls(
            on_news=on_news,
            on_gone=on_gone,
            program=program,
            orders=orders,
            lifeline=lifeline,
            record=record,
            path=str(path or ""),
        )
        guards._listen()
        return guards

    def send(self, message: bytes, fds: Sequence[int] = (), holding: contextlib.ExitStack | None = None) -> None:
        """Send a message as soon as the socket takes it; `holding` keeps the descriptors open until then."""
        self._outbox.append((message, fds, holding or contextlib.ExitStack()))
        self._flush()

    def hang_up(self) -> None:
        """Tell the outer guard to end the run; `gone` is set when everything is dead."""
        self.lost = True
        if self._lifeline.fileno() != -1:
            self._lifeline.shutdown(socket.SHUT_WR)

    def end_by_force(self) -> None:
        """Do the guards' work from here, and end them too: they are dead, or stopped, or do not get to it."""
        if self._path:
            with contextlib.suppress(OSError, ValueError):  # the guards may have removed it just now
                self._record = ledger.read(self._path)
        outer = procfs.identity(self._program.pid) if self._program.poll() is None else None
        self._record.known += [outer] if outer else []
        end_run(self._record, _FORCE_SECONDS)

    def alive(self) -> list[int]:
        """The pids below the outer guard, and its own: what an end that takes too long waits for."""
        pid = self._program.pid
        below = [process[0] for process in procfs.descendants({pid}) if procfs.alive(process)]
        return below if self._program.poll() is not None else [pid, *below]

    def _listen(self) -> None:
        for end in (self._orders, self._lifeline):
            end.setblocking(False)
        self._loop.add_reader(self._orders, self._hear)
        self._loop.add_reader(self._lifeline, self._hear_lifeline)

    def _hear(self) -> None:
        while (message := self._receive(self._orders)) is not None:
            if not message:
                self._lose(self._orders)
                return
            self.on_news(message.split(b"\0"))

    def _hear_lifeline(self) -> None:
        if self._receive(self._lifeline) == b"":  # the outer guard never writes
            self._lose(self._lifeline)

    @staticmethod
    def _receive(end: socket.socket) -> bytes | None:
        """One message; None when there is none yet; empty when the other end is closed."""
        try:
            return end.recv(8192)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _lose(self, end: socket.socket) -> None:
        self.lost = True
        self._loop.remove_reader(end)
        if end is self._orders:
            self._loop.remove_writer(end)
        end.close()
        self._flush()
        if self._orders.fileno() == -1 and self._lifeline.fileno() == -1:
            self._end()

    def _end(self) -> None:
        """Both guards are dead. If the outer one did not end its work, the inner one may not have done so either."""
        if self._program.wait() != 0:
            self.end_by_force()
            ledger.remove(self._path)
        self.gone.set()
        self.on_gone()

    def _flush(self) -> None:
        while self._outbox:
            message, fds, holding = self._outbox[0]
            try:
                if self._orders.fileno() != -1:
                    socket.send_fds(self._orders, [message], fds)
            except BlockingIOError:
                self._loop.add_writer(self._orders, self._flush)
                return
            except ConnectionError:
                pass  # the inner guard is dead; `_hear` finds out and answers for it
            except OSError as error:  # too many descriptors
                self.on_news([b"failed", message.split(b"\0")[1], b"%d" % (error.errno or 0), b"descriptor", b""])
            self._outbox.popleft()
            holding.close()
        if self._orders.fileno() != -1:
            self._loop.remove_writer(self._orders)
