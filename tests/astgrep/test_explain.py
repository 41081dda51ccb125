"""`explain`: the pattern's tree, the code's at a line, and where they part."""

from __future__ import annotations

from pathlib import Path

import pytest
from astgrep.harness import call, tree

pytestmark = pytest.mark.requirement("ast:zero-explained")


def explained(folder: Path, pattern: str, code: str, line: int | None = None) -> str:
    tree(folder, {"a.py": code})
    return call(folder, "ast_grep", pattern=pattern, path="a.py" + (f":{line}" if line else ""), explain=True).text


def test_the_pattern_is_shown_as_a_tree_before_what_it_finds(tmp_path: Path):
    text = explained(tmp_path, "f($X, $$$A, 'a')", "f(1, 'a')\n")
    assert text.splitlines() == [
        "The pattern's tree:",
        "call",
        "  identifier 'f'",
        "  argument_list",
        "    '('",
        "    $X",
        "    $$$A",
        "    string \"'a'\"",
        "    ')'",
        "",
        "1 match in 1 file (1 python file searched)",
        "a.py:1: f(1, 'a')",
        "    $X=1  $$$A=(none)",
    ]


def test_a_line_s_code_is_shown_as_a_tree_and_that_it_matches(tmp_path: Path):
    text = explained(tmp_path, "$X = f()", "a = 1\nb = f()\n", line=2)
    assert "The code at a.py:2:\nassignment\n  identifier 'b'" in text
    assert "The pattern matches in line 2." in text


@pytest.mark.parametrize(
    ("pattern", "code", "said"),
    [
        ("session.query($X).all()", "session.query(User).first()\n", "identifier `all` where the code has identifier `first`"),
        ("f($X)", "f(1, 2)\n", "The code has `2`, which the pattern does not mention"),
        ("f($X, $Y)", "f(1)\n", "The pattern has $Y where the code has"),
        ("$X == $X", "a == b\n", "$X would be `a` and `b`, and must be the same text"),
        ("if $C: $$$B", "if a:\n    b\nelse:\n    c\n", "The code has `else: c`, which the pattern does not mention"),
        ("class $C: $$$B", "f(1)\n", "nothing that begins there is a class_definition"),
    ],
)  # fmt: skip
def test_where_they_part_is_told(tmp_path: Path, pattern: str, code: str, said: str):
    assert said in explained(tmp_path, pattern, code, line=1)


def test_an_empty_line_and_one_behind_the_end_have_no_tree(tmp_path: Path):
    assert "Nothing begins in line 2." in explained(tmp_path, "f()", "f()\n\n", line=2)
    assert "Nothing begins in line 99." in explained(tmp_path, "f()", "f()\n\n", line=99)


def test_trees_are_bounded(tmp_path: Path):
    text = explained(tmp_path, "f($$$)", "f(" + "[" * 3000 + "]" * 3000 + ")\n", line=1)
    assert len(text) < 20_000


def test_a_line_without_explain_is_told_so(tmp_path: Path):
    tree(tmp_path, {"a.py": "f()\n"})
    result = call(tmp_path, "ast_grep", pattern="f()", path="a.py:1")
    assert result.is_error
    assert "a line goes with explain" in result.text
