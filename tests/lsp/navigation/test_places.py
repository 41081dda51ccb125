"""Definitions, references and hovers: from a server's answer to what is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp.navigation.doubles import ScriptedServer, ask, in_run, place, span
from toolpost_lsp.navigation.goto import definition, implementation
from toolpost_lsp.navigation.hover import hover, plain
from toolpost_lsp.navigation.references import references
from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError
from toolpost_lsp.server.errors import Unavailable

DEFINITION, REFERENCES, HOVER = "textDocument/definition", "textDocument/references", "textDocument/hover"
HERE = {"file": "a.py", "line": 1, "symbol": "load"}


def servers(*scripts: dict[str, Any]):
    return lambda supervisor: [
        ScriptedServer(scope=supervisor.scope, **{"name": f"s{number}", **script})
        for number, script in enumerate(scripts, 1)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_bytes("'😀é'; load(1)\n".encode())
    (tmp_path / "b.py").write_bytes("def other(): pass\n  def load(x):  # 😀 x\n    load\n".encode())
    return tmp_path


class TestDefinition:
    def test_a_place_is_its_path_line_and_source(self, folder: Path):
        result = ask(folder, definition, servers({"answers": {DEFINITION: place(folder / "b.py", 1, 6, 10)}}), **HERE)
        assert result.text == "1 definition of load\nb.py:2  def load(x): # 😀 x"
        assert result.data["places"][0]["range"] == span(1, 6, 10)
        assert result.data["server"] == "s1"

    @pytest.mark.requirement("lsp:encoding")
    @pytest.mark.parametrize(("encoding", "sent"), [("utf-8", 10), ("utf-16", 7), ("utf-32", 6)])
    def test_columns_are_the_servers_on_the_wire_and_code_points_in_data(self, folder: Path, encoding: str, sent: int):
        at = {"utf-8": 22, "utf-16": 20, "utf-32": 19}[encoding]
        script = servers({"encoding": encoding, "answers": {DEFINITION: place(folder / "b.py", 1, at, at + 2)}})

        async def work(run, surface, supervisor):
            result = await surface.call("act", HERE)
            return result, supervisor.servers[0].asked

        result, asked = in_run(folder, {"act": definition}, script, work)
        assert asked[0][1]["position"] == {"line": 0, "character": sent}
        assert result.data["places"][0]["range"]["start"] == {"line": 1, "character": 19}
        assert result.data["places"][0]["unit"] == "utf-32"

    def test_what_lies_outside_is_named_as_such_and_not_read(
        self, folder: Path, tmp_path_factory: pytest.TempPathFactory
    ):
        outside = tmp_path_factory.mktemp("outside") / "lib.py"
        outside.write_text("secret = 1\n")
        answers = {DEFINITION: [place(outside, 0, 0, 6), {"uri": "jdt://x/y.class", "range": span(4, 0, 1)}]}
        result = ask(folder, definition, servers({"answers": answers}), **HERE)
        assert f"{outside}:1  (outside the workspace)" in result.text
        assert "jdt://x/y.class:5  (outside the workspace)" in result.text
        assert "secret" not in result.text

    def test_a_range_beyond_the_text_is_clamped(self, folder: Path):
        answers = {DEFINITION: place(folder / "b.py", 99, 7, 2**31)}
        assert not ask(folder, definition, servers({"answers": answers}), **HERE).is_error

    @pytest.mark.requirement("lsp:multi-server")
    @pytest.mark.parametrize("first", [None, [], ResponseError(-32601, "no such method")])
    def test_the_next_server_is_asked_if_the_first_knows_nothing(self, folder: Path, first: Any):
        script = servers(
            {"answers": {DEFINITION: first}}, {"answers": {DEFINITION: [place(folder / "b.py", 1, 6, 10)]}}
        )
        assert ask(folder, definition, script, **HERE).data["server"] == "s2"

    def test_a_server_that_does_not_offer_it_is_not_asked(self, folder: Path):
        result = ask(folder, implementation, servers({"answers": {DEFINITION: None}}), **HERE)
        assert result.is_error
        assert "no server of a.py offers implementation (asked: s1)" in result.text

    def test_nothing_found_is_no_error(self, folder: Path):
        assert (
            ask(folder, definition, servers({"answers": {DEFINITION: None}}), **HERE).text
            == "no definition of load (a.py:1)"
        )

    @pytest.mark.requirement("lsp:crash")
    @pytest.mark.parametrize(
        ("problem", "told"),
        [
            (TimeoutError(), "s1 did not answer within 10 s"),
            (ResponseError(-32603, "it\npanicked"), "s1: it panicked"),
            (ConnectionLost("exit code 1"), "s1 crashed: exit code 1"),
        ],
    )
    def test_no_failure_is_taken_for_nothing(self, folder: Path, problem: Exception, told: str):
        script = servers({"answers": {DEFINITION: problem}}, {"answers": {DEFINITION: None}})
        result = ask(folder, definition, script, **HERE)
        assert result.is_error
        assert told in result.text

    @pytest.mark.requirement("lsp:crash")
    def test_a_crashed_server_is_restarted_once_and_asked_again(self, folder: Path):
        async def work(run, surface, supervisor):
            good = place(folder / "b.py", 1, 6, 10)
            supervisor.restarts = lambda dead: ScriptedServer(
                scope=dead.scope, name=dead.name, answers={DEFINITION: good}
            )
            return await surface.call("act", HERE), supervisor.told

        result, told = in_run(
            folder, {"act": definition}, servers({"answers": {DEFINITION: ConnectionLost("gone")}}), work
        )
        assert result.data["total"] == 1
        assert told == [("failed", "s1"), ("answered", "s1")]

    def test_a_server_that_does_not_start_says_why(self, folder: Path):
        result = ask(
            folder,
            definition,
            servers({"answers": {DEFINITION: None}, "unavailable": Unavailable("s1: no node")}),
            **HERE,
        )
        assert result.is_error
        assert "no node" in result.text

    def test_no_server_says_so(self, folder: Path):
        assert ask(folder, definition, servers(), **HERE).text == "no server serves a.py"

    @pytest.mark.requirement("lsp:readiness")
    def test_nothing_is_not_believed_of_a_server_that_is_not_ready(self, folder: Path):
        results = [None, [place(folder / "b.py", 1, 6, 10)]]
        script = servers({"answers": {DEFINITION: lambda _: results.pop(0)}, "unready": ["indexing 1/2"]})
        result = ask(folder, definition, script, **HERE)
        assert result.data["ready"] is True
        assert result.data["total"] == 1


@pytest.mark.requirement("lsp:symbol-required", "lsp:symbol-ambiguous")
class TestSymbol:
    def test_without_a_symbol_the_line_is_shown(self, folder: Path):
        result = ask(folder, definition, servers({"answers": {DEFINITION: None}}), file="a.py", line=1)
        assert result.is_error
        assert "load(1)" in result.text

    def test_without_a_line_it_is_refused(self, folder: Path):
        assert "give line" in ask(folder, definition, servers({}), file="a.py", symbol="load").text

    def test_different_meanings_are_refused_and_a_number_picks(self, folder: Path):
        (folder / "c.py").write_text("x.load(y.load)\n")

        def by_column(params: Any) -> Any:
            return place(folder / "b.py", params["position"]["character"], 0, 1)

        script = servers({"answers": {DEFINITION: by_column}})
        refused = ask(folder, definition, script, file="c.py", line=1, symbol="load")
        assert refused.is_error
        assert "load#2" in refused.text
        picked = ask(folder, definition, script, file="c.py", line=1, symbol="load#2")
        assert picked.data["places"][0]["range"]["start"]["line"] == 3

    def test_the_same_meaning_is_no_question(self, folder: Path):
        (folder / "c.py").write_text("load + load\n")
        script = servers({"answers": {DEFINITION: place(folder / "b.py", 1, 6, 10)}})
        assert not ask(folder, definition, script, file="c.py", line=1, symbol="load").is_error


@pytest.mark.requirement("lsp:caps")
class TestReferences:
    def test_the_definition_comes_first_then_its_file_then_the_others(self, folder: Path):
        found = [place(folder / "a.py", 0, 7, 11), place(folder / "b.py", 2, 4, 8), place(folder / "b.py", 1, 6, 10)]
        answers = {REFERENCES: found, DEFINITION: place(folder / "b.py", 1, 2, 14)}
        result = ask(folder, references, servers({"answers": answers}), **HERE)
        assert result.text.splitlines() == [
            "3 references to load in 2 files; the first is its definition",
            "b.py:2  def load(x): # 😀 x",
            "b.py:3  load",
            "a.py:1  '😀é'; load(1)",
        ]
        assert result.data["definitions"] == 1

    def test_fifty_are_shown_and_the_rest_is_counted_by_file(self, folder: Path):
        for name in ("m.py", "n.py"):
            (folder / name).write_text("load\n" * 40)
        found = [place(folder / name, line, 0, 4) for name in ("n.py", "m.py") for line in range(40)]
        result = ask(folder, references, servers({"answers": {REFERENCES: found}}), **HERE)
        lines = result.text.splitlines()
        assert lines[0] == "80 references to load in 2 files"
        assert len(lines) == 52
        assert lines[1].startswith("m.py:1 ")
        assert lines[-1] == "… and 30 more references: n.py 30"
        assert (len(result.data["places"]), result.data["total"]) == (50, 80)

    def test_several_on_a_line_are_one_line(self, folder: Path):
        (folder / "m.py").write_text("load(load)\n")
        found = [place(folder / "m.py", 0, 0, 4), place(folder / "m.py", 0, 5, 9), place(folder / "m.py", 0, 5, 9)]
        result = ask(folder, references, servers({"answers": {REFERENCES: found}}), **HERE)
        assert result.text.splitlines() == ["2 references to load in 1 file", "m.py:1  load(load)  (2 on this line)"]

    @pytest.mark.requirement("lsp:readiness")
    def test_none_is_never_said_before_the_server_is_ready(self, folder: Path):
        script = servers({"answers": {REFERENCES: []}, "unready": ["indexing 13/51"]})
        result = ask(folder, references, script, **HERE)
        assert result.is_error
        assert "0 references" not in result.text
        assert "indexing 13/51" in result.text

    @pytest.mark.requirement("lsp:readiness")
    def test_an_early_answer_says_that_there_may_be_more(self, folder: Path):
        script = servers({"answers": {REFERENCES: [place(folder / "a.py", 0, 7, 11)]}, "unready": ["indexing 13/51"]})
        result = ask(folder, references, script, **HERE)
        assert "1 reference to load in 1 file (s1 is not ready yet: indexing 13/51: there may be more)" in result.text
        assert result.data["ready"] is False

    @pytest.mark.requirement("lsp:crash")
    def test_items_that_cannot_be_read_are_counted(self, folder: Path):
        found = [place(folder / "a.py", 0, 7, 11), {"uri": 7}, None]
        result = ask(folder, references, servers({"answers": {REFERENCES: found}}), **HERE)
        assert "(2 items of the server's answer could not be read)" in result.text.splitlines()[0]

    def test_none_of_a_ready_server_is_an_answer(self, folder: Path):
        assert (
            ask(folder, references, servers({"answers": {REFERENCES: None}}), **HERE).text
            == "0 references to load (a.py:1)"
        )


class TestHover:
    def test_the_text_is_plain(self, folder: Path):
        said = {"contents": {"kind": "markdown", "value": "```python\ndef load(x)\n```\n---\nLoads&nbsp;it."}}
        result = ask(folder, hover, servers({"answers": {HOVER: said}}), **HERE)
        assert result.text == "load (a.py:1)\ndef load(x)\n\nLoads it."

    def test_it_is_bounded(self, folder: Path):
        said = {"contents": "line\n" * 10_000}
        result = ask(folder, hover, servers({"answers": {HOVER: said}}), **HERE)
        assert len(result.text) < 5000
        assert "more characters" in result.text

    @pytest.mark.requirement("lsp:multi-server")
    def test_an_empty_text_is_no_answer(self, folder: Path):
        script = servers(
            {"answers": {HOVER: {"contents": {"kind": "plaintext", "value": " "}}}},
            {"answers": {HOVER: {"contents": "x"}}},
        )
        assert ask(folder, hover, script, **HERE).data["server"] == "s2"

    def test_nothing_is_said_as_such(self, folder: Path):
        assert "nothing is known of load" in ask(folder, hover, servers({"answers": {HOVER: None}}), **HERE).text

    @pytest.mark.parametrize(
        ("markdown", "text"),
        [
            ("see [the docs](command:x?%5B1%5D) now", "see the docs now"),
            ("[a](http://x/(b)) c", "a c"),
            ("`a\\_b` and a\\_b", "`a\\_b` and a_b"),
            ("```c\na\\_b &lt; [x](y)\n```", "a\\_b &lt; [x](y)"),
            ("a<br>b &lt;T&gt;", "ab <T>"),
            ("List<String>", "List<String>"),
            ("a\n\n\n\nb", "a\n\nb"),
            ("***\nx\n___", "x"),
            ("a\u00a0\u00a0b", "a  b"),
            ("### function `f`", "function `f`"),
            ("#include and **bold**", "#include and bold"),
            ("**args, **kwargs and a**b**c", "**args, **kwargs and a**b**c"),
        ],
    )
    def test_marks_that_a_reader_does_not_need_are_gone(self, markdown: str, text: str):
        assert plain(markdown) == text
