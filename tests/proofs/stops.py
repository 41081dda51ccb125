"""Every system call by which a change of files touches the disk, as a place to stop at, fail at or meddle at.

Writes are halved, so that half-written files are among the states. Flushing is counted but not done: the death of a
process loses nothing that the kernel has. Only for forked children: what is patched here is never put back.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from toolpost.workspace import StaleError, syscalls

APPLIED, STALE, FAILED, CRASHED = 0, 3, 4, 5
"""How a child ended that was not killed."""

_CALLS = [
    "ftruncate",
    "fchmod",
    "fchown",
    "setxattr",
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "open",
    "write",
    "fsync",
]  # fmt: skip


@attrs.define
class Stops:
    """Counts the calls, and does something before the n-th; `without_exchange` is a file system without renameat2."""

    stop: int
    action: Callable[[], None]
    without_exchange: bool = False
    count: int = attrs.field(default=0, init=False)

    def install(self) -> None:
        for name in _CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))
        for name in ("exchange", "rename_new"):
            setattr(syscalls, name, self._counted(name, getattr(syscalls, name)))

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            if name == "open" and not args[1] & os.O_CREAT:
                return call(*args, **kwargs)
            if self.without_exchange and name in ("exchange", "rename_new"):
                raise OSError(22, os.strerror(22))
            self.count += 1
            if self.count == self.stop:
                self.action()
            if name == "fsync":
                return None
            if name == "write":
                descriptor, data = args
                return call(descriptor, data[: (len(data) + 1) // 2])
            return call(*args, **kwargs)

        return counted


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def in_child(work: Callable[[], object]) -> int:
    """Do it in a forked child; how it ended, or -9 if it was killed."""
    pid = os.fork()
    if pid == 0:
        _child(work)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _child(work: Callable[[], object]) -> None:
    code = CRASHED
    try:
        work()
        code = APPLIED
    except StaleError:
        code = STALE
    except OSError:
        code = FAILED
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def every_stop(play: Callable[[int], bool]) -> Iterator[int]:
    """The stops 1, 2, … until *play* says that nothing stopped there."""
    stop = 1
    while play(stop):
        yield stop
        stop += 1
