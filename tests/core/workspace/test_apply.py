"""Changes of files: exact bytes, all that belongs to a file kept, and all or nothing where one is stale."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from core.workspace.snapshots import snapshot
from toolpost.workspace import (
    Change,
    Confinement,
    Disk,
    Metadata,
    NotAFileError,
    OutsideError,
    StaleError,
    StateFolder,
    apply,
    digest,
)

pytestmark = pytest.mark.requirement("core:atomic")

_ODD = b"\xef\xbb\xbfone\r\ntwo\n\xff\xfe\0three"  # byte-order mark, mixed line ends, no text at all, no last newline


@pytest.fixture
def files(workspace: Path) -> Iterator[Confinement]:
    with Confinement(workspace) as confinement:
        yield confinement


@pytest.fixture
def state(workspace: Path) -> StateFolder:
    return StateFolder.of(workspace)


def edit(path: str, old: bytes, new: bytes) -> Change:
    return Change(path=path, seen=digest(old), after=new)


def create(path: str, new: bytes = b"new") -> Change:
    return Change(path=path, seen=None, after=new)


def delete(path: str, old: bytes) -> Change:
    return Change(path=path, seen=digest(old), after=None)


@pytest.mark.requirement("resolve:exact-bytes", "edit:encoding")
def test_the_bytes_are_written_as_given(files: Confinement, workspace: Path, state: StateFolder) -> None:
    (workspace / "a").write_bytes(b"old\r\n")
    (workspace / "gone").write_bytes(b"gone")
    apply(files, [edit("a", b"old\r\n", _ODD), create("b", _ODD), delete("gone", b"gone")], state=state)
    assert snapshot(workspace).contents == {"a": _ODD, "b": _ODD}
    assert os.listdir(state.path) == ["lock"]


@pytest.mark.requirement("resolve:exact-bytes")
def test_undo_brings_back_bytes_mode_attributes_and_folders(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    for name, mode in (("edited", 0o751), ("deleted", 0o640), ("moved", 0o700)):
        (workspace / name).write_bytes(_ODD + name.encode())
        os.chmod(workspace / name, mode)
        os.setxattr(workspace / name, "user.note", name.encode())
    before = snapshot(workspace)
    applied = apply(
        files,
        [
            edit("edited", _ODD + b"edited", b"new"),
            delete("deleted", _ODD + b"deleted"),
            delete("moved", _ODD + b"moved"),
            Change(path="deep/er/moved", seen=None, after=_ODD + b"moved", like="moved"),
            create("deep/other"),
        ],
        state=state,
    )
    after = snapshot(workspace)
    assert after.entries["deep/er/moved"] == before.entries["moved"], "a move takes mode and attributes along"
    assert after.entries["edited"].mode == before.entries["edited"].mode
    assert after.entries["edited"].xattrs == {"user.note": b"edited"}
    undone = apply(files, applied.undo, state=state)
    assert snapshot(workspace) == before
    apply(files, undone.undo, state=state)
    assert snapshot(workspace) == after


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4755, 0o664])
def test_permission_bits_stay(files: Confinement, workspace: Path, state: StateFolder, mode: int) -> None:
    (workspace / "a").write_bytes(b"old")
    os.chmod(workspace / "a", mode)
    apply(files, [edit("a", b"old", b"new")], state=state)
    assert stat.S_IMODE(os.stat(workspace / "a").st_mode) == mode


def test_new_files_obey_the_umask_or_what_they_are_like(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    like = Metadata(mode=0o711, xattrs=(("user.note", b"x"),))
    before = os.umask(0o027)
    try:
        apply(files, [create("plain"), Change(path="like", seen=None, after=b"", like=like)], state=state)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(workspace / "plain").st_mode) == 0o640
    assert stat.S_IMODE(os.stat(workspace / "like").st_mode) == 0o711
    assert os.getxattr(workspace / "like", "user.note") == b"x"


def test_hard_links_stay_one_file(files: Confinement, workspace: Path, state: StateFolder) -> None:
    (workspace / "a").write_bytes(b"old and longer")
    os.link(workspace / "a", workspace / "b")
    applied = apply(files, [edit("a", b"old and longer", b"new")], state=state)
    assert (workspace / "b").read_bytes() == b"new"
    apply(files, applied.undo, state=state)
    assert (workspace / "b").read_bytes() == b"old and longer"
    assert os.path.samefile(workspace / "a", workspace / "b")
    assert os.listdir(state.path) == ["lock"]


def test_links_stay_and_what_they_lead_to_is_written(files: Confinement, workspace: Path, state: StateFolder) -> None:
    (workspace / "dir").mkdir()
    (workspace / "dir" / "real").write_bytes(b"old")
    (workspace / "link").symlink_to("dir/real")
    (workspace / "folder").symlink_to("dir")
    apply(files, [edit("link", b"old", b"new"), create("folder/made")], state=state)
    assert os.readlink(workspace / "link") == "dir/real"
    assert (workspace / "dir" / "real").read_bytes() == b"new"
    assert (workspace / "dir" / "made").read_bytes() == b"new"


@pytest.mark.requirement("core:confined")
@pytest.mark.parametrize("path", ["../outside", "out/x", "/tmp/x", "sub/../../x"])
def test_nothing_is_written_outside(files: Confinement, workspace: Path, state: StateFolder, path: str) -> None:
    (workspace / "out").symlink_to("..")
    (workspace / "sub").mkdir()
    (workspace / "a").write_bytes(b"old")
    before = snapshot(workspace.parent)
    with pytest.raises(OutsideError):
        apply(files, [edit("a", b"old", b"new"), create(path)], state=state)
    assert snapshot(workspace.parent) == before


@pytest.mark.requirement("resolve:stale")
def test_every_stale_file_is_named_and_nothing_is_written(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    for name in ("fine", "changed", "changed-before-delete", "exists"):
        (workspace / name).write_bytes(b"old")
    before = snapshot(workspace)
    with pytest.raises(StaleError) as caught:
        apply(
            files,
            [
                edit("fine", b"old", b"new"),
                edit("changed", b"other", b"new"),
                delete("changed-before-delete", b"other"),
                edit("missing", b"old", b"new"),
                delete("no/folder/missing", b"old"),
                create("exists"),
                create("made"),
            ],
            state=state,
        )
    assert {each.path: each.why for each in caught.value.files} == {
        "changed": "changed",
        "changed-before-delete": "changed",
        "missing": "missing",
        "no/folder/missing": "missing",
        "exists": "exists",
    }
    assert snapshot(workspace) == before
    assert "changed: changed; " in str(caught.value)


@pytest.mark.requirement("resolve:stale")
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_new_file_replaces_nothing_whatever_it_is(
    files: Confinement, workspace: Path, state: StateFolder, make: Callable[[Path], None]
) -> None:
    make(workspace / "there")
    before = snapshot(workspace)
    with pytest.raises(StaleError, match="there: exists"):
        apply(files, [create("there")], state=state)
    assert snapshot(workspace) == before


def test_a_link_to_a_file_that_is_not_there_yet_stays_one(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    (workspace / "link").symlink_to("real")
    apply(files, [create("link")], state=state)
    assert os.readlink(workspace / "link") == "real"
    assert (workspace / "real").read_bytes() == b"new"


def test_what_is_no_file_is_not_edited(files: Confinement, workspace: Path, state: StateFolder) -> None:
    (workspace / "sub").mkdir()
    os.mkfifo(workspace / "sub" / "pipe")
    os.mknod(workspace / "sub" / "socket", stat.S_IFSOCK | 0o600)
    with pytest.raises(NotAFileError, match="sub: it is a directory"):
        apply(files, [edit("sub", b"", b"new")], state=state)
    with pytest.raises(NotAFileError, match="sub/pipe: it is a pipe"):
        apply(files, [edit("sub/pipe", b"", b"new")], state=state)
    with pytest.raises(NotAFileError, match="sub/socket: it is a socket"):
        apply(files, [edit("sub/socket", b"", b"new")], state=state)


def test_two_changes_of_one_file_are_refused_even_under_two_names(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    (workspace / "a").write_bytes(b"old")
    (workspace / "link").symlink_to("a")
    with pytest.raises(ValueError, match="a is changed twice"):
        apply(files, [edit("a", b"old", b"1"), edit("link", b"old", b"2")], state=state)
    assert (workspace / "a").read_bytes() == b"old"


def test_undo_of_new_folders_keeps_what_a_person_put_there(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    applied = apply(files, [create("a/b/c"), create("a/d")], state=state)
    (workspace / "a" / "mine").write_bytes(b"mine")
    apply(files, applied.undo, state=state)
    assert snapshot(workspace).contents == {"a/mine": b"mine"}
    assert not (workspace / "a" / "b").exists()


def test_what_was_applied_is_named_by_its_real_path(files: Confinement, workspace: Path, state: StateFolder) -> None:
    (workspace / "dir").mkdir()
    (workspace / "folder").symlink_to("dir")
    applied = apply(files, [create(f"{workspace}/folder/x")], state=state)
    assert [change.path for change in (*applied.changes, *applied.undo)] == ["dir/x", "dir/x"]


def test_a_change_that_makes_nothing_is_refused(files: Confinement, state: StateFolder) -> None:
    with pytest.raises(ValueError, match="a is neither to be there before nor after"):
        apply(files, [Change(path="a", seen=None, after=None)], state=state)


@pytest.mark.requirement("core:cancel")
def test_a_change_under_way_ends_whole_though_its_run_is_closed(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    class Closing(Disk):
        def exchange(self, directory: int, temporary: str, name: str) -> None:
            files.close()
            super().exchange(directory, temporary, name)

    for name in "ab":
        (workspace / name).write_bytes(b"old")
    apply(files, [edit("a", b"old", b"new"), edit("b", b"old", b"new")], state=state, disk=Closing())
    assert snapshot(workspace).contents == {"a": b"new", "b": b"new"}
    with pytest.raises(ValueError, match="its run has ended"):
        apply(files, [create("c")], state=state)


@pytest.mark.requirement("core:confined")
def test_a_state_folder_inside_the_workspace_is_not_written_by_changes(files: Confinement, workspace: Path) -> None:
    """A journal names what recovery moves, inside the workspace or not: none may be forged."""
    state = StateFolder(str(workspace / "home" / "state"))
    (workspace / "link").symlink_to("home")
    for path in ("home/state/journal", "link/state/journal.committed", "home/state/new/file"):
        with pytest.raises(PermissionError, match="it belongs to toolpost"):
            apply(files, [create(path)], state=state)
    apply(files, [create("home/state-of-the-art"), create("home/other")], state=state)
    assert sorted(snapshot(workspace).contents) == ["home/other", "home/state-of-the-art", "home/state/lock"]


def test_every_folder_is_flushed_in_which_a_name_is_new(
    files: Confinement, workspace: Path, state: StateFolder
) -> None:
    flushed = set()

    class Watched(Disk):
        def sync(self, directory: int) -> None:
            flushed.add(os.path.relpath(os.readlink(f"/proc/self/fd/{directory}"), workspace))
            super().sync(directory)

    apply(files, [create("a/b/c")], state=state, disk=Watched())
    assert flushed == {".", "a", "a/b"}


@pytest.mark.requirement("core:confined")
def test_a_further_root_is_written_and_undone_in_the_same_way(workspace: Path, state: StateFolder) -> None:
    other = workspace.parent / "other"
    other.mkdir()
    with Confinement(workspace, [other]) as files:
        applied = apply(files, [create(f"{other}/new/file"), create("new/file")], state=state)
        assert snapshot(workspace.parent).contents == {"other/new/file": b"new", "workspace/new/file": b"new"}
        apply(files, applied.undo, state=state)
    assert sorted(os.listdir(workspace)) == sorted(os.listdir(other)) == []
