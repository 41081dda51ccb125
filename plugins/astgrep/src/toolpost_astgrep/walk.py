"""Which files a search looks at: a walk that honours ignore files and never follows a link (ast:walk).

It runs on descriptors from the one that the run's confinement opened, so nothing that is swapped meanwhile leads out.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence

import attrs
from pathspec import GitIgnoreSpec

from toolpost_astgrep import grammars

LARGEST = 3 * 1024 * 1024
"""Bytes over which a file met in a walk is left out; one that is named is searched whatever its size up to ten times that."""
_IGNORE_FILES = (".gitignore", ".ignore")
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@attrs.define
class Listing:
    """The files of a search, sorted by path, and what was left out.

    Attributes:
        files: path below the root, and size in bytes.
        languages: how many files of each language the walk met, whichever was asked for.
        too_large, unreadable: paths.
    """

    files: list[tuple[str, int]] = attrs.field(factory=list)
    languages: Counter[str] = attrs.field(factory=Counter)
    too_large: list[str] = attrs.field(factory=list)
    unreadable: list[str] = attrs.field(factory=list)


def list_files(root: int, start: str, language: str | None, globs: Sequence[str] = ()) -> Listing:
    """Walk the folder *start* below an open root.

    Args:
        root: a descriptor of the root.
        start: the folder's path below it, links resolved; `.` for the root itself.
        language: only its files; None counts languages and lists nothing.
        globs: only files that match one of these, in gitignore's form, relative to *start*; `!` excludes.

    Raises:
        OSError: *start* cannot be opened.
    """
    listing = Listing()
    parts = [part for part in start.split("/") if part not in ("", ".")]
    ignored = _above(root, parts)
    top = os.open(start, _DIRECTORY, dir_fd=root)
    try:
        chosen = GitIgnoreSpec.from_lines(globs) if globs else None
        walk = _Walk(listing, language, chosen, "/".join(parts))
        walk.folder(top, "/".join(parts), ignored)
    finally:
        os.close(top)
    listing.files.sort()
    return listing


@attrs.frozen
class _Ignored:
    """The rules of one folder's ignore files; `base` is the folder's path with a slash, or nothing for the root."""

    base: str
    spec: GitIgnoreSpec

    def decides(self, path: str) -> bool | None:
        return self.spec.check_file(path[len(self.base) :]).include


@attrs.define
class _Walk:
    listing: Listing
    language: str | None
    chosen: GitIgnoreSpec | None
    start: str

    def folder(self, descriptor: int, path: str, ignored: tuple[_Ignored, ...]) -> None:
        """Everything below one folder. Iterative: a tree may be deeper than Python's stack."""
        stack = [(descriptor, self._entries(descriptor, path, ignored))]
        owned: list[int] = []
        try:
            while stack:
                here, entries = stack[-1]
                below = next(entries, None)
                if below is None:
                    stack.pop()
                    if here != descriptor:
                        os.close(here)
                        owned.remove(here)
                    continue
                name, below_path, rules = below
                try:
                    child = os.open(name, _DIRECTORY, dir_fd=here)
                except OSError:
                    self.listing.unreadable.append(below_path)
                    continue
                owned.append(child)
                stack.append((child, self._entries(child, below_path, rules)))
        finally:
            for each in owned:
                os.close(each)

    def _entries(
        self, descriptor: int, path: str, ignored: tuple[_Ignored, ...]
    ) -> Iterator[tuple[str, str, tuple[_Ignored, ...]]]:
        """Take the files of one folder; give the folders in it that are to be walked."""
        prefix = f"{path}/" if path else ""
        try:
            with os.scandir(descriptor) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            self.listing.unreadable.append(path)
            return
        names = {entry.name for entry in entries}
        rules = (*ignored, *_rules_in(descriptor, prefix, names))
        for entry in entries:
            if entry.name.startswith("."):
                continue
            below = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if not _is_ignored(below + "/", rules):
                    yield entry.name, below, rules
            elif entry.is_file(follow_symlinks=False):
                self._file(entry, below, rules)

    def _file(self, entry: os.DirEntry[str], path: str, rules: tuple[_Ignored, ...]) -> None:
        language = grammars.of_path(entry.name)
        if language is None or (self.language is not None and language != self.language):
            return
        if _is_ignored(path, rules):
            return
        if self.chosen is not None and not self.chosen.match_file(path[len(self.start) :].lstrip("/")):
            return
        self.listing.languages[language] += 1
        if self.language is None:
            return
        try:
            size = entry.stat(follow_symlinks=False).st_size
        except OSError:
            self.listing.unreadable.append(path)
            return
        if size > LARGEST:
            self.listing.too_large.append(path)
        else:
            self.listing.files.append((path, size))


def _is_ignored(path: str, rules: tuple[_Ignored, ...]) -> bool:
    """The nearest folder's rules decide first."""
    for rule in reversed(rules):
        decision = rule.decides(path)
        if decision is not None:
            return decision
    return False


def _above(root: int, parts: list[str]) -> tuple[_Ignored, ...]:
    """The rules of the folders above the start. Dropped where they ignore the start itself: it was named, so it counts."""
    rules: tuple[_Ignored, ...] = ()
    here, opened = root, []
    try:
        for depth, part in enumerate(parts):
            prefix = "".join(f"{each}/" for each in parts[:depth])
            rules = (*rules, *_rules_in(here, prefix, None))
            if _is_ignored(f"{prefix}{part}/", rules):
                rules = ()
            try:
                here = os.open(part, _DIRECTORY, dir_fd=here)
            except OSError:
                break
            opened.append(here)
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return rules


def _rules_in(descriptor: int, prefix: str, names: set[str] | None) -> Iterator[_Ignored]:
    for name in (".git/info/exclude", *_IGNORE_FILES):
        if names is None or name.split("/")[0] in names:
            lines = _read_lines(descriptor, name)
            if lines:
                yield _Ignored(prefix, GitIgnoreSpec.from_lines(lines))


def _read_lines(directory: int, name: str) -> list[str]:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return []
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return []
        return file.read(1024 * 1024).decode(errors="surrogateescape").splitlines()
