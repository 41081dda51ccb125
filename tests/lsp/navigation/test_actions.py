"""Quick fixes: listed by title, one of them staged, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp.navigation.doubles import ScriptedServer, ask, in_run, span
from toolpost import Result
from toolpost_lsp.navigation.actions import code_actions, lsp_fix
from toolpost_lsp.protocol.errors import ResponseError
from toolpost_lsp.protocol.uris import uri_of

ACTIONS, RESOLVE = "textDocument/codeAction", "codeAction/resolve"
HERE = {"file": "a.py", "line": 1, "symbol": "os"}


def servers(*scripts: dict[str, Any]):
    return lambda supervisor: [
        ScriptedServer(scope=supervisor.scope, **{"name": f"s{number}", **script})
        for number, script in enumerate(scripts, 1)
    ]


def removal(folder: Path, new: str = "") -> dict[str, Any]:
    return {"changes": {uri_of(str(folder / "a.py")): [{"range": span(0, 0, 0, last=1), "newText": new}]}}


def fix(title: str, **more: Any) -> dict[str, Any]:
    return {"title": title, "kind": "quickfix", **more}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("import os\nx = 1\n")
    return tmp_path


def staged(folder: Path, script: Any, title: str) -> tuple[Result, Result, str]:
    """The answer of lsp_fix, that of accepting, and the file behind both."""

    async def work(run: Any, surface: Any, supervisor: Any) -> tuple[Result, Result, str]:
        answer = await surface.call("fix", {**HERE, "title": title})
        assert (folder / "a.py").read_text() == "import os\nx = 1\n"
        accepted = await surface.call("resolve", {"action": "apply", "reason": "wanted"})
        return answer, accepted, (folder / "a.py").read_text()

    return in_run(folder, {"fix": lsp_fix}, script, work)


@pytest.mark.requirement("lsp:fix")
class TestTitles:
    def test_they_are_listed_with_their_server(self, folder: Path):
        offered = [fix("Remove it", isPreferred=True, edit=removal(folder)), fix("Keep it", disabled={"reason": "no"})]
        result = ask(folder, code_actions, servers({"answers": {ACTIONS: offered}}), **HERE)
        assert result.text.splitlines() == [
            "2 quick fixes at os (a.py:1)",
            "  Remove it (s1) [preferred]",
            "  Keep it (s1) [not possible: the server has disabled it: no]",
            "lsp_fix with one of these as title stages it.",
        ]

    def test_only_quick_fixes_count(self, folder: Path):
        offered = [
            fix("A"),
            fix("B", kind="quickfix.unused"),
            fix("C", kind="refactor.extract"),
            {"title": "D", "kind": "quickfixes"},
        ]
        result = ask(folder, code_actions, servers({"answers": {ACTIONS: offered}}), **HERE)
        assert [each["title"] for each in result.data["fixes"]] == ["A", "B"]

    def test_each_problem_is_asked_for_by_its_own_range_in_the_servers_own_words(self, folder: Path):
        problem = {"range": span(0, 7, 9), "message": "unused", "code": "F401", "data": {"own": [1]}}
        other = {"range": span(1, 0, 1), "message": "elsewhere"}

        async def work(run: Any, surface: Any, supervisor: Any) -> Any:
            await surface.call("act", HERE)
            return [params for method, params in supervisor.servers[0].asked]

        script = servers({"answers": {ACTIONS: []}, "verdict": [problem, other]})
        first, second = in_run(folder, {"act": code_actions}, script, work)
        assert first["context"]["diagnostics"] == [problem]
        assert first["range"] == span(0, 7, 9)
        assert first["context"]["only"] == ["quickfix"]
        assert second["context"]["diagnostics"] == []

    @pytest.mark.requirement("lsp:multi-server")
    def test_all_servers_are_asked_and_what_failed_is_told(self, folder: Path):
        script = servers(
            {"answers": {ACTIONS: [fix("A")]}},
            {"answers": {ACTIONS: [fix("B")]}},
            {"answers": {ACTIONS: TimeoutError()}},
        )
        text = ask(folder, code_actions, script, **HERE).text
        assert "A (s1)" in text
        assert "B (s2)" in text
        assert "s3 did not answer" in text

    def test_no_server_that_offers_any_is_an_error(self, folder: Path):
        assert "offers quick fixes" in ask(folder, code_actions, servers({"answers": {}}), **HERE).text
        script = servers({"answers": {ACTIONS: ResponseError(-32603, "broken")}})
        assert "broken" in ask(folder, code_actions, script, **HERE).text


@pytest.mark.requirement("lsp:fix")
class TestStaging:
    @pytest.mark.parametrize("title", ["Remove it", " Remove it ", "Remove it (s1)"])
    def test_a_fix_is_staged_and_written_when_it_is_accepted(self, folder: Path, title: str):
        script = servers({"answers": {ACTIONS: [fix("Keep it"), fix("Remove it", edit=removal(folder))]}})
        answer, accepted, text = staged(folder, script, title)
        assert answer.text.splitlines()[1:] == ["--- a.py", "@@ 1 @@", "-import os"]
        assert "1 edit in 1 file" in answer.text
        assert not accepted.is_error
        assert text == "x = 1\n"

    def test_an_edit_that_was_left_out_is_asked_for(self, folder: Path):
        offered = fix("Remove it", data={"id": 7})

        def resolved(params: Any) -> Any:
            assert params == offered
            return {**offered, "edit": removal(folder)}

        assert (
            staged(folder, servers({"answers": {ACTIONS: [offered], RESOLVE: resolved}}), "Remove it")[2] == "x = 1\n"
        )

    def test_a_command_beside_an_edit_is_not_run_and_told(self, folder: Path):
        command = {"title": "c", "command": "rename.start"}
        script = servers({"answers": {ACTIONS: [fix("Remove it", edit=removal(folder), command=command)]}})
        assert "is not run" in staged(folder, script, "Remove it")[0].text

    def test_the_same_fix_offered_twice_is_one(self, folder: Path):
        twice = [fix("Remove it", edit=removal(folder)), fix("Remove it", edit=removal(folder), isPreferred=True)]
        assert staged(folder, servers({"answers": {ACTIONS: twice}}), "Remove it")[2] == "x = 1\n"

    @pytest.mark.parametrize(
        ("offered", "told"),
        [
            ([], "There is no quick fix at all"),
            ([fix("Other")], "It offers:\n  Other (s1)"),
            ([fix("Wanted", disabled={"reason": "not now"})], "not now"),
            ([{"title": "Wanted", "command": "do.it", "arguments": []}], "only a command"),
            ([fix("Wanted", command={"title": "c", "command": "do.it"})], "only a command"),
            ([fix("Wanted")], "gives no edit"),
            ([fix("Wanted", edit={"changes": {}})], "changes nothing"),
            (
                [fix("Wanted", edit={"changes": {"file:///etc/passwd": [{"range": span(0, 0, 0), "newText": "x"}]}})],
                "outside the workspace",
            ),
        ],
    )
    def test_what_cannot_be_staged_is_refused(self, folder: Path, offered: Any, told: str):
        result = ask(folder, lsp_fix, servers({"answers": {ACTIONS: offered}}), **HERE, title="Wanted")
        assert result.is_error
        assert told in result.text

    def test_different_fixes_of_one_title_are_refused(self, folder: Path):
        two = [fix("Wanted", edit=removal(folder)), fix("Wanted", edit=removal(folder, "y\n"))]
        result = ask(folder, lsp_fix, servers({"answers": {ACTIONS: two}}), **HERE, title="Wanted")
        assert result.is_error
        assert "2 different fixes" in result.text
