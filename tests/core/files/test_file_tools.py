"""read, write, edit and apply_patch in a run (contracts §1, File tools)."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from toolpost import Host, Result, Tier, allow_all


def calls(folder: Path, *wanted: tuple[str, dict[str, Any]]) -> list[Result]:
    async def main() -> list[Result]:
        async with asyncio.timeout(60), Host(["files"], strict=True).open(folder, approver=allow_all) as run:
            surface = run.surface(Tier.WRITE)
            return [await surface.call(name, arguments) for name, arguments in wanted]

    return asyncio.run(main())


def call(folder: Path, name: str, **arguments: Any) -> Result:
    return calls(folder, (name, arguments))[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "w"
    made.mkdir()
    return made


class TestRead:
    def test_the_plain_text(self, folder: Path):
        (folder / "a.txt").write_text("one\ntwo\nthree\n")
        result = call(folder, "read", path="a.txt")
        assert result.text == "one\ntwo\nthree\n"
        assert result.data == {
            "path": "a.txt",
            "content": "one\ntwo\nthree\n",
            "lines": {"start": 0, "end": 3},
            "total_lines": 3,
            "encoding": "utf-8",
        }

    @pytest.mark.parametrize(
        ("first", "last", "text"),
        [
            (1, 1, "one\n"),
            (2, None, "two\nthree\n"),
            (2, 3, "two\nthree\n"),
            (3, 99, "three\n"),
            (None, 2, "one\ntwo\n"),
        ],
    )
    def test_a_range_of_lines(self, folder: Path, first: int | None, last: int | None, text: str):
        (folder / "a.txt").write_text("one\ntwo\nthree\n")
        assert call(folder, "read", path="a.txt", start_line=first, end_line=last).text == text

    def test_numbered(self, folder: Path):
        (folder / "a.txt").write_text("".join(f"l{n}\n" for n in range(1, 12)))
        assert call(folder, "read", path="a.txt", start_line=9, end_line=10, numbered=True).text == " 9  l9\n10  l10\n"

    @pytest.mark.parametrize("content", ["", "no newline", "\n", "\n\n"])
    def test_edges(self, folder: Path, content: str):
        (folder / "a.txt").write_text(content)
        assert call(folder, "read", path="a.txt").text == content

    def test_a_byte_order_mark_is_no_text_and_latin1_is_told(self, folder: Path):
        (folder / "a.txt").write_bytes(b"\xef\xbb\xbfa\n")
        (folder / "b.txt").write_bytes(b"caf\xe9\n")
        marked = call(folder, "read", path="a.txt")
        assert (marked.text, marked.data["content"], marked.data["encoding"]) == ("a\n", "a\n", "utf-8-sig")
        result = call(folder, "read", path="b.txt")
        assert (result.text, result.data["encoding"]) == ("café\n", "latin-1")

    @pytest.mark.requirement("core:bounded")
    def test_a_long_file_is_cut_at_a_line_and_says_how_to_go_on(self, folder: Path):
        (folder / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 20_001)))
        result = call(folder, "read", path="a.txt")
        assert len(result.text) < 50_000
        next_line = int(result.text.rsplit("start_line=", 1)[1])
        assert f"lines {next_line} to 20000 of 20000 are left out" in result.text
        assert result.text.splitlines()[-2] == f"line {next_line - 1}"
        assert (
            call(folder, "read", path="a.txt", start_line=next_line, end_line=next_line).text == f"line {next_line}\n"
        )

    @pytest.mark.requirement("core:bounded")
    def test_a_long_line_is_cut_and_counted_and_never_sends_back_to_itself(self, folder: Path):
        (folder / "a.txt").write_text("z" * 100_000 + "\nlast\n")
        result = call(folder, "read", path="a.txt")
        assert result.text.endswith(
            "… cut here: 55000 more characters of line 1, which is all that is shown; read on with start_line=2"
        )
        (folder / "a.txt").write_text("z" * 100_000)
        assert "start_line" not in call(folder, "read", path="a.txt").text

    @pytest.mark.requirement("core:bounded")
    def test_control_characters_are_shown_and_exact_in_data(self, folder: Path):
        (folder / "a.txt").write_text("a\x1b[2J\u202eb\tc\r\nd\rrr\n")
        result = call(folder, "read", path="a.txt")
        assert result.text == "a\\x1b[2J\\u202eb\tc\r\nd\\x0drr\n"
        assert result.data["content"] == "a\x1b[2J\u202eb\tc\r\nd\rrr\n"

    def test_a_huge_file_is_refused_whole_and_read_in_parts(self, folder: Path):
        with (folder / "big.txt").open("w", encoding="utf-8-sig") as file:
            for n in range(1, 1_000_001):
                file.write(f"line {n:>93}\n")  # 100 MB
        refused, part, begin, beyond = calls(
            folder,
            ("read", {"path": "big.txt"}),
            ("read", {"path": "big.txt", "start_line": 900_000, "end_line": 900_001}),
            ("read", {"path": "big.txt", "start_line": 1, "end_line": 1}),
            ("read", {"path": "big.txt", "start_line": 1_000_001}),
        )
        assert (begin.text, begin.data["encoding"]) == (f"line {1:>93}\n", "utf-8-sig")
        assert part.data["lines"] == {"start": 899_999, "end": 900_001}
        assert "no line 1000001" in beyond.text
        assert refused.is_error
        assert "bytes, over the limit" in refused.text
        assert "start_line" in refused.text
        assert [line.split()[1] for line in part.text.splitlines()] == ["900000", "900001"]

    @pytest.mark.parametrize(
        ("path", "told"),
        [
            ("missing.txt", "no such file"),
            ("sub", "is a directory"),
            ("binary.bin", "binary file"),
            ("utf16.txt", "UTF-16"),
            ("pipe", "is a pipe"),
            ("a.txt/b", "Not a directory"),
            ("../secret", "outside the workspace"),
            ("/etc/passwd", "outside the workspace"),
            ("link", "outside the workspace"),
            ("a\0b", "NUL"),
            ("a\ud800b", "half of a character"),
        ],
    )
    def test_what_cannot_be_read_says_why(self, folder: Path, path: str, told: str):
        (folder / "a.txt").write_text("a")
        (folder / "sub").mkdir()
        (folder / "binary.bin").write_bytes(b"\x7fELF\0\0")
        (folder / "utf16.txt").write_bytes("hello".encode("utf-16"))
        (folder.parent / "secret").write_text("secret")
        (folder / "link").symlink_to("../secret")
        os.mkfifo(folder / "pipe")
        result = call(folder, "read", path=path)
        assert result.is_error
        assert told in result.text
        assert "secret" not in result.text.replace("../secret", "")

    def test_a_huge_binary_file_is_told_at_once(self, folder: Path):
        (folder / "sparse").touch()
        os.truncate(folder / "sparse", 1 << 40)
        for name, more in (
            ("read", {"start_line": 5}),
            ("edit", {"old": "a", "new": "b"}),
            ("write", {"content": "x"}),
        ):
            result = call(folder, name, path="sparse", **more)
            assert result.is_error
            assert "binary" in result.text or "over the limit" in result.text
        assert (folder / "sparse").stat().st_size == 1 << 40

    def test_a_range_that_is_none(self, folder: Path):
        (folder / "a.txt").write_text("one\n")
        assert "there is no line 5" in call(folder, "read", path="a.txt", start_line=5).text
        assert "before start_line" in call(folder, "read", path="a.txt", start_line=5, end_line=2).text
        assert "at least 1" in call(folder, "read", path="a.txt", start_line=0).text


class TestWrite:
    @pytest.mark.requirement("write:first-line")
    def test_creates_with_its_folders_and_undo_takes_both_away(self, folder: Path):
        made, undone = calls(
            folder,
            ("write", {"path": "a/b/c.txt", "content": "x\n"}),
            ("resolve", {"action": "undo", "edit_id": "undo_1"}),
        )
        assert made.text.splitlines()[0] == "Created a/b/c.txt (1 line, 2 bytes)."
        assert not undone.is_error
        assert list(folder.iterdir()) == []

    def test_replaces_and_undo_restores_every_byte_and_the_mode(self, folder: Path):
        path = folder / "run.sh"
        path.write_bytes(b"#!/bin/sh\r\n\xff")
        path.chmod(0o755)
        made, undone = calls(
            folder,
            ("write", {"path": "run.sh", "content": "new"}),
            ("resolve", {"action": "undo", "edit_id": "undo_1"}),
        )
        assert made.text.startswith("Wrote run.sh")
        assert not undone.is_error
        assert path.read_bytes() == b"#!/bin/sh\r\n\xff"
        assert path.stat().st_mode & 0o777 == 0o755

    @pytest.mark.requirement("core:confined")
    @pytest.mark.parametrize("path", ["../x", "/tmp/x", "link/x", "sub"])
    def test_what_may_not_be_written(self, folder: Path, path: str):
        (folder / "link").symlink_to("..")
        (folder / "sub").mkdir()
        result = call(folder, "write", path=path, content="x")
        assert result.is_error
        assert not (folder.parent / "x").exists()

    @pytest.mark.requirement("core:atomic")
    def test_a_link_inside_stays_a_link(self, folder: Path):
        (folder / "real.txt").write_text("old")
        (folder / "link.txt").symlink_to("real.txt")
        result = call(folder, "write", path="link.txt", content="new")
        assert "real.txt" in result.text
        assert (folder / "link.txt").is_symlink()
        assert (folder / "real.txt").read_text() == "new"

    @pytest.mark.requirement("core:atomic")
    @pytest.mark.parametrize(
        ("before", "content", "after", "told"),
        [
            (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n", "CRLF line ends as before"),
            (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n", "byte-order mark as before"),
            (b"\xef\xbb\xbfa\r\n", "x\n", b"\xef\xbb\xbfx\r\n", "CRLF line ends and byte-order mark as before"),
            (b"a\r\nb\n", "x\ny\n", b"x\ny\n", "bytes)."),
            (b"a\n", "x\r\ny\n", b"x\r\ny\n", "bytes)."),
            (b"a\r\n", "x\r\ny\n", b"x\r\ny\n", "bytes)."),
        ],
    )
    def test_what_a_model_does_not_see_stays_and_is_told(
        self, folder: Path, before: bytes, content: str, after: bytes, told: str
    ):
        (folder / "a").write_bytes(before)
        result = call(folder, "write", path="a", content=content)
        assert told in result.text.splitlines()[0]
        assert (folder / "a").read_bytes() == after

    def test_a_lone_surrogate_cannot_be_written(self, folder: Path):
        result = call(folder, "write", path="a", content="\udc80")
        assert result.is_error
        assert "U+DC80" in result.text
        assert not (folder / "a").exists()


class TestEdit:
    def edit(self, folder: Path, content: str | bytes, old: str, new: str, **more: Any) -> tuple[Result, bytes]:
        path = folder / "a.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return call(folder, "edit", path="a.txt", old=old, new=new, **more), path.read_bytes()

    def test_replaces_what_is_found_once(self, folder: Path):
        result, after = self.edit(folder, "a\nb\nc\n", "b", "x")
        assert result.text.splitlines()[0] == "Edited a.txt at line 2."
        assert after == b"a\nx\nc\n"

    def test_several_places_are_listed_and_replace_all_takes_them(self, folder: Path):
        result, after = self.edit(folder, "x = 1\ny = 1\n", "= 1", "= 2")
        assert result.is_error
        assert "line 1: x = 1" in result.text
        assert "line 2: y = 1" in result.text
        assert after == b"x = 1\ny = 1\n"
        result, after = self.edit(folder, "x = 1\ny = 1\n", "= 1", "= 2", replace_all=True)
        assert after == b"x = 2\ny = 2\n"

    @pytest.mark.parametrize(
        ("content", "old", "told"),
        [
            ("a\u00a0b\n", "a b", "U+00A0 NO-BREAK SPACE"),
            ("\tx = 1\n", "    x = 1", "U+0009"),
            ("say \u201chi\u201d\n", 'say "hi"', "U+201C LEFT DOUBLE QUOTATION MARK"),
            ("a\u200bb\n", "ab", "U+200B ZERO WIDTH SPACE"),
            ("x = 1  \ny = 2\n", "x = 1\ny = 2", "U+0020"),
            ("a        x\n", "a    x", "the file has 8 x U+0020 SPACE, U+0078"),
            ("x = 1\n", "x = 1 ", "but for what old has at its end: U+0020 SPACE"),
            ("\ufeffx\n", "\u200bx", "U+200B ZERO WIDTH SPACE"),
            ("a\r\nb\nc\n", "a\nb\nc", "U+000D"),
            ("p\u0430ss\n", "pass", "U+0430 CYRILLIC SMALL LETTER A in the file, U+0061 LATIN SMALL LETTER A in old"),
            ("cafe\u0301\n", "caf\u00e9", "decomposed (NFD)"),
            ("caf\u00e9\n", "cafe\u0301", "composed (NFC)"),
        ],
    )
    def test_what_differs_invisibly_is_named(self, folder: Path, content: str, old: str, told: str):
        result, after = self.edit(folder, content, old, "z")
        assert result.is_error
        assert "line 1" in result.text
        assert told in result.text
        assert after == content.encode()

    def test_the_nearest_text_is_shown(self, folder: Path):
        result, _ = self.edit(folder, "def total(self):\n    return 1\n", "def totals(self):\n    return 1", "x")
        assert "line 1" in result.text
        assert "def total(self):" in result.text

    @pytest.mark.parametrize(
        ("content", "old", "told"),
        [
            # Most lines decide, wherever they stand; the line that differs is shown.
            (
                "a\nb\nq = 1\nr = 2\ns = 3\n",
                "q = 1\nr = 9\ns = 3",
                "differs at line 4:\nthe file has 'r = 2'\nold has      'r = 9'",
            ),
            ("x\nf(\n  a,\n  b)\n", "f(\n  a,\n  c)", "differs at line 4"),
            ("a\nb\n", "a\nb\nc", "the file ends where old goes on with 'c'"),
            ("a" * 3000 + "b" + "c" * 3000, "a" * 3000 + "d" + "c" * 3000, "aaabccc"),
            ("a\x0cb\nnear it\n", "nearer it", "differs at line 2"),
            ("alpha\n", "9999", "Nothing in it resembles that"),
        ],
    )
    def test_the_line_that_differs_is_shown_bounded(self, folder: Path, content: str, old: str, told: str):
        result, after = self.edit(folder, content, old, "z")
        assert result.is_error
        assert told in result.text
        assert len(result.text) < 1_000
        assert after == content.encode()

    @pytest.mark.requirement("core:bounded")
    def test_many_places_are_counted_and_quick(self, folder: Path):
        content = "x = 1\n" * 200_000
        result, _ = self.edit(folder, content, "x = 1", "y")
        assert "over 10000 times" in result.text
        assert len(result.text) < 1_000
        assert result.data["lines"] == list(range(10))
        result, after = self.edit(folder, content, "x = 1", "y = 2", replace_all=True)
        assert result.text.startswith("Edited a.txt in 200000 places.")
        assert after == b"y = 2\n" * 200_000

    def test_places_that_overlap_are_several(self, folder: Path):
        result, after = self.edit(folder, "}\n}\n}\n", "}\n}\n", "]\n")
        assert "2 times" in result.text
        assert after == b"}\n}\n}\n"

    def test_lines_are_counted_at_line_feeds_only(self, folder: Path):
        result, _ = self.edit(folder, "a\x0cb\u2028c\nx\nx\n", "x", "y")
        assert "line 2: x\nline 3: x" in result.text

    def test_line_ends_are_those_at_the_place(self, folder: Path):
        _, after = self.edit(folder, b"a\r\nb\r\nc\nd\n", "c\nd", "x\ny")
        assert after == b"a\r\nb\r\nx\ny\n"
        _, after = self.edit(folder, b"a\r\nb\nc\nd\n", "a\nb", "x\ny")
        assert after == b"x\r\ny\nc\nd\n"
        # Carriage returns that are written are meant.
        _, after = self.edit(folder, b"a\r\nb\r\n", "\r\n", "\n", replace_all=True)
        assert after == b"a\nb\n"
        result, _ = self.edit(folder, b"a\r\nb\r\n", "a\n", "a\r\n")
        assert "changes nothing" in result.text

    @pytest.mark.requirement("core:atomic")
    def test_a_crlf_file_is_edited_in_its_own_line_ends(self, folder: Path):
        _, after = self.edit(folder, b"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz")
        assert after == b"x\r\ny\r\nz\r\nc\r\n"

    def test_encoding_and_byte_order_mark_stay(self, folder: Path):
        _, after = self.edit(folder, b"\xef\xbb\xbfx = 1\n", "x = 1", "y = 2")
        assert after == b"\xef\xbb\xbfy = 2\n"
        _, after = self.edit(folder, b"caf\xe9 = 1\n", "= 1", "= '\u00fc'")
        assert after == b"caf\xe9 = '\xfc'\n"
        result, after = self.edit(folder, b"caf\xe9 = 1\n", "= 1", "= '\u4e2d'")
        assert result.is_error
        assert "U+4E2D" in result.text
        assert after == b"caf\xe9 = 1\n"

    @pytest.mark.requirement("files:literal")
    @pytest.mark.parametrize("new", ["$& $1", "\\1\\n\\g<0>", "%s {0}", "\\"])
    def test_replacement_is_literal(self, folder: Path, new: str):
        _, after = self.edit(folder, "x\n", "x", new)
        assert after == f"{new}\n".encode()

    @pytest.mark.parametrize(("old", "new", "told"), [("", "x", "at least 1"), ("x", "x", "the same")])
    def test_nothing_to_do_is_an_error(self, folder: Path, old: str, new: str, told: str):
        result, after = self.edit(folder, "x\n", old, new)
        assert result.is_error
        assert told in result.text
        assert after == b"x\n"

    def test_a_missing_file_names_write(self, folder: Path):
        result = call(folder, "edit", path="nope", old="a", new="b")
        assert result.is_error
        assert "write" in result.text


@pytest.mark.requirement("files:patch")
class TestApplyPatch:
    def test_several_files_all_together(self, folder: Path):
        (folder / "a.txt").write_text("a\n")
        (folder / "b.txt").write_text("b\n")
        (folder / "old.txt").write_text("m\n")
        (folder / "old.txt").chmod(0o755)
        patch = """*** Begin Patch
