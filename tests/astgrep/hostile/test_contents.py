"""Files that no person wrote: deep, long, large, and in encodings of all kinds. Each has an answer, in bounded time and size."""

from __future__ import annotations

from pathlib import Path

import pytest
from astgrep.harness import in_run, tree
from astgrep.hostile.answering import accepted, answer, answers, found
from toolpost import Run, Surface

pytestmark = pytest.mark.requirement("core:bounded")

_IMPATIENT = {"astgrep": {"deadline": 1.0}}

_DEEP = {
    "a.py": "x = " + "(" * 100_000 + "f(1)" + ")" * 100_000 + "\n",
    "b.py": "x = " + "[" * 100_000 + "f(1)" + "]" * 100_000 + "\n",
    "c.js": "x = " + "[" * 100_000 + "f(1)" + "]" * 100_000 + ";\n",
    "d.js": "x = " + "f(" * 20_000 + "1" + ")" * 20_000 + ";\n",
    "e.py": "x = " + " + ".join(["f(1)"] * 30_000) + "\n",
    "f.py": "f(1)\n" + "(" * 100_000,
    "g.js": "f(1);" + "{" * 100_000,
}

_SLOW = ("b.py", "c.js", "e.py", "g.js")


@pytest.mark.requirement("ast:killable")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in _SLOW else []) for name in _DEEP]
)
def test_what_is_deep_or_long_is_searched_and_rewritten_or_named(tmp_path: Path, name: str):
    tree(tmp_path, {name: _DEEP[name], "z" + name[1:]: "f(2)\n"})
    where = {"language": "python" if name.endswith("py") else "javascript"}
    edit = {"pattern": "f($X)", "rewrite": "g($X)", **where}
    searched, staged = answers(
        tmp_path, ("ast_grep", {"pattern": "f($X)", **where}), ("ast_edit", edit), config=_IMPATIENT
    )
    for result in (searched, staged):
        assert not result.is_error
        assert name in result.data["skipped"] or name in result.text
        if name in result.data["skipped"]:
            assert f"not searched: {name}: took over 1 s" in result.text
    assert searched.data["matches"][-1]["path"][0] in name[0] + "z"
    assert {"path": "z" + name[1:], "replacements": 1} in staged.data["changed"]


@pytest.mark.requirement("ast:killable", "ast:zero-explained")
def test_a_file_that_takes_too_long_alone_is_no_file_without_a_match(tmp_path: Path):
    tree(tmp_path, {"a.py": "x = " + " + ".join(["f(1)"] * 100_000) + "\n"})
    search = {"pattern": "$A + $B", "path": "a.py"}
    edit = {**search, "rewrite": "$B + $A"}
    for result in answers(tmp_path, ("ast_grep", search), ("ast_edit", edit), config=_IMPATIENT):
        assert result.text.splitlines() == [
            "Nothing was searched. The pattern reads as statement (binary_operator).",
            "not searched: a.py: took over 1 s",
        ]
        assert (result.data["total"], result.data["searched"]) == (0, 0)


@pytest.mark.slow
@pytest.mark.requirement("ast:walk")
def test_a_single_line_of_20_mb_is_searched_if_it_is_named(tmp_path: Path):
    tree(tmp_path, {"a.js": b"f(1);var x='" + b"x" * 20_000_000 + b"';f(2);"})
    result = found(tmp_path, path="a.js")
    assert result.data["total"] == 2
    assert result.data["matches"][1]["range"]["start"] == {"line": 0, "column": 20_000_014}
    before = (tmp_path / "a.js").read_bytes()
    staged, done, undone = accepted(tmp_path, "f($X)", "g($X, $X)", path="a.js")
    assert not (staged.is_error or done.is_error or undone.is_error)
    assert staged.data["replacements"] == 2
    assert (tmp_path / "a.js").read_bytes() == before


@pytest.mark.requirement("ast:walk")
def test_a_file_of_50_mb_is_told_as_too_large_whether_named_or_met(tmp_path: Path):
    tree(tmp_path, {"big.js": b"f(1);" * 10_000_000, "small.js": "f(1);"})
    named = found(tmp_path, path="big.js")
    assert named.is_error
    assert named.text == "big.js has 50000000 bytes, over the limit of 31457280 for a search"
    met = found(tmp_path, language="javascript")
    assert met.data["total"] == 1
    assert met.data["skipped"] == {"big.js": "too large"}
    assert "not searched: big.js: too large" in met.text


@pytest.mark.requirement("ast:data")
def test_ten_thousand_matches_are_counted_exactly_and_shown_in_part(tmp_path: Path):
    tree(tmp_path, {"many.py": "f(1)\n" * 10_000} | {f"d/{n}.py": "f(1)\n" * 20 for n in range(50)})
    few, many, edit = answers(
        tmp_path,
        ("ast_grep", {"pattern": "f($X)", "language": "python"}),
        ("ast_grep", {"pattern": "f($X)", "language": "python", "max_results": 1000}),
        ("ast_edit", {"pattern": "f($X)", "rewrite": "g($X)", "language": "python"}),
    )
    for result, shown in ((few, 50), (many, 1000)):
        assert (result.data["total"], result.data["files"], len(result.data["matches"])) == (11_000, 51, shown)
        assert f"… {11_000 - shown} more matches; narrow path, globs or pattern" in result.text
    assert edit.data["replacements"] == 11_000
    assert "11000 replacements in 51 files" in edit.text


