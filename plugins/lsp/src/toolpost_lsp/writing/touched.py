"""The files of one write: what they held before it, and what they hold after it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property

import attrs
from toolpost import OutsideError
from toolpost.workspace import Confinement

from toolpost_lsp.server.change import smallest
from toolpost_lsp.server.documents import MOST_BYTES
from toolpost_lsp.server.watching import Kind


@attrs.frozen
class Unreadable:
    """A file that is there, and that no server can be shown."""


UNREADABLE = Unreadable()
Content = bytes | None | Unreadable


def content(files: Confinement, path: str) -> Content:
    """The bytes of a file; None where there is none."""
    try:
        return files.read(path, limit=MOST_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, OutsideError):
        return UNREADABLE


@attrs.frozen(kw_only=True, eq=False, slots=False)
class Touched:
    """One file.

    Attributes:
        path: as people see it.
        before: None: it was not there. Unreadable also where nobody looked in time.
        after: None: it is gone.
        origin: the file of the same write that it was before, where it was moved.
    """

    path: str
    before: Content
    after: Content
    origin: Touched | None = None

    @property
    def kind(self) -> Kind:
        """What happened to it."""
        if self.after is None:
            return "deleted"
        return "created" if self.before is None else "changed"

    @property
    def old(self) -> Touched:
        """Where its text was before."""
        return self.origin or self

    @cached_property
    def old_text(self) -> str | None:
        """Its text before; None where that is not known, or it had none."""
        return _text(self.old.before)

    @cached_property
    def new_text(self) -> str | None:
        """Its text after."""
        return _text(self.after)

    @cached_property
    def change(self) -> tuple[int, int, str]:
        """Where the text before differs: start and end in it, and what stands there after; nothing is an empty text."""
        return smallest(self.old_text or "", self.new_text or "")

    @cached_property
    def lines(self) -> tuple[int, int]:
        """The first and the last line, 0-based, of the text after that differ from the one before."""
        start, _, piece = self.change
        first = (self.new_text or "").count("\n", 0, start)
        return first, first + piece.count("\n")


def moved(files: Sequence[Touched]) -> tuple[Touched, ...]:
    """The same files, those that were moved with their origins: by content, else by name, else the only one of its kind."""
    gone = [each for each in files if each.kind == "deleted" and isinstance(each.before, bytes)]
    found: dict[str, Touched] = {}
    for same in (_same_content, _same_name, _same_ending):
        for new in files:
            if new.kind == "created" and new.path not in found:
                candidates = [old for old in gone if same(old, new)]
                if candidates and (same is not _same_ending or len(candidates) == 1):
                    found[new.path] = candidates[0]
                    gone.remove(candidates[0])
    return tuple(attrs.evolve(each, origin=found.get(each.path)) for each in files)


def _same_content(old: Touched, new: Touched) -> bool:
    return old.before == new.after


def _same_name(old: Touched, new: Touched) -> bool:
    return os.path.basename(old.path) == os.path.basename(new.path)


def _same_ending(old: Touched, new: Touched) -> bool:
    return os.path.splitext(old.path)[1] == os.path.splitext(new.path)[1]


def kinds(files: Iterable[Touched]) -> dict[str, Kind]:
    """What happened, by path."""
    return {each.path: each.kind for each in files}


def _text(data: Content) -> str | None:
    if not isinstance(data, bytes):
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
