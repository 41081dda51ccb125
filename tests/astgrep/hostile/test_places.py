"""Trees as only a bad day makes them: links in circles, pipes, names of all bytes, files that change, vanish or are closed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from astgrep.harness import in_run, tree
from astgrep.hostile.answering import answer, answers, found
from toolpost import Run, Surface

pytestmark = pytest.mark.requirement("ast:walk")


def test_links_pipes_and_sockets_are_left_alone(tmp_path: Path):
    tree(tmp_path, {"a.py": "f(1)\n", "d/b.py": "f(2)\n"})
    (tmp_path / "d" / "loop").symlink_to("..")
    (tmp_path / "self.py").symlink_to("self.py")
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "socket.py"))
        result = found(tmp_path, language="python")
    assert result.data["total"] == 2
    assert (result.data["searched"], result.data["skipped"]) == (2, {})


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("pipe.py", "pipe.py is no regular file"),
        ("self.py", "self.py"),
        ("dangling.py", "dangling.py: there is no such file or folder"),
        ("d/loop/d/loop/x.py", "there is no such file or folder"),
    ],
)
@pytest.mark.parametrize("tool", ["ast_grep", "ast_edit"])
def test_one_that_is_named_is_refused(tmp_path: Path, tool: str, path: str, said: str):
    tree(tmp_path, {"d/b.py": "f(2)\n"})
    (tmp_path / "d" / "loop").symlink_to("..")
    (tmp_path / "self.py").symlink_to("self.py")
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    os.mkfifo(tmp_path / "pipe.py")
    more = {"rewrite": "g($X)"} if tool == "ast_edit" else {}
    result = answer(tmp_path, tool, pattern="f($X)", path=path, **more)
    assert result.is_error
    assert said in result.text


_NAMES = [
    b"new\nline\r\n.py",
    b"\x1b[31mred.py",
    b"latin\xe9.py",
    b"\xe2\x80\xaertl.py",
    b" .py",
    b"-rf.py",
    b"$X.py",
    b"a\\b.py",
    b"n" * 250 + b".py",
]


@pytest.mark.requirement("core:bounded", "resolve:undo")
@pytest.mark.parametrize("name", _NAMES, ids=lambda name: repr(name[:12]))
def test_a_file_of_any_name_is_searched_rewritten_and_taken_back(tmp_path: Path, name: bytes):
    path = os.fsencode(tmp_path) + b"/" + name
    with open(path, "wb") as file:
        file.write(b"f(1)\n")

    def content() -> bytes:
        with open(path, "rb") as file:
            return file.read()

    async def work(_: Run, surface: Surface) -> None:
        where = {"pattern": "f($X)", "language": "python"}
        result = await surface.call("ast_grep", where)
        assert result.data["total"] == 1
        assert os.fsencode(result.data["matches"][0]["path"]) == name
        assert len(result.text.splitlines()) == 3, "a name takes no line of its own"
        assert result.text.isprintable() or "\x1b" not in result.text
        assert result.text.encode(), "what a model reads is text"
        named = await surface.call("ast_grep", {**where, "path": result.data["matches"][0]["path"]})
        assert named.data["total"] == 1
        staged = await surface.call("ast_edit", {**where, "rewrite": "g($X)"})
        assert "\x1b" not in staged.text
        assert staged.text.encode()
        assert len([line for line in staged.text.splitlines() if line.startswith("--- ")]) == 1
        assert not (await surface.call("resolve", {"action": "accept"})).is_error
        assert content() == b"g(1)\n"
        assert not (await surface.call("resolve", {"action": "undo", "edit_id": "undo_1"})).is_error
        assert content() == b"f(1)\n"

    in_run(tmp_path, work)


def test_a_folder_deeper_than_a_path_may_be_long_is_walked(tmp_path: Path):
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=here)
        below = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    tree(tmp_path, {"a.py": "f(1)\n"})
    result = found(tmp_path, language="python")
    assert result.data["total"] == 1
    assert len(result.data["skipped"]) == 1
    assert "not searched: dddd" in result.text


_WITHOUT_PRIVILEGE = """
import ctypes, os, sys
drop, override, search = 24, 1, 2  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
if os.geteuid() == 0 and any(ctypes.CDLL(None).prctl(drop, each) for each in (override, search)):
    sys.exit(77)
os.execv(sys.executable, [sys.executable, "-c", *sys.argv[1:]])
"""
"""Root may read everything, and another user may not read root's Python: so a root without that privilege tries it."""