@pytest.mark.requirement("ast:captures")
def test_a_match_of_5_mb_is_cut(tmp_path: Path):
    tree(tmp_path, {"a.py": "f('''" + "x" * 5_000_000 + "''')\nf('''" + "x\n" * 2_500_000 + "''')\n"})
    result = found(tmp_path, path="a.py")
    assert result.data["total"] == 2
    one, many = result.data["matches"]
    assert len(one["text"]) < 5_000
    assert one["text"].endswith("(5000009 bytes)")
    assert many["range"]["end"] == {"line": 2_500_001, "column": 4}
    assert "… 2499989 more lines" in result.text
    assert len(result.text) < 2_000


@pytest.mark.requirement("ast:captures", "ast:data")
def test_many_large_matches_are_shown_as_far_as_an_answer_may_be_large(tmp_path: Path):
    arguments = ", ".join("'" + "y" * 4_000 + "'" for _ in range(2))
    tree(tmp_path, {"a.py": f"f({arguments})\n" * 300})
    result = found(tmp_path, "f($$$X)", path="a.py", max_results=1000)
    assert result.data["total"] == 300
    shown = len(result.data["matches"])
    assert 10 < shown < 300
    assert f"… {300 - shown} more matches" in result.text


_ODD = {
    "empty": (b"", 0),
    "mark only": (b"\xef\xbb\xbf", 0),
    "one line end": (b"\n", 0),
    "no line end": (b"f(1)", 1),
    "CRLF": (b"f(1)\r\nf(2)\r\n", 2),
    "CRLF and LF": (b"f(1)\r\nf(2)\nf(3)\r\n", 3),
    "form feeds": (b"\x0cf(1)\n\x0c\nf(2)\n", 2),
    "UTF-8 with mark": (b"\xef\xbb\xbff('\xc3\xa9')\n", 1),
    "Latin-1": (b"# coding: latin-1\nf('caf\xe9')\n", 1),
    "invalid UTF-8": (b"f('\xc3')\nf('\xc3\xa9')  # \xff\xfe\n", 2),
    "astral": ("f('\U0001f600', x)  # \u202e\nf('e\u0301')\n".encode(), 2),
    "C1 and separators": ("f('\x85\u2028')\nf(1)\n".encode(), 2),
}


@pytest.mark.requirement("edit:encoding", "edit:staged", "resolve:undo")
@pytest.mark.parametrize("kind", _ODD)
def test_every_encoding_and_line_end_is_searched_rewritten_and_taken_back(tmp_path: Path, kind: str):
    before, count = _ODD[kind]
    tree(tmp_path, {"a.py": before})
    search = {"pattern": "f($$$X)", "path": "a.py"}

    async def work(_: Run, surface: Surface) -> None:
        result = await surface.call("ast_grep", search)
        assert (result.data["total"], result.data["searched"], result.data["skipped"]) == (count, 1, {})
        if not count:
            assert result.text == "No match. The pattern was read as statement (call), in 1 python file."
            return
        await surface.call("ast_edit", {**search, "rewrite": "gg($$$X)"})
        assert not (await surface.call("resolve", {"action": "accept"})).is_error
        assert (tmp_path / "a.py").read_bytes() == before.replace(b"f(", b"gg(")
        assert not (await surface.call("resolve", {"action": "undo", "edit_id": "undo_1"})).is_error
        assert (tmp_path / "a.py").read_bytes() == before

    in_run(tmp_path, work)


@pytest.mark.requirement("edit:encoding")
def test_what_a_files_encoding_does_not_have_is_refused_and_named(tmp_path: Path):
    tree(tmp_path, {"a.py": b"# coding: latin-1\nf('caf\xe9')\n"})
    result = answer(tmp_path, "ast_edit", pattern="f($X)", rewrite="g($X, '中')", path="a.py")
    assert result.is_error
    assert "a.py: the rewrite's '中' cannot be put there: the file is iso-8859-1" in result.text


@pytest.mark.requirement("ast:walk")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"f(1)\0\n", "binary"),
        ("f(1)\n".encode("utf-16"), "UTF-16"),
        ("f(1)\n".encode("utf-16-be"), "binary"),
        (b"\xfe\xff" + "f(1)\n".encode("utf-16-be"), "UTF-16"),
    ],
)
def test_what_is_no_text_of_bytes_is_told_as_such(tmp_path: Path, content: bytes, reason: str):
    tree(tmp_path, {"a.py": content, "b.py": "f(1)\n"})
    edit = {"pattern": "f($X)", "rewrite": "g($X)", "path": "a.py"}
    met, named, edited = answers(
        tmp_path,
        ("ast_grep", {"pattern": "f($X)", "language": "python"}),
        ("ast_grep", {"pattern": "f($X)", "path": "a.py"}),
        ("ast_edit", edit),
    )
    assert (met.data["total"], met.data["skipped"]) == (1, {"a.py": reason})
    for result in (named, edited):
        assert result.text.startswith("Nothing was searched.")
    for result in (met, named, edited):
        assert f"not searched: a.py: {reason}" in result.text
