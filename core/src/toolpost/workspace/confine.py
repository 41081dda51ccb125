"""Paths that never leave the workspace: not by `..`, absolute paths, links, nor a race between check and use.

Every access goes through a descriptor that was reached from the workspace's own descriptor: by openat2(2), which the
kernel keeps beneath it, or by walking component by component without following links, where links inside the tree
are followed by hand (contract core:confined; facts/workers.md §4).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from .places import NotAFileError, OutsideError, Parent, Place, TooLargeError, kind_of
from .roots import Roots
from .syscalls import openat2 as _openat2
from .walk import Walk


class Confinement:
    """The directories that paths may not leave: the workspace, and further roots if the harness names some.

    Args:
        workspace: the directory to which relative paths belong.
        roots: further directories, named by absolute paths.
            An absolute path may go through the name that was given here, or through the real one behind its links.
        openat2: False uses the walking fallback even where the system has openat2; None finds out.

    Raises:
        OSError: a directory is not there.
    """

    def __init__(
        self,
        workspace: str | os.PathLike[str],
        roots: Sequence[str | os.PathLike[str]] = (),
        *,
        openat2: bool | None = None,
    ) -> None:
        self._roots = Roots((workspace, *roots))
        self.workspace, *further = self._roots.paths
        self.roots = tuple(further)
        self.uses_openat2 = self._has_openat2() if openat2 is None else openat2

    def close(self) -> None:
        """Nothing can be opened any more, once what is under way in other threads has ended."""
        self._roots.close()

    def held(self) -> AbstractContextManager[None]:
        """Something under way: a close in another thread is put off until it has ended.

        Raises:
            ValueError: it is closed.
        """
        return self._roots.held()

    def __enter__(self) -> Confinement:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- reading ----

    def resolve(self, path: str | Place, *, missing_ok: bool = False) -> Place:
        """Where *path* leads once its links are followed.

        Raises:
            OutsideError: out of the workspace.
            OSError: it, or a folder in it, is not there (unless *missing_ok*), or a component is no directory.
        """
        with self.parent(path, missing_ok=missing_ok) as parent:
            if not missing_ok:
                os.stat(parent.name, dir_fd=parent.descriptor, follow_symlinks=False)
            return parent.place

    def open(self, path: str | Place, flags: int, mode: int = 0o666) -> int:
        """A descriptor of *path*, opened without leaving the workspace; `O_CLOEXEC` always.

        Raises:
            OutsideError, OSError: as `resolve`.
        """
        if self.uses_openat2:
            try:
                with self._roots.held():
                    root, name = self._roots.name(path)
                    return _openat2(root.descriptor, name, flags, mode if flags & os.O_CREAT else 0)
            except OutsideError:
                raise
            except OSError as error:
                # EXDEV: out of the workspace, or an absolute link to a place inside it; ELOOP: too many links, or a magic
                # one. The walk tells which.
                if error.errno not in (errno.EXDEV, errno.ELOOP):
                    raise OSError(error.errno, error.strerror, _named(path)) from None
        with self.parent(path) as parent:
            try:
                return os.open(parent.name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=parent.descriptor)
            except OSError as error:
                raise OSError(error.errno, error.strerror, _named(path)) from None

    def read(self, path: str | Place, *, limit: int | None = None) -> bytes:
        """The bytes of a regular file.

        Raises:
            NotAFileError: it is something else; a pipe never hangs.
            TooLargeError: it has more than *limit* bytes.
            OutsideError, OSError: as `open`.
        """
        try:
            descriptor = self.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError as error:
            if error.errno == errno.ENXIO:  # a socket, or a device that is not there
                raise NotAFileError(_named(path), kind_of(self.stat(path).st_mode)) from None
            raise
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                raise NotAFileError(_named(path), kind_of(about.st_mode))
            if limit is not None and about.st_size > limit:
                raise TooLargeError(_named(path), about.st_size, limit)
            data = read_all(descriptor, about.st_size, limit=limit)
            if limit is not None and len(data) > limit:
                raise TooLargeError(_named(path), len(data), limit)
            return data
        finally:
            os.close(descriptor)

    def stat(self, path: str | Place) -> os.stat_result:
        """What *path* is, links followed."""
        descriptor = self.open(path, os.O_PATH)
        try:
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def parent(self, path: str | Place, *, missing_ok: bool = False) -> Iterator[Parent]:
        """The directory in which *path* ends, open, and its last name, which is no link then.

        With *missing_ok* it is the last directory that is there, and `missing` names those behind it.

        Raises:
            OutsideError: out of the workspace.
            FileNotFoundError, NotADirectoryError: a component before the last.
        """
        with self._roots.held():
            root, parts = self._roots.locate(path)
            walk = Walk(self._roots, _named(path), root)
            try:
                yield walk.to(parts, missing_ok=missing_ok)
            finally:
                walk.close()

    def _has_openat2(self) -> bool:
        try:
            with self._roots.held():
                root, _ = self._roots.locate(".")
                os.close(_openat2(root.descriptor, b".", os.O_PATH))
        except OSError:
            return False
        return True


def read_all(descriptor: int, size: int, *, limit: int | None = None) -> bytes:
    """Everything from a descriptor; *size* is a guess. With *limit*, hardly more than that: a file may grow meanwhile."""
    block = os.read(descriptor, size + 1)
    if len(block) == size:  # there was room for more, and there is none
        return block
    blocks = [block]
    total = len(block)
    while (limit is None or total <= limit) and (block := os.read(descriptor, max(size, 65536))):
        blocks.append(block)
        total += len(block)
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def _named(path: str | Place) -> str:
    return path.shown if isinstance(path, Place) else path
