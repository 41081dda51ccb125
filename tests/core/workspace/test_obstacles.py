"""What stands in recovery's way: it does all that can be done, and says what is left to a person."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

import pytest
from core.workspace.dying import Dying, die_within, edits
from core.workspace.snapshots import snapshot
from toolpost.workspace import Change, Confinement, Disk, StateFolder, apply, needs_recovery, recover

pytestmark = pytest.mark.requirement("core:atomic")


def test_the_longest_name_that_a_file_may_have_is_kept(workspace: Path) -> None:
    name = "x" * 255
    state = die_within(Dying(), workspace, edits(workspace, name, "a"))
    (workspace / name).write_bytes(b"mine")
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    (kept,) = recovered.kept
    assert kept.old is not None
    assert Path(kept.old).read_bytes() == b"old"
    assert snapshot(workspace).contents == {name: b"mine", "a": b"old"}


def test_files_of_one_name_are_kept_beside_each_other(workspace: Path) -> None:
    names = [f"{folder}/same" for folder in "abc"]
    for name in names:
        (workspace / name).parent.mkdir()
    state = die_within(Dying(), workspace, edits(workspace, *names))
    for name in names:
        (workspace / name).write_bytes(b"mine")
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    kept = {each.path: each.old for each in recovered.kept}
    assert sorted(kept) == names
    assert len(set(kept.values())) == 3
    assert all(old and Path(old).read_bytes() == b"old" for old in kept.values())


@pytest.mark.parametrize("kind", [stat.S_IFSOCK, stat.S_IFIFO], ids=["socket", "pipe"])
def test_what_is_no_file_any_more_stays(workspace: Path, kind: int) -> None:
    state = die_within(Dying(), workspace, edits(workspace, "a", "b"))
    (workspace / "a").unlink()
    os.mknod(workspace / "a", kind | 0o600)
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    assert [kept.path for kept in recovered.kept] == ["a"]
    assert stat.S_IFMT((workspace / "a").stat().st_mode) == kind
    assert snapshot(workspace).contents == {"b": b"old"}


def test_what_was_changed_twice_stays_where_the_change_had_put_it(workspace: Path) -> None:
    """A folder takes the file's place just before the exchange, and a file of a person's the folder's place after it."""

    class Meddling(Disk):
        def exchange(self, directory: int, temporary: str, name: str) -> None:
            (workspace / name).unlink()
            (workspace / name / "mine").mkdir(parents=True)
            super().exchange(directory, temporary, name)
            (workspace / name).write_bytes(b"mine too")
            os._exit(7)

    state = die_within(Meddling(), workspace, edits(workspace, "a"))
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    (kept,) = recovered.kept
    assert kept.old is not None
    assert os.listdir(kept.old) == ["mine"]
    assert (workspace / "a").read_bytes() == b"mine too"
    assert not needs_recovery(state)


def test_what_a_person_made_of_a_new_file_is_not_moved_even_for_a_moment(workspace: Path) -> None:
    state = die_within(Dying(), workspace, [Change(path="a", seen=None, after=b"new")])
    (workspace / "a").write_bytes(b"mine")

    class Watching(Disk):
        def rename_new(self, directory: int, old: str, new: str) -> None:
            raise AssertionError(f"{old} was moved")

    with Confinement(workspace) as files:
        (recovered,) = recover(files, state, disk=Watching())
    assert [kept.path for kept in recovered.kept] == ["a"]
    assert snapshot(workspace).contents == {"a": b"mine"}


@pytest.mark.parametrize("content", [b"", b"[{}]", b"{", b"[1]", b"7", b"\xff"])
def test_a_journal_that_cannot_be_read_is_left_to_a_person_and_nothing_is_written(
    workspace: Path, content: bytes
) -> None:
    state = StateFolder.of(workspace)
    Path(state.make(), "journal").write_bytes(content)
    with Confinement(workspace) as files:
        with pytest.raises(ValueError, match=r"journal records a change .* A person must look"):
            recover(files, state)
        with pytest.raises(ValueError, match="A person must look"):
            apply(files, [Change(path="a", seen=None, after=b"new")], state=state)
    assert os.listdir(workspace) == []
    assert needs_recovery(state)


def test_a_fork_that_lives_on_does_not_hold_the_lock(workspace: Path) -> None:
    """Such as multiprocessing makes them, while a change is under way in another thread."""
    state = StateFolder.of(workspace)
    reads, writes = os.pipe()
    with state.lock():
        pid = os.fork()
        if pid == 0:
            os.close(writes)
            os.read(reads, 1)
            os._exit(0)
    os.close(reads)
    descriptor = os.open(state.file("lock"), os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)
        os.close(writes)
        os.waitpid(pid, 0)
