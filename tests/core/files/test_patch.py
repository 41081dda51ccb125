"""Patches mean what their two formats say (files:patch)."""

from __future__ import annotations

import difflib
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost import ToolError
from toolpost.builtin.patch import parse
from toolpost.builtin.patch_apply import added, apply_hunks

pytestmark = pytest.mark.requirement("files:patch")


def patched(before: str | bytes, patch: str) -> bytes:
    (file,) = parse(patch)
    return apply_hunks(before.encode() if isinstance(before, str) else before, file)


def begin(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", "*** Update File: a.txt", *lines, "*** End Patch"]) + "\n"


def unified(*lines: str) -> str:
    return "\n".join(["--- a/a.txt", "+++ b/a.txt", *lines]) + "\n"


TEXTS = st.lists(
    st.sampled_from(["a", "b", "c", "", " ", "\tx", "-", "+", "-- z", "++ z", "@@", "é中", "\x0c", "same"]), max_size=12
)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.booleans(), st.booleans(), st.integers(0, 3))
def test_a_diff_of_two_texts_makes_the_other_byte_for_byte(
    old: list[str], new: list[str], old_end: bool, new_end: bool, context: int
):
    before = "\n".join(old) + ("\n" if old_end and old else "")
    after = "\n".join(new) + ("\n" if new_end and new else "")
    old_lines, new_lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    old_lines, new_lines = (_at_line_feeds(text) for text in (before, after))
    lines = list(difflib.unified_diff(old_lines, new_lines, "a/a.txt", "b/a.txt", n=context))
    if not lines:
        return
    patch = "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
    assert patched(before, patch) == after.encode()


def _at_line_feeds(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


@settings(max_examples=40, deadline=None)
@given(
    old=st.lists(st.sampled_from(["a", "b", "c", "dd"]), min_size=1, max_size=10),
    new=st.lists(st.sampled_from(["a", "b", "x"]), max_size=10),
    end=st.booleans(),
)
def test_gits_own_diffs_apply(tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str], end: bool):
    folder = tmp_path_factory.mktemp("git")
    before, after = "\n".join(old) + "\n", "\n".join(new) + ("\n" if end and new else "")
    (folder / "old").write_text(before)
    (folder / "new").write_text(after)
    diff = subprocess.run(
        ["git", "diff", "--no-index", "old", "new"], cwd=folder, capture_output=True, text=True, check=False
    ).stdout
    if not diff:
        return
    (file,) = parse(diff)
    assert apply_hunks(before.encode(), file) == after.encode()


