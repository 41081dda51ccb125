"""The files of a project, searched for words: read while a write is under way, so that it does not wait for them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable

import attrs

from toolpost_lsp.project_files import project_files, whole_words

MOST = 20
"""Files that one search finds."""
SECONDS = 0.2
"""For reading what changed since the last look."""
_MOST_BYTES = 1024 * 1024
_MOST_KEPT = 16 * 1024 * 1024


@attrs.define(eq=False)
class Texts:
    """The texts of a project as they were at the last look; what was read is kept while the file's stamp is the same.

    Args:
        root: absolute.
        wanted: which file names count.
    """

    root: str
    wanted: Callable[[str], bool]
    _seen: list[tuple[str, bytes]] = attrs.field(factory=list, init=False)
    _kept: dict[str, tuple[tuple[int, int, int], bytes]] = attrs.field(factory=dict, init=False)
    _names: dict[str, bool] = attrs.field(factory=dict, init=False)
    _size: int = attrs.field(default=0, init=False)

    def look(self) -> None:
        """Read what is new or has changed, for 0.2 s at most; follows no links. Safe in a thread."""
        until = time.perf_counter() + SECONDS
        seen = []
        for entry in project_files(self.root, self._takes):
            if time.perf_counter() > until:
                break
            seen.append((entry.path, self._read(entry)))
        self._seen = seen

    def naming(self, names: Iterable[str], modules: Iterable[str], without: Collection[str] = ()) -> list[str]:
        """Files that held one of some names as a word, those that name one of the modules too first; absolute paths.

        Args:
            modules: names of the files that changed.
            without: absolute paths that are not wanted.
        """
        one_of, module = whole_words(names), whole_words(modules)
        if one_of is None:
            return []
        near: list[str] = []
        far: list[str] = []
        for path, data in self._seen:
            if len(near) >= MOST:
                break
            if path not in without and one_of.search(data):
                (near if module is not None and module.search(data) else far).append(path)
        return [*near, *far][:MOST]

    def _takes(self, name: str) -> bool:
        known = self._names.get(name)
        if known is None:
            known = self._names[name] = self.wanted(name)
        return known

    def _read(self, entry: os.DirEntry[str]) -> bytes:
        try:
            about = entry.stat(follow_symlinks=False)
            stamp = about.st_mtime_ns, about.st_ctime_ns, about.st_size
            kept = self._kept.get(entry.path)
            if kept is not None and kept[0] == stamp:
                return kept[1]
            with open(entry.path, "rb") as file:
                data = file.read(_MOST_BYTES)
        except OSError:  # gone meanwhile, or not ours to read
            return b""
        self._size += len(data) - (len(kept[1]) if kept else 0)
        if self._size > _MOST_KEPT:
            self._kept.clear()
            self._size = len(data)
        self._kept[entry.path] = stamp, data
        return data
