"""The files of a project as they were last seen, so that a change made by anybody is noticed, also in closed files."""

from __future__ import annotations

import fnmatch
import os
import re
import time
from collections.abc import Callable

import attrs

from .definition import ServerDefinition
from .watching import Kind

MOST_FILES = 20_000
"""In a larger project only open documents are compared; closed ones then change unnoticed unless the run changed them."""

_QUICK = 0.001
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__"})

Seen = tuple[int, int, int]


def concerning(definition: ServerDefinition) -> Callable[[str], bool]:
    """Which file names make a difference to a server: those that it takes, and those that configure it."""
    configures = configuring(definition)
    return lambda name: definition.language_of(name) is not None or configures(name)


def configuring(definition: ServerDefinition) -> Callable[[str], bool]:
    """Which file names configure a server: those that make a project its own."""
    markers = (*definition.root_markers, *definition.workspace_markers, *definition.chosen_by)
    names = {os.path.basename(each.partition("#")[0]) for each in markers}
    pattern = re.compile("|".join(map(fnmatch.translate, sorted(names))))
    return lambda name: pattern.match(name) is not None


@attrs.define(eq=False)
class Tree:
    """A project's files, compared with what they were at the last look. Follows no links, so it never leaves the root.

    Args:
        root: an absolute path.
        wanted: which file names count.

    Attributes:
        quick: whether the last look took so little that a thread would cost more.
    """

    root: str
    wanted: Callable[[str], bool]
    quick: bool = attrs.field(default=False, init=False)
    _names: dict[str, bool] = attrs.field(factory=dict, init=False)
    _seen: dict[str, Seen] | None = attrs.field(default=None, init=False)
    _large: bool = attrs.field(default=False, init=False)

    def look(self) -> dict[str, Kind]:
        """What has happened since the last look, by absolute path; nothing at the first. Safe in a thread of its own."""
        if self._large:
            return {}
        began = time.perf_counter()
        before, now = self._seen, self._files()
        self.quick = time.perf_counter() - began < _QUICK
        self._seen, self._large = now, now is None
        if before is None or now is None:
            return {}
        happened: dict[str, Kind] = dict.fromkeys(before.keys() - now.keys(), "deleted")
        for path, seen in now.items():
            if before.get(path) != seen:
                happened[path] = "changed" if path in before else "created"
        return happened

    def seen(self, path: str) -> Seen | None:
        """What a file looked like at the last look, by its absolute path; None if it was not looked at."""
        return self._seen.get(path) if self._seen is not None else None

    def _wants(self, name: str) -> bool:
        known = self._names.get(name)
        if known is None:
            known = self._names[name] = self.wanted(name)
        return known

    def _files(self) -> dict[str, Seen] | None:
        """All files that count; None if there is too much in the project."""
        found: dict[str, Seen] = {}
        folders, count = [self.root], 0
        while folders:
            try:
                entries = os.scandir(folders.pop())
            except OSError:  # gone meanwhile, or not ours to read
                continue
            with entries:
                for entry in entries:
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name not in _SKIPPED and not entry.name.startswith("."):
                                folders.append(entry.path)
                        elif self._wants(entry.name) and entry.is_file(follow_symlinks=False):
                            about = entry.stat(follow_symlinks=False)
                            found[entry.path] = about.st_mtime_ns, about.st_ctime_ns, about.st_size
                    except OSError:
                        continue
                    count += 1
                    if count > MOST_FILES:
                        return None
        return found