class TestUnified:
    def test_kinds_of_files(self):
        patch = """diff --git a/new.txt b/new.txt
new file mode 100755
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/old name.txt b/new name.txt
similarity index 90%
rename from old name.txt
rename to new name.txt
--- a/old name.txt
+++ b/new name.txt
@@ -1 +1 @@
-x
+y
diff --git a/empty.txt b/empty.txt
new file mode 100644
index 0000000..e69de29
"""
        new, gone, moved, empty = parse(patch)
        assert (new.kind, new.path, new.executable, added(new)) == ("add", "new.txt", True, b"one\ntwo\n")
        assert (gone.kind, gone.path) == ("delete", "gone.txt")
        assert (moved.kind, moved.path, moved.new_path) == ("move", "old name.txt", "new name.txt")
        assert (empty.kind, empty.path, added(empty)) == ("add", "empty.txt", b"")

    def test_plain_diffs_without_prefixes_and_with_times(self):
        (file,) = parse("--- old.txt\t2026-01-01 10:00:00\n+++ new.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n")
        assert (file.kind, file.path) == ("update", "new.txt")

    def test_quoted_names(self):
        (file,) = parse('--- "a/\\303\\244 \\"q\\".txt"\n+++ "b/\\303\\244 \\"q\\".txt"\n@@ -1 +1 @@\n-a\n+b\n')
        assert file.path == 'ä "q".txt'

    def test_wrong_counts_are_believed_no_further_than_the_body(self):
        assert patched("a\nb\nc\n", unified("@@ -1,9 +1,2 @@", " a", "-b", "+x", " c")) == b"a\nx\nc\n"
        assert patched("a\nb\nc\n", unified("@@ -1 +1 @@", " a", "-b", "+x", " c")) == b"a\nx\nc\n"

    def test_a_hunk_whose_line_is_off_applies_where_its_lines_stand_once(self):
        before = "".join(f"{n}\n" for n in range(30))
        assert b"15x\n" in patched(before, unified("@@ -3,3 +3,3 @@", " 14", "-15", "+15x", " 16"))

    def test_off_and_in_two_places_is_refused_with_both(self):
        before = "x\na\nb\ny\na\nb\nz\n"
        with pytest.raises(ToolError, match=r"hunk 1.*applies in 2 places \(lines 2, 5\)"):
            patched(before, unified("@@ -4,2 +4,2 @@", " a", "-b", "+c"))
        assert patched(before, unified("@@ -5,2 +5,2 @@", " a", "-b", "+c")) == b"x\na\nb\ny\na\nc\nz\n"

    def test_a_hunk_that_does_not_apply_shows_what_stands_there(self):
        with pytest.raises(ToolError, match=r"hunk 1.*does not apply. It expects 'beta' at line 2.*\n2: BETA"):
            patched("alpha\nBETA\ngamma\n", unified("@@ -1,3 +1,3 @@", " alpha", "-beta", "+b", " gamma"))

    def test_blanks_are_never_ignored(self):
        with pytest.raises(ToolError, match="does not apply"):
            patched("\tx\n", unified("@@ -1 +1 @@", "-    x", "+y"))

    @pytest.mark.parametrize("line", ["GIT binary patch", "Binary files a/x and b/x differ", "old mode 100644"])
    def test_what_cannot_be_applied_is_named(self, line: str):
        with pytest.raises(ToolError, match="patch line 2"):
            parse(f"diff --git a/x b/x\n{line}\n")

    @pytest.mark.parametrize(
        "lines",
        [
            ["@@ -1,4 +1,4 @@", " a", "-b", "+x", "c", "-d", "+e"],
            ["@@ -1,2 +1,2 @@", " a", "-b", "+x", "c", "-d", "+e"],
            ["@@ -1,4 +1,4 @@", " a", "-b", "+x", "", "index = 3", "-d", "+e"],
            ["@@ -1,2 +1,2 @@", " a", "-b", "+x", "```", "+e"],
        ],
    )
    def test_a_line_that_lost_its_sign_is_told_and_never_ends_the_hunk_unseen(self, lines: list[str]):
        with pytest.raises(ToolError, match=r"patch line \d: a line of a hunk begins with a blank, - or \+"):
            patched("a\nb\nc\nd\n", unified(*lines))

    def test_a_blank_line_that_lost_its_blank_does_not_end_the_hunk_whatever_the_counts(self):
        assert patched("a\nb\n\nc\n", unified("@@ -1,2 +1,2 @@", " a", "-b", "+x", "", "-c", "+d")) == b"a\nx\n\nd\n"
        # By the counts the last blank line is context; without them it parts the patch from what follows.
        assert patched("a\n\nz\n", unified("@@ -1,2 +1,2 @@", "-a", "+x", "", "")) == b"x\n\nz\n"
        assert patched("a\nz\n", unified("@@ -1 +1 @@", "-a", "+x", "", "")) == b"x\nz\n"

    @pytest.mark.parametrize(
        "tail",
        [
            ["-- ", "2.39.2", ""],
            ["--", "2.43.0.rc1"],
            ["```"],
            [
                "",
                "From " + "0" * 40 + " Mon Sep 17 00:00:00 2001",
                "Subject: [PATCH] - x",
                "",
                "+ prose",
                "---",
                " 1 file",
            ],
            ["commit 1234567", "", "    - prose"],
        ],
    )
    def test_what_mails_logs_and_fences_put_behind_a_hunk_is_no_part_of_it(self, tail: list[str]):
        assert patched("a\nb\n", unified("@@ -1,2 +1,2 @@", " a", "-b", "+x", *tail)) == b"a\nx\n"

    def test_several_plain_files_follow_one_another(self):
        one = unified("@@ -1 +1 @@", "-a", "+b")
        files = parse(one + "\n" + one.replace("a.txt", "b.txt") + "Index: c.txt\n" + "=" * 67 + "\n" + one)
        assert [(file.path, len(file.hunks)) for file in files] == [("a.txt", 1), ("b.txt", 1), ("a.txt", 1)]

    @pytest.mark.parametrize(
        ("head", "path"),
        [
            ("--- a/x\n+++ b/x", "x"),
            ("--- a/x\n+++ a/x", "a/x"),
            ("--- x\n+++ x", "x"),
            ("--- b/x\n+++ c/x", "c/x"),
            ("diff --git i/x w/x\n--- i/x\n+++ w/x", "x"),
            ("diff --git src/x src/x\n--- src/x\n+++ src/x", "src/x"),
        ],
    )
    def test_prefixes(self, head: str, path: str):
        (file,) = parse(f"{head}\n@@ -1 +1 @@\n-a\n+b\n")
        assert file.path == path

    @pytest.mark.parametrize("mode", ["120000", "160000"])
    def test_links_and_submodules_are_no_files(self, mode: str):
        with pytest.raises(ToolError, match="only regular files"):
            parse(f"diff --git a/l b/l\nnew file mode {mode}\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n")

    def test_half_a_rename_is_refused(self):
        with pytest.raises(ToolError, match="rename to"):
            parse("diff --git a/x b/y\nrename from x\n")

    def test_the_last_two_lines_that_the_counts_ask_for_are_lines(self):
        patch = unified("@@ -1 +1 @@", "--- a", "+++ b", "@@ -3 +3 @@", "-b", "+c")
        assert patched("-- a\nk\nb\n", patch) == b"++ b\nk\nc\n"

    def test_a_line_without_an_end_is_the_last_of_the_file(self):
        with pytest.raises(ToolError, match="not at the end of the file"):
            patched("a\nb\n", unified("@@ -1 +1 @@", "-a", "+x", "\\ No newline at end of file"))
        with pytest.raises(ToolError, match="1 lines stand behind it"):
            patched("a\nb\n", unified("@@ -1,0 +2 @@", "+x", "\\ No newline at end of file"))
        with pytest.raises(ToolError, match="has a line end, which the patch says it lacks"):
            patched("a\n", unified("@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+x"))

    def test_a_removed_line_that_looks_like_a_header(self):
        assert patched("-- a\nkeep\n", unified("@@ -1,2 +1,2 @@", "--- a", "+++ b", " keep")) == b"++ b\nkeep\n"


