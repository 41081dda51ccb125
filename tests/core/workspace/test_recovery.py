"""What recovery says and keeps, and that one change at a time is made, whoever makes it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from core.workspace.dying import Dying, DyingAfterAFailedCommit, DyingLater, die_within, edits
from core.workspace.snapshots import snapshot
from toolpost.workspace import (
    Change,
    Confinement,
    Disk,
    StaleError,
    StateFolder,
    apply,
    digest,
    needs_recovery,
    recover,
)

pytestmark = pytest.mark.requirement("core:atomic")


def test_a_change_that_was_not_committed_is_taken_back_and_told(workspace: Path) -> None:
    state = die_within(Dying(), workspace, edits(workspace, "a", "b"))
    assert (workspace / "a").read_bytes() == b"new"
    assert needs_recovery(state)
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
        assert str(recovered) == "taken back, 2 files: a, b"
        assert recover(files, state) == ()
    assert snapshot(workspace).contents == {"a": b"old", "b": b"old"}
    assert not needs_recovery(state)


def test_a_commit_that_failed_has_not_happened(workspace: Path) -> None:
    state = die_within(DyingAfterAFailedCommit(), workspace, edits(workspace, "a", "b"))
    assert snapshot(workspace).contents != {"a": b"old", "b": b"old"}
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    assert recovered.how == "taken back"
    assert snapshot(workspace).contents == {"a": b"old", "b": b"old"}


def test_a_change_that_was_committed_is_finished_with_its_folders(workspace: Path) -> None:
    (workspace / "sub").mkdir()
    (change,) = edits(workspace, "sub/a")
    gone = Change(path="sub/a", seen=change.seen, after=None, prune=("sub",))
    state = die_within(DyingLater(), workspace, [gone])
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    assert recovered.how == "finished"
    assert os.listdir(workspace) == []


def test_what_a_person_changed_since_stays_and_what_was_before_is_kept(workspace: Path) -> None:
    state = die_within(Dying(), workspace, edits(workspace, "a", "b", "c"))
    (workspace / "a").write_bytes(b"mine")
    (workspace / "b").unlink()
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    assert [each.path for each in recovered.kept] == ["a", "b"]
    for each in recovered.kept:
        assert each.old
        assert Path(each.old).read_bytes() == b"old"
        assert f"{each.path} was changed by somebody since and is left alone (what it was before is in" in str(
            recovered
        )
    assert snapshot(workspace).contents == {"a": b"mine", "c": b"old"}


@pytest.mark.requirement("core:confined")
def test_recovery_does_not_follow_a_link_that_took_a_folders_place(workspace: Path) -> None:
    (workspace / "sub").mkdir()
    state = die_within(Dying(), workspace, edits(workspace, "a", "sub/b"))
    outside = workspace.parent / "outside"
    os.rename(workspace / "sub", outside)
    (workspace / "sub").symlink_to(outside)
    before = snapshot(outside)
    with Confinement(workspace) as files:
        (recovered,) = recover(files, state)
    assert [each.path for each in recovered.kept] == ["sub/b"]
    assert (workspace / "a").read_bytes() == b"old"
    assert snapshot(outside) == before
    assert not needs_recovery(state)


def test_a_further_root_is_recovered_by_a_run_that_was_not_given_it(workspace: Path) -> None:
    other = workspace.parent / "other"
    other.mkdir()
    (other / "b").write_bytes(b"old")
    changes = [*edits(workspace, "a"), Change(path=str(other / "b"), seen=digest(b"old"), after=b"new")]
    state = die_within(Dying(), workspace, changes, [other])
    with Confinement(workspace) as files:
        recover(files, state)
    assert snapshot(other).contents == {"b": b"old"}
    assert snapshot(workspace).contents == {"a": b"old"}


_APPLY = """
import sys
from toolpost.workspace import Change, Confinement, StateFolder, apply, digest
with Confinement(sys.argv[1]) as files:
    print("ready", flush=True)
    apply(files, [Change(path="a", seen=digest(b"new"), after=b"newer")], state=StateFolder.of(sys.argv[1]))
