"""What every supervisor does with its descendants: adopt them, reap them, end them."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import time

from . import procfs

_PDEATHSIG, _DUMPABLE, _NAME, _CHILD_SUBREAPER = 1, 4, 15, 36  # prctl(2)
_libc = ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int | bytes) -> None:
    if _libc.prctl(option, value, 0, 0, 0):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def adopt(name: str) -> None:
    """Become the parent of every orphaned descendant; show as `name` (15 characters) in process lists."""
    _prctl(_CHILD_SUBREAPER, 1)
    _prctl(_NAME, name.encode())


def follow(parent: int, signum: int) -> None:
    """Get `signum` when the parent dies, also when it died before this call."""
    _prctl(_PDEATHSIG, signum)
    if os.getppid() != parent:
        os.kill(os.getpid(), signum)


def wake_fd() -> int:
    """A descriptor that becomes readable at SIGCHLD and SIGTERM, and yields one byte a signal: its number."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    for signum in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(signum, lambda *_: None)
    return readable


def watch(poll: select.poll, pid: int) -> int:
    """Let `poll` report the death of a process that is no child.

    Returns the descriptor that it will report; -1 where the kernel cannot tell, before Linux 5.3 or in some sandboxes.

    Raises:
        ProcessLookupError: it is dead already.
    """
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError:
        return -1
    poll.register(fd, select.POLLIN)
    return fd


def reap() -> tuple[dict[int, int], bool]:
    """Collect the children that have ended: their wait statuses by pid, and whether any child is left."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended, False
        if pid == 0:
            return ended, True
        ended[pid] = status


def strike(spare: frozenset[int] = frozenset()) -> tuple[bool, dict[int, int]]:
    """Kill every descendant that a single look finds.

    Args:
        spare: children to leave alone, together with all that is below them.

    Returns:
        Whether there was any, and the wait statuses of the children that ended meanwhile, by pid.
    """
    me = os.getpid()
    # One that forks and exits on and on is another process by the time that all of /proc is read. Its latest self is
    # our newest child, and a child's pid is not given out again before we reap it, so it can be killed without a look.
    for pid in reversed(procfs.children(me)):
        if pid not in spare:
            os.kill(pid, signal.SIGKILL)
    statuses, _ = reap()
    found = procfs.descendants({me}, spare)
    procfs.end(found)
    return bool(found), statuses


def end_all() -> dict[int, int]:
    """Kill every descendant and return when there is none; the wait statuses of the children, by pid."""
    statuses: dict[int, int] = {}
    pause = 0.0005
    while True:
        statuses |= strike()[1]
        ended, more = reap()
        statuses |= ended
        if not more:
            return statuses
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def end_like(status: int) -> None:
    """End this process with another one's wait status, without leaving a core dump of its own."""
    if os.WIFSIGNALED(status):
        signum = os.WTERMSIG(status)
        _prctl(_DUMPABLE, 0)
        if signum not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signum})
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