class TestBeginPatch:
    def test_kinds_of_files(self):
        patch = """*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: gone.txt
*** Update File: old.txt
*** Move to: moved.txt
@@
-x
+y
*** End Patch
"""
        new, gone, moved = parse(patch)
        assert (new.kind, added(new)) == ("add", b"one\n\ntwo\n")
        assert (gone.kind, gone.path) == ("delete", "gone.txt")
        assert (moved.kind, moved.path, moved.new_path) == ("move", "old.txt", "moved.txt")

    def test_an_anchor_narrows_the_place(self):
        before = "def a():\n    return 1\n\ndef b():\n    return 1\n"
        with pytest.raises(ToolError, match=r"applies in 2 places \(lines 2, 5\)"):
            patched(before, begin("@@", "-    return 1", "+    return 2"))
        made = patched(before, begin("@@ def b():", "-    return 1", "+    return 2"))
        assert made == b"def a():\n    return 1\n\ndef b():\n    return 2\n"

    def test_nested_anchors(self):
        before = "class A:\n    def f(self):\n        x\nclass B:\n    def f(self):\n        x\n"
        made = patched(before, begin("@@ class B:", "@@     def f(self):", "-        x", "+        y"))
        assert made == b"class A:\n    def f(self):\n        x\nclass B:\n    def f(self):\n        y\n"

    def test_an_ambiguous_anchor_is_refused(self):
        before = "class A:\n    def f(self):\n        x\nclass B:\n    def f(self):\n        x\n"
        with pytest.raises(ToolError, match="applies in 2 places"):
            patched(before, begin("@@ def f(self):", "-        x", "+        y"))

    def test_a_missing_anchor_is_named(self):
        with pytest.raises(ToolError, match=r"its @@ line is not in the file: 'def nowhere\(\):'"):
            patched("x\n", begin("@@ def nowhere():", "-x", "+y"))

    def test_a_hunk_may_repeat_the_anchor_of_the_hunk_before(self):
        before = "def f():\n  a\n  b\n  c\n"
        made = patched(before, begin("@@ def f():", "-  a", "+  A", "@@ def f():", "-  c", "+  C"))
        assert made == b"def f():\n  A\n  b\n  C\n"

    def test_nested_anchors_are_looked_for_below_one_another(self):
        part = "class {}:\n    def f(self):\n        x\n"
        before = "".join(part.format(name) for name in "ABC")
        made = patched(before, begin("@@ class B:", "@@ def f(self):", "-        x", "+        y"))
        assert made.decode().split("class ")[2] == "B:\n    def f(self):\n        y\n"
        with pytest.raises(ToolError, match="applies in 2 places"):
            patched(before + part.format("B"), begin("@@ class B:", "@@ def f(self):", "-        x", "+        y"))
        with pytest.raises(ToolError, match=r"behind the hunk or the @@ line before it: 'def g\(self\):'"):
            patched(before, begin("@@ class B:", "@@ def g(self):", "-        x", "+        y"))

    def test_added_lines_go_behind_their_anchor_or_to_the_end(self):
        assert patched("a\nb\n", begin("@@ a", "+x")) == b"a\nx\nb\n"
        assert patched("a\nb\n", begin("@@", "+x")) == b"a\nb\nx\n"
        assert patched("a\nb\n", begin("@@ a", "+x", "*** End of File")) == b"a\nb\nx\n"
        with pytest.raises(ToolError, match="applies in 2 places"):
            patched("a\na\n", begin("@@ a", "+x"))

    def test_blank_lines_may_part_sections(self):
        files = parse(
            "*** Begin Patch\n\n*** Add File: a\n+a\n\n*** Update File: b\n@@\n-x\n+y\n\n@@\n-z\n+w\n\n*** Delete File: c\n"
            "\n*** End Patch\n\n"
        )
        assert [(file.kind, len(file.hunks)) for file in files] == [("add", 1), ("update", 2), ("delete", 0)]
        assert added(files[0]) == b"a\n"
        assert apply_hunks(b"x\nz\n", files[1]) == b"y\nw\n"

    def test_a_line_of_the_file_may_look_like_a_mark(self):
        assert patched("*** End Patch\nb\n", begin("@@", " *** End Patch", "-b", "+c")) == b"*** End Patch\nc\n"

    def test_a_patch_that_may_be_cut_off_or_goes_on_is_refused(self):
        whole = begin("@@", "-a", "+b")
        with pytest.raises(ToolError, match=r"no \*\*\* End Patch line, so it may be cut off"):
            parse(whole.replace("*** End Patch\n", ""))
        with pytest.raises(ToolError, match="patch line 7: the patch goes on behind"):
            parse(whole + whole)

    def test_a_long_run_of_blank_lines_costs_nothing(self):
        with pytest.raises(ToolError, match="patch line 100004"):
            parse(begin("@@", *[""] * 100_000, "x"))
        (file,) = parse(unified("@@ -1 +1 @@", "-a", *[""] * 100_000, "+x"))
        assert len(file.hunks[0].lines) == 100_002

    def test_the_end_of_file_mark(self):
        before = "a\nb\na\nb\n"
        assert patched(before, begin("@@", " a", "-b", "+c", "*** End of File")) == b"a\nb\na\nc\n"
        with pytest.raises(ToolError, match="not at the end of the file"):
            patched("a\nb\nz\n", begin("@@", " a", "-b", "+c", "*** End of File"))

    def test_blank_context_lines_may_have_lost_their_blank(self):
        assert patched("a\n\nb\n", begin("@@", " a", "", "-b", "+c")) == b"a\n\nc\n"

    def test_lines_without_a_sign_are_refused_with_their_number(self):
        with pytest.raises(ToolError, match="patch line 4"):
            parse(begin("@@", "no sign"))

    def test_several_hunks_in_order(self):
        before = "a\nx\nb\nx\nc\n"
        assert patched(before, begin("@@", " a", "-x", "+1", "@@", " b", "-x", "+2")) == b"a\n1\nb\n2\nc\n"
        with pytest.raises(ToolError, match="before the hunk above it"):
            patched(before, begin("@@", " b", "-x", "+2", "@@", " a", "-x", "+1"))


