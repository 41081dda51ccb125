"""What the proofs of a change of files play on: a workspace with files of every kind, and a person in it."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import attrs
from core.workspace.snapshots import Entry, snapshot
from toolpost.workspace import Change, Confinement, Disk, StateFolder, apply, digest, needs_recovery, recover

_OLD = b"\xef\xbb\xbfold\r\n" * 3
_NEW = b"new and longer\n" * 3
_SHORT = b"short"
_PERSON = b"what a person wrote"


class Scene:
    """A workspace with files of every kind, and a change of all of them."""

    def __init__(self, top: Path, many: int = 0) -> None:
        self.workspace, self.state = top / "workspace", StateFolder(str(top / "state"))
        self.workspace.mkdir(parents=True)
        self.changes = self._build(many)
        self.before = self.look()

    def _build(self, many: int) -> list[Change]:
        for name in ("edited", "shortened", "deleted", "moved", "hard", "hard-short"):
            (self.workspace / name).write_bytes(_OLD)
        os.chmod(self.workspace / "edited", 0o751)
        os.setxattr(self.workspace / "moved", "user.note", b"kept")
        for name in ("hard", "hard-short"):
            os.link(self.workspace / name, self.workspace / f"{name}-other")
        seen = digest(_OLD)
        changes = [
            Change(path="edited", seen=seen, after=_NEW),
            Change(path="created", seen=None, after=_NEW),
            Change(path="hard", seen=seen, after=_NEW),
            Change(path="deleted", seen=seen, after=None),
            Change(path="hard-short", seen=seen, after=_SHORT),
            Change(path="moved", seen=seen, after=None),
            Change(path="deep/er/moved", seen=None, after=_OLD, like="moved"),
            Change(path="shortened", seen=seen, after=_SHORT),
        ]
        for number in range(many):
            (self.workspace / f"file-{number}").write_bytes(_OLD * 100)
            changes.append(Change(path=f"file-{number}", seen=digest(_OLD * 100), after=_NEW * 100))
        return changes

    def look(self) -> dict[str, Entry]:
        return snapshot(self.workspace).entries

    def apply(self, disk: Disk | None = None) -> None:
        with Confinement(self.workspace) as files:
            apply(files, self.changes, state=self.state, disk=disk)

    def recover(self) -> tuple[str, ...]:
        """Recover; the paths that recovery names as kept."""
        with Confinement(self.workspace) as files:
            return tuple(kept.path for each in recover(files, self.state) for kept in each.kept)

    def under_way(self) -> bool:
        """Whether a kill found the change under way."""
        return needs_recovery(self.state) and self.look() != self.before

    def litter(self) -> list[str]:
        """What is left in the state folder, but for what it keeps for a person."""
        if not os.path.isdir(self.state.path):
            return []
        return [name for name in os.listdir(self.state.path) if name not in ("lock", "kept", "journal.new")]


@attrs.frozen
class Person:
    """Somebody who changes a file meanwhile: writes to it, puts another in its place (as editors do), or removes it."""

    workspace: Path
    path: str
    how: str

    @property
    def names(self) -> tuple[str, ...]:
        """The file, and another name of it."""
        return (self.path, f"{self.path}-other")

    def act(self) -> None:
        path = self.workspace / self.path
        path.parent.mkdir(parents=True, exist_ok=True)
        match self.how:
            case "write":
                # Not by os.open, which may be where we are called from.
                path.write_bytes(_PERSON)
            case "replace":
                fresh = self.workspace.parent / "fresh"
                fresh.write_bytes(_PERSON)
                fresh.replace(path)
            case "remove":
                path.unlink(missing_ok=True)

    def is_intact(self) -> bool:
        path = self.workspace / self.path
        if self.how == "remove":
            return not path.exists()
        return path.is_file() and path.read_bytes() == _PERSON


PEOPLE = (
    *itertools.product(
        ("edited", "created", "deleted", "moved", "deep/er/moved", "shortened", "hard"), ("write", "replace")
    ),
    *itertools.product(("edited", "shortened", "hard"), ("remove",)),
)
