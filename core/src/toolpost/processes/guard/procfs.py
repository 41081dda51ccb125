"""What the supervisors read from /proc: who descends from whom, and how to signal exactly the process that was meant.

A process is named by its pid together with its start time, because a pid alone is given out again.
Field numbers are those of proc_pid_stat(5).
"""

from __future__ import annotations

import errno
import os
import signal

Identity = tuple[int, int]
"""A process id, and the start time in clock ticks since boot (field 22)."""


def _fields(pid: int) -> list[bytes] | None:
    """The fields of /proc/PID/stat from the third (state) on, or None when there is no such process."""
    try:
        fd = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            line = os.read(fd, 4096)
        finally:
            os.close(fd)
    except OSError:
        return None
    # The second field is the command's name in brackets, which may itself hold spaces and brackets.
    return line[line.rindex(b")") + 2 :].split()


def identity(pid: int) -> Identity | None:
    """Name a process by pid and start time; None when it does not exist."""
    fields = _fields(pid)
    return (pid, int(fields[19])) if fields else None


def alive(process: Identity) -> bool:
    """Whether this very process still runs; a zombie does not, unless threads outlive its first one (field 20)."""
    fields = _fields(process[0])
    if not fields or int(fields[19]) != process[1]:
        return False
    return fields[0] not in (b"Z", b"X") or int(fields[17]) > 1


def parent(pid: int) -> int:
    """The parent's pid (field 4); 0 when there is none."""
    fields = _fields(pid)
    return int(fields[1]) if fields else 0


def pids() -> list[int]:
    """Every process that this one can see."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def newest() -> int:
    """The pid that was given out last (proc(5), loadavg); 0 where the system does not tell."""
    try:
        with open("/proc/loadavg") as file:
            return int(file.read().split()[-1])
    except (OSError, ValueError):
        return 0


def children(pid: int) -> list[int]:
    """The children of a process with one thread, the newest last; none without CONFIG_PROC_CHILDREN in the kernel."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def descendants(roots: set[int], spare: frozenset[int] = frozenset()) -> list[Identity]:
    """List everything below `roots`, parents before children, zombies included, the roots themselves not.

    Args:
        roots: process ids to start from.
        spare: process ids that are left out, together with all that is below them.
    """
    families: dict[int, list[Identity]] = {}
    for pid in pids():
        fields = _fields(pid)
        if fields:
            families.setdefault(int(fields[1]), []).append((pid, int(fields[19])))
    found: list[Identity] = []
    parents = list(roots)
    for parent in parents:  # grows while it is walked
        for child in families.pop(parent, ()):
            if child[0] not in spare and child[0] not in roots:
                found.append(child)
                parents.append(child[0])
    return found


def send(process: Identity, signum: int) -> bool:
    """Signal exactly this process; False when it is gone, though its pid may be in use again.

    A descriptor of the process is taken before its start time is compared, so the pid cannot change hands in between.
    Kernels without pidfd_open(2) leave a window of microseconds.

    Raises:
        PermissionError: the process belongs to somebody else.
    """
    try:
        fd = os.pidfd_open(process[0])
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EPERM):
            return False
        fd = -1
    try:
        if identity(process[0]) != process:
            return False
        if fd == -1:
            os.kill(process[0], signum)
        else:
            signal.pidfd_send_signal(fd, signum)
    except ProcessLookupError:
        return False
    finally:
        if fd != -1:
            os.close(fd)
    return True


def end(processes: list[Identity]) -> None:
    """Kill these processes. All are stopped before the first is killed, so that none reacts to a death by forking."""
    for signum in (signal.SIGSTOP, signal.SIGKILL):
        for process in processes:
            try:
                send(process, signum)
            except PermissionError:
                pass  # a program with another owner's rights: nothing here may signal it
