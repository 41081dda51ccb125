"""Which checkers run in which projects, and why others do not (lsp:project-check)."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.checkers.doubles import SECONDS, check, files, script
from toolpost import Tier
from toolpost.testing import open_run
from toolpost_lsp.checkers.checker import Checker
from toolpost_lsp.checkers.known import CHECKERS
from toolpost_lsp.config import LspConfig

pytestmark = pytest.mark.requirement("lsp:project-check")

PYRIGHT = """print('{"generalDiagnostics": [], "summary": {"filesAnalyzed": 1}}')"""
TY = RUFF = "print('[]')"
ZUBAN = "print('Success: no issues found in 1 source file')"


@attrs.frozen
class Machine:
    """A machine with nothing on PATH but what a test puts there."""

    programs: Path
    workspace: Path

    def has(self, **bodies: str) -> None:
        for name, body in bodies.items():
            script(self.programs / name, body)

    def marking(self, name: str, folder: Path | None = None) -> Path:
        """A program that leaves a mark when it runs, even when it is only probed; the mark's path."""
        mark = self.programs.parent / f"{name} ran"
        path = script((folder or self.programs) / name, "")
        path.write_text(f"#!/bin/sh\n: > '{mark}'\n")
        return mark


@pytest.fixture
def machine(toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    (tmp_path / "programs").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    return Machine(tmp_path / "programs", toolpost_workspace)


def ran(result: Any) -> list[str]:
    return [each["checker"] for each in result.data["checkers"]]


def named(*names: str) -> tuple[Checker, ...]:
    return tuple(each for each in CHECKERS if each.id in names)


class TestOneTypeChecker:
    @pytest.fixture(autouse=True)
    def all_are_there(self, machine: Machine):
        machine.has(pyright=PYRIGHT, ty=TY, zuban=ZUBAN, ruff=RUFF)
        files(machine.workspace, {"pyproject.toml": "", "a.py": ""})

    def test_the_family_of_the_language_server_runs_with_the_linter(self, machine: Machine):
        result = check(machine.workspace)
        assert ran(result) == ["ty", "ruff"]  # pyright's server has another program, which is not there
        assert "ty in the workspace (the family of the language server that serves it): no problems (" in result.text
        machine.has(**{"pyright-langserver": ""})
        assert ran(check(machine.workspace)) == ["pyright", "ruff"]

    def test_the_first_that_is_there_runs_where_nothing_else_decides(self, machine: Machine):
        for name in ("ty", "zuban"):
            (machine.programs / name).unlink()
        result = check(machine.workspace)
        assert ran(result) == ["pyright", "ruff"]
        assert "pyright in the workspace (found by pyproject.toml): no problems (1 file, " in result.text

    @pytest.mark.parametrize(
        ("texts", "chosen"),
        [
            ({"ty.toml": ""}, "ty.toml"),
            ({"pyproject.toml": "[tool.ty]\n"}, "pyproject.toml#tool.ty"),
        ],
    )
    def test_the_configured_one_runs(self, machine: Machine, texts: dict[str, str], chosen: str):
        files(machine.workspace, texts)
        result = check(machine.workspace)
        assert ran(result) == ["ty", "ruff"]
        assert f"ty in the workspace (chosen by {chosen})" in result.text

    def test_of_two_configured_ones_the_other_is_told(self, machine: Machine):
        files(machine.workspace, {"ty.toml": "", "pyrightconfig.json": "{}"})
        result = check(machine.workspace)
        assert ran(result) == ["ty", "ruff"]
        assert (
            "not run: pyright in the workspace: ty checks this project, chosen by ty.toml (name pyright" in result.text
        )
        assert result.data["left_out"][0]["name"] == "pyright"

    def test_the_configuration_prefers_and_disables(self, machine: Machine):
        files(machine.workspace, {"ty.toml": ""})
        result = check(machine.workspace, config=LspConfig(prefer=["zuban"], disabled=["ruff"]))
        assert ran(result) == ["zuban"]
        assert "zuban in the workspace (preferred by the configuration)" in result.text

    def test_one_that_does_not_answer_makes_room_for_the_next(self, machine: Machine):
        stub = machine.programs / "pyright"
        stub.write_text("#!/bin/sh\necho no toolchain >&2\nexit 1\n")
        files(machine.workspace, {"pyrightconfig.json": "{}"})
        result = check(machine.workspace)
        assert ran(result) == ["ty", "ruff"]
        assert "not run: pyright in the workspace: " in result.text and "no toolchain" in result.text


class TestTrust:
    def test_one_that_runs_the_projects_code_needs_trust(self, machine: Machine):
        mark = machine.marking("cargo")
        files(machine.workspace, {"Cargo.toml": "", "a.rs": ""})
        for trust in ("none", "interpreter"):
            result = check(machine.workspace, trust=trust)
            assert result.is_error
            assert "not run: cargo check in the workspace: it would run code of the checkout" in result.text
            assert 'open the run with trust="full"' in result.text
            assert not mark.exists()
        check(machine.workspace, trust="full")
        assert mark.exists()

    def test_a_clone_inside_the_workspace_has_no_part_in_its_trust(self, machine: Machine):
        mark = machine.marking("cargo")
        files(machine.workspace, {"clone/Cargo.toml": "", "clone/a.rs": "", "clone/.git/HEAD": ""})
        assert "not run: cargo check in clone" in check(machine.workspace, trust="full").text
        assert not mark.exists()

    def test_programs_of_the_checkout_run_with_full_trust_only(self, machine: Machine):
        files(machine.workspace, {"ty.toml": "", "a.py": ""})
        mark = machine.marking("ty", machine.workspace / ".venv" / "bin")
        result = check(machine.workspace)
        assert result.is_error and "was found in the checkout only, whose programs are not run" in result.text
        assert not mark.exists()
        check(machine.workspace, trust="full")
        assert mark.exists()

    def test_a_program_on_a_path_inside_the_checkout_does_not_run(
        self, machine: Machine, monkeypatch: pytest.MonkeyPatch
    ):
        files(machine.workspace, {"ty.toml": "", "a.py": ""})
        mark = machine.marking("ty", machine.workspace / "tools")
        monkeypatch.setenv("PATH", f"{machine.workspace}/tools")
        assert check(machine.workspace).is_error
        assert not mark.exists()

    def test_npx_never_runs(self, machine: Machine):
        mark = machine.marking("npx")
        files(machine.workspace, {"tsconfig.json": "{}", "a.ts": ""})
        result = check(machine.workspace, trust="full")
        assert result.is_error and "tsc is not on PATH (install it: npm install -g typescript" in result.text
        assert not mark.exists()


class TestProjects:
    def test_nothing_of_any_language_is_an_error_that_names_them(self, machine: Machine):
        files(machine.workspace, {"README.md": "", "node_modules/a.ts": "", ".hidden/a.py": ""})
        result = check(machine.workspace)
        assert result.is_error
        assert result.text.startswith(
            "nothing to check: the workspace has no files of Python, TypeScript and JavaScript, "
        )

    def test_files_without_a_project_are_told(self, machine: Machine):
        files(machine.workspace, {"a.go": ""})
        result = check(machine.workspace)
        assert result.is_error
        assert "not run: Go: there are files of it, but none of go.mod in their folders or above" in result.text

    def test_what_could_check_a_project_is_named(self, machine: Machine):
        files(machine.workspace, {"pyproject.toml": "", "a.py": ""})
        result = check(machine.workspace)
        assert result.is_error
        assert result.text.startswith("nothing is known: no checker could run\n")
        assert (
            "not run: pyright in the workspace: pyright is not on PATH (install it: npm install -g pyright)"
            in result.text
        )

    def test_each_project_is_checked_and_a_file_belongs_to_the_innermost(self, machine: Machine):
        machine.has(
            ty="import glob, json\n"
            "print(json.dumps([{'check_name': 'c', 'description': 'm', 'severity': 'major', 'location': {'path': path,"
            " 'positions': {'begin': {'line': 1, 'column': 1}, 'end': {'line': 1, 'column': 1}}}}"
            " for path in sorted(glob.glob('**/*.py', recursive=True))]))"
        )
        files(machine.workspace, {f"{folder}a.py": "" for folder in ("", "one/", "two/deep/")})
        files(machine.workspace, {f"{folder}ty.toml": "" for folder in ("", "one/", "two/")})
        result = check(machine.workspace, named("ty"))
        assert [(each["root"], each["total"]) for each in result.data["checkers"]] == [
            ("the workspace", 1),
            ("one", 1),
            ("two", 1),
        ]
        assert sorted(each["path"] for each in result.data["problems"]) == ["a.py", "one/a.py", "two/deep/a.py"]

    @pytest.mark.parametrize("working", [True, False])
    def test_what_is_found_beside_a_project_is_told_by_that_ones_own_run_if_it_has_an_answer(
        self, machine: Machine, working: bool
    ):
        ending = "" if working else "if os.getcwd().endswith('b'): sys.exit(2)"
        item = (
            "[{'check_name': 'c', 'description': 'm', 'severity': 'major', 'location': {'path': '../b/a.py',"
            " 'positions': {'begin': {'line': 1, 'column': 1}, 'end': {'line': 1, 'column': 1}}}}]"
        )
        machine.has(ty=f"import json\n{ending}\nprint(json.dumps({item}))")
        files(machine.workspace, {f"{name}/{file}": "" for name in "ab" for file in ("ty.toml", "a.py")})
        result = check(machine.workspace, named("ty"))
        assert [each["total"] for each in result.data["checkers"]] == ([0, 1] if working else [1, 0])

    def test_a_configuration_holds_for_the_projects_inside_that_have_none(self, machine: Machine):
        machine.has(ty=TY, ruff=RUFF)
        files(machine.workspace, {"ty.toml": "", "a.py": "", "in/pyproject.toml": "", "in/a.py": ""})
        roots = [(each["checker"], each["root"]) for each in check(machine.workspace).data["checkers"]]
        assert roots == [("ty", "the workspace"), ("ruff", "the workspace"), ("ruff", "in")]
        files(machine.workspace, {"ruff.toml": "", "in/ty.toml": ""})
        roots = [(each["checker"], each["root"]) for each in check(machine.workspace).data["checkers"]]
        assert roots == [("ty", "the workspace"), ("ruff", "the workspace"), ("ty", "in")]

    def test_fifty_problems_of_a_checker_are_shown_in_all_its_projects(self, machine: Machine):
        machine.has(
            ty="import json\nprint(json.dumps([{'check_name': 'c', 'description': 'm', 'severity': 'major', 'location':"
            " {'path': 'a.py', 'positions': {'begin': {'line': n, 'column': 1}, 'end': {'line': n, 'column': 1}}}}"
            " for n in range(1, 41)]))"
        )
        files(machine.workspace, {f"{name}/{file}": "" for name in "abc" for file in ("ty.toml", "a.py")})
        result = check(machine.workspace, named("ty"))
        assert len(result.data["problems"]) == 50 and result.data["total"] == 120
        assert result.text.count("more problems") == 2

    def test_two_run_at_once(self, machine: Machine, tmp_path: Path):
        log = tmp_path / "log"
        machine.has(
            ty=f"log = os.open({str(log)!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
            "os.write(log, b'+'); time.sleep(0.2); os.write(log, b'-'); print('[]')"
        )
        files(machine.workspace, {f"{name}/{file}": "" for name in "abcd" for file in ("ty.toml", "a.py")})
        progress: list[str] = []
        check(machine.workspace, named("ty"), progress=progress)
        running = [log.read_text()[:n].count("+") - log.read_text()[:n].count("-") for n in range(1, 9)]
        assert max(running) == 2
        assert progress[0] == "ty in a runs (0 of 4 ended)"
        assert progress[-1] in ("ty in d runs (2 of 4 ended)", "ty in d runs (3 of 4 ended)")

    def test_no_more_than_twenty_run(self, machine: Machine):
        machine.has(ty=TY)
        files(machine.workspace, {f"p{n:02}/{file}": "" for n in range(22) for file in ("ty.toml", "a.py")})
        result = check(machine.workspace, named("ty"))
        assert len(ran(result)) == 20
        assert "not run: ty in p21: 20 others run already" in result.text

    def test_denos_projects_are_not_the_compilers(self, machine: Machine):
        machine.has(tsc="")
        files(machine.workspace, {"tsconfig.json": "{}", "deno.json": "{}", "a.ts": ""})
        result = check(machine.workspace)
        assert result.is_error and "tsc in" not in result.text


class TestTheTool:
    def test_diagnostics_of_a_star_is_a_read_that_runs_the_checkers(self, machine: Machine):
        machine.has(ty=TY, ruff=RUFF)
        files(machine.workspace, {"ty.toml": "", "a.py": ""})

        async def main() -> Any:
            async with asyncio.timeout(SECONDS), open_run(machine.workspace, ["lsp"]) as run:
                return await run.surface(Tier.READ).call("lsp", {"action": "diagnostics", "file": "*"})

        result = asyncio.run(main())
        assert result.text.startswith("no problems (ty, ruff)\n")

    def test_a_call_that_is_cancelled_ends_its_checkers(self, machine: Machine, tmp_path: Path):
        pipe = tmp_path / "pid"
        os.mkfifo(pipe)
        machine.has(ty=f"open({str(pipe)!r}, 'w').write(str(os.getpid())); time.sleep(1000)")
        files(machine.workspace, {"ty.toml": "", "a.py": ""})

        async def main() -> str:
            async with asyncio.timeout(SECONDS), open_run(machine.workspace, ["lsp"]) as run:
                call = run.surface(Tier.READ).call("lsp", {"action": "diagnostics", "file": "*"})
                task = asyncio.create_task(call)
                pid = await asyncio.to_thread(pipe.read_text)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                return pid if Path(f"/proc/{pid}").exists() else ""

        assert asyncio.run(main()) == ""


class TestEnvironment:
    def test_secrets_of_the_harness_do_not_reach_it(
        self, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("SECRET_KEY", "hidden-value")
        seen = tmp_path / "seen"
        machine.has(ty=f"open({str(seen)!r}, 'w').write(repr(dict(os.environ)) + os.getcwd()); print('[]')")
        files(machine.workspace, {"ty.toml": "", "a.py": ""})
        check(machine.workspace, named("ty"))
        assert "hidden-value" not in seen.read_text()
        assert seen.read_text().endswith(str(machine.workspace.resolve()))
