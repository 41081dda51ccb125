"""The record of a change of files under way: written before anything is touched, gone when all is done.

`journal` names every file, its old and new digest, and the temporary name beside it, so that recovery walks nothing.
While it is there, the change is taken back; once it is renamed to `journal.committed`, only the temporaries are left
to remove. That rename is the commit point.
"""

from __future__ import annotations

import json
import os
from typing import Any, Literal

import attrs

from .changes import Digest
from .disk import Disk
from .places import Place
from .state import StateFolder

PREPARED = "journal"
COMMITTED = "journal.committed"

Kind = Literal["replace", "create", "delete", "overwrite"]


@attrs.frozen(kw_only=True)
class Step:
    """One file of the change.

    Attributes:
        place: the file, its links resolved.
        temporary: the name beside it: of the new content before the switch, of the old one after it.
        kind: replace (exchange), create, delete, or overwrite (a hard link keeps its other names only so).
        old, new: digests; None for absent.
        saved: for overwrite: the old bytes in the state folder.
        folders: folders that are made for it, outermost first, as parts below its root.
        prune: folders that go with it once all is done, if they are empty then.
    """

    place: Place
    temporary: str
    kind: Kind
    old: Digest | None
    new: Digest | None
    saved: str | None = None
    folders: tuple[tuple[str, ...], ...] = ()
    prune: tuple[str, ...] = ()


@attrs.frozen
class Journal:
    """The journal of one workspace."""

    state: StateFolder
    disk: Disk

    def prepare(self, steps: tuple[Step, ...]) -> None:
        """Record the change. From here on recovery knows everything."""
        record = [attrs.asdict(step) for step in steps]
        self.disk.write_journal(self.state.file(PREPARED), json.dumps(record).encode())

    def commit(self) -> None:
        """From here on the change has happened."""
        self.disk.rename_journal(self.state.file(PREPARED), self.state.file(COMMITTED))

    def withdraw(self) -> None:
        """Before a change is taken back: a commit that failed after its rename has not happened."""
        if os.path.exists(self.state.file(COMMITTED)):
            self.disk.rename_journal(self.state.file(COMMITTED), self.state.file(PREPARED))

    def remove(self) -> None:
        for name in (PREPARED, COMMITTED):
            if os.path.exists(self.state.file(name)):
                self.disk.remove_journal(self.state.file(name))

    def read(self) -> tuple[tuple[Step, ...], bool] | None:
        """The steps of an interrupted change and whether it was committed; None if there is none.

        Raises:
            ValueError: it is none that this version wrote.
        """
        for name, committed in ((COMMITTED, True), (PREPARED, False)):
            path = self.state.file(name)
            try:
                with open(path, "rb") as file:
                    return tuple(_step(record) for record in json.loads(file.read())), committed
            except FileNotFoundError:
                continue
            except (ValueError, TypeError, LookupError, AttributeError) as error:
                raise ValueError(
                    f"{path} records a change of files that was interrupted, but this version of toolpost cannot read it. "
                    "A person must look whether the files that it names are whole, and then remove it"
                ) from error
        return None


def needs_recovery(state: StateFolder) -> bool:
    """Whether a change of that workspace was interrupted, or is under way: two stats."""
    return any(os.path.exists(state.file(name)) for name in (PREPARED, COMMITTED))


def _step(record: dict[str, Any]) -> Step:
    place = record.pop("place")
    return Step(
        place=Place(root=place["root"], parts=tuple(place["parts"]), shown=place["shown"]),
        folders=tuple(tuple(parts) for parts in record.pop("folders")),
        prune=tuple(record.pop("prune")),
        **record,
    )