class TestLineEnds:
    @pytest.mark.requirement("core:atomic")
    def test_a_crlf_file_takes_a_patch_with_line_feeds_and_keeps_crlf(self):
        assert (
            patched(b"a\r\nb\r\nc\r\n", unified("@@ -1,3 +1,4 @@", " a", "-b", "+x", "+y", " c"))
            == b"a\r\nx\r\ny\r\nc\r\n"
        )
        assert patched(b"a\r\nb\r\n", begin("@@", "-b", "+x")) == b"a\r\nx\r\n"

    def test_a_diff_that_has_the_files_own_line_ends_changes_them(self):
        assert patched(b"a\r\nb\r\n", unified("@@ -1,2 +1,2 @@", "-a\r", "+a", " b\r")) == b"a\nb\r\n"
        assert patched(b"a\nb\n", unified("@@ -1,2 +1,2 @@", "-a", "+a\r", " b")) == b"a\r\nb\n"

    def test_in_a_mixed_file_added_lines_end_as_those_they_replace(self):
        before = b"a\nb\nc\nd\r\n"
        assert patched(before, unified("@@ -4 +4 @@", "-d", "+x")) == b"a\nb\nc\nx\r\n"
        assert patched(before, unified("@@ -3 +3 @@", "-c", "+x")) == b"a\nb\nx\nd\r\n"

    @pytest.mark.parametrize("patch", [unified("@@ -1 +1 @@", "-a", "+x"), begin("@@", "-a", "+x")])
    def test_a_byte_order_mark_stays_and_need_not_be_known(self, patch: str):
        assert patched("\ufeffa\n", patch) == "\ufeffx\n".encode()
        assert patched("\ufeffa\n", patch.replace("-a", "-\ufeffa")) == b"x\n"
        assert patched("\ufeffa\n", patch.replace("+x\n", "")) == b""

    def test_a_patch_with_crlf_applies_to_a_file_with_line_feeds(self):
        assert patched("a\nb\n", unified("@@ -1,2 +1,2 @@", " a", "-b", "+x").replace("\n", "\r\n")) == b"a\nx\n"

    @pytest.mark.parametrize(
        ("before", "hunk", "after"),
        [
            ("a\nb", ["@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+c"], b"a\nc\n"),
            ("a\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+c", "\\ No newline at end of file"], b"a\nc"),
            ("a\nb", ["@@ -1,2 +1,2 @@", "-a", "+x", " b", "\\ No newline at end of file"], b"x\nb"),
            ("a", ["@@ -1 +1,2 @@", " a", "\\ No newline at end of file", "+b"], None),
            ("a", ["@@ -1 +1,2 @@", "-a", "\\ No newline at end of file", "+a", "+b"], b"a\nb\n"),
        ],
    )
    def test_a_missing_last_newline(self, before: str, hunk: list[str], after: bytes | None):
        assert patched(before, unified(*hunk)) == (after if after is not None else b"a\nb\n")

    def test_adding_behind_a_last_line_without_an_end(self):
        assert patched("a\nb", begin("@@", " b", "+c")) == b"a\nb\nc\n"

    def test_latin1_stays(self):
        assert patched(b"caf\xe9\nb\n", begin("@@", "-b", "+c")) == b"caf\xe9\nc\n"


