"""The steps that a change of files is made of, each one system call or a few that a crash between them cannot hurt.

A test gives a Disk of its own, to stop or fail at any step.
"""

from __future__ import annotations

import errno
import os
import stat

from . import syscalls
from .changes import Metadata
from .confine import read_all
from .places import NotAFileError, kind_of

_UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)
_KEEP = ".keep"
_PART = ".part"


class Disk:
    """Works on names in open directories: never on paths, which others could redirect."""

    def read(self, directory: int, name: str) -> bytes | None:
        """A regular file's bytes; None if there is nothing of that name.

        Raises:
            NotAFileError: it is something else.
        """
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
            descriptor = os.open(name, flags, dir_fd=directory)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):  # a link; a socket, or a device that is not there
                about = os.stat(name, dir_fd=directory, follow_symlinks=False)
                raise NotAFileError(name, kind_of(about.st_mode)) from None
            raise
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                raise NotAFileError(name, kind_of(about.st_mode))
            return read_all(descriptor, about.st_size)
        finally:
            os.close(descriptor)

    def metadata(self, directory: int, name: str) -> Metadata:
        """What the file carries beside its bytes."""
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        try:
            about = os.fstat(descriptor)
            names = _listxattr(descriptor)
            return Metadata(
                mode=stat.S_IMODE(about.st_mode),
                owner=(about.st_uid, about.st_gid),
                xattrs=tuple((each, os.getxattr(descriptor, each)) for each in names),
            )
        finally:
            os.close(descriptor)

    def create(self, directory: int, name: str, data: bytes, metadata: Metadata | None) -> None:
        """A new file, flushed to the disk, whole or not there; 0666 less the umask unless *metadata* says otherwise."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name + _PART, flags, 0o600 if metadata else 0o666, dir_fd=directory)
        try:
            _write(descriptor, data)
            if metadata is not None:
                _put(descriptor, metadata)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(name + _PART, name, src_dir_fd=directory, dst_dir_fd=directory)

    def overwrite(self, directory: int, name: str, old: bytes, new: bytes) -> bool:
        """New bytes in the same file; False, and nothing done, if it does not hold the old ones.

        What is there meanwhile is a head of the new and a tail of the old. Nothing can keep a person from writing
        between the look and the write here: that is why only hard links are changed in this way.
        """
        descriptor = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        try:
            if read_all(descriptor, len(old)) != old:
                return False
            os.lseek(descriptor, 0, os.SEEK_SET)
            _write(descriptor, new)
            os.ftruncate(descriptor, len(new))
            os.fsync(descriptor)
            return True
        finally:
            os.close(descriptor)

    def exchange(self, directory: int, temporary: str, name: str) -> None:
        """Swap the two files in one step, or so that `settle` can finish it where the file system cannot."""
        try:
            syscalls.exchange(temporary, name, directory)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
            os.link(name, temporary + _KEEP, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
            os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
            os.rename(temporary + _KEEP, temporary, src_dir_fd=directory, dst_dir_fd=directory)

    def settle(self, directory: int, temporary: str) -> None:
        """Finish what was interrupted within one step: a file half made, or a swap on a file system without exchange."""
        self.unlink(directory, temporary + _PART)
        if not exists(directory, temporary + _KEEP):
            return
        if exists(directory, temporary):
            os.unlink(temporary + _KEEP, dir_fd=directory)
        else:
            os.rename(temporary + _KEEP, temporary, src_dir_fd=directory, dst_dir_fd=directory)

    def rename_new(self, directory: int, old: str, new: str) -> None:
        """Rename, never over an existing file.

        Raises:
            FileExistsError: *new* is there.
        """
        try:
            syscalls.rename_new(old, directory, new, directory)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
            os.link(old, new, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
            os.unlink(old, dir_fd=directory)

    def unlink(self, directory: int, name: str) -> None:
        """Remove a file, if it is there."""
        try:
            os.unlink(name, dir_fd=directory)
        except FileNotFoundError:
            pass

    def make_folder(self, directory: int, name: str) -> None:
        """Make a folder, if it is not there."""
        try:
            os.mkdir(name, 0o777, dir_fd=directory)
        except FileExistsError:
            pass  # somebody else made it meanwhile, and it serves as well

    def remove_folder(self, directory: int, name: str) -> None:
        """Remove a folder, if it is empty."""
        try:
            os.rmdir(name, dir_fd=directory)
        except OSError:
            pass  # a folder too many harms nobody

    def sync(self, directory: int) -> None:
        """Flush a directory's names to the disk."""
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=directory)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    # ---- the journal, in the state folder ----

    def write_journal(self, path: str, data: bytes) -> None:
        """A file that is there whole, or not at all."""
        with open(path + ".new", "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        self.rename_journal(path + ".new", path)

    def rename_journal(self, old: str, new: str) -> None:
        os.rename(old, new)
        self._sync_folder(new)

    def remove_journal(self, path: str) -> None:
        os.unlink(path)
        self._sync_folder(path)

    def _sync_folder(self, path: str) -> None:
        descriptor = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def same_file(directory: int, one: str, other: str) -> bool:
    """Whether both names are there, and of one file."""
    try:
        first, second = (os.stat(each, dir_fd=directory, follow_symlinks=False) for each in (one, other))
    except FileNotFoundError:
        return False
    return os.path.samestat(first, second)


def exists(directory: int, name: str) -> bool:
    """Whether there is anything of that name."""
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _put(descriptor: int, metadata: Metadata) -> None:
    about, mode = os.fstat(descriptor), metadata.mode
    if metadata.owner is not None and metadata.owner != (about.st_uid, about.st_gid):
        try:
            os.fchown(descriptor, *metadata.owner)
        except PermissionError:  # Only root may give files away. It must not run as somebody else than before, either.
            mode &= ~(stat.S_ISUID | stat.S_ISGID)
    os.fchmod(descriptor, mode)
    for name, value in metadata.xattrs:
        try:
            os.setxattr(descriptor, name, value)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EACCES, errno.EOPNOTSUPP):
                raise


def _listxattr(descriptor: int) -> list[str]:
    try:
        return os.listxattr(descriptor)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.ENOSYS):
            return []
        raise
