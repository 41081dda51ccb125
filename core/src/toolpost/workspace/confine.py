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
from contextlib import contextmanager

import attrs

from .syscalls import openat2 as _openat2

_LINKS = 40  # as many links as the kernel itself follows
_DIRECTORY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class OutsideError(OSError):
    """A path leaves the workspace."""

    def __init__(self, path: str, why: str = "") -> None:
        super().__init__(errno.EXDEV, f"it is outside the workspace{why}; give a path inside it", path)

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class NotAFileError(OSError):
    """A directory, pipe, socket or device where a regular file is meant."""

    def __init__(self, path: str, kind: str) -> None:
        super().__init__(errno.EISDIR if kind == "directory" else errno.EINVAL, f"it is a {kind}, not a file", path)

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class TooLargeError(OSError):
    """A file over the limit that its reader gave."""

    def __init__(self, path: str, size: int, limit: int) -> None:
        super().__init__(errno.EFBIG, f"it has {size} bytes, over the limit of {limit}", path)
        self.size = size
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


@attrs.frozen(kw_only=True)
class Place:
    """A path inside: which root it is in, and its components there, links resolved."""

    root: str
    parts: tuple[str, ...]
    shown: str

    @property
    def path(self) -> str:
        """Relative to its root."""
        return "/".join(self.parts) or "."

    def folder(self, parts: tuple[str, ...]) -> Place:
        """A folder that it lies in."""
        inside = "/".join(parts)
        shown = f"{self.root}/{inside}" if self.shown.startswith("/") else inside
        return Place(root=self.root, parts=parts, shown=shown)


@attrs.frozen
class Parent:
    """An open directory, and a name in it.

    `missing`: the folders between the two that are not there, as parts below the root, outermost first.
    """

    descriptor: int
    name: str
    place: Place
    missing: tuple[tuple[str, ...], ...] = ()


@attrs.define(eq=False)
class _Root:
    path: str
    descriptor: int


