"""Taking a change of files back, or finishing it: after a failure at once, after a kill when the next run begins.

What a person changed since is never overwritten: a file is put back only while it holds what the change put there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Literal

import attrs

from .changes import digest
from .confine import Confinement
from .disk import Disk, exists, same_file
from .journal import Journal, Step, needs_recovery
from .places import NotAFileError, OutsideError, Parent, Place
from .state import StateFolder


@attrs.frozen(kw_only=True)
class Kept:
    """A file that somebody changed since, so it was left as it is.

    `old`: the file that holds its content from before the change; None if nothing of it was left.
    """

    path: str
    old: str | None

    def __str__(self) -> str:
        old = f" (what it was before is in {self.old})" if self.old else ""
        return f"{self.path} was changed by somebody since and is left alone{old}"


@attrs.frozen(kw_only=True)
class Recovered:
    """An interrupted change, made whole.

    Attributes:
        how: every file is as it was before, or every file is as it was to be.
        paths: the files.
        kept: those that somebody changed since, which were left alone.
    """

    how: Literal["taken back", "finished"]
    paths: tuple[str, ...]
    kept: tuple[Kept, ...] = ()

    def __str__(self) -> str:
        text = f"{self.how}, {len(self.paths)} files: {', '.join(self.paths[:10])}"
        return "; ".join((text, *map(str, self.kept)))


def recover(files: Confinement, state: StateFolder, *, disk: Disk | None = None) -> tuple[Recovered, ...]:
    """Make whole what a killed process left of a change in this workspace; waits for a living one to end it."""
    if not needs_recovery(state):
        return ()
    with files.held(), state.lock():
        return recover_locked(files, state, disk or Disk())


def recover_locked(files: Confinement, state: StateFolder, disk: Disk) -> tuple[Recovered, ...]:
    """`recover`, by who holds the lock and the directories."""
    journal = Journal(state, disk)
    found = journal.read()
    if found is None:
        return ()
    steps, committed = found
    paths = tuple(step.place.shown for step in steps)
    # The change may have been made in further roots that this run was not given.
    roots = sorted({step.place.root for step in steps if os.path.isdir(step.place.root)})
    with Confinement(files.workspace, roots, openat2=files.uses_openat2) as reach:
        if committed:
            clean_up(reach, steps, disk)
            recovered = Recovered(how="finished", paths=paths)
        else:
            recovered = Recovered(how="taken back", paths=paths, kept=take_back(reach, state, steps, disk))
    journal.remove()
    return (recovered,)


def clean_up(files: Confinement, steps: Iterable[Step], disk: Disk) -> None:
    """Remove the temporaries of a change that has happened."""
    for step in steps:
        with _parent_if_there(files, step.place) as parent:
            if parent is not None:
                disk.settle(parent.descriptor, step.temporary)
                disk.unlink(parent.descriptor, step.temporary)
        _forget_saved(step)
        for folder in step.prune:
            _remove_folder(files, folder, disk)


def take_back(files: Confinement, state: StateFolder, steps: tuple[Step, ...], disk: Disk) -> tuple[Kept, ...]:
    """Put every file back that still holds what the change put there; gives those that do not."""
    kept: list[Kept] = []
    for step in reversed(steps):
        with _parent_if_there(files, step.place) as parent:
            if parent is not None:
                disk.settle(parent.descriptor, step.temporary)
                if not _put_back(step, parent.descriptor, parent.name, disk):
                    kept.append(Kept(path=step.place.shown, old=_keep_old(step, parent.descriptor, state, disk)))
                disk.sync(parent.descriptor)
            elif step.kind != "create":
                kept.append(Kept(path=step.place.shown, old=None))
        _forget_saved(step)
        for folder in reversed(step.folders):
            _remove_folder(files, step.place.folder(folder), disk)
    return tuple(reversed(kept))


def _put_back(step: Step, directory: int, name: str, disk: Disk) -> bool:
    """Undo one step as far as it got; False if somebody changed the file since."""
    now = _digest(disk, directory, name)
    match step.kind:
        case "create":
            return _uncreate(step, directory, name, now, disk)
        case "delete":
            if not exists(directory, step.temporary):
                return True
            if same_file(directory, step.temporary, name):  # half a rename, where links have to do for it
                disk.unlink(directory, step.temporary)
                return True
            try:
                disk.rename_new(directory, step.temporary, name)
            except FileExistsError:
                return False
            return True
        case "overwrite":
            return _unwrite(step, directory, name, now, disk)
        case _:
            return _unreplace(step, directory, name, now, disk)


def _uncreate(step: Step, directory: int, name: str, now: str | None, disk: Disk) -> bool:
    if exists(directory, step.temporary):  # it was not switched: what stands there is not ours
        if same_file(directory, step.temporary, name):  # but for half a rename, where links have to do for it
            disk.unlink(directory, name)
    elif now is None:
        return True
    elif now != step.new:
        return False
    else:  # Moved aside first, then looked at: between a look and an unlink somebody could write to it.
        disk.rename_new(directory, name, step.temporary)
    if _digest(disk, directory, step.temporary) != step.new:
        disk.rename_new(directory, step.temporary, name)
        return False
    disk.unlink(directory, step.temporary)
    return True


def _unreplace(step: Step, directory: int, name: str, now: str | None, disk: Disk) -> bool:
    aside = _digest(disk, directory, step.temporary)
    if aside is None:  # neither staged nor switched
        return True
    if aside != step.new:  # Switched. Whatever came out of it goes back, be it the old content or a person's.
        if now != step.new:
            return False
        disk.exchange(directory, step.temporary, name)
        if _digest(disk, directory, step.temporary) != step.new:
            disk.exchange(directory, step.temporary, name)
            return False
    disk.unlink(directory, step.temporary)
    return True


def _unwrite(step: Step, directory: int, name: str, now: str | None, disk: Disk) -> bool:
    saved = _saved(step)
    # A copy that is missing or half written was not finished, so the file itself was not touched.
    touched = now != step.old and saved is not None and digest(saved) == step.old
    if touched:
        data, new = disk.read(directory, name), disk.read(directory, step.temporary)
        if data is None or not _is_mixture(data, saved or b"", new or b""):
            return False
        if not disk.overwrite(directory, name, data, saved or b""):
            return False
    disk.unlink(directory, step.temporary)
    return True


def _saved(step: Step) -> bytes | None:
    """The old bytes of a file that is overwritten in place."""
    try:
        with open(step.saved or "", "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _is_mixture(data: bytes, old: bytes, new: bytes) -> bool:
    """Whether *data* is what an interrupted overwrite leaves, or its interrupted taking back.

    That is a head of the old, as far as it was taken back, then some of the new, then the rest of the old. It may
    end early, where the new was shorter.
    """
    back = _agree(data, old, 0)
    there = _agree(data, new, back)
    return data[there:] == old[there:] or (there == len(data) and (there == len(new) or back == there >= len(new)))


def _agree(one: bytes, other: bytes, start: int) -> int:
    """The end of what both have in common from *start* on."""
    end = min(len(one), len(other))
    return next((at for at in range(start, end) if one[at] != other[at]), max(start, end))


def _keep_old(step: Step, directory: int, state: StateFolder, disk: Disk) -> str | None:
    """Put the content from before the change where the person can find it."""
    try:
        data = _saved(step) if step.kind == "overwrite" else disk.read(directory, step.temporary)
    except (NotAFileError, PermissionError):  # Somebody put it there meanwhile. It stays where the change had put it.
        return os.path.join(step.place.root, *step.place.parts[:-1], step.temporary)
    if data is None:
        return None
    folder = os.path.join(state.make(), "kept", step.temporary.strip("."))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    where = os.path.join(folder, step.place.parts[-1])
    with open(where, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    disk.unlink(directory, step.temporary)
    return where


@contextmanager
def _parent_if_there(files: Confinement, place: str | Place) -> Iterator[Parent | None]:
    """The folder of a file; None if it has gone, or somebody put a link that leads out in its place."""
    with ExitStack() as stack:
        try:
            parent = stack.enter_context(files.parent(place))
        except (FileNotFoundError, NotADirectoryError, OutsideError):
            parent = None
        yield parent


def _remove_folder(files: Confinement, folder: str | Place, disk: Disk) -> None:
    with _parent_if_there(files, folder) as parent:
        if parent is not None:
            disk.remove_folder(parent.descriptor, parent.name)


def _forget_saved(step: Step) -> None:
    if step.saved is None:
        return
    for path in (step.saved, step.saved + ".new"):
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass


def _digest(disk: Disk, directory: int, name: str) -> str | None:
    try:
        data = disk.read(directory, name)
    except (NotAFileError, PermissionError):
        return "no file of ours"  # what we put there can be read
    return None if data is None else digest(data)
