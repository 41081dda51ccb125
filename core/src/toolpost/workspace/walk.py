"""A way from a root to a path, component by component: no step follows a link, and none leaves the tree.

Links inside the tree are followed by hand, absolute ones too, which openat2(2) cannot (facts/workers.md §4).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from .places import OutsideError, Parent
from .roots import Root, Roots

_LINKS = 40  # as many links as the kernel itself follows
_DIRECTORY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Walk:
    """A walk from a root, component by component; it holds every directory that it came through."""

    def __init__(self, roots: Roots, path: str, root: Root) -> None:
        self._roots = roots
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
                return Parent(self._here, part, self._roots.place(self._root, (*self._parts, part)))
        # The path ends in a directory that was walked (`a/..`, `.`, a link to one): its name there is `.`.
        return Parent(self._here, ".", self._roots.place(self._root, tuple(self._parts)))

    def _missing(self, parts: Sequence[str]) -> Parent:
        whole = (*self._parts, *parts)
        missing = tuple(whole[:length] for length in range(len(self._parts) + 1, len(whole)))
        return Parent(self._here, parts[-1], self._roots.place(self._root, whole), missing)

    def close(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()

    @property
    def _here(self) -> int:
        return self._open[-1] if self._open else self._root.descriptor

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
            found = self._roots.beneath(target)
            if found is None:
                raise OutsideError(self._path, ", since a link in it leads out")
            self.close()
            self._parts.clear()
            self._root, parts = found
        todo.extend(part for part in reversed(parts) if part not in ("", "."))
