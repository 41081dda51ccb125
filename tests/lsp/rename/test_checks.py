"""Pieces of an edit that are a rename, pieces that are a companion of one, and pieces that are neither."""

from __future__ import annotations

import pytest
from toolpost_lsp.rename import names
from toolpost_lsp.rename.checks import Checked, Renaming, check
from toolpost_lsp.rename.rewriting import Replacement
from toolpost_lsp.rename.workspace_edit import FileEdit, Plan


def checked(
    text: str, *pieces: tuple[int, str, str], language: str = "typescript", old: str = "old", new: str = "new"
) -> Checked:
    """A plan of one file: where each piece starts, and what it reads before and after."""
    made = tuple(
        Replacement(line=text.count("\n", 0, at) + 1, start=at, end=at + len(before), old=before, new=after)
        for at, before, after in pieces
    )
    assert all(text[each.start : each.end] == each.old for each in made)
    file = FileEdit(path="a.ts", before=text.encode(), after=b"", replacements=made)
    renaming = Renaming(old=old, new=new, names=names.of(language))
    return check(Plan(changes=(), files=(file,)), renaming)


@pytest.mark.requirement("rename:project-wide")
class TestPieces:
    @pytest.mark.parametrize(
        ("text", "piece"),
        [
            ("old()", (0, "old", "new")),
            ("a.old.b", (0, "a.old.b", "a.new.b")),
            ("holder", (0, "holder", "holder")),
            ("// Old: old and old", (0, "// Old: old and old", "// Old: new and new")),
            ("old()", (0, "old()", "new()")),
            ("{ b: old }", (2, "b: old", "b: new")),
        ],
    )
    def test_what_reads_the_old_name_is_trusted(self, text: str, piece: tuple[int, str, str]):
        assert checked(text, piece) == Checked(wrong=(), keeping=frozenset())

    def test_the_least_change_of_a_word_is_seen_as_the_word(self):
        assert checked("x = older", (7, "er", ""), old="older", new="old").wrong == ()
        assert checked("x = old;", (7, "", "er"), old="old", new="older").wrong == ()
        assert checked("x = hold;", (8, "", "er"), old="old", new="older").wrong != ()

    @pytest.mark.parametrize("new", ["old: new", "new: old", "new as old", "old as new", "old=new"])
    def test_a_short_form_may_become_a_long_one(self, new: str):
        found = checked("f({ old })", (4, "old", new))
        assert found.wrong == ()
        assert found.keeping == {"a.ts"}

    def test_a_short_form_may_become_a_long_one_by_an_insertion(self):
        assert checked("f({ old })", (7, "", ": new")) == Checked(wrong=(), keeping=frozenset({"a.ts"}))
        assert checked("f({ old })", (4, "", "new: ")) == Checked(wrong=(), keeping=frozenset({"a.ts"}))

    def test_a_long_form_may_become_a_short_one(self):
        assert checked("f({ old: new })", (4, "old: new", "new")) == Checked(wrong=(), keeping=frozenset())

    @pytest.mark.parametrize(
        ("text", "piece"),
        [
            ("other()", (0, "other", "new")),
            ("older()", (0, "old", "new")),
            (" old ", (0, " ol", "new")),
            ("old ", (1, "ld ", "new")),
            ("old", (0, "old", "new; evil()")),
            ("old", (0, "old", "other")),
            ("old", (0, "old", "")),
            ("f({ old })", (4, "old", "new + old")),
            ("f({ x })", (4, "x", "x: new")),
            ("Old", (0, "Old", "new")),
            ("a\nold\n", (0, "a\nold\n", "a\r\nnew\r\n")),
            ("a\nold\n", (0, "a\nold\n", "a\nnew\nb\n")),
        ],
    )
    def test_what_reads_anything_else_is_not(self, text: str, piece: tuple[int, str, str]):
        found = checked(text, piece)
        assert found.wrong
        assert "a.ts:" in str(found.refusal("old"))

    def test_a_whole_text_is_compared_piece_by_piece(self):
        text = "import old\n\nold.a(old)\nf(b)\n"
        assert checked(text, (0, text, text.replace("old", "new"))).wrong == ()
        shorter = text.replace("\n\n", "\n").replace("old", "new")
        assert [each.line for each in checked(text, (0, text, shorter)).wrong] == [1]
        (wrong,) = checked(text, (0, text, text.replace("old", "new").replace("f(b)", "f(c)"))).wrong
        assert (wrong.line, wrong.old, wrong.new) == (4, "b", "c")

    def test_a_companion_in_a_whole_text_is_known(self):
        text = "a(old)\nf({ old })\n"
        found = checked(text, (0, text, "a(new)\nf({ old: new })\n"))
        assert found == Checked(wrong=(), keeping=frozenset({"a.ts"}))

    def test_the_file_and_line_of_what_is_wrong_are_told_and_counted(self):
        text = "x\n" * 9
        found = checked(text, *((2 * at, "x", "new") for at in range(9)))
        refusal = found.refusal("old")
        assert "9 places" in str(refusal) and "a.ts:5" in str(refusal) and "… and 4 more" in str(refusal)
        assert len(refusal.data["places"]) == 9

    def test_what_stands_before_a_word_belongs_to_the_name(self):
        found = checked("this.#old", (5, "#old", "#new"), old="#old", new="#new")
        assert found.wrong == ()
        assert checked(".a-old {}", (1, "a-old", "a-new"), language="css", old="a-old", new="a-new").wrong == ()
        assert checked(".a-old-b {}", (1, "a-old", "a-new"), language="css", old="a-old", new="a-new").wrong != ()