@pytest.mark.requirement("files:literal")
def test_added_text_is_literal():
    assert patched("a\n", begin("@@", "-a", "+\\1 $& %s \\n {x}")) == b"\\1 $& %s \\n {x}\n"


def test_half_a_surrogate_pair_is_no_text():
    with pytest.raises(ToolError, match=r"patch holds U\+D800"):
        parse(begin("@@", "-a", "+\ud800"))


@pytest.mark.requirement("core:bounded")
def test_errors_stay_short_and_quick_on_large_files():
    before = "".join(f"{'x' * (n % 7)}\n" for n in range(200_000))
    with pytest.raises(ToolError) as caught:
        patched(before, begin("@@", *["-x"] * 500, "+y"))
    assert len(str(caught.value)) < 2_000
    with pytest.raises(ToolError, match=r"applies in \d+ places \(lines (\d+, ){9}\d+\)"):
        patched(before, begin("@@", "-xx", "+y"))


@pytest.mark.parametrize("patch", ["", "hello", "*** Begin Patch\n*** End Patch\n", "@@ -1 +1 @@\n-a\n+b\n"])
def test_what_is_no_patch_says_so(patch: str):
    with pytest.raises(ToolError, match="patch"):
        parse(patch)


def test_all_of_a_real_history_applies(tmp_path: Path):
    """Diffs that git made of real changes: renames, deletions, additions, modes."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@x", "-c", "core.autocrlf=false"]

    def run(*words: str) -> str:
        return subprocess.run([*git, *words], check=True, capture_output=True, text=True).stdout

    run("init", "-q")
    (tmp_path / "a.py").write_text("".join(f"line {n}\n" for n in range(100)))
    (tmp_path / "b.py").write_text("b\n" * 20)
    run("add", "-A")
    run("commit", "-qm", "1")
    text = (tmp_path / "a.py").read_text()
    (tmp_path / "c.py").write_text(text.replace("line 7\n", "line seven\nand more\n").replace("line 90\n", ""))
    (tmp_path / "a.py").unlink()
    (tmp_path / "b.py").unlink()
    (tmp_path / "d.py").write_text("new\n")
    run("add", "-A")
    files = {file.kind: file for file in parse(run("diff", "--cached", "-M"))}
    assert set(files) == {"move", "delete", "add"}
    assert apply_hunks(text.encode(), files["move"]) == (tmp_path / "c.py").read_bytes()
    assert apply_hunks(b"b\n" * 20, files["delete"]) == b""
    assert added(files["add"]) == b"new\n"
