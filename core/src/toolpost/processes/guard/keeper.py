"""The keeper of one child: starts it, ends whatever it leaves behind, and ends the way it ended.

It reports the start through a pipe: first `pid start-time`, then, when the program could not be started, a failure
`errno NUL stage NUL path` (stage: fork, folder, descriptor or program). It closes at exec.
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import time
from typing import NoReturn

from . import family, procfs
from .order import Order

SIGNALS = frozenset({signal.SIGCHLD, signal.SIGTERM})
"""What a keeper waits for. They must be blocked before it is forked, so that none is lost before it waits."""


def keep(guard: int, order_fd: int, fds: list[int], report: int) -> NoReturn:
    """Run one child to its end; the whole life of a keeper.

    SIGTERM, the deadline or the death of the guard end the child and everything below it.

    Args:
        guard: the inner guard's pid.
        order_fd: a file that holds the encoded order.
        fds: descriptors for the child, in the order of the order's targets.
        report: the pipe to report the start to.
    """
    family.adopt("toolpost-keeper")
    family.follow(guard, signal.SIGTERM)
    order = Order.decode(os.pread(order_fd, os.fstat(order_fd).st_size, 0))
    me = os.getpid()
    try:
        child = os.fork()
    except OSError as error:
        _fail(report, "fork", error, b"")
        os._exit(1)
    if child == 0:
        _become(order, me, fds, report)
    _close_all()
    family.end_like(_wait(child, order.deadline))
    os._exit(1)


def _wait(child: int, seconds: float | None) -> int:
    """Wait for the child, the order to end or the deadline; end what is left; the child's wait status."""
    until = None if seconds is None else time.monotonic() + seconds
    while True:
        left = 3600.0 if until is None else max(until - time.monotonic(), 0.0)
        got = signal.sigtimedwait(SIGNALS, left)
        ended, _ = family.reap()
        over = until is not None and time.monotonic() >= until
        if child in ended:
            family.end_all()
            return ended[child]
        if over or (got is not None and got.si_signo == signal.SIGTERM):
            return family.end_all().get(child, signal.SIGKILL)


def _close_all() -> None:
    """Close all but the standard streams, so that the child's pipes end when the child closes them."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            try:
                os.close(int(name))
            except OSError:
                pass  # the one that listed the folder


def _fail(report: int, stage: str, error: OSError, path: bytes) -> None:
    os.write(report, b"%d\0%s\0%s" % (error.errno or 0, stage.encode(), path))


def _become(order: Order, keeper: int, fds: list[int], report: int) -> NoReturn:
    """Turn this fork of the keeper into the program, or report why not."""
    stage, path = "folder", order.cwd
    try:
        if order.new_session:
            os.setsid()
        else:
            os.setpgid(0, 0)
        family.follow(keeper, signal.SIGKILL)
        os.write(report, b"%d %d\n" % (procfs.identity(os.getpid()) or (0, 0)))
        os.chdir(order.cwd)
        stage, path = "descriptor", b""
        # Out of the way of the targets first: a descriptor that came in may have the number of another one's target.
        above = max(order.targets) + 1
        report = fcntl.fcntl(report, fcntl.F_DUPFD_CLOEXEC, above)
        fds = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, above) for fd in fds]
        for fd, target in zip(fds, order.targets, strict=True):
            os.dup2(fd, target)
        for signum in signal.valid_signals():
            try:
                signal.signal(signum, signal.SIG_DFL)
            except OSError:
                pass  # SIGKILL, SIGSTOP
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        stage, path = "program", order.argv[0]
        _exec(order)
    except OSError as error:
        _fail(report, stage, error, path)
    finally:
        os._exit(127)


def _exec(order: Order) -> NoReturn:
    """Replace this process, looking a name without a slash up on the PATH of its own environment."""
    name = order.argv[0]
    if b"/" in name:
        os.execve(name, order.argv, order.env)
    refused: OSError | None = None
    for folder in order.env.get(b"PATH", os.fsencode(os.defpath)).split(b":"):
        try:
            os.execve(os.path.join(folder or b".", name), order.argv, order.env)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except PermissionError as error:
            refused = error  # as execvp(3): a later folder may hold one that may be run
    raise refused or FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
