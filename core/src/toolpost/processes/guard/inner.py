"""The inner guard: starts a keeper for each order, and ends what a dead keeper leaves behind.

It speaks with the harness over a SOCK_SEQPACKET socket; each message is words that NUL separates. From the harness:

    spawn NUL id        with descriptors: the order (a file), then the child's
    kill NUL id         end the child and all below it

To the harness:

    started NUL id NUL pid NUL start-time
    failed NUL id NUL errno NUL stage NUL path
    ended NUL id NUL returncode         nothing of it is alive any more
"""

from __future__ import annotations

import errno
import gc
import os
import select
import signal
import socket
import time
from collections import deque
from typing import NoReturn

from . import family, keeper, ledger, procfs

_PATIENCE = 0.25  # seconds that a keeper gets to end its child before it is killed itself
_REFRESH = 0.5  # seconds between two looks at the descendants, for the ledger
_SETTLE = 0.02  # seconds from a start or an end to the next look
_MOST_FDS = 253  # SCM_MAX_FD, unix(7)


class _Ward:
    """One child, as its keeper's parent sees it."""

    __slots__ = ("fatal", "id", "report", "text")

    def __init__(self, ident: bytes, report: int) -> None:
        self.id = ident
        self.report = report  # the keeper's pipe, -1 once the start is known
        self.text = b""  # what came through it
        self.fatal: float | None = None  # when to kill the keeper itself


def main(outer: int, harness: int, orders: socket.socket, tag: str, path: str) -> NoReturn:
    """Serve one run's orders until the harness or the outer guard is gone; the whole life of this process."""
    try:
        family.adopt("toolpost-inner")
        guard = _Inner(outer, harness, orders, tag, path)
        guard.serve()
    finally:
        family.end_all()
        ledger.remove(path)
        os._exit(0)


