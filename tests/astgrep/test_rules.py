"""Several rules at once: one staged edit, in the order given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from astgrep.harness import call, calls, tree
from astgrep.rewrite.rewriting import by_rules
from toolpost import Result


def edited(folder: Path, *rules: tuple[str, str], **more: Any) -> Result:
    arguments = {"rules": [{"pattern": pattern, "rewrite": rewrite} for pattern, rewrite in rules], **more}
    return call(folder, "ast_edit", **{"language": "python"} | arguments)


@pytest.mark.requirement("edit:staged")
class TestOneEdit:
    def test_rules_are_staged_together_and_taken_back_together(self, tmp_path: Path):
        code = "x = old(1)\nif x == None:\n    pass\n"
        tree(tmp_path, {"a.py": code})
        rules = [
            {"pattern": "old($X)", "rewrite": "new($X)"},
            {"pattern": "$A == None", "rewrite": "$A is None"},
        ]
        staged, accepted, undone = calls(
            tmp_path,
            ("ast_edit", {"rules": rules, "language": "python"}),
            ("resolve", {"action": "accept", "edit_id": "edit_1"}),
            ("resolve", {"action": "undo", "edit_id": "undo_1"}),
        )
        assert "(proposed) 2 replacements in 1 file" in staged.text
        assert "rule 1, 'old($X)': 1 replacement" in staged.text
        assert not accepted.is_error
        assert not undone.is_error
        assert (tmp_path / "a.py").read_text() == code

    def test_each_is_counted_in_data(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\nf(2)\ng(3)\n"})
        data = edited(tmp_path, ("f($X)", "h($X)"), ("g($X)", "k($X)")).data
        assert data["total"] == 3
        assert [(rule["total"], rule["replacements"]) for rule in data["rules"]] == [(2, 2), (1, 1)]
        assert data["changed"] == [{"path": "a.py", "replacements": 3}]

    def test_files_that_only_a_later_rule_changes_are_there_too(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n", "b.py": "g(1)\n", "c.py": "h(1)\n"})
        data = edited(tmp_path, ("f($X)", "p($X)"), ("g($X)", "q($X)")).data
        assert [each["path"] for each in data["changed"]] == ["a.py", "b.py"]


class TestOrder:
    def test_an_earlier_rule_keeps_its_place_and_what_overlaps_is_told(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(g(1))\nf(2)\n"})
        result = edited(tmp_path, ("g($X)", "k($X)"), ("f($X)", "h($X)"))
        assert "+f(k(1))" in result.text
        assert "+h(2)" in result.text
        assert "1 match left as they are, since an earlier rule changes something of them" in result.text

    def test_a_later_rule_does_not_rewrite_what_an_earlier_one_put(self):
        made = by_rules("python", [("f($X)", "g($X)"), ("g($X)", "h($X)")], "f(1)\ng(2)\n")
        assert made.after == b"g(1)\nh(2)\n"
        assert made.still_matches == 1

    def test_a_rule_may_delete_beside_what_another_put_or_deleted(self):
        made = by_rules("python", [("a", "A"), ("b", ""), ("c", "")], "f(a, b, c)\n")
        assert made.after == b"f(A)\n"
        made = by_rules("python", [("b", ""), ("a", ""), ("c", "C")], "f(a, b, c)\n")
        assert made.after == b"f(C)\n"

    def test_statements_around_deleted_ones_stay(self):
        made = by_rules("python", [("one()", ""), ("three()", ""), ("two()", "2")], "one()\ntwo()\nthree()\nfour()\n")
        assert made.after == b"2\nfour()\n"

    def test_only_the_file_that_all_rules_leave_must_compile(self):
        rules = [("async def $F($$$A): $$$B", "def $F($$$A): $$$B"), ("await $X", "$X")]
        code = "import a\n\n\nasync def f():\n    pass\n\n\nasync def g():\n    await x()\n"
        made = by_rules("python", rules, code)
        assert made.problem is not None  # the second rule may not touch what is inside the first one's match
        made = by_rules("python", rules[::-1], code.replace("await x()", "pass"))
        assert made.problem is None

    def test_the_rule_at_fault_is_named(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\ng(2)\n"})
        result = edited(tmp_path, ("f($X)", "h($X)"), ("g($X)", "g($X"))
        assert result.is_error
        assert "a.py: rule 2, line 2" in result.text
        assert (tmp_path / "a.py").read_text() == "f(1)\ng(2)\n"


@pytest.mark.requirement("edit:none")
class TestRefused:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ({}, "pattern and rewrite missing"),
            ({"pattern": "f()"}, "rewrite missing"),
            ({"rewrite": "f()"}, "pattern missing"),
            ({"pattern": "f()", "rewrite": "g()", "rules": [{"pattern": "a()", "rewrite": "b()"}]}, "not both"),
            ({"rules": [{"pattern": "a()"}]}, "rules[0].rewrite"),
            ({"rules": [{"pattern": "a()", "rewrite": "b()"}, {"pattern": "b(", "rewrite": ""}]}, "rule 2: pattern"),
            ({"rules": [{"pattern": "a()", "rewrite": "$X"}, {"pattern": "b()", "rewrite": ""}]}, "rule 1: rewrite names $X"),
        ],
    )  # fmt: skip
    def test_says_what_is_wrong(self, tmp_path: Path, arguments: dict[str, Any], said: str):
        tree(tmp_path, {"a.py": "a()\n"})
        result = call(tmp_path, "ast_edit", language="python", **arguments)
        assert result.is_error
        assert said in result.text

    def test_where_no_rule_matches_each_is_explained_and_nothing_staged(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1, 2)\n"})
        result = edited(tmp_path, ("f($X)", "g($X)"), ("h($X)", "k($X)"))
        assert "rule 1: No match" in result.text
        assert "rule 2: No match" in result.text
        assert "edit_id" not in (result.data or {})