_CLOSED = """
import asyncio, sys
from toolpost import Host, Tier
async def main():
    async with Host(["astgrep"], strict=True).open(sys.argv[1]) as run:
        for where in ({"language": "python"}, {"path": "shut.py"}, {"path": "closed", "language": "python"}):
            result = await run.surface(Tier.READ).call("ast_grep", {"pattern": "f($X)", **where})
            print(result.text, end="\\n--\\n")
asyncio.run(main())
"""


def test_what_may_not_be_read_is_named(tmp_path: Path):
    tree(tmp_path, {"a.py": "f(1)\n", "shut.py": "f(2)\n", "closed/b.py": "f(3)\n"})
    os.chmod(tmp_path / "shut.py", 0)
    os.chmod(tmp_path / "closed", 0)
    words = [sys.executable, "-c", _WITHOUT_PRIVILEGE, _CLOSED, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    os.chmod(tmp_path / "closed", 0o755)
    if done.returncode == 77:
        pytest.skip("this root may not give a privilege up")
    assert done.returncode == 0, done.stderr
    walked, file, folder, _ = done.stdout.split("\n--\n")
    assert walked.splitlines() == [
        "1 match in 1 file (1 python file searched)",
        "a.py:1: f(1)",
        "    $X=1",
        "not searched: shut.py: unreadable (Permission denied)",
        "not searched: closed: unreadable",
    ]
    assert file.startswith("Nothing was searched.")
    assert "not searched: shut.py: unreadable (Permission denied)" in file
    assert folder == "closed: Permission denied"


@pytest.mark.requirement("resolve:stale", "edit:staged")
@pytest.mark.parametrize("how", ["changed", "gone", "a folder", "a link", "as long as before"])
def test_a_file_that_is_another_when_the_edit_is_accepted_refuses_all_of_it(tmp_path: Path, how: str):
    tree(tmp_path, {"a.py": "f(1)\n", "b.py": "f(2)\n", "elsewhere.txt": "f(3)\n"})
    edit = {"pattern": "f($X)", "rewrite": "g($X)", "language": "python"}

    async def work(_: Run, surface: Surface) -> None:
        assert not (await surface.call("ast_edit", edit)).is_error
        path = tmp_path / "b.py"
        if how in ("changed", "as long as before"):
            path.write_text("f(2)  # mine\n" if how == "changed" else "f(3)\n")
        else:
            path.unlink()
        if how == "a folder":
            path.mkdir()
        if how == "a link":
            path.symlink_to("elsewhere.txt")
        refused = await surface.call("resolve", {"action": "accept"})
        assert refused.is_error
        assert ("elsewhere.txt" if how == "a link" else "b.py") in refused.text
        assert (tmp_path / "a.py").read_text() == "f(1)\n"
        assert (tmp_path / "elsewhere.txt").read_text() == "f(3)\n"

    in_run(tmp_path, work)


@pytest.mark.requirement("ast:killable")
def test_a_file_that_vanishes_between_the_walk_and_the_search_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    tree(tmp_path, {f"{n}.py": "f(1)\n" for n in range(4)})
    from toolpost_astgrep import places

    walk = places.list_files

    def walk_and_remove(*arguments: object) -> object:
        listing = walk(*arguments)
        (tmp_path / "1.py").unlink()
        (tmp_path / "2.py").unlink()
        os.mkfifo(tmp_path / "2.py")
        return listing

    monkeypatch.setattr(places, "list_files", walk_and_remove)
    result = found(tmp_path, language="python")
    assert result.data["total"] == 2
    assert "not searched: 1.py: unreadable (No such file or directory)" in result.text
    assert "not searched: 2.py: unreadable" in result.text
    assert "None" not in result.text


@pytest.mark.requirement("edit:staged", "core:bounded")
def test_many_files_that_cannot_be_searched_take_few_lines(tmp_path: Path):
    tree(tmp_path, {f"{n:03}.py": b"f(1)\0" for n in range(300)} | {"a.py": "f(1)\n"})
    result, edited = answers(
        tmp_path,
        ("ast_grep", {"pattern": "f($X)", "language": "python"}),
        ("ast_edit", {"pattern": "f($X)", "rewrite": "g($X)", "language": "python"}),
    )
    assert len(result.data["skipped"]) == 300
    for each in (result, edited):
        assert "not searched: 004.py: binary\nnot searched: 295 more files; see data" in each.text
