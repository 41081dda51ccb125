"""The files of a workspace as a list of steps would leave them: read from the disk, changed in memory only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import Any

import attrs
from toolpost import Call, Change, Digest, OutsideError, ToolError, digest

from toolpost_lsp.protocol.uris import path_of
from toolpost_lsp.words import clean

_LARGEST = 16 * 1024 * 1024
_MOST_FILES = 2_000
_NOT_OURS = frozenset({".git", ".hg", ".jj", ".svn"})
"""Folders in which a file can run code later (hooks) and that no refactoring has any business in."""


@attrs.define(kw_only=True)
class File:
    """One file: what the disk holds, and what it would hold; None where it is not there.

    Attributes:
        path: as people see it.
        origin: where its content was before.
    """

    path: str
    before: bytes | None
    now: bytes | None
    origin: str
    prune: tuple[str, ...] = ()

    @property
    def seen(self) -> Digest | None:
        return None if self.before is None else digest(self.before)


@attrs.define
class Draft:
    """Steps taken in memory. Paths come from servers, as URIs: each is confined before it is looked at."""

    call: Call[Any]
    files: dict[str, File] = attrs.field(factory=dict, init=False)

    def changed(self) -> list[File]:
        return [file for file in self.files.values() if file.now != file.before]

    def changes(self) -> tuple[Change, ...]:
        """What makes the disk look so."""
        return tuple(
            Change(
                path=file.path,
                seen=file.seen,
                after=file.now,
                like=file.origin if file.before is None and file.origin != file.path else None,
                prune=file.prune if file.now is None else (),
            )
            for file in self.changed()
        )

    def file(self, uri: str) -> File:
        """The file of that URI, whether it is there or not.

        Raises:
            ToolError: it is outside the workspace, or no regular file.
        """
        shown, _ = self._inside(uri)
        return self._file(shown)

    def create(self, uri: str, *, overwrite: bool = False, ignored: bool = False) -> None:
        file = self.file(uri)
        if file.now is not None and not overwrite:
            if not ignored:
                raise ToolError(f"the server creates {file.path}, which is there already; nothing is changed")
            return
        file.now, file.origin = b"", file.path

    def delete(self, uri: str, *, ignored: bool = False) -> None:
        file = self.file(uri)
        if file.now is None and not ignored:
            raise ToolError(f"the server deletes {file.path}, which is not there; nothing is changed")
        file.now = None

    def move(self, old: str, new: str, *, overwrite: bool = False, ignored: bool = False) -> None:
        """Move a file, or a folder with all its files."""
        (source, real), (target, _) = self._inside(old), self._inside(new)
        if source == target:
            return
        if not os.path.isdir(real):
            self._move(source, target, overwrite=overwrite, ignored=ignored)
            return
        if target.startswith(source + "/"):
            raise ToolError(f"{source} cannot be moved into itself; nothing is changed")
        folders = self._folders(source, real)
        for path in list(self._files_below(source, real)):
            moved = self._move(path, target + path[len(source) :], overwrite=overwrite, ignored=ignored)
            moved.prune = folders

    def _move(self, source: str, target: str, *, overwrite: bool, ignored: bool) -> File:
        here, there = self._file(source), self._file(target)
        if here.now is None:
            raise ToolError(f"the server moves {source}, which is not there; nothing is changed")
        if there.now is not None and not overwrite:
            if not ignored:
                raise ToolError(f"the server moves {source} to {target}, which is there already; nothing is changed")
            return here
        there.now, there.origin = here.now, here.origin
        here.now = None
        return here

    # ---- the disk ----

    def _inside(self, uri: str) -> tuple[str, str]:
        """A URI's path as people see it, and its real one.

        Raises:
            ToolError: it is not in the workspace, or a link.
        """
        path = path_of(uri)
        if path is None:
            raise ToolError(f"the server edits {clean(uri, 200)}, which is no file; nothing is changed")
        try:
            place = self.call.scope.files.resolve(path, missing_ok=True)
        except OutsideError as error:
            raise ToolError(
                f"the server edits {clean(path, 200)}, outside the workspace; nothing is changed"
            ) from error
        except (OSError, ValueError) as error:
            raise ToolError(f"the server edits {clean(path, 200)}: {error}; nothing is changed") from error
        if os.path.islink(path):
            raise ToolError(f"the server edits {place.shown} through the link {clean(path, 200)}; nothing is changed")
        if not _NOT_OURS.isdisjoint(place.parts):
            raise ToolError(f"the server edits {place.shown}, which belongs to version control; nothing is changed")
        return place.shown, os.path.join(place.root, *place.parts)

    def _file(self, shown: str) -> File:
        file = self.files.get(shown)
        if file is None:
            data = self._read(shown)
            file = self.files[shown] = File(path=shown, before=data, now=data, origin=shown)
        return file

    def _read(self, shown: str) -> bytes | None:
        try:
            return self.call.scope.files.read(shown, limit=_LARGEST)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ToolError(f"the server edits {error}; nothing is changed") from error

    def _files_below(self, shown: str, real: str) -> Iterator[str]:
        """The files of a folder as people see them.

        Raises:
            ToolError: there is something else in it, or very much.
        """
        count = 0
        for folder, folders, names in os.walk(real):
            for name in sorted(folders) + sorted(names):
                path = os.path.join(folder, name)
                mode = os.lstat(path).st_mode
                if stat.S_ISDIR(mode):
                    continue
                count += 1
                if not stat.S_ISREG(mode) or count > _MOST_FILES:
                    what = (
                        f"more than {_MOST_FILES} files"
                        if count > _MOST_FILES
                        else f"{clean(name, 100)}, no regular file"
                    )
                    raise ToolError(f"{shown} cannot be moved: it holds {what}; nothing is changed")
                yield shown + path[len(real) :]

    def _folders(self, shown: str, real: str) -> tuple[str, ...]:
        """A folder and those in it, innermost first."""
        return tuple(shown + folder[len(real) :] for folder, _, _ in os.walk(real, topdown=False))
