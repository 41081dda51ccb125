"""`inside` and `not_inside`: matches by what is around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from astgrep.harness import call, tree
from toolpost import Result

CODE = """\
class Store:
    def load(self):
        log("load")
        return self.read()

    def save(self):
        with lock:
            log("save")


def load():
    log("plain")
    load()
"""


def found(folder: Path, pattern: str, **more: Any) -> list[int]:
    """The lines of the matches."""
    tree(folder, {"a.py": CODE})
    data = call(folder, "ast_grep", pattern=pattern, language="python", **more).data
    return [match["range"]["start"]["line"] + 1 for match in data["matches"]]


@pytest.mark.requirement("ast:data")
class TestSearching:
    def test_inside(self, tmp_path: Path):
        assert found(tmp_path, "log($X)", inside="class $C: $$$") == [3, 8]

    def test_not_inside(self, tmp_path: Path):
        assert found(tmp_path, "log($X)", not_inside="class $C: $$$") == [12]

    def test_both(self, tmp_path: Path):
        assert found(tmp_path, "log($X)", inside="class $C: $$$", not_inside="with lock: $$$") == [3]

    def test_a_name_in_both_is_the_same_text(self, tmp_path: Path):
        assert found(tmp_path, "$F()", inside="def $F($$$): $$$") == [13]

    def test_a_match_is_not_inside_itself(self, tmp_path: Path):
        tree(tmp_path, {"b.py": "f(f(1))\n"})
        data = call(tmp_path, "ast_grep", pattern="f($X)", path="b.py", inside="f($$$)").data
        assert [match["text"] for match in data["matches"]] == ["f(1)"]

    def test_what_is_around_is_captured_too(self, tmp_path: Path):
        tree(tmp_path, {"a.py": CODE})
        result = call(tmp_path, "ast_grep", pattern='log("load")', path="a.py", inside="class $C: $$$B")
        assert result.data["matches"][0]["captures"]["C"]["text"] == "Store"

    def test_the_total_is_exact(self, tmp_path: Path):
        tree(tmp_path, {f"{n}.py": "def f():\n" + "    g(1)\n" * 9 + "g(2)\n" for n in range(30)})
        data = call(
            tmp_path, "ast_grep", pattern="g($X)", language="python", inside="def $F(): $$$", max_results=5
        ).data
        assert data["total"] == 270
        assert len(data["matches"]) == 5

    def test_zero_says_where_the_pattern_matches_otherwise(self, tmp_path: Path):
        tree(tmp_path, {"a.py": CODE})
        text = call(tmp_path, "ast_grep", pattern="log($X)", language="python", inside="while $C: $$$").text
        assert "Without inside 'while $C: $$$' it matches 3 times, first at a.py:3" in text

    @pytest.mark.parametrize("name", ["inside", "not_inside"])
    def test_what_is_no_pattern_is_named(self, tmp_path: Path, name: str):
        tree(tmp_path, {"a.py": CODE})
        result = call(tmp_path, "ast_grep", pattern="log($X)", language="python", **{name: "class $C"})
        assert result.is_error
        assert result.text.startswith(f"{name}: pattern 'class $C'")


@pytest.mark.requirement("edit:staged")
def test_only_what_is_inside_is_rewritten(tmp_path: Path):
    tree(tmp_path, {"a.py": CODE})
    result: Result = call(
        tmp_path, "ast_edit", pattern="log($X)", rewrite="note($X)", language="python", inside="class $C: $$$"
    )
    assert result.data["replacements"] == 2
    assert '+        note("load")' in result.text
    assert 'note("plain")' not in result.text
