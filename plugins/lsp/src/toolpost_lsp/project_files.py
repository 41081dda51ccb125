"""The files of a project that are its own, and the words in them: for what is found by looking, where no server is asked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator

VENDORED = frozenset({"node_modules", "site-packages", "__pycache__"})
"""Folders of others' files, or of what is made again."""


def project_files(root: str, wanted: Callable[[str], bool]) -> Iterator[os.DirEntry[str]]:
    """The files below a folder whose names are *wanted*, those nearest to it first; no links, nothing hidden or vendored."""
    folders = [root]
    for folder in folders:  # breadth first, as it grows
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in VENDORED and not entry.name.startswith("."):
                    folders.append(entry.path)
            elif wanted(entry.name) and entry.is_file(follow_symlinks=False):
                yield entry


def whole_words(names: Iterable[str]) -> re.Pattern[bytes] | None:
    """What finds any of some names in a file's bytes as a whole word; None without a name."""
    escaped = [re.escape(name.encode()) for name in sorted(set(names)) if name]
    return re.compile(rb"(?<![\w\x80-\xff])(?:" + b"|".join(escaped) + rb")(?![\w\x80-\xff])") if escaped else None
