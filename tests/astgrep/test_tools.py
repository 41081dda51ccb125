"""ast_grep and ast_edit as an agent calls them, on real trees with real grammars in real worker processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from astgrep.harness import call, calls, in_run, tree
from toolpost import Host, Run, Surface, Tier


@pytest.mark.requirement("ast:captures", "ast:data")
class TestAnswers:
    def test_each_match_gives_its_place_text_and_captures(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "x = 1\nif value == None:\n    pass\n"})
        result = call(tmp_path, "ast_grep", pattern="$A == None", language="python")
        assert result.text.splitlines() == [
            "1 match in 1 file (1 python file searched)",
            "a.py:2: value == None",
            "    $A=value",
        ]
        (match,) = result.data["matches"]
        assert match["path"] == "a.py"
        assert match["range"] == {"start": {"line": 1, "column": 3}, "end": {"line": 1, "column": 16}}
        assert match["text"] == "value == None"
        assert match["captures"]["A"]["text"] == "value"
        assert {"total", "files", "searched", "skipped", "context", "matches"} <= set(result.data)

    def test_columns_are_utf8_bytes_and_a_byte_order_mark_is_no_column(self, tmp_path: Path):
        tree(tmp_path, {"a.py": b"\xef\xbb\xbfq == None; '\xc3\xa9'; x == None\n"})
        found = call(tmp_path, "ast_grep", pattern="$A == None", language="python").data["matches"]
        assert [match["range"]["start"]["column"] for match in found] == [0, 17]

    def test_a_long_match_is_cut_to_12_lines(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "def f():\n" + "".join(f"    a{n}()\n" for n in range(30))})
        text = call(tmp_path, "ast_grep", pattern="def $F(): $$$B", path="a.py").text
        assert "a10()" in text
        assert "a12()" not in text.split("$F=")[0]
        assert "19 more lines" in text

    def test_the_total_is_exact_beyond_what_is_shown(self, tmp_path: Path):
        tree(tmp_path, {f"{n:03}.py": "f(1)\nf(2)\nf(3)\n" for n in range(90)})
        result = call(tmp_path, "ast_grep", pattern="f($X)", language="python", max_results=10)
        assert result.data["total"] == 270
        assert [match["path"] for match in result.data["matches"]] == ["000.py"] * 3 + ["001.py"] * 3 + [
            "002.py"
        ] * 3 + ["003.py"]
        assert "260 more matches" in result.text

    def test_matches_are_in_order_whichever_worker_found_them(self, tmp_path: Path):
        tree(tmp_path, {f"d{n % 7}/{n:03}.py": "x" * (n * 50) + " = f(1)\n" for n in range(80)})
        found = call(tmp_path, "ast_grep", pattern="f($X)", language="python", max_results=1000).data["matches"]
        paths = [match["path"] for match in found]
        assert len(paths) == 80
        assert paths == sorted(paths)

    def test_control_characters_are_shown_in_text_and_exact_in_data(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f('\x1b[31m\u202e')\n"})
        result = call(tmp_path, "ast_grep", pattern="f($X)", path="a.py")
        assert "\x1b" not in result.text
        assert "\\x1b[31m\\u202e" in result.text
        assert result.data["matches"][0]["captures"]["X"]["text"] == "'\x1b[31m\u202e'"


@pytest.mark.requirement("ast:zero-explained", "ast:readings")
class TestNothingFound:
    def test_says_how_the_pattern_was_read_and_how_much_was_searched(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "g(1)\n", "b.py": "h(1)\n"})
        text = call(tmp_path, "ast_grep", pattern="f($X)", language="python").text
        assert "read as statement (call), in 2 python files" in text

    def test_says_what_a_further_reading_would_match_and_context_picks_it(self, tmp_path: Path):
        tree(tmp_path, {"a.js": "x = { a: 1 };\ny = { a: 2 };\n"})
        nothing, picked = calls(
            tmp_path,
            ("ast_grep", {"pattern": "a: $V", "language": "javascript"}),
            ("ast_grep", {"pattern": "a: $V", "language": "javascript", "context": "pair"}),
        )
        assert nothing.data["total"] == 0
        assert 'Read as pair (pair) it matches 2 times, first at a.js:1; give context "pair"' in nothing.text
        assert picked.data["total"] == 2

    def test_names_near_misses(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "session.query(User).first()\n", "b.py": "other()\n"})
        result = call(tmp_path, "ast_grep", pattern="session.query($X).all()", language="python")
        assert "Nearly: a.py:1" in result.text
        assert result.data["near"][0]["differs"] == "all"

    @pytest.mark.requirement("ast:no-leftovers")
    @pytest.mark.parametrize(
        ("pattern", "code"),
        [
            ("def $F($$$A): $$$B", "def f(a) -> int:\n    return a\n"),
            ("def $F($$$A): $$$B", "async def f(a):\n    return a\n"),
            ("if $C: $$$B", "if a:\n    b\nelse:\n    c\n"),
            ("import $X", "import a, b\n"),
        ],
    )
    def test_hints_at_parts_that_the_pattern_leaves_out(self, tmp_path: Path, pattern: str, code: str):
        tree(tmp_path, {"a.py": code})
        result = call(tmp_path, "ast_grep", pattern=pattern, language="python")
        assert result.data["total"] == 0
        assert "Nearly: a.py:1" in result.text
        assert "parts that the pattern does not mention" in result.text
        assert result.data["near"][0]["differs"] is None

    def test_names_files_with_syntax_errors(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "def f(:\n  needle()\n", "b.py": "needle(1, 2)\n"})
        result = call(tmp_path, "ast_grep", pattern="needle($X)", language="python")
        assert result.data["syntax_errors"] == ["a.py"]
        assert "1 file with syntax errors: a.py" in result.text

    def test_a_regular_expression_is_told_the_right_form(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "foo(1)\n"})
        result = call(tmp_path, "ast_grep", pattern="foo\\(.*\\)", language="python")
        assert result.is_error
        assert "try foo($$$A)" in result.text

    def test_an_unknown_context_lists_what_there_is(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f()\n"})
        result = call(tmp_path, "ast_grep", pattern="f()", language="python", context="nonsense")
        assert result.is_error
        assert "statement, expression" in result.text


@pytest.mark.requirement("ast:walk")
class TestWhere:
    def test_a_folder_without_a_language_lists_those_in_it(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "", "b.py": "", "c.rs": "", "d.txt": ""})
        result = call(tmp_path, "ast_grep", pattern="f()")
        assert result.is_error
        assert "python (2 files), rust (1 file)" in result.text

    def test_a_files_language_is_told_by_its_ending(self, tmp_path: Path):
        tree(tmp_path, {"a.go": "package p\nfunc f() { g(1) }\n"})
        assert call(tmp_path, "ast_grep", pattern="g($X)", path="a.go").data["total"] == 1

    def test_an_unknown_language_lists_what_there_is(self, tmp_path: Path):
        tree(tmp_path, {"a.py": ""})
        result = call(tmp_path, "ast_grep", pattern="f()", language="klingon")
        assert result.is_error
        for name in ("python", "rust", "dart"):
            assert name in result.text

    @pytest.mark.parametrize("path", ["..", "/etc", "out", "missing", "../x.py"])
    def test_a_path_that_is_not_inside_is_refused(self, tmp_path: Path, path: str):
        (tmp_path / "w").mkdir()
        (tmp_path / "w" / "out").symlink_to(tmp_path)
        tree(tmp_path, {"x.py": "secret(1)\n"})
        result = call(tmp_path / "w", "ast_grep", pattern="secret($X)", path=path, language="python")
        assert result.is_error

    def test_links_are_not_followed_in_a_walk_and_are_when_named_inside(self, tmp_path: Path):
        workspace = tree(tmp_path / "w", {"real/a.py": "f(1)\n"})
        tree(tmp_path, {"elsewhere/b.py": "f(2)\n"})
        (workspace / "link").symlink_to("real")
        (workspace / "escape").symlink_to(tmp_path / "elsewhere")
        (workspace / "file.py").symlink_to(tmp_path / "elsewhere" / "b.py")
        assert call(workspace, "ast_grep", pattern="f($X)", language="python").data["total"] == 1
        assert call(workspace, "ast_grep", pattern="f($X)", path="link", language="python").data["total"] == 1

    def test_further_roots_are_searched_by_absolute_path(self, tmp_path: Path):
        tree(tmp_path, {"w/a.py": "", "lib/b.py": "f(1)\n"})
        lib = str(tmp_path / "lib")
        (result,) = calls(
            tmp_path / "w", ("ast_grep", {"pattern": "f($X)", "path": lib, "language": "python"}), roots=[lib]
        )
        assert result.data["matches"][0]["path"] == f"{lib}/b.py"

    def test_globs_choose_files(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n", "t/test_a.py": "f(2)\n", "t/b.py": "f(3)\n"})

        def total(*globs: str) -> int:
            return call(tmp_path, "ast_grep", pattern="f($X)", language="python", globs=list(globs)).data["total"]

        assert total("test_*.py") == 1
        assert total("t/**") == 2
        assert total("*.py", "!test_*.py") == 2


@pytest.mark.requirement("edit:staged")
class TestStaging:
    def test_nothing_is_written_until_resolve_accepts(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\nf(2)\n", "b.py": "f(3)\n", "c.py": "g()\n"})
        args = {"pattern": "f($X)", "rewrite": "h($X)", "language": "python"}

        async def work(run: Run, surface: Surface) -> None:
            staged = await surface.call("ast_edit", args)
            assert staged.text.startswith(
                '(proposed) 3 replacements in 2 files; nothing is written yet: call resolve with edit_id "edit_1"'
            )
            assert "-f(1)\n+h(1)" in staged.text.replace("\n-f(2)", "").replace("\n+h(2)", "")
            assert (tmp_path / "a.py").read_text() == "f(1)\nf(2)\n"
            assert staged.data["edit_id"] == "edit_1"
            assert run.pending.has_pending
            assert surface.advice is not None
            assert surface.advice.edit_id == "edit_1"
            await surface.call("resolve", {"action": "accept"})
            assert (tmp_path / "a.py").read_text() == "h(1)\nh(2)\n"
            assert (tmp_path / "b.py").read_text() == "h(3)\n"

        in_run(tmp_path, work)

    def test_the_diff_is_bounded_and_says_what_it_leaves_out(self, tmp_path: Path):
        tree(tmp_path, {f"{n:02}.py": "f(1)\n" * 60 for n in range(30)})
        result = call(tmp_path, "ast_edit", pattern="f($X)", rewrite="h($X)", language="python")
        assert "1800 replacements in 30 files" in result.text
        assert len(result.text.splitlines()) < 160
        assert "more lines of 00.py" in result.text
        assert "more files" in result.text

    def test_a_second_edit_of_the_same_file_says_so(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\ng(2)\n"})
        _, second = calls(
            tmp_path,
            ("ast_edit", {"pattern": "f($X)", "rewrite": "h($X)", "path": "a.py"}),
            ("ast_edit", {"pattern": "g($X)", "rewrite": "h($X)", "path": "a.py"}),
        )
        assert "edit_1" in second.text
        assert "stale" in second.text

    @pytest.mark.requirement("resolve:stale")
    def test_a_file_changed_meanwhile_refuses_the_whole(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n", "b.py": "f(2)\n"})

        async def work(run: Run, surface: Surface) -> None:
            await surface.call("ast_edit", {"pattern": "f($X)", "rewrite": "h($X)", "language": "python"})
            (tmp_path / "b.py").write_text("f(2)  # mine\n")
            refused = await surface.call("resolve", {"action": "accept"})
            assert refused.is_error
            assert "b.py" in refused.text
            assert (tmp_path / "a.py").read_text() == "f(1)\n"
            assert (tmp_path / "b.py").read_text() == "f(2)  # mine\n"
            assert run.pending.has_pending

        in_run(tmp_path, work)


@pytest.mark.requirement("edit:none")
class TestNoEdit:
    def test_no_match_stages_nothing_and_explains(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "g(1)\n"})
        result = call(tmp_path, "ast_edit", pattern="f($X)", rewrite="h($X)", language="python")
        assert "No match" in result.text
        assert "edit_1" not in result.text

    def test_a_rewrite_that_changes_nothing_stages_nothing(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "f(1)\n"})
        result = call(tmp_path, "ast_edit", pattern="f($X)", rewrite="f($X)", language="python")
        assert "changes nothing" in result.text
        assert "edit_1" not in result.text

    @pytest.mark.requirement("edit:reparse")
    @pytest.mark.parametrize(
        ("name", "code", "pattern", "rewrite"),
        [
            ("a.py", "def f():\n    print(1)\n", "print($X)", ""),
            ("a.py", "f(a)\n", "f($X)", "$X(k=1, 2)"),
            ("a.js", "f(1);\n", "f($X)", "if ("),
            ("a.rs", "fn f() { g(1); }\n", "g($X)", "fn ("),
            ("a.dart", "void f() { g(1); }\n", "g($X)", "if ("),
        ],
    )
    def test_code_that_would_break_is_not_staged(
        self, tmp_path: Path, name: str, code: str, pattern: str, rewrite: str
    ):
        tree(tmp_path, {name: code, "zz_good" + Path(name).suffix: "g(2)\n" if name == "a.py" else code})
        result = call(tmp_path, "ast_edit", pattern=pattern, rewrite=rewrite, path=name)
        assert result.is_error
        assert "Nothing is staged" in result.text
        assert f"{name}: line 1" in result.text
        assert (tmp_path / name).read_text() == code

    @pytest.mark.requirement("ast:lost-variable")
    @pytest.mark.parametrize(
        ("rewrite", "told"), [("g($Y)", "$Y"), ("g($_)", "binds nothing"), ("g($$$)", "binds nothing")]
    )
    def test_a_rewrite_with_an_unbound_metavariable_is_refused(self, tmp_path: Path, rewrite: str, told: str):
        tree(tmp_path, {"a.py": "f(1)\n"})
        result = call(tmp_path, "ast_edit", pattern="f($X)", rewrite=rewrite, language="python")
        assert result.is_error
        assert told in result.text


@pytest.mark.requirement("core:resources", "core:live-handle")
def test_without_the_parser_there_are_no_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import sys

    monkeypatch.setitem(sys.modules, "tree_sitter", None)

    async def work(run: Run, surface: Surface) -> Any:
        return (
            [tool.name for tool in surface.tools],
            surface.explain("ast_grep"),
            await surface.call("ast_grep", {"pattern": "f()"}),
        )

    names, absence, answer = in_run(tmp_path, work, plugins=("astgrep", "files"))
    assert "ast_grep" not in names
    assert "ast_edit" not in names
    assert "read" in names
    assert absence.layer == "resource"
    assert "tree-sitter" in absence.reason
    assert answer.failure == "unknown"


@pytest.mark.requirement("core:open-starts-nothing", "core:tier-table")
def test_opening_starts_no_worker_and_tiers_are_as_the_table_says(tmp_path: Path):
    async def work(run: Run, surface: Surface) -> None:
        assert not run.scope.processes.started
        tiers = {tool.name: surface.get(tool.name).tier for tool in surface.tools}
        assert tiers == {"ast_grep": Tier.READ, "ast_edit": Tier.WRITE, "resolve": Tier.WRITE}
        tree(tmp_path, {"a.py": "f(1)\n"})
        await surface.call("ast_grep", {"pattern": "f($X)", "path": "a.py"})
        assert run.scope.processes.started

    in_run(tmp_path, work)


def test_importing_the_plugin_loads_no_parser():
    import subprocess
    import sys

    code = "import sys, toolpost_astgrep.plugin; print(sorted(name for name in sys.modules if name.startswith('tree_sitter')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_a_workspace_may_lower_the_workers_and_no_more(tmp_path: Path):
    tree(tmp_path, {"toolpost.toml": "[astgrep]\nworkers = 1\ncache_mb = 4096\n", "a.py": "f(1)\n"})

    async def main() -> None:
        async with Host(["astgrep"]).open(tmp_path, config={"astgrep": {"workers": 2}}) as run:
            pool = run.bindings["astgrep"].handle.pool
            assert (pool.workers, pool.cache_bytes) == (1, 1 << 30)
            assert any("cache_mb" in problem.error for problem in run.problems)

    import asyncio

    asyncio.run(main())
