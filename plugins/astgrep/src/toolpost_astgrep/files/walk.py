"""Which files a search looks at: a walk that honours ignore files and never follows a link (ast:walk).

It runs on descriptors from the one that the run's confinement opened, so nothing that is swapped meanwhile leads out.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from toolpost_astgrep import grammars
from toolpost_astgrep.files.globs import Globs
from toolpost_astgrep.files.ignore import Rules
from toolpost_astgrep.grammars.languages import FILE_NAMES

LARGEST = 3 * 1024 * 1024
"""Bytes over which a file met in a walk is left out; one that is named is searched whatever its size up to ten times that."""
_IGNORE_FILES = (".gitignore", ".ignore")
_LARGEST_IGNORE_FILE = 256 * 1024
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

    Hidden files are left out, and what `.gitignore`, `.ignore` and `.git/info/exclude` say, in the folder itself, below
    it, and above it up to the top of its checkout. A person's own global ignore file does not count: the same tree gives
    the same files to everyone. Where rules ignore *start* itself they are dropped: it was named, so it is searched.

    Args:
        root: a descriptor of the root.
        start: the folder's path below it, links resolved; `.` for the root itself.
        language: only its files; None counts languages and lists nothing.
        globs: as `Globs`, relative to *start* or to the root.

    Raises:
        OSError: *start* cannot be opened.
    """
    listing = Listing()
    parts = [part for part in start.split("/") if part not in ("", ".")]
    ignored = _from_the_root(root, parts, _above_the_root(root))
    chosen = Globs.of(globs) if globs else None
    path = "/".join(parts)
    top = os.open(start, _DIRECTORY, dir_fd=root)
    try:
        _Walk(listing, language, chosen, path).folder(top, path, ignored)
    finally:
        os.close(top)
    for each in (listing.files, listing.too_large, listing.unreadable):
        each.sort()
    return listing


@attrs.frozen
class _Ignored:
    """The rules of one folder's ignore file.

    Attributes:
        above: what stands before a path below the root to make it one below that folder, where it is above the root.
        cut: how many characters of a path below the root lead to that folder, where it is not.
    """

    rules: Rules
    above: str = ""
    cut: int = 0

    def decide(self, path: str, *, folder: bool) -> bool | None:
        return self.rules.decide(self.above + path[self.cut :], folder=folder)


@attrs.define
class _Walk:
    listing: Listing
    language: str | None
    chosen: Globs | None
    start: str
    _by_ending: dict[str, str | None] = attrs.field(factory=dict, init=False)

    def folder(self, descriptor: int, path: str, ignored: tuple[_Ignored, ...]) -> None:
        """Everything below one folder. Iterative: a tree may be deeper than Python's stack."""
        stack = [(descriptor, self._entries(descriptor, path, ignored))]
        try:
            while stack:
                here, entries = stack[-1]
                below = next(entries, None)
                if below is None:
                    stack.pop()
                    if here != descriptor:
                        os.close(here)
                    continue
                name, below_path, rules = below
                try:
                    child = os.open(name, _DIRECTORY, dir_fd=here)
                except OSError:
                    self.listing.unreadable.append(below_path)
                    continue
                stack.append((child, self._entries(child, below_path, rules)))
        finally:
            for here, _ in stack[1:]:
                os.close(here)

    def _entries(
        self, descriptor: int, path: str, ignored: tuple[_Ignored, ...]
    ) -> Iterator[tuple[str, str, tuple[_Ignored, ...]]]:
        """Take the files of one folder; give the folders in it that are to be walked."""
        prefix = f"{path}/" if path else ""
        try:
            with os.scandir(descriptor) as scan:
                entries = list(scan)
        except OSError:
            self.listing.unreadable.append(path)
            return
        names = {entry.name for entry in entries if entry.name.startswith(".")}
        own = tuple(_rules_in(descriptor, names, cut=len(prefix)))
        if path == self.start:
            own = tuple(each for each in own if not each.rules.everything)
        rules = (*ignored, *own)
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not _is_ignored(prefix + name, rules, folder=True):
                    yield name, prefix + name, rules
            elif (language := self._language_of(name)) is not None and entry.is_file(follow_symlinks=False):
                self._file(entry, prefix + name, language, rules)

    def _language_of(self, name: str) -> str | None:
        """The file's language, if it is wanted. Asked of most files of a tree, so endings are remembered."""
        dot = name.rfind(".")
        ending = name[dot:] if dot > 0 and name not in FILE_NAMES else name
        if ending not in self._by_ending:
            language = grammars.of_path(name)
            self._by_ending[ending] = language if self.language in (None, language) else None
        return self._by_ending[ending]

    def _file(self, entry: os.DirEntry[str], path: str, language: str, rules: tuple[_Ignored, ...]) -> None:
        if _is_ignored(path, rules, folder=False) or not self._is_chosen(path):
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

    def _is_chosen(self, path: str) -> bool:
        if self.chosen is None:
            return True
        return self.chosen.chooses(path[len(self.start) :].lstrip("/")) or bool(
            self.start and self.chosen.chooses(path)
        )


def _is_ignored(path: str, rules: tuple[_Ignored, ...], *, folder: bool) -> bool:
    """The nearest folder's rules decide first."""
    for rule in reversed(rules):
        decision = rule.decide(path, folder=folder)
        if decision is not None:
            return decision
    return False


def _from_the_root(root: int, parts: list[str], rules: tuple[_Ignored, ...]) -> tuple[_Ignored, ...]:
    """The rules for what is below the start: those given and those of the folders from the root to it, itself left out."""
    here, opened = root, []
    try:
        for depth, part in enumerate(parts):
            path = "/".join(parts[: depth + 1])
            rules = (*rules, *_rules_in(here, None, cut=len(path) - len(part)))
            if _is_ignored(path, rules, folder=True):
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


def _above_the_root(root: int) -> tuple[_Ignored, ...]:
    """The rules of the folders above the root, where it lies inside a checkout.

    A workspace that is one package of a repository has its `node_modules` ignored up there. Only rules are read.
    """
    try:
        path = os.readlink(f"/proc/self/fd/{root}")
        top = path
        while not os.path.lexists(os.path.join(top, ".git")):
            if top == os.path.dirname(top):
                return ()
            top = os.path.dirname(top)
        outside = os.path.relpath(path, top) + "/"
        descriptor = os.open(top, _DIRECTORY)
    except OSError:
        return ()
    try:
        rules = _from_the_root(descriptor, outside.split("/")[:-1], ()) if path != top else ()
    finally:
        os.close(descriptor)
    return tuple(_Ignored(each.rules, above=outside[each.cut :]) for each in rules)


def _rules_in(folder: int, hidden: set[str] | None, *, cut: int) -> Iterator[_Ignored]:
    """The rules of a folder's ignore files, the weakest first; *hidden* are the hidden names in it, if they are known."""
    for name in (".git/info/exclude", *_IGNORE_FILES):
        if hidden is None or name.split("/")[0] in hidden:
            content = _read(folder, name)
            if content:
                yield _Ignored(Rules.read(content), cut=cut)


def _read(folder: int, name: str) -> bytes:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        return file.read(_LARGEST_IGNORE_FILE)
