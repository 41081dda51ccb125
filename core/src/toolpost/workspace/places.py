"""Where a path leads, and the errors of a path that leads nowhere good."""

from __future__ import annotations

import errno
import stat

import attrs


class _PathError(OSError):
    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class OutsideError(_PathError):
    """A path leaves the workspace."""

    def __init__(self, path: str, why: str = "") -> None:
        super().__init__(errno.EXDEV, f"it is outside the workspace{why}; give a path inside it", path)


class NotAFileError(_PathError):
    """A directory, pipe, socket or device where a regular file is meant."""

    def __init__(self, path: str, kind: str) -> None:
        super().__init__(errno.EISDIR if kind == "directory" else errno.EINVAL, f"it is a {kind}, not a file", path)


class TooLargeError(_PathError):
    """A file over the limit that its reader gave."""

    def __init__(self, path: str, size: int, limit: int) -> None:
        super().__init__(errno.EFBIG, f"it has {size} bytes, over the limit of {limit}", path)
        self.size = size
        self.limit = limit


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


def kind_of(mode: int) -> str:
    """What a file that is no regular one is called."""
    kinds = {stat.S_IFDIR: "directory", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFLNK: "link"}
    return kinds.get(stat.S_IFMT(mode), "device")