class _Inner:
    def __init__(self, outer: int, harness: int, orders: socket.socket, tag: str, path: str) -> None:
        self.orders = orders
        self.orders.setblocking(False)
        self.path = path
        self.wards: dict[int, _Ward] = {}  # by the keeper's pid
        self.ended: list[bytes] = []  # messages that wait until the strays are gone
        self.strays = False  # a keeper was killed: its descendants may be ours now
        self.outbox: deque[bytes] = deque()  # the harness may be blocked; the guard never is
        self.refresh = time.monotonic()
        me = os.getpid()
        guards = [procfs.identity(outer) or (outer, 0), procfs.identity(me) or (me, 0)]
        self.ledger = ledger.Ledger(tag, procfs.identity(harness) or (harness, 0), guards, [], ledger.here())
        self.wake = family.wake_fd()
        family.follow(outer, signal.SIGTERM)
        self.poll = select.poll()
        self.poll.register(self.wake, select.POLLIN)
        self.poll.register(self.orders, select.POLLIN)
        self.harness = family.watch(self.poll, harness)
        self._write_ledger()
        gc.freeze()  # a fork's collector would otherwise copy every page it looks at

    def serve(self) -> None:
        while True:
            ready = dict(self.poll.poll(self._timeout()))
            if self.harness in ready or (self.wake in ready and signal.SIGTERM in os.read(self.wake, 512)):
                return
            for ward in self.wards.values():
                if ward.report in ready:
                    self._read_report(ward)
            self._bury(family.reap()[0])
            if self.orders.fileno() in ready and not self._receive():
                return
            self._insist()
            if self.strays:
                self._end_strays()
            self._refresh_ledger()
            if not self._flush():
                return

    def _timeout(self) -> float | None:
        """Milliseconds until something is due."""
        if self.strays:
            return 2
        due = [ward.fatal for ward in self.wards.values() if ward.fatal is not None]
        if self.wards and self.path:
            due.append(self.refresh)
        return max((min(due) - time.monotonic()) * 1000, 0) if due else None

    # Orders in

    def _receive(self) -> bool:
        """Take one message; False when the harness has hung up."""
        try:
            # recv_fds takes flags, but drops them: every descriptor would reach every child.
            message, extra, flags, _ = self.orders.recvmsg(
                512, socket.CMSG_SPACE(_MOST_FDS * 4), socket.MSG_CMSG_CLOEXEC
            )
        except BlockingIOError:
            return True
        except OSError:
            return False
        fds = [fd for _, _, data in extra for fd in memoryview(data).cast("i")]
        try:
            if not message:
                return False
            verb, ident = message.split(b"\0")
            if verb == b"kill":
                self._kill(ident)
            elif flags & socket.MSG_CTRUNC:
                self._say(b"failed", ident, b"%d" % errno.EMFILE, b"descriptor", b"")
            else:
                self._spawn(ident, fds)
        finally:
            for fd in fds:
                os.close(fd)
        return True

    def _spawn(self, ident: bytes, fds: list[int]) -> None:
        report, write_end = os.pipe()
        os.set_blocking(report, False)
        me = os.getpid()
        signal.pthread_sigmask(signal.SIG_BLOCK, keeper.SIGNALS)
        try:
            pid = os.fork()
            if pid == 0:
                try:
                    keeper.keep(me, fds[0], fds[1:], write_end)
                finally:
                    os._exit(1)
        except OSError as error:
            os.close(report)
            self._say(b"failed", ident, b"%d" % (error.errno or 0), b"fork", b"")
            return
        finally:
            os.close(write_end)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, keeper.SIGNALS)
        self.wards[pid] = _Ward(ident, report)
        self.poll.register(report, select.POLLIN)

    def _kill(self, ident: bytes) -> None:
        for pid, ward in self.wards.items():
            if ward.id == ident and ward.fatal is None:
                os.kill(pid, signal.SIGTERM)
                ward.fatal = time.monotonic() + _PATIENCE

    def _insist(self) -> None:
        """Kill the keepers that were told to end and did not: one may be stopped, or busy with a fork bomb."""
        now = time.monotonic()
        for pid, ward in self.wards.items():
            if ward.fatal is not None and ward.fatal <= now:
                os.kill(pid, signal.SIGKILL)
                ward.fatal = None

    # News out

    def _read_report(self, ward: _Ward) -> None:
        """Take what the keeper's pipe holds; at its end the start is known."""
        try:
            data = os.read(ward.report, 8192)
        except BlockingIOError:
            return
        ward.text += data
        if data:
            return
        self._close_report(ward)
        self.refresh = min(self.refresh, time.monotonic() + _SETTLE)

    def _close_report(self, ward: _Ward) -> None:
        self.poll.unregister(ward.report)
        os.close(ward.report)
        ward.report = -1
        names, _, failure = ward.text.rpartition(b"\n")
        if failure or not names:
            self._say(b"failed", ward.id, *(failure or b"%d\0killed\0" % errno.EINTR).split(b"\0"))
        else:
            self._say(b"started", ward.id, *names.split(b" "))

    def _bury(self, statuses: dict[int, int]) -> None:
        """Take note of the children that have ended."""
        for pid, status in statuses.items():
            ward = self.wards.pop(pid, None)
            if ward is None:
                continue  # an orphan
            while ward.report != -1:
                try:
                    data = os.read(ward.report, 8192)
                except BlockingIOError:
                    data = b""
                ward.text += data
                if not data:
                    self._close_report(ward)
            message = b"\0".join([b"ended", ward.id, b"%d" % os.waitstatus_to_exitcode(status)])
            self.ended.append(message)
            # A keeper that exits has ended its descendants; one that died by a signal may not have got to it.
            self.strays = self.strays or os.WIFSIGNALED(status)
            self.refresh = min(self.refresh, time.monotonic() + _SETTLE)
        if not self.strays:
            self.outbox += self.ended
            self.ended.clear()

    def _end_strays(self) -> None:
        """One strike at everything that belongs to no living keeper."""
        self.strays, statuses = family.strike(spare=frozenset(self.wards))
        self._bury(statuses)

    def _say(self, *words: bytes) -> None:
        self.outbox.append(b"\0".join(words))

    def _flush(self) -> bool:
        """Send what the socket takes; False when the harness has hung up."""
        while self.outbox:
            try:
                self.orders.send(self.outbox[0])
            except BlockingIOError:
                break
            except OSError:
                return False
            self.outbox.popleft()
        self.poll.modify(self.orders, select.POLLIN | (select.POLLOUT if self.outbox else 0))
        return True

    def _refresh_ledger(self) -> None:
        begun = time.monotonic()
        if self.path and begun >= self.refresh:
            known = procfs.descendants({os.getpid()})
            if known != self.ledger.known:
                self.ledger.known = known
                self._write_ledger()
            now = time.monotonic()
            self.refresh = now + max(_REFRESH, 50 * (now - begun))  # at most 2 % of a core, however full /proc is

    def _write_ledger(self) -> None:
        try:
            if self.path:
                ledger.write(self.path, self.ledger)
        except OSError:
            pass  # the harness wrote the first one and would have said why; a full disk must not end the run