class Confinement:
    """The directories that paths may not leave: the workspace, and further roots if the harness names some.

    Args:
        workspace: the directory to which relative paths belong.
        roots: further directories, named by absolute paths.
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
        self._roots: list[_Root] = []
        try:
            for each in (workspace, *roots):
                path = os.path.realpath(each)
                self._roots.append(_Root(path, os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)))
        except OSError:
            self.close()
            raise
        self.workspace = self._roots[0].path
        self.roots = tuple(root.path for root in self._roots[1:])
        self.uses_openat2 = _has_openat2(self._roots[0].descriptor) if openat2 is None else openat2

    def close(self) -> None:
        """Close the directories; nothing can be opened any more."""
        for root in self._roots:
            os.close(root.descriptor)
        self._roots.clear()

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
            root, parts = self._locate(path)
            try:
                return _openat2(root.descriptor, "/".join(parts) or ".", flags, mode if flags & os.O_CREAT else 0)
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
            return read_all(descriptor, about.st_size)
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
        root, parts = self._locate(path)
        walk = _Walk(self, _named(path), root)
        try:
            yield walk.to(parts, missing_ok=missing_ok)
        finally:
            walk.close()

    # ---- inside ----

    def _locate(self, path: str | Place) -> tuple[_Root, list[str]]:
        """The root that a path belongs to, and its components there, `..` not resolved."""
        if not self._roots:
            raise ValueError("this confinement is closed: its run has ended")
        if isinstance(path, Place):
            for root in self._roots:
                if root.path == path.root:
                    return root, list(path.parts)
            raise OutsideError(path.shown)
        if "\0" in path:
            raise OutsideError(path.replace("\0", "\\0"), " (it holds a NUL character)")
        found = self._beneath(path) if path.startswith("/") else (self._roots[0], path.split("/"))
        if found is None:
            raise OutsideError(path)
        root, parts = found
        return root, [part for part in parts if part not in ("", ".")]

    def _beneath(self, path: str) -> tuple[_Root, list[str]] | None:
        plain = os.path.normpath(path)
        for root in sorted(self._roots, key=lambda each: -len(each.path)):
            prefix = root.path.rstrip("/") + "/"
            if plain == root.path or plain.startswith(prefix):
                # The components as given: `link/..` is not what normpath makes of it.
                given = os.path.relpath(path, root.path) if not path.startswith(prefix) else path[len(prefix) :]
                return root, given.split("/")
        return None

    def _shown(self, root: _Root, parts: Sequence[str]) -> str:
        inside = "/".join(parts)
        return (inside or ".") if root is self._roots[0] else f"{root.path}/{inside}".rstrip("/")


class _Walk:
    """A walk from a root, component by component; it holds every directory that it came through."""

    def __init__(self, files: Confinement, path: str, root: _Root) -> None:
        self._files = files
        self._path = path
        self._root = root
        self._open: list[int] = []
        self._parts: list[str] = []
        self._links = 0

    def to(self, parts: Sequence[str], *, missing_ok: bool = False) -> Parent:
        """Walk all but the last component, and the last too where it is a link."""
        todo = list(reversed(parts))
        while todo:
            part = todo.pop()
            if part == "..":
                if not self._parts:
                    raise OutsideError(self._path)
                self._parts.pop()
                os.close(self._open.pop())
                continue
            target = self._link(part)
            if target is not None:
                self._follow(target, todo)
            elif todo:
                try:
                    self._open.append(os.open(part, _DIRECTORY, dir_fd=self._here))
                except FileNotFoundError:
                    if missing_ok and ".." not in todo:
                        return self._missing([part, *reversed(todo)])
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._path) from None
                except OSError as error:
                    raise OSError(error.errno, error.strerror, self._path) from None
                self._parts.append(part)
            else:
                place = (*self._parts, part)
                return Parent(self._here, part, self._place(place))
        # The path ends in a directory that was walked (`a/..`, `.`, a link to one): its name there is `.`.
        return Parent(self._here, ".", self._place(tuple(self._parts)))

    def _missing(self, parts: Sequence[str]) -> Parent:
        whole = (*self._parts, *parts)
        missing = tuple(whole[:length] for length in range(len(self._parts) + 1, len(whole)))
        return Parent(self._here, parts[-1], self._place(whole), missing)

    def close(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()

    @property
    def _here(self) -> int:
        return self._open[-1] if self._open else self._root.descriptor

    def _place(self, parts: tuple[str, ...]) -> Place:
        return Place(root=self._root.path, parts=parts, shown=self._files._shown(self._root, parts))

    def _link(self, part: str) -> str | None:
        try:
            return os.readlink(part, dir_fd=self._here)
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOENT):
                return None  # no link, or nothing at all
            raise OSError(error.errno, error.strerror, self._path) from None

    def _follow(self, target: str, todo: list[str]) -> None:
        self._links += 1
        if self._links > _LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), self._path)
        parts = target.split("/")
        if target.startswith("/"):
            found = self._files._beneath(target)
            if found is None:
                raise OutsideError(self._path, ", since a link in it leads out")
            self.close()
            self._parts.clear()
            self._root, parts = found
        todo.extend(part for part in reversed(parts) if part not in ("", "."))


def read_all(descriptor: int, size: int) -> bytes:
    """Everything from a descriptor; *size* is a guess."""
    blocks = []
    while block := os.read(descriptor, max(size, 65536)):
        blocks.append(block)
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def kind_of(mode: int) -> str:
    """What a file that is no regular one is called."""
    kinds = {stat.S_IFDIR: "directory", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFLNK: "link"}
    return kinds.get(stat.S_IFMT(mode), "device")


def _named(path: str | Place) -> str:
    return path.shown if isinstance(path, Place) else path


def _has_openat2(directory: int) -> bool:
    try:
        os.close(_openat2(directory, ".", os.O_PATH))
    except OSError:
        return False
    return True
