"""Arguments that make no sense: each answer says what is wrong and what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from astgrep.harness import tree
from astgrep.hostile.answering import answer, found

_CODE = {"a.py": 'f("a b")\n', "b.js": 'f("a b");\n'}

_PATTERNS = {
    "": "at least 1 character",
    " \n\t": "the pattern is empty; write the code to look for",
    "$X": "nothing but metavariables",
    "$$$": "nothing but metavariables",
    "$$$ARGS": "nothing but metavariables",
    "$A $B": "nothing but metavariables",
    'f("a $X b")': "a metavariable is only a part of 'a $X b' there. A metavariable stands for a whole node: a name, an "
    "expression, a statement, all of a string's content",
    "f(\0)": "the pattern holds a NUL character",
    "x" * 20_001: "20001 characters, over the limit of 20000",
    "(" * 9_000 + "1" + ")" * 9_000: "the pattern is nested over 150 deep",
    "[" * 100_000 + "]" * 100_000: "200000 characters, over the limit of 20000",
    ";": "is no python in any context. Tried:",
    ") f(": "it breaks at ') f('",
    "def $F(": "is no python in any context. Tried:",
    "f\\(.*\\)": "looks like a regular expression",
}


@pytest.mark.requirement("ast:unparsable", "ast:lost-variable", "core:bounded")
@pytest.mark.parametrize("pattern", _PATTERNS, ids=lambda pattern: repr(pattern[:12]))
@pytest.mark.parametrize("tool", ["ast_grep", "ast_edit"])
def test_a_pattern_that_cannot_be_searched_for_is_refused(tmp_path: Path, tool: str, pattern: str):
    tree(tmp_path, _CODE)
    more = {"rewrite": "g()"} if tool == "ast_edit" else {}
    result = answer(tmp_path, tool, pattern=pattern, path="a.py", **more)
    assert result.is_error
    assert _PATTERNS[pattern] in result.text
    assert len(result.text) < 1_500, "the pattern is not given back whole"
    assert "edit_1" not in result.text


@pytest.mark.requirement("core:bounded")
@pytest.mark.parametrize("pattern", ["x" * 20_000, "f(" + "1, " * 6_000 + "1)", "f(" + "$$$, " * 3_000 + "1)"])
def test_a_pattern_of_the_largest_size_is_searched_for(tmp_path: Path, pattern: str):
    tree(tmp_path, _CODE)
    result = found(tmp_path, pattern, path="a.py")
    assert not result.is_error
    assert result.text.startswith("No match. The pattern was read as statement")
    assert len(result.text) < 1_500


_REWRITES = [
    ("f($X)", "g($Y)", "rewrite names $Y, which the pattern does not capture. It captures: $X"),
    ("f($_)", "g($_)", "rewrite has $_, which binds nothing; give it a name in pattern and rewrite"),
    ("f($$$)", "g($$$)", "rewrite has $$$, which binds nothing; give it a name in pattern and rewrite"),
    ("f('$X')", "g($Y)", "rewrite names $Y, which the pattern does not capture. It captures: $X"),
    ("f(1)", "g($X)", "It captures: none. To have the text itself, write \\$X"),
    ("f($X)", "g('\0')", "the rewrite holds a NUL character"),
    ("f($X)", "g(", "Nothing is staged: the rewrite would break 1 file"),
    ("f($X)", ")" * 100_000, "Nothing is staged: the rewrite would break 1 file"),
]


@pytest.mark.requirement("ast:lost-variable", "edit:reparse", "core:bounded")
@pytest.mark.parametrize(("pattern", "rewrite", "said"), _REWRITES, ids=[each[1][:8] for each in _REWRITES])
@pytest.mark.parametrize("path", ["a.py", "b.js"])
def test_a_rewrite_that_cannot_be_made_is_refused(tmp_path: Path, path: str, pattern: str, rewrite: str, said: str):
    tree(tmp_path, _CODE)
    result = answer(tmp_path, "ast_edit", pattern=pattern, rewrite=rewrite, path=path)
    assert result.is_error
    assert said in result.text
    assert len(result.text) < 1_000


@pytest.mark.requirement("edit:reparse")
def test_brackets_without_end_are_refused_by_the_languages_own_compiler(tmp_path: Path):
    tree(tmp_path, _CODE)
    rewrite = "(" * 100_000 + "$X" + ")" * 100_000
    result = answer(tmp_path, "ast_edit", pattern="f($X)", rewrite=rewrite, path="a.py")
    assert result.is_error
    assert "a.py: line 1: Python says 'too many nested parentheses'" in result.text
    assert len(result.text) < 1_000


@pytest.mark.requirement("ast:walk", "ast:languages", "core:bounded")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "../.."}, "../..: it is outside the workspace; give a path inside it"),
        ({"path": "/etc/passwd"}, "/etc/passwd: it is outside the workspace"),
        ({"path": "missing.py"}, "missing.py: there is no such file or folder"),
        ({"path": "a.py/b.py"}, "a.py/b.py"),
        ({"path": "a\0.py"}, "a\\0.py: it is outside the workspace (it holds a NUL character)"),
        ({"path": "d" * 5_000}, "name too long"),
        ({"path": "notes.txt"}, "notes.txt: no language is known for .txt; give language"),
        ({"path": "README"}, "README: no language is known for a file without an ending; give language"),
        ({"path": "."}, "so language must say which files are meant. In it: javascript (1 file), python (1 file)"),
        ({"path": "empty"}, "In it: no file of a known language"),
        ({"language": "klingon"}, "unknown language 'klingon'. There are: "),
        ({"language": "cobol"}, "language 'cobol' is switched off"),
        ({"language": ""}, "unknown language ''. There are: "),
        ({"path": "a.py", "context": "\0\x1b[31m"}, "python has no context '\\x00\\x1b[31m'. There are: statement"),
        ({"path": "a.py", "context": "c" * 9_000}, "There are: statement"),
        ({"path": "a.py", "max_results": 0}, "max_results: must be at least 1, got 0"),
        ({"path": "a.py", "max_results": 10**9}, "max_results: must be at most 1000"),
        ({"path": "a.py", "max_results": "many"}, 'max_results: expected an integer, got "many"'),
        ({"path": ["a.py"]}, "path: expected text"),
        ({"path": "a.py", "globs": "*.py"}, "globs: expected a list"),
        ({"path": "a.py", "globs": [1]}, "globs[0]: expected text, got 1"),
        ({"path": "a.py", "pattern": None}, "pattern: expected text"),
        ({"path": "a.py", "regex": True}, 'unknown argument "regex"'),
    ],
)
def test_other_arguments_that_make_no_sense_are_refused(tmp_path: Path, arguments: dict[str, Any], said: str):
    tree(tmp_path, {**_CODE, "notes.txt": "f(1)", "README": "f(1)", "empty/.keep": ""})
    result = answer(tmp_path, "ast_grep", **{"pattern": "f($X)", **arguments})
    assert result.is_error
    assert said.lower() in result.text.lower()
    assert len(result.text) < 7_000
    assert "\x1b" not in result.text


@pytest.mark.requirement("ast:zero-explained")
@pytest.mark.parametrize("globs", [["*.zz"], ["a\0*"], ["!*"], ["[", "]", "**", "/../../*"], ["*" * 300 + "x"]])
def test_globs_that_choose_nothing_say_so(tmp_path: Path, globs: list[str]):
    tree(tmp_path, {"a.py": "f(1)\n"} if "**" not in globs else {})
    result = found(tmp_path, language="python", globs=globs)
    assert not result.is_error
    assert result.text.startswith(
        "Nothing was searched. The pattern reads as statement (call).\n. holds no python file"
    )
    assert "globs [" in result.text
    assert result.data["searched"] == 0