*** Update File: a.txt
@@
-a
+A
*** Delete File: b.txt
*** Add File: new/c.txt
+c
*** Update File: old.txt
*** Move to: moved.txt
@@
-m
+M
*** End Patch
"""
        result, undone = calls(
            folder, ("apply_patch", {"patch": patch}), ("resolve", {"action": "undo", "edit_id": "undo_1"})
        )
        assert result.text.splitlines()[:5] == [
            "Patched 4 files.",
            "M a.txt",
            "D b.txt",
            "A new/c.txt",
            "R old.txt -> moved.txt",
        ]
        assert not undone.is_error
        assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "b.txt", "old.txt"]
        assert (folder / "old.txt").stat().st_mode & 0o777 == 0o755

    def test_a_move_keeps_mode(self, folder: Path):
        (folder / "a.sh").write_text("x\n")
        (folder / "a.sh").chmod(0o755)
        result = call(
            folder,
            "apply_patch",
            patch="*** Begin Patch\n*** Update File: a.sh\n*** Move to: b.sh\n@@\n-x\n+y\n*** End Patch\n",
        )
        assert not result.is_error, result.text
        assert (folder / "b.sh").stat().st_mode & 0o777 == 0o755

    @pytest.mark.parametrize(
        ("body", "told"),
        [
            ("*** Add File: a.txt\n+x", "a.txt is there already"),
            ("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-a\n+x", "b.txt is there already"),
            ("*** Update File: nope.txt\n@@\n-a\n+x", "nope.txt: there is no such file"),
            ("*** Delete File: nope.txt", "nope.txt: there is no such file"),
            ("*** Update File: a.txt\n@@\n-zzz\n+x", "hunk 1 does not apply"),
            ("*** Add File: ../x\n+x", "outside the workspace"),
            ("*** Update File: bin\n@@\n-a\n+b", "binary"),
        ],
    )
    def test_nothing_is_written_when_one_part_does_not_fit(self, folder: Path, body: str, told: str):
        (folder / "a.txt").write_text("a\n")
        (folder / "b.txt").write_text("b\n")
        (folder / "bin").write_bytes(b"a\0")
        patch = f"*** Begin Patch\n*** Update File: b.txt\n@@\n-b\n+B\n{body}\n*** End Patch\n"
        if "Move to: b.txt" in body:
            patch = f"*** Begin Patch\n{body}\n*** End Patch\n"
        result = call(folder, "apply_patch", patch=patch)
        assert result.is_error
        assert told in result.text
        assert (folder / "b.txt").read_text() == "b\n"
        assert (folder / "a.txt").read_text() == "a\n"

    @pytest.mark.requirement("core:confined")
    def test_a_link_is_neither_deleted_nor_moved_by_way_of_its_file(self, folder: Path):
        (folder / "real").write_text("r\n")
        (folder / "link").symlink_to("real")
        (folder / "sub").mkdir()
        (folder / "sub" / "x").write_text("x\n")
        (folder / "way").symlink_to("sub")
        for body in ("*** Delete File: link", "*** Update File: link\n*** Move to: other"):
            result = call(folder, "apply_patch", patch=f"*** Begin Patch\n{body}\n*** End Patch\n")
            assert "link is a link to real" in result.text
        assert (folder / "link").read_text() == "r\n"
        result = call(folder, "apply_patch", patch="*** Begin Patch\n*** Delete File: way/x\n*** End Patch\n")
        assert result.text.splitlines()[1] == "D sub/x"

    def test_a_diff_of_two_trees_makes_the_other(self, folder: Path, tmp_path: Path):
        old, new = tmp_path / "old", tmp_path / "new"
        trees = {
            old: {
                "a.txt": b"1\n2\n3\n",
                "crlf": b"a\r\nb\r\n",
                "d/gone": b"x\n",
                "d/empty": b"",
                "was here": b"m\n" * 9,
            },
            new: {
                "a.txt": b"1\n2\n3",
                "crlf": b"a\r\nB\r\n",
                "d/new": b"\xef\xbb\xbfn",
                "e/none": b"",
                "now/h\xc3\xa9re": b"m\n" * 9 + b"k\n",
            },
        }
        for root, files in trees.items():
            for name, content in files.items():
                path = root / name.encode("latin-1").decode()
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        (new / "d/new").chmod(0o755)
        diff = subprocess.run(
            ["git", "diff", "--no-index", "-M", "old", "new"], cwd=tmp_path, capture_output=True, check=False
        ).stdout.decode()
        diff = re.sub(r'((?:^|[ "])[ab]/|rename (?:from|to) "?)(?:old|new)/', r"\1", diff, flags=re.MULTILINE)
        shutil.copytree(old, folder, dirs_exist_ok=True)
        result = call(folder, "apply_patch", patch=diff)
        assert not result.is_error, result.text
        assert "R was here -> now/hére" in result.text
        made = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
        wanted = {str(path.relative_to(new)): path for path in new.rglob("*") if path.is_file()}
        assert {name: path.read_bytes() for name, path in made.items()} == {
            name: path.read_bytes() for name, path in wanted.items()
        }
        assert [name for name, path in made.items() if path.stat().st_mode & 0o100] == ["d/new"]

    def test_one_file_twice_is_composed_in_order(self, folder: Path):
        (folder / "a.txt").write_text("a\n")
        patch = (
            "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: a.txt\n@@\n-b\n+c\n*** End Patch\n"
        )
        assert not call(folder, "apply_patch", patch=patch).is_error
        assert (folder / "a.txt").read_text() == "c\n"


@pytest.mark.requirement("files:opt-in", "core:approval")
def test_without_the_plugin_there_are_no_file_tools_and_without_an_approver_no_write(folder: Path):
    async def main() -> None:
        async with Host([]).open(folder) as run:
            assert run.surface(Tier.EXEC).tools == ()
        async with Host(["files"]).open(folder) as run:
            refused = await run.surface(Tier.WRITE).call("write", {"path": "a", "content": "x"})
            assert refused.failure == "refused"
            assert "no approver" in refused.text
        assert list(folder.iterdir()) == []

    asyncio.run(main())
