"""The directories that paths may not leave, open; and which of them a path belongs to."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

import attrs

from .places import OutsideError, Place


class _Held:
    """Counts who needs the directories open. One object for all of them: it keeps nothing of its own."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots

    def __enter__(self) -> None:
        roots = self._roots
        with roots._lock:
            if not roots._open:
                raise ValueError("this confinement is closed: its run has ended")
            roots._holders += 1

    def __exit__(self, *_: object) -> None:
        roots = self._roots
        with roots._lock:
            roots._holders -= 1
            if roots._closing:
                roots._close_unheld()


_PLAIN = re.compile(r"[^/.\0][^/\0]*(?:/[^/.\0][^/\0]*)*")
"""Most paths: relative, no component empty, and none that begins with a dot."""


@attrs.frozen(eq=False)
class Root:
    """One directory: its real path, the path by which the harness named it, and a descriptor of it."""

    path: str
    named: str
    descriptor: int


class Roots:
    """The workspace, and further roots behind it.

    Raises:
        OSError: a directory is not there.
    """

    def __init__(self, paths: Sequence[str | os.PathLike[str]]) -> None:
        self._lock = threading.Lock()
        self._held = _Held(self)
        self._holders = 0
        self._closing = False
        self._open: list[Root] = []
        try:
            for each in paths:
                path = os.path.realpath(each)
                descriptor = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
                self._open.append(Root(path, os.path.abspath(each), descriptor))
        except OSError:
            self.close()
            raise
        self.paths = tuple(root.path for root in self._open)

    def held(self) -> AbstractContextManager[None]:
        """Keep the directories open meanwhile, though another thread closes them.

        A number that is closed within a walk may be another directory's by the next step, and the walk would be there.
        """
        return self._held

    def close(self) -> None:
        """Close the directories, as soon as nobody holds them."""
        with self._lock:
            self._closing = True
            self._close_unheld()

    def _close_unheld(self) -> None:
        if self._closing and not self._holders:
            for root in self._open:
                os.close(root.descriptor)
            self._open.clear()

    def name(self, path: str | Place) -> tuple[Root, bytes]:
        """The root that a path belongs to, and the path from there as the system takes it. Only for who holds them.

        Raises:
            OutsideError: it belongs to none.
        """
        if isinstance(path, str) and _PLAIN.fullmatch(path):
            with contextlib.suppress(UnicodeEncodeError):  # below it is said what is wrong
                return self._open[0], os.fsencode(path)
        root, parts = self.locate(path)
        return root, os.fsencode("/".join(parts) or ".")

    def locate(self, path: str | Place) -> tuple[Root, list[str]]:
        """The root that a path belongs to, and its components there, `..` not resolved. Only for who holds them.

        Raises:
            OutsideError: it belongs to none.
        """
        if isinstance(path, Place):
            for root in self._open:
                if root.path == path.root:
                    return root, list(path.parts)
            raise OutsideError(path.shown)
        if "\0" in path:
            raise OutsideError(path.replace("\0", "\\0"), " (it holds a NUL character)")
        if _no_name(path):
            raise OutsideError(ascii(path)[1:-1], " (it holds half of a character, which no file's name can)")
        found = self.beneath(path) if path.startswith("/") else (self._open[0], path.split("/"))
        if found is None:
            raise OutsideError(path)
        root, parts = found
        return root, [part for part in parts if part not in ("", ".")]

    def beneath(self, path: str) -> tuple[Root, list[str]] | None:
        """The innermost root that an absolute path goes through, and the components behind it."""
        plain = os.path.normpath(path)
        for name, root in sorted(self._names(), key=lambda each: -len(each[0])):
            prefix = name.rstrip("/") + "/"
            if plain == name or plain.startswith(prefix):
                # The components as given: `link/..` is not what normpath makes of it.
                given = os.path.relpath(path, name) if not path.startswith(prefix) else path[len(prefix) :]
                return root, given.split("/")
        return None

    def _names(self) -> Iterator[tuple[str, Root]]:
        for root in self._open:
            yield root.path, root
            yield root.named, root

    def place(self, root: Root, parts: tuple[str, ...]) -> Place:
        """What people see: relative to the workspace, absolute in a further root."""
        inside = "/".join(parts)
        shown = (inside or ".") if root is self._open[0] else f"{root.path}/{inside}".rstrip("/")
        return Place(root=root.path, parts=parts, shown=shown)


def _no_name(path: str) -> bool:
    """Whether the file system's encoding has no bytes for it: a lone surrogate that stands for no byte."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return True
    return False
