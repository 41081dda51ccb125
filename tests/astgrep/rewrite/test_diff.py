"""The bounded diff of what is proposed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost_astgrep.answering.diff import Diff

pytestmark = pytest.mark.requirement("edit:staged")


def lines(count: int, **changed: str) -> bytes:
    return "".join(changed.get(f"l{number}", f"line {number}") + "\n" for number in range(1, count + 1)).encode()


def test_a_change_has_its_lines_numbers_and_neighbours():
    diff = Diff.of([("a.py", lines(100), lines(100, l50="x\ny"))])
    assert diff.text == "--- a.py\n+++ a.py\n@@ -49,3 +49,4 @@\n line 49\n-line 50\n+x\n+y\n line 51"
    assert (diff.lines_left_out, diff.files_left_out) == (0, 0)


def test_far_apart_are_hunks_of_their_own():
    diff = Diff.of([("a.py", lines(100), lines(100, l1="x", l99="y"))])
    assert [line for line in diff.text.split("\n") if line.startswith("@@")] == ["@@ -1,2 +1,2 @@", "@@ -98,3 +98,3 @@"]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (b"", b"a\n", ["@@ -0,0 +1 @@", "+a"]),
        (b"a\n", b"", ["@@ -1 +0,0 @@", "-a"]),
        (b"a\nb", b"a\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b"]),
        (b"\xef\xbb\xbfa\r\nb\r\n", b"\xef\xbb\xbfa\r\nc\r\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+c"]),
        (b"a\r\nb\n", b"a\nb\n", ["@@ -1,2 +1,2 @@", "-a\\r", "+a", " b"]),
        (b"caf\xe9\n", b"\xe9\n", ["@@ -1 +1 @@", "-café", "+é"]),
        (b"a\x0cb\n", b"a\x0cc\n", ["@@ -1 +1 @@", "-a\x0cb", "+a\x0cc"]),
    ],
)
def test_line_ends_marks_and_encodings(before: bytes, after: bytes, shown: list[str]):
    assert Diff.of([("a", before, after)]).text.split("\n")[2:] == shown


@pytest.mark.requirement("core:bounded")
class TestBounds:
    def test_lines_of_a_file_are_counted_beyond_its_share(self):
        before = lines(400)
        diff = Diff.of([("a.py", before, before.replace(b"line", b"row"))])
        assert len(diff.text.split("\n")) <= 42
        assert diff.lines_left_out == 801 - 38
        assert diff.text.endswith("… 763 more lines of a.py")

    def test_files_are_counted_beyond_the_whole(self):
        diff = Diff.of([(f"{number:02}.py", b"a\n", b"b\n") for number in range(60)])
        shown = sum(line.startswith("---") for line in diff.text.split("\n"))
        assert diff.files_left_out == 60 - shown > 0
        assert diff.text.endswith(f"… and {diff.files_left_out} more files")
        assert len(diff.text.split("\n")) <= 125

    def test_a_long_line_is_cut(self):
        diff = Diff.of([("a.js", b"x" * 10_000, b"y" * 10_000)])
        assert len(diff.text) < 1_000
        assert "… (9801 more characters)" in diff.text

    def test_very_many_lines_are_not_all_compared(self):
        before = b"".join(b"a %d\n}\n" % number for number in range(50_000))
        diff = Diff.of([("a.c", before, before.replace(b"a", b"b"))])
        assert diff.lines_left_out >= 98_000


def patched(before: str, diff: str) -> str:
    """A unified diff's hunks, applied to lines."""
    old, made, at = before.split("\n")[:-1], [], 0
    for line in diff.split("\n")[2:]:
        if line.startswith("@@"):
            start, _, count = line.split(" ")[1][1:].partition(",")
            first = int(start) - (count != "0")
            made += old[at:first]
            at = first
        elif line.startswith("+"):
            made.append(line[1:])
        else:
            assert old[at] == line[1:]
            at += 1
            made += [line[1:]] if line.startswith(" ") else []
    return "".join(line + "\n" for line in made + old[at:])


_some = st.lists(st.sampled_from(["a", "b", "}", "", "  c"]), max_size=7)


@settings(max_examples=300, deadline=None)
@given(_some, _some, _some, _some)
def test_it_makes_the_one_of_the_other(head: list[str], one: list[str], other: list[str], tail: list[str]):
    before, after = ("".join(line + "\n" for line in [*head, *middle, *tail]) for middle in (one, other))
    diff = Diff.of([("a", before.encode(), after.encode())])
    assert diff.lines_left_out == 0
    assert patched(before, diff.text) == after
