"""Everything about a tree that a change of files could spoil, as values that compare."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import attrs


@attrs.frozen(kw_only=True)
class Entry:
    """One file, folder, link or pipe."""

    kind: int
    mode: int
    content: bytes | str | None
    xattrs: dict[str, bytes]
    links: int


@attrs.frozen
class Snapshot:
    entries: dict[str, Entry]

    @property
    def contents(self) -> dict[str, bytes]:
        """Of the regular files."""
        return {path: each.content for path, each in self.entries.items() if isinstance(each.content, bytes)}


def snapshot(folder: Path) -> Snapshot:
    entries = {}
    for top, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = os.path.join(top, name)
            about = os.lstat(path)
            entries[os.path.relpath(path, folder)] = Entry(
                kind=stat.S_IFMT(about.st_mode),
                mode=stat.S_IMODE(about.st_mode),
                content=_content(path, about),
                xattrs={each: os.getxattr(path, each) for each in os.listxattr(path, follow_symlinks=False)}
                if not stat.S_ISLNK(about.st_mode)
                else {},
                links=about.st_nlink if stat.S_ISREG(about.st_mode) else 1,
            )
    return Snapshot(entries)


def _content(path: str, about: os.stat_result) -> bytes | str | None:
    if stat.S_ISLNK(about.st_mode):
        return os.readlink(path)
    return Path(path).read_bytes() if stat.S_ISREG(about.st_mode) else None
