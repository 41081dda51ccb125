"""Changing many files: all together or not at all, whoever interrupts it (contracts core:atomic, resolve:stale).

Every new content is staged beside its file and flushed; then file and temporary are exchanged, and what came out is
compared with what was seen. A person's change in between comes out there, goes back, and so does everything else.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import attrs

from .changes import Applied, Change, Digest, Metadata, StaleError, Staleness, UnfinishedError, digest
from .confine import Confinement
from .disk import Disk, exists
from .journal import Journal, Kind, Step
from .places import Place
from .recovery import clean_up, recover_locked, take_back
from .state import StateFolder

_THREADS = 8


@attrs.frozen(kw_only=True)
class _Planned:
    """One change, looked at: its step, and what it needs of the file as it is."""

    change: Change
    step: Step
    old: bytes | None
    had: Metadata | None
    gets: Metadata | None


def apply(files: Confinement, changes: Sequence[Change], *, state: StateFolder, disk: Disk | None = None) -> Applied:
    """Make all *changes*, or none.

    Raises:
        StaleError: files are not as seen; all of them are named, and nothing was written.
        OutsideError: a path leaves the workspace.
        PermissionError: a file or folder may not be written.
        ValueError: two changes of one file, or a change that makes none.
        OSError: the disk's refusal, after everything was put back.
        UnfinishedError: it refused that too; recovery will do it.
    """
    disk = disk or Disk()
    with files.held(), state.lock():
        recover_locked(files, state, disk)
        planned = _plan(files, changes, state, disk)
        steps = tuple(each.step for each in planned)
        journal = Journal(state, disk)
        journal.prepare(steps)
        try:
            _stage(files, planned, disk)
            for each in planned:
                _switch(files, each, disk)
            _flush(files, steps, disk)
            journal.commit()
        except BaseException as error:
            _give_up(files, error, journal, steps)
            raise
        try:
            clean_up(files, steps, disk)
            journal.remove()
        except OSError:
            pass  # the change has happened; the next recovery removes what is left of it
    return Applied(
        changes=tuple(each.change for each in planned), undo=tuple(_inverse(each) for each in reversed(planned))
    )


def _give_up(files: Confinement, error: BaseException, journal: Journal, steps: tuple[Step, ...]) -> None:
    """Put everything back, and note at the *error* what a person changed meanwhile."""
    try:
        journal.withdraw()
        for kept in take_back(files, journal.state, steps, journal.disk):
            error.add_note(str(kept))
        journal.remove()
    except OSError as failure:
        if not isinstance(error, Exception):  # who interrupts is not answered with something else
            return
        raise UnfinishedError(error, failure) from error


# ---- looking ----------------------------------------------------------------------------------------------------


def _plan(files: Confinement, changes: Sequence[Change], state: StateFolder, disk: Disk) -> list[_Planned]:
    """Look at every file before the first is touched, and collect all that is stale."""
    token = secrets.token_hex(4)
    planned: list[_Planned] = []
    stale: list[Staleness] = []
    seen: set[tuple[str, str]] = set()
    folders: set[tuple[str, tuple[str, ...]]] = set()
    for number, change in enumerate(changes):
        try:
            place, missing = _place(files, change)
        except FileNotFoundError:
            stale.append(Staleness(path=change.path, why="missing"))
            continue
        if (place.root, place.path) in seen:
            raise ValueError(f"{place.shown} is changed twice; give one change of each file")
        seen.add((place.root, place.path))
        if change.seen is None and change.after is None:
            raise ValueError(f"{place.shown} is neither to be there before nor after; give its new content")
        if state.holds(os.path.join(place.root, *place.parts)):
            raise PermissionError(errno.EPERM, "it belongs to toolpost, which keeps its journal there", place.shown)
        missing = tuple(parts for parts in missing if (place.root, parts) not in folders)
        new_folder = any((place.root, place.parts[:length]) in folders for length in range(1, len(place.parts)))
        folders |= {(place.root, parts) for parts in missing}
        old, had, links = (None, None, 1) if missing or new_folder else _look(files, place, change, disk)
        problem = _stale(change, place, old)
        if problem is not None:
            stale.append(problem)
            continue
        kind: Kind = (
            "create" if old is None else "delete" if change.after is None else "overwrite" if links > 1 else "replace"
        )
        step = Step(
            place=place,
            temporary=f".toolpost-{token}-{number}.tmp",
            kind=kind,
            old=change.seen,
            new=None if change.after is None else digest(change.after),
            saved=state.file(f"saved-{token}-{number}") if kind == "overwrite" else None,
            folders=missing,
            prune=change.prune,
        )
        made = attrs.evolve(change, path=place.shown)
        planned.append(_Planned(change=made, step=step, old=old, had=had, gets=had or _like(files, change, disk)))
    if stale:
        raise StaleError(tuple(stale))
    return planned


def _place(files: Confinement, change: Change) -> tuple[Place, tuple[tuple[str, ...], ...]]:
    """Where the change goes, and the folders that must be made for it, outermost first."""
    with files.parent(change.path, missing_ok=change.seen is None) as parent:
        return parent.place, parent.missing


def _look(files: Confinement, place: Place, change: Change, disk: Disk) -> tuple[bytes | None, Metadata | None, int]:
    """The file's bytes, metadata and number of names; None if there is nothing."""
    with files.parent(place) as parent, _told(place):
        if change.seen is None and exists(parent.descriptor, parent.name):
            return b"", None, 1  # whatever it is, it stands where a new file was to be
        old = disk.read(parent.descriptor, parent.name)
        if old is None:
            return None, None, 1
        if not os.access(parent.name, os.W_OK, dir_fd=parent.descriptor, effective_ids=True):
            raise PermissionError(errno.EACCES, "it may not be written (see its permissions)", place.shown)
        links = os.stat(parent.name, dir_fd=parent.descriptor, follow_symlinks=False).st_nlink
        return old, disk.metadata(parent.descriptor, parent.name), links