"""


def test_another_process_waits_until_a_change_is_whole(workspace: Path) -> None:
    """It sees the file as the first one leaves it, or its change would be stale."""
    words = [sys.executable, "-c", _APPLY, str(workspace)]
    others: list[subprocess.Popen[bytes]] = []

    class Meeting(Disk):
        def exchange(self, directory: int, temporary: str, name: str) -> None:
            other = subprocess.Popen(words, stdout=subprocess.PIPE)
            assert other.stdout
            assert other.stdout.readline() == b"ready\n"
            others.append(other)
            super().exchange(directory, temporary, name)

    with Confinement(workspace) as files:
        apply(files, edits(workspace, "a"), state=StateFolder.of(workspace), disk=Meeting())
    (other,) = others
    other.communicate(timeout=30)
    assert other.returncode == 0
    assert (workspace / "a").read_bytes() == b"newer"


@pytest.mark.requirement("resolve:stale")
def test_of_two_changes_at_once_one_wins_whole(workspace: Path) -> None:
    names = [f"f{number}" for number in range(20)]
    edits(workspace, *names)
    outcomes: list[str] = []

    def change(content: bytes) -> None:
        changes = [Change(path=name, seen=digest(b"old"), after=content) for name in names]
        with Confinement(workspace) as files:
            try:
                apply(files, changes, state=StateFolder.of(workspace))
                outcomes.append(content.decode())
            except StaleError:
                outcomes.append("stale")

    threads = [threading.Thread(target=change, args=(content,)) for content in (b"one", b"two", b"three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    (winner,) = (each for each in outcomes if each != "stale")
    assert outcomes.count("stale") == 2
    assert set(snapshot(workspace).contents.values()) == {winner.encode()}


@pytest.mark.requirement("resolve:stale")
@pytest.mark.parametrize(
    "meddle",
    [
        lambda path: path.write_bytes(b"mine"),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to("b")),
        lambda path: path.unlink(),
    ],
    ids=["written", "a folder", "a link", "removed"],
)
@pytest.mark.parametrize("deletes", [False, True], ids=["edit", "delete"])
def test_what_takes_a_files_place_in_the_last_moment_stays(
    workspace: Path, meddle: Callable[[Path], object], deletes: bool
) -> None:
    changes = edits(workspace, "b", "a")
    if deletes:
        changes[1] = Change(path="a", seen=digest(b"old"), after=None)
    expected = {}

    class Meddling(Disk):
        def exchange(self, directory: int, temporary: str, name: str) -> None:
            if name == "b" and not expected:  # not when it is put back
                meddle(workspace / "a")
                expected["a"] = snapshot(workspace).entries.get("a")
            super().exchange(directory, temporary, name)

    with Confinement(workspace) as files, pytest.raises((StaleError, OSError)) as caught:
        apply(files, changes, state=StateFolder.of(workspace), disk=Meddling())
    assert "a" in str(caught.value)
    assert snapshot(workspace).entries.get("a") == expected["a"]
    assert (workspace / "b").read_bytes() == b"old"
    assert sorted(os.listdir(workspace)) == (["a", "b"] if expected["a"] else ["b"])


def test_the_state_folder_is_outside_the_workspace_and_this_users_alone(workspace: Path, state_home: Path) -> None:
    state = StateFolder.of(workspace)
    assert not os.path.exists(state.path), "it is made when something is kept in it"
    with state.lock():
        pass
    assert Path(state.path).parent == state_home
    assert os.path.basename(state.path).startswith("workspace-")
    assert stat.S_IMODE(os.stat(state.path).st_mode) == 0o700
    link = workspace.parent / "link"
    link.symlink_to(workspace)
    assert StateFolder.of(link) == state
    assert StateFolder.of(workspace.parent) != state


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"TOOLPOST_STATE_HOME": "/t", "XDG_STATE_HOME": "/x"}, "/t"),
        ({"XDG_STATE_HOME": "/x"}, "/x/toolpost"),
        ({}, "/home/me/.local/state/toolpost"),
    ],
)
def test_where_the_state_folder_is(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str) -> None:
    for name in ("TOOLPOST_STATE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert os.path.dirname(StateFolder.of("/srv").path) == expected
