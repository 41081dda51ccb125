"""Two system calls that Python does not have: openat2(2) and renameat2(2), by ctypes. Linux only."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

_OPENAT2 = 437  # the same number on every architecture, like all calls added since Linux 5.1
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_BENEATH = 0x08
_NOREPLACE = 1
_EXCHANGE = 2

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def openat2(directory: int, path: bytes, flags: int, mode: int = 0) -> int:
    """Open *path* beneath *directory*, or fail with EXDEV: no `..`, absolute link or magic link leads out of it.

    Raises:
        OSError: the call's own; ENOSYS where the system lacks it.
    """
    if _libc is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), path)
    how = struct.pack("QQQ", flags | os.O_CLOEXEC, mode, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)
    while True:
        result: int = _libc.syscall(
            _OPENAT2, directory, ctypes.c_char_p(path), ctypes.c_char_p(how), ctypes.c_size_t(len(how))
        )
        if result >= 0:
            return result
        code = ctypes.get_errno()
        if code not in (errno.EAGAIN, errno.EINTR):  # EAGAIN: something was renamed meanwhile
            raise OSError(code, os.strerror(code), path)


def rename_new(old: str, old_directory: int, new: str, new_directory: int) -> None:
    """Rename, but never over an existing file.

    Raises:
        FileExistsError: *new* is there.
    """
    _renameat2(old, old_directory, new, new_directory, _NOREPLACE)


def exchange(one: str, other: str, directory: int) -> None:
    """Swap two names of one directory in one step."""
    _renameat2(one, directory, other, directory, _EXCHANGE)


def _renameat2(old: str, old_directory: int, new: str, new_directory: int, flags: int) -> None:
    if _libc is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), new)
    if _libc.renameat2(old_directory, os.fsencode(old), new_directory, os.fsencode(new), flags) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), new)