def _stale(change: Change, place: Place, old: bytes | None) -> Staleness | None:
    if change.seen is None:
        return Staleness(path=place.shown, why="exists") if old is not None else None
    if old is None:
        return Staleness(path=place.shown, why="missing")
    return Staleness(path=place.shown, why="changed") if digest(old) != change.seen else None


def _like(files: Confinement, change: Change, disk: Disk) -> Metadata | None:
    if isinstance(change.like, str):
        with files.parent(change.like) as parent:
            return disk.metadata(parent.descriptor, parent.name)
    return change.like


# ---- touching ---------------------------------------------------------------------------------------------------


def _stage(files: Confinement, planned: list[_Planned], disk: Disk) -> None:
    for each in planned:
        for folder in each.step.folders:
            with files.parent(each.step.place.folder(folder)) as parent, _told(parent.place):
                disk.make_folder(parent.descriptor, parent.name)
    written = [each for each in planned if each.change.after is not None]
    if len(written) <= _THREADS:
        for each in written:
            _stage_one(files, each, disk)
        return
    with ThreadPoolExecutor(_THREADS) as pool:
        for _ in pool.map(lambda each: _stage_one(files, each, disk), written):
            pass


def _stage_one(files: Confinement, each: _Planned, disk: Disk) -> None:
    assert each.change.after is not None
    with files.parent(each.step.place) as parent, _told(each.step.place):
        disk.create(parent.descriptor, each.step.temporary, each.change.after, each.gets)
    if each.step.saved is not None and each.old is not None:
        disk.write_journal(each.step.saved, each.old)


def _switch(files: Confinement, each: _Planned, disk: Disk) -> None:
    """Put the new content in place, and look at what it replaced."""
    step, place = each.step, each.step.place
    with files.parent(place) as parent, _told(place):
        directory, name = parent.descriptor, parent.name
        match step.kind:
            case "create":
                try:
                    disk.rename_new(directory, step.temporary, name)
                except FileExistsError:
                    raise StaleError((Staleness(path=place.shown, why="exists"),)) from None
                return
            case "overwrite":
                if not disk.overwrite(directory, name, each.old or b"", each.change.after or b""):
                    raise StaleError((Staleness(path=place.shown, why="changed"),))
                return
            case "delete":
                try:
                    disk.rename_new(directory, name, step.temporary)
                except FileNotFoundError:
                    raise StaleError((Staleness(path=place.shown, why="missing"),)) from None
            case "replace":
                try:
                    disk.exchange(directory, step.temporary, name)
                except FileNotFoundError:
                    raise StaleError((Staleness(path=place.shown, why="missing"),)) from None
        _compare(disk.read(directory, step.temporary), step.old, place)


def _compare(came_out: bytes | None, expected: Digest | None, place: Place) -> None:
    if came_out is None:
        raise StaleError((Staleness(path=place.shown, why="missing"),))
    if digest(came_out) != expected:
        raise StaleError((Staleness(path=place.shown, why="changed"),))


def _flush(files: Confinement, steps: tuple[Step, ...], disk: Disk) -> None:
    """Flush the names of every folder that something was renamed or made in."""
    places = [step.place for step in steps]
    places += [step.place.folder(parts) for step in steps for parts in step.folders]
    folders = {(place.root, place.parts[:-1]): place for place in places}
    for place in folders.values():
        with files.parent(place) as parent:
            disk.sync(parent.descriptor)


@contextmanager
def _told(place: Place) -> Iterator[None]:
    """An error names the file, not the temporary beside it."""
    try:
        yield
    except OSError as error:
        error.filename = place.shown
        del error.filename2
        raise


def _inverse(each: _Planned) -> Change:
    place = each.step.place
    folders = tuple(place.folder(parts).shown for parts in reversed(each.step.folders))
    return Change(path=place.shown, seen=each.step.new, after=each.old, like=each.had, prune=folders)
