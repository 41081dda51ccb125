"""What git makes of a patch is what apply_hunks makes of it, byte for byte (files:patch)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost import ToolError
from toolpost.builtin.patch import parse
from toolpost.builtin.patch_apply import apply_hunks

pytestmark = pytest.mark.requirement("files:patch", "core:atomic")

WORDS = st.sampled_from(
    ["a", "b", "c", "", " ", "\tx", "-", "+", "-- z", "++ z", "@@ -1 +1 @@", "é中", "\x0c", "\\ No newline"]
)
LINES = st.lists(st.tuples(WORDS, st.sampled_from(["\n", "\n", "\n", "\r\n"])), max_size=12)


def text(lines: list[tuple[str, str]], mark: bool, terminated: bool) -> bytes:
    joined = ("\ufeff" if mark else "") + "".join(word + end for word, end in lines)
    return (joined if terminated else joined.rstrip("\r\n")).encode()


def git(folder: Path, *words: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-c", "core.autocrlf=false", "-c", "core.whitespace=cr-at-eol", *words]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=False, timeout=30)


def diff(folder: Path, before: bytes, after: bytes, context: int) -> bytes:
    (folder / "old").write_bytes(before)
    (folder / "new").write_bytes(after)
    made = git(folder, "diff", "--no-index", f"-U{context}", "--text", "old", "new").stdout
    return made.replace(b"a/old", b"a/file").replace(b"b/new", b"b/file")


@settings(max_examples=60, deadline=None)
@given(LINES, LINES, st.booleans(), st.booleans(), st.booleans(), st.integers(0, 3))
def test_a_diff_of_two_files_makes_the_other(
    tmp_path_factory: pytest.TempPathFactory,
    old: list[tuple[str, str]],
    new: list[tuple[str, str]],
    mark: bool,
    old_end: bool,
    new_end: bool,
    context: int,
):
    before, after = text(old, mark, old_end), text(new, mark, new_end)
    if b"\r" in before:
        context = max(context, 1)  # without a line of the file beside it, a line feed means the file's line end
    patch = diff(tmp_path_factory.mktemp("git"), before, after, context)
    if not patch:
        return
    (file,) = parse(patch.decode())
    assert apply_hunks(before, file) == after


@settings(max_examples=60, deadline=None)
@given(
    base=st.lists(st.sampled_from("abcde"), min_size=4, max_size=14),
    edits=st.lists(st.tuples(st.integers(0, 13), st.sampled_from(["x", "y", None])), min_size=1, max_size=3),
    moved=st.lists(st.tuples(st.integers(0, 13), st.sampled_from(["m", None])), max_size=2),
)
def test_on_a_file_that_has_changed_since_it_does_what_git_apply_does_or_refuses(
    tmp_path_factory: pytest.TempPathFactory,
    base: list[str],
    edits: list[tuple[int, str | None]],
    moved: list[tuple[int, str | None]],
):
    """Git takes the nearest of several places; toolpost refuses to choose. Where both apply, they agree."""

    def changed(changes: list[tuple[int, str | None]]) -> bytes:
        lines: list[str] = list(base)
        for at, word in changes:
            if word is None:
                del lines[at % max(len(lines), 1) : at % max(len(lines), 1) + 1]
            else:
                lines.insert(at % (len(lines) + 1), word)
        # Git holds a hunk with less context on one side to that end of the file; these lines keep both sides whole.
        return "".join(f"{line}\n" for line in ["h1", "h2", "h3", *lines, "t1", "t2", "t3"]).encode()

    folder = tmp_path_factory.mktemp("git")
    patch = diff(folder, changed([]), changed(edits), 3)
    if not patch:
        return
    there = changed(moved)
    (folder / "file").write_bytes(there)
    applied = git(folder, "apply", stdin=patch).returncode == 0
    (file,) = parse(patch.decode())
    try:
        ours = apply_hunks(there, file)
    except ToolError as error:
        assert not applied or "applies in" in str(error)  # noqa: PT017
    else:
        assert applied
        assert ours == (folder / "file").read_bytes()
