"""Paths stay inside, with openat2 and with the walk, and both give the same answers."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toolpost.workspace import Confinement, NotAFileError, OutsideError, TooLargeError

pytestmark = pytest.mark.requirement("core:confined")

_TREE_LINKS = {
    "to-file": "dir/inner.txt",
    "to-dir": "dir",
    "dir/up": "../file.txt",
    "chain": "to-dir/up",
    "out-dir": "../outside",
    "out-file": "../outside/secret.txt",
    "dir/out": "../../outside",
    "dangling": "nowhere",
    "loop": "loop",
    "root": ".",
}


@pytest.fixture
def tree(workspace: Path) -> Path:
    """A workspace with links of every kind, and a secret beside it."""
    outside = workspace.parent / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (workspace / "dir").mkdir()
    (workspace / "file.txt").write_text("file")
    (workspace / "dir" / "inner.txt").write_text("inner")
    for name, target in _TREE_LINKS.items():
        (workspace / name).symlink_to(target)
    (workspace / "absolute-in").symlink_to(workspace / "dir" / "inner.txt")
    (workspace / "absolute-out").symlink_to(outside / "secret.txt")
    return workspace


@pytest.fixture(params=[True, False], ids=["openat2", "walk"])
def files(request: pytest.FixtureRequest, tree: Path) -> Iterator[Confinement]:
    with Confinement(tree) as confinement:
        if request.param and not confinement.uses_openat2:
            pytest.skip("this system has no openat2")
    with Confinement(tree, openat2=request.param) as confinement:
        yield confinement


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("file.txt", b"file"),
        ("./dir//inner.txt", b"inner"),
        ("dir/../file.txt", b"file"),
        ("to-file", b"inner"),
        ("to-dir/inner.txt", b"inner"),
        ("to-dir/../file.txt", b"file"),
        ("chain", b"file"),
        ("root/root/file.txt", b"file"),
        ("absolute-in", b"inner"),
    ],
)
def test_paths_inside_are_read_whatever_links_they_take(files: Confinement, path: str, content: bytes) -> None:
    assert files.read(path) == content
    assert files.read(f"{files.workspace}/{path}") == content
    assert files.read(files.resolve(path)) == content
    assert files.stat(path).st_size == len(content)


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../outside/secret.txt",
        "dir/../../outside/secret.txt",
        "to-dir/../../outside/secret.txt",
        "out-dir/secret.txt",
        "out-file",
        "dir/out/secret.txt",
        "to-dir/out/secret.txt",
        "absolute-out",
        "/etc/passwd",
        "/",
        "/proc/self/root/etc/passwd",
        "file.txt\0.png",
    ],
)
def test_paths_that_lead_out_are_refused_in_every_operation(files: Confinement, path: str) -> None:
    for operation in (
        files.read,
        files.stat,
        files.resolve,
        lambda path: files.resolve(path, missing_ok=True),
        lambda path: files.open(path, os.O_RDONLY),
        lambda path: files.open(path, os.O_WRONLY | os.O_CREAT),
    ):
        with pytest.raises(OutsideError, match=r"outside the workspace.*give a path inside it"):
            operation(path)


def test_a_workspace_path_with_dots_that_lead_out_and_back_is_refused(files: Confinement) -> None:
    """What lies between is not ours to look at."""
    with pytest.raises(OutsideError):
        files.read(f"../{os.path.basename(files.workspace)}/file.txt")


def test_a_sibling_that_shares_the_name_as_a_prefix_is_outside(files: Confinement, tree: Path) -> None:
    sibling = tree.with_name(tree.name + "-evil")
    sibling.mkdir()
    (sibling / "x").write_text("x")
    with pytest.raises(OutsideError):
        files.read(str(sibling / "x"))


def test_what_is_not_there_says_so_with_the_path_as_given(files: Confinement) -> None:
    for path in ("nothing", "dangling", "dir/nothing", "nothing/../file.txt"):
        with pytest.raises(FileNotFoundError, match=path.replace(".", r"\.")):
            files.read(path)
    with pytest.raises(NotADirectoryError):
        files.read("file.txt/x")
    with pytest.raises(OSError, match="symbolic links"):
        files.read("loop")


def test_links_are_followed_as_often_as_the_kernel_does(files: Confinement, tree: Path) -> None:
    (tree / "l0").symlink_to("file.txt")
    for number in range(1, 42):
        (tree / f"l{number}").symlink_to(f"l{number - 1}")
    assert files.read("l39") == b"file"  # 40 links
    with pytest.raises(OSError, match="symbolic links"):
        files.read("l40")


def test_only_regular_files_are_read_and_a_pipe_never_hangs(files: Confinement, tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        descriptor = os.open(tree, os.O_PATH)
        listening.bind(f"/proc/self/fd/{descriptor}/socket")  # the path itself may be too long for a socket
        os.close(descriptor)
        for path, kind in (("pipe", "pipe"), ("dir", "directory"), (".", "directory"), ("socket", "socket")):
            with pytest.raises(NotAFileError, match=f"it is a {kind}, not a file"):
                files.read(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_no_file(files: Confinement, tree: Path) -> None:
    try:
        os.mknod(tree / "zero", 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this container lets nobody make devices")
    with pytest.raises((NotAFileError, PermissionError)):
        files.read("zero")


def test_a_size_over_the_limit_is_refused_before_reading(files: Confinement, tree: Path) -> None:
    with open(tree / "huge", "wb") as file:
        file.truncate(1 << 40)  # sparse: to read it would take hours
    with pytest.raises(TooLargeError, match=r"huge: it has 1099511627776 bytes, over the limit of 10") as caught:
        files.read("huge", limit=10)
    assert (caught.value.size, caught.value.limit) == (1 << 40, 10)
    assert files.read("file.txt", limit=4) == b"file"


def test_a_file_that_grows_while_it_is_read_is_not_read_without_end(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, turns = os.read, iter(range(10))

    def growing(descriptor: int, size: int) -> bytes:
        assert next(turns, None) is not None, "it is read without end"
        with open(tree / "file.txt", "ab") as file:
            file.write(b"x" * size)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", growing)
    with Confinement(tree) as files, pytest.raises(TooLargeError):
        files.read("file.txt", limit=1000)


@pytest.mark.parametrize("openat2", [True, False])
def test_magic_links_lead_nowhere(openat2: bool) -> None:
    """A workspace in /proc is the one place where they can be tried."""
    held = os.open("/etc/passwd", os.O_RDONLY)
    try:
        with Confinement("/proc/self", openat2=openat2) as files:
            for path in ("root/etc/passwd", "cwd/.", "exe", f"fd/{held}"):
                with pytest.raises(OSError):
                    files.read(path)
    finally:
        os.close(held)


def test_places_name_the_file_behind_the_links(files: Confinement) -> None:
    assert files.resolve("to-dir/up").shown == "file.txt"
    assert files.resolve("absolute-in").shown == "dir/inner.txt"
    assert files.resolve("root/dir/new.txt", missing_ok=True).shown == "dir/new.txt"
    assert files.resolve("a/b/c.txt", missing_ok=True).parts == ("a", "b", "c.txt")
    assert files.resolve(".").shown == "."
    with pytest.raises(FileNotFoundError):
        files.resolve("dir/new.txt")
    with pytest.raises(OSError):
        files.resolve("a/../../outside/new.txt", missing_ok=True)


def test_further_roots_are_named_by_absolute_paths(tree: Path) -> None:
    outside = tree.parent / "outside"
    for openat2 in (True, False):
        with Confinement(tree, [outside], openat2=openat2) as files:
            assert files.read(str(outside / "secret.txt")) == b"secret"
            assert files.read("absolute-out") == b"secret"
            assert files.resolve("absolute-out").shown == str(outside / "secret.txt")
            with pytest.raises(OutsideError):
                files.read(str(outside / ".." / "x"))


def test_a_workspace_named_by_a_link_is_the_folder_behind_it(tree: Path) -> None:
    link = tree.parent / "link"
    link.symlink_to(tree)
    for openat2 in (True, False):
        with Confinement(link, openat2=openat2) as files:
            assert files.workspace == str(tree)
            assert files.read("file.txt") == b"file"
            assert files.read(f"{link}/file.txt") == b"file", "absolute paths go by the name that the harness knows"
            assert files.resolve(f"{link}/to-file").shown == "dir/inner.txt"
            with pytest.raises(OutsideError):
                files.read(f"{link}/../outside/secret.txt")


def test_descriptors_are_not_inherited_and_none_is_left(files: Confinement) -> None:
    descriptor = files.open("to-dir/inner.txt", os.O_RDONLY)
    assert not os.get_inheritable(descriptor)
    os.close(descriptor)
    before = sorted(os.listdir("/proc/self/fd"))
    for path in (
        "to-dir/inner.txt",
        "chain",
        "absolute-in",
        "nothing/x",
        "out-dir/secret.txt",
        "dir/inner.txt/x",
        "loop",
    ):
        for operation in (files.read, files.resolve, files.stat):
            try:
                operation(path)
            except OSError:
                pass
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_closed_confinement_opens_nothing(tree: Path) -> None:
    files = Confinement(tree)
    files.close()
    with pytest.raises(ValueError, match="its run has ended"):
        files.read("file.txt")


def test_closing_waits_for_what_another_thread_has_under_way(files: Confinement) -> None:
    """Or the number of a closed directory could be another directory's in the middle of a walk."""
    before = len(os.listdir("/proc/self/fd"))
    with files.parent("dir/inner.txt") as parent:
        files.close()
        assert files.read("file.txt") == b"file"
        assert os.stat(parent.name, dir_fd=parent.descriptor).st_size == 5
    with pytest.raises(ValueError, match="its run has ended"):
        files.read("file.txt")
    assert len(os.listdir("/proc/self/fd")) == before - 1, "the workspace's own descriptor is closed"


def test_a_folder_that_is_not_there_is_no_workspace(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Confinement(tmp_path / "nothing")


_PARTS = [
    *_TREE_LINKS,
    "absolute-in",
    "absolute-out",
    "dir",
    "file.txt",
    "inner.txt",
    "..",
    ".",
    "",
    "up",
    "out",
    "secret.txt",
]


def _answer(files: Confinement, path: str) -> object:
    try:
        return files.read(path)
    except OSError as error:
        return type(error), error.errno, str(error)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(parts=st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6), absolute=st.booleans())
def test_both_ways_give_the_same_answer_to_any_path(tree: Path, parts: list[str], absolute: bool) -> None:
    path = "/".join(parts)
    if absolute:
        path = f"{tree}/{path}"
    with Confinement(tree, openat2=True) as one, Confinement(tree, openat2=False) as other:
        answer = _answer(one, path)
        assert answer == _answer(other, path)
        assert answer != b"secret"
