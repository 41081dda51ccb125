"""Diagnostics of one file: wording, several servers, and three different answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.navigation.doubles import ScriptedServer, ask, in_run, span
from toolpost_lsp.diagnostics.of_file import diagnostics
from toolpost_lsp.server.errors import Unavailable


def servers(*scripts: dict[str, Any]):
    return lambda supervisor: [
        ScriptedServer(scope=supervisor.scope, **{"name": f"s{number}", **script})
        for number, script in enumerate(scripts, 1)
    ]


def problem(line: int, start: int, message: str, severity: int = 1, **more: Any) -> dict[str, Any]:
    return {"range": span(line, start, start + 1), "message": message, "severity": severity, **more}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("'😀é'; x\ny\n" * 150)
    return tmp_path


def told(folder: Path, *scripts: dict[str, Any]) -> list[str]:
    return ask(folder, diagnostics, servers(*scripts), file="a.py").text.splitlines()


@pytest.mark.requirement("write:first-line")
class TestWording:
    def test_one_line_each_with_the_worst_first(self, folder: Path):
        found = [
            problem(1, 0, "hm", 4),
            problem(1, 0, "unused", 2, code=12),
            problem(3, 0, "bad"),
            problem(0, 7, "wrong\n  type", code="E1"),
        ]
        assert told(folder, {"verdict": found}) == [
            "a.py: 2 errors, 1 warning, 1 hint (s1)",
            "a.py:1:7: error[E1] wrong type (s1)",
            "a.py:4:1: error bad (s1)",
            "a.py:2:1: warning[12] unused (s1)",
            "a.py:2:1: hint hm (s1)",
        ]

    @pytest.mark.requirement("lsp:encoding")
    @pytest.mark.parametrize(("encoding", "start"), [("utf-8", 10), ("utf-16", 7), ("utf-32", 6)])
    def test_columns_are_code_points(self, folder: Path, encoding: str, start: int):
        assert "a.py:1:7: " in told(folder, {"verdict": [problem(0, start, "m")], "encoding": encoding})[1]

    def test_messages_are_bounded_and_hold_no_control_characters(self, folder: Path):
        line = told(folder, {"verdict": [problem(0, 0, "\x1b[31mred\u2028" + "x" * 5000)]})[1]
        assert "\x1b" not in line
        assert "red x" in line
        assert len(line) < 600

    def test_a_hundred_are_shown_and_the_rest_is_counted(self, folder: Path):
        lines = told(folder, {"verdict": [problem(n, 0, "m", 1 + n % 2) for n in range(240)]})
        assert lines[-1] == "… and 140 more problems: 20 errors, 120 warnings"
        assert len(lines) == 102


@pytest.mark.requirement("lsp:multi-server")
class TestSeveralServers:
    def test_all_are_merged_and_named(self, folder: Path):
        lines = told(folder, {"verdict": [problem(1, 0, "a")]}, {"verdict": [problem(0, 0, "b", 2)]})
        assert lines[0] == "a.py: 1 error, 1 warning (s1, s2)"
        assert lines[1].endswith("a (s1)")
        assert lines[2].endswith("b (s2)")

    def test_what_two_say_alike_is_one_problem_of_both(self, folder: Path):
        assert told(folder, {"verdict": [problem(1, 0, "a")]}, {"verdict": [problem(1, 0, "a")]})[1:] == [
            "a.py:2:1: error a (s1, s2)"
        ]

    def test_what_one_says_twice_stays_two(self, folder: Path):
        assert told(folder, {"verdict": [problem(1, 0, "a")] * 2})[0] == "a.py: 2 errors (s1)"


@pytest.mark.requirement("write:three-answers")
class TestThreeAnswers:
    def test_clean(self, folder: Path):
        assert told(folder, {}, {}) == ["a.py: no problems (s1, s2)"]

    @pytest.mark.parametrize("state", ["timeout", "starting"])
    def test_not_known_yet(self, folder: Path, state: str):
        lines = told(folder, {"verdict": state})
        assert lines == [
            "a.py: it is not known whether there are problems",
            "s1: diagnostics not known yet (waited 15 s)",
        ]

    @pytest.mark.parametrize(
        "script", [{"verdict": "failed"}, {"unavailable": Unavailable("no node")}, {"verdict": "crashed"}]
    )
    def test_not_available(self, folder: Path, script: dict[str, Any]):
        result = ask(folder, diagnostics, servers(script), file="a.py")
        assert result.is_error
        assert "s1: diagnostics not available (see lsp status)" in result.text

    def test_one_that_is_not_known_stands_beside_one_that_is(self, folder: Path):
        assert told(folder, {}, {"verdict": "timeout"}) == [
            "a.py: no problems (s1)",
            "s2: diagnostics not known yet (waited 15 s)",
        ]

    def test_a_file_that_cannot_be_shown_is_an_error(self, folder: Path):
        result = ask(folder, diagnostics, servers({}), file="b.py")
        assert result.is_error
        assert result.text.startswith("b.py")

    def test_no_server_is_an_error(self, folder: Path):
        assert ask(folder, diagnostics, servers(), file="a.py").text == "no server serves a.py"

    @pytest.mark.requirement("lsp:crash")
    def test_a_server_that_crashes_over_it_is_restarted_once(self, folder: Path):
        async def work(run: Any, surface: Any, supervisor: Any) -> Any:
            supervisor.restarts = lambda dead: ScriptedServer(scope=dead.scope, name=dead.name)
            return await surface.call("act", {"file": "a.py"})

        result = in_run(folder, {"act": diagnostics}, servers({"verdict": "crashed"}), work)
        assert result.text == "a.py: no problems (s1)"


@pytest.mark.requirement("write:ledger")
class TestLedger:
    def test_what_was_shown_is_told_to_the_ledger_of_servers_that_are_known(self, folder: Path):
        @attrs.define
        class Ledger:
            told: list[Any] = attrs.field(factory=list)

            def reported(self, *what: Any) -> None:
                self.told.append(what)

        async def work(run: Any, surface: Any, supervisor: Any) -> Any:
            supervisor.writing = Ledger()
            await surface.call("act", {"file": "a.py"})
            return supervisor.writing.told

        script = servers({"verdict": [problem(1, 0, "a")]}, {"verdict": "timeout"})
        ((path, problems, names),) = in_run(folder, {"act": diagnostics}, script, work)
        assert (path, [each.diagnostic.message for each in problems], names) == ("a.py", ["a"], ["s1"])
