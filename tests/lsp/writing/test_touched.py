"""The files of one write: what happened to each, where it differs, and which file it was before."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from toolpost.testing import open_run
from toolpost_lsp.server.documents import MOST_BYTES
from toolpost_lsp.writing.touched import UNREADABLE, Content, Touched, content, kinds, moved

pytestmark = pytest.mark.requirement("write:new-only")


def touched(path: str, before: Content, after: Content) -> Touched:
    return Touched(path=path, before=before, after=after)


def origins(*files: Touched) -> dict[str, str | None]:
    return {each.path: each.origin and each.origin.path for each in moved(files)}


def test_what_happened_follows_from_before_and_after() -> None:
    files = [touched("new", None, b"x"), touched("other", b"x", b"y"), touched("gone", b"x", None)]
    assert kinds(files) == {"new": "created", "other": "changed", "gone": "deleted"}
    assert touched("a", UNREADABLE, b"x").kind == "changed"


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n", (1, 1)),
        (b"a\nb\nc\n", b"a\nx\ny\nc\n", (1, 2)),
        (b"a\nb\nc\n", b"a\nc\n", (1, 1)),
        (None, b"a\nb\n", (0, 2)),
        (b"a\r\nb\r\n", b"a\r\nc\r\n", (1, 1)),
        (b"\xef\xbb\xbfa\nb\n", b"a\nc\n", (1, 1)),
        ("😀\né\n".encode(), "😀\nè\n".encode(), (1, 1)),
        (b"same\n", b"same\n", (1, 1)),
    ],
)
def test_the_lines_that_differ(before: Content, after: Content, lines: tuple[int, int]) -> None:
    assert touched("a", before, after).lines == lines


@pytest.mark.parametrize("data", [UNREADABLE, None, "é".encode("latin-1")])
def test_a_text_that_is_not_known_is_none_and_hinders_nothing(data: Content) -> None:
    file = touched("a", data, data)
    assert (file.old_text, file.new_text) == (None, None)
    assert file.lines == (0, 0)


def test_a_moved_file_is_told_by_its_content() -> None:
    assert origins(touched("a.py", b"1", None), touched("b.py", b"2", None), touched("c.py", None, b"2")) == {
        "a.py": None,
        "b.py": None,
        "c.py": "b.py",
    }


def test_a_moved_and_changed_file_is_told_by_its_name() -> None:
    found = origins(
        touched("old/a.py", b"1", None), touched("old/b.py", b"2", None), touched("new/b.py", None, b"changed")
    )
    assert found["new/b.py"] == "old/b.py"


def test_a_renamed_and_changed_file_is_told_only_where_there_is_no_other() -> None:
    assert origins(touched("a.py", b"1", None), touched("b.py", None, b"x"))["b.py"] == "a.py"
    assert origins(touched("a.py", b"1", None), touched("b.rs", None, b"x"))["b.rs"] is None
    two = origins(touched("a.py", b"1", None), touched("b.py", b"2", None), touched("c.py", None, b"x"))
    assert two["c.py"] is None


def test_a_file_is_the_origin_of_one_other() -> None:
    found = origins(touched("a.py", b"1", None), touched("b.py", None, b"1"), touched("c.py", None, b"1"))
    assert sorted(found.values(), key=str) == [None, None, "a.py"]


def test_a_file_that_is_only_changed_or_that_nobody_saw_before_has_no_origin() -> None:
    found = origins(touched("a.py", b"1", None), touched("b.py", b"2", b"1"), touched("c.py", UNREADABLE, b"1"))
    assert set(found.values()) == {None}
    assert origins(touched("a.py", UNREADABLE, None), touched("b.py", None, b"1"))["b.py"] is None


def test_a_moved_file_is_compared_with_what_it_was() -> None:
    new = moved([touched("a.py", b"1\n2\n", None), touched("b.py", None, b"1\n3\n")])[1]
    assert (new.old.path, new.old_text, new.new_text, new.lines) == ("a.py", "1\n2\n", "1\n3\n", (1, 1))


def test_what_a_path_holds(toolpost_workspace: Path, tmp_path: Path) -> None:
    (toolpost_workspace / "file").write_bytes(b"text")
    (toolpost_workspace / "folder").mkdir()
    (toolpost_workspace / "large").write_bytes(bytes(MOST_BYTES + 1))
    (tmp_path / "secret").write_bytes(b"secret")
    (toolpost_workspace / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(toolpost_workspace / "pipe")

    async def main() -> None:
        async with asyncio.timeout(20), open_run(toolpost_workspace, []) as run:
            files = run.scope.files
            assert content(files, "file") == b"text"
            assert content(files, "none") is content(files, "none/below") is None
            for unreadable in ("folder", "large", "link", "pipe", "../secret"):
                assert content(files, unreadable) is UNREADABLE, unreadable

    asyncio.run(main())
