"""Symbols of the workspace and of a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp.navigation.doubles import ScriptedServer, ask, in_run, place, span
from toolpost_lsp.navigation.symbols import symbols
from toolpost_lsp.protocol.errors import ResponseError

SEARCH, OUTLINE = "workspace/symbol", "textDocument/documentSymbol"


def servers(*scripts: dict[str, Any]):
    return lambda supervisor: [
        ScriptedServer(scope=supervisor.scope, **{"name": f"s{number}", **script})
        for number, script in enumerate(scripts, 1)
    ]


def symbol(folder: Path, name: str, line: int, file: str = "a.py", kind: int = 12, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": kind, "location": place(folder / file, line, 4, 4 + len(name)), **more}


def member(name: str, first: int, last: int, *children: Any, kind: int = 6) -> dict[str, Any]:
    whole = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    return {"name": name, "kind": kind, "range": whole, "selectionRange": span(first, 4, 8), "children": list(children)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("def load(): pass\n" * 300)
    return tmp_path


class TestWhich:
    @pytest.mark.parametrize("arguments", [{}, {"query": "  "}, {"query": "x", "file": "a.py"}])
    def test_both_and_neither_are_errors(self, folder: Path, arguments: dict[str, str]):
        result = ask(folder, symbols, servers({"answers": {SEARCH: []}}), **arguments)
        assert result.is_error
        assert "query" in result.text
        assert "file" in result.text


@pytest.mark.requirement("lsp:caps")
class TestSearch:
    def test_the_very_name_comes_first_and_each_has_its_place_and_kind(self, folder: Path):
        found = [
            symbol(folder, "preload", 1),
            symbol(folder, "loader", 2),
            symbol(folder, "load", 3, kind=6, containerName="Store"),
        ]
        result = ask(folder, symbols, servers({"answers": {SEARCH: found}}), query="load")
        assert result.text.splitlines() == [
            "3 symbols like 'load' (s1)",
            "a.py:4  method load in Store",
            "a.py:3  function loader",
            "a.py:2  function preload",
        ]

    def test_a_hundred_are_shown_and_the_rest_is_counted(self, folder: Path):
        found = [symbol(folder, f"load{n}", n) for n in range(130)]
        result = ask(folder, symbols, servers({"answers": {SEARCH: found}}), query="load")
        assert "30 more symbols" in result.text
        assert (result.data["total"], len(result.data["symbols"])) == (130, 100)

    @pytest.mark.requirement("lsp:multi-server")
    def test_answers_of_several_servers_are_merged_and_named(self, folder: Path):
        one, other = [symbol(folder, "load", 1)], [symbol(folder, "load", 1), symbol(folder, "loads", 2)]
        script = servers({"answers": {SEARCH: one}}, {"answers": {SEARCH: other}}, {"answers": {}})
        result = ask(folder, symbols, script, query="load")
        assert result.text.splitlines()[0] == "2 symbols like 'load' (s1, s2)"

    @pytest.mark.requirement("lsp:crash")
    def test_a_server_that_fails_is_told_beside_what_others_found(self, folder: Path):
        script = servers({"answers": {SEARCH: [symbol(folder, "load", 1)]}}, {"answers": {SEARCH: TimeoutError()}})
        assert "There may be more: s2 did not answer within 10 s" in ask(folder, symbols, script, query="load").text

    @pytest.mark.requirement("lsp:readiness")
    @pytest.mark.parametrize("script", [{"unready": ["indexing"]}, {}])
    def test_nothing_is_an_answer_only_of_a_server_that_is_ready(self, folder: Path, script: dict[str, Any]):
        result = ask(folder, symbols, servers({"answers": {SEARCH: []}, **script}), query="load")
        assert result.is_error is bool(script)
        assert ("0 symbols" in result.text) is not bool(script)

    def test_a_server_that_has_seen_no_file_is_shown_one(self, folder: Path):
        async def work(run: Any, surface: Any, supervisor: Any) -> Any:
            await surface.call("act", {"query": "load"})
            return [each.path for each in supervisor.servers[0].documents]

        assert in_run(folder, {"act": symbols}, servers({"answers": {SEARCH: []}}), work) == ["a.py"]

    def test_no_server_that_searches_says_so(self, folder: Path):
        assert "asked: s1" in ask(folder, symbols, servers({"answers": {}}), query="load").text
        assert ask(folder, symbols, servers(), query="load").is_error


class TestOutline:
    def test_it_is_nested_and_has_lines_and_kinds(self, folder: Path):
        answer = [
            member("f", 20, 20, kind=12),
            member("Store", 0, 9, member("load", 1, 3), member("save", 5, 5), kind=5),
        ]
        result = ask(folder, symbols, servers({"answers": {OUTLINE: answer}}), file="a.py")
        assert result.text.splitlines() == [
            "a.py: 4 symbols (s1)",
            "1-10  class Store",
            "  2-4  method load",
            "  6  method save",
            "21  function f",
        ]
        assert result.data["symbols"][1]["depth"] == 1
        assert result.data["symbols"][1]["selectionRange"] == span(1, 4, 8)

    @pytest.mark.requirement("lsp:caps")
    def test_two_hundred_are_shown_and_the_rest_is_counted(self, folder: Path):
        answer = [symbol(folder, f"f{n}", n) for n in range(250)]
        result = ask(folder, symbols, servers({"answers": {OUTLINE: answer}}), file="a.py")
        assert "50 more symbols, down to line 250" in result.text
        assert len(result.data["symbols"]) == 200

    def test_an_empty_outline_is_an_answer(self, folder: Path):
        assert ask(folder, symbols, servers({"answers": {OUTLINE: None}}), file="a.py").text == "a.py: 0 symbols (s1)"

    def test_a_refusal_is_none(self, folder: Path):
        result = ask(folder, symbols, servers({"answers": {OUTLINE: ResponseError(-32603, "broken")}}), file="a.py")
        assert result.is_error
        assert "broken" in result.text
