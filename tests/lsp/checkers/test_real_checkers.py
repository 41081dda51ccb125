"""Real checkers on small projects, with known errors and without; nothing of theirs stays in the workspace (lsp:project-check)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest
from lsp.checkers.doubles import check, files
from lsp.servers import find, program, search_path
from toolpost import Result
from toolpost_lsp.checkers.known import CHECKERS

pytestmark = pytest.mark.requirement("lsp:project-check", "lsp:encoding")

EMOJI = 's = "😀é"; x: int = s\n'
PROGRAMS = {"pyright", "ty", "pyrefly", "zuban", "ruff", "tsc", "go"}
"""Those that CI has; mypy comes with this project's own tools."""


@attrs.frozen(kw_only=True)
class Project:
    """A project and the problem that its checker finds in it; `clean` are the files that repair it."""

    texts: Mapping[str, str]
    problem: str
    clean: Mapping[str, str]


def python(problem: str, texts: Mapping[str, str], code: str = EMOJI) -> Project:
    return Project(texts={**texts, "a.py": code}, problem=problem, clean={"a.py": 's = "😀é"\n'})


OPTIONS = '"strict": true, "composite": true, "generateTrace": "trace"'
PROJECTS = {
    "pyright": python("a.py:1:20: error[reportAssignmentType]", {"pyrightconfig.json": "{}"}),
    "ty": python("a.py:1:20: error[invalid-assignment]", {"ty.toml": ""}),
    "pyrefly": python("a.py:1:20: error[bad-assignment]", {"pyrefly.toml": ""}),
    "zuban": python("a.py:1:20: error[assignment]", {"pyproject.toml": "[tool.zuban]\n"}),
    # Its columns are wrong behind what is no ASCII.
    "mypy": python("a.py:1:10: error[assignment]", {"mypy.ini": "[mypy]\n"}, 'x: int = ""\n'),
    "ruff": Project(
        texts={"ruff.toml": 'fix = true\nlint.select = ["E703"]\n', "a.py": 'x = "😀é"; y = 1;\n'},
        problem="a.py:1:16: error[E703]",
        clean={"a.py": "x = 1\n"},
    ),
    "tsc": Project(
        texts={
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"},],} // only references',
            "tsconfig.app.json": f'{{"compilerOptions": {{{OPTIONS}}}, "include": ["src"]}}',
            "src/a.ts": 'const s = "😀é"; const x: number = s;\n',
        },
        problem="src/a.ts:1:23: error[TS2322]",
        clean={"src/a.ts": "export const x: number = 1;\n"},
    ),
    "go vet": Project(
        texts={
            "go.mod": "module m\n\ngo 1.19\n",
            "a.go": 'package m\n\nfunc F() int { s := "😀é"; return s }\n',
        },
        problem="a.go:3:34: error cannot use s",
        clean={"a.go": "package m\n\nfunc F() int { return 1 }\n"},
    ),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All projects, a folder for each."""
    folder = tmp_path_factory.mktemp("workspace")
    for name, project in PROJECTS.items():
        files(folder / name, project.texts)
    return folder


@pytest.fixture(scope="module")
def broken(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return checked(workspace, tmp_path_factory)


@pytest.fixture(scope="module")
def repaired(workspace: Path, broken: Result, tmp_path_factory: pytest.TempPathFactory) -> Result:
    for name, project in PROJECTS.items():
        files(workspace / name, project.clean)
    return checked(workspace, tmp_path_factory)


def checked(workspace: Path, folders: pytest.TempPathFactory) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOLPOST_STATE_HOME", str(folders.mktemp("state")))
        patch.setenv("PATH", os.pathsep.join([search_path(), str(Path(sys.executable).parent)]))
        return check(workspace, trust="full")


def run_of(result: Result, name: str) -> Mapping[str, object]:
    word = name.partition(" ")[0]
    if word in PROGRAMS:
        program(word)  # skips where it is missing, and fails in CI
    assert not result.is_error, result.text
    return next(each for each in result.data["checkers"] if (each["checker"], each["root"]) == (name, name))


@pytest.mark.parametrize("name", PROJECTS)
class TestOf:
    def test_it_finds_the_problem_where_it_is(self, broken: Result, name: str):
        run = run_of(broken, name)
        assert (run["state"], run["total"]) == ("problems", 1), run
        assert f"\n{name}/{PROJECTS[name].problem} " in broken.text

    def test_it_finds_none_where_there_is_none(self, repaired: Result, name: str):
        run = run_of(repaired, name)
        assert (run["state"], run["reason"], run["total"]) == ("clean", "", 0), run


@pytest.mark.parametrize("name", ["pyright", "ty", "pyrefly", "zuban", "mypy", "ruff", "tsc"])
def test_a_project_in_which_it_finds_no_files_is_not_clean(
    name: str, toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    excluded = {
        "pyright": {"pyrightconfig.json": '{"exclude": ["**"]}'},
        "ty": {"ty.toml": '[src]\nexclude = ["**"]\n'},
        "pyrefly": {"pyrefly.toml": 'project-includes = ["no.py"]\n'},
        "zuban": {"pyproject.toml": '[tool.zuban]\nexclude = ["a.py"]\n'},
        "mypy": {"mypy.ini": "[mypy]\nexclude = a\n"},
        "ruff": {"ruff.toml": 'exclude = ["*"]\n'},
        "tsc": {"tsconfig.json": '{"include": ["no"]}'},
    }
    if name in PROGRAMS:
        program(name)
    monkeypatch.setenv("PATH", os.pathsep.join([search_path(), str(Path(sys.executable).parent)]))
    files(toolpost_workspace, {**excluded[name], "a.py": "", "a.ts": ""})
    result = check(toolpost_workspace, tuple(each for each in CHECKERS if each.id == name), trust="full")
    assert result.is_error, result.text
    assert result.data["checkers"][0]["state"] == "failed"


HOSTILE = "open({mark!r}, 'w').close()\nraise SystemExit\n"
MODULES = ("os", "re", "json", "site", "sitecustomize", "usercustomize", "typing", "encodings", "conftest", "setup")


@pytest.mark.parametrize("name", ["pyright", "ty", "zuban", "ruff", "tsc", "go vet"])
def test_it_runs_nothing_of_a_checkout_that_is_not_trusted(
    name: str, toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    program(name.partition(" ")[0])
    mark = tmp_path / "ran"
    body = HOSTILE.format(mark=str(mark))
    files(
        toolpost_workspace,
        {
            **{f"{module}.py": body for module in MODULES},
            "pyproject.toml": '[tool.pyright]\nvenvPath = "."\nvenv = ".venv"\n[tool.ty.environment]\npython = ".venv"\n'
            '[tool.zuban]\npython_executable = ".venv/bin/python"\n',
            ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11\n",
            ".venv/lib/python3.11/site-packages/evil.pth": f"import os; open({str(mark)!r}, 'w')\n",
            "tsconfig.json": '{"compilerOptions": {"plugins": [{"name": "evil"}]}}',
            "a.ts": "export const x = 1;\n",
            "node_modules/typescript/lib/tsc.js": f"require('fs').writeFileSync({str(mark)!r}, '')",
            "node_modules/evil/index.js": f"require('fs').writeFileSync({str(mark)!r}, '')",
            "go.mod": "module m\n\ngo 1.19\n",
            "a.go": "package m\n\n//go:generate sh -c 'touch " + str(mark) + "'\n",
        },
    )
    for folder, programs in (
        (".venv/bin", ("python", "python3", "ty", "ruff")),
        ("node_modules/.bin", ("tsc", "node")),
    ):
        for each in programs:
            path = toolpost_workspace / folder / each
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\n: > '{mark}'\n")
            path.chmod(0o755)
    monkeypatch.setenv("PATH", search_path())
    result = check(toolpost_workspace, tuple(each for each in CHECKERS if each.id == name))
    assert [each["checker"] for each in result.data["checkers"]] == [name], result.text
    assert not mark.exists()


def test_a_plugin_of_mypy_runs_with_full_trust_only(
    toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    mark = tmp_path / "ran"
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    files(
        toolpost_workspace,
        {
            "mypy.ini": "[mypy]\nplugins = own.py\n",
            "own.py": f"open({str(mark)!r}, 'w').close()\nfrom mypy.plugin import Plugin\n"
            "def plugin(version: str) -> type[Plugin]:\n    return Plugin\n",
        },
    )
    mypy = tuple(each for each in CHECKERS if each.id == "mypy")
    for trust in ("none", "interpreter"):
        assert check(toolpost_workspace, mypy, trust=trust).is_error
        assert not mark.exists()
    check(toolpost_workspace, mypy, trust="full")
    assert mark.exists()


class TestCargo:
    @pytest.fixture
    def crate(self, toolpost_workspace: Path) -> Path:
        if find("cargo") is None:
            pytest.skip("cargo is not on this machine; CI has none either")
        files(
            toolpost_workspace,
            {
                "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
                "Cargo.lock": 'version = 3\n\n[[package]]\nname = "a"\nversion = "0.1.0"\n',
                "src/lib.rs": 'pub fn f() -> u32 { let s = "😀é"; s }\n',
            },
        )
        return toolpost_workspace

    def test_it_finds_the_problem_where_it_is(self, crate: Path):
        result = check(crate, trust="full")
        assert result.text.startswith("1 error (cargo check)")
        assert "src/lib.rs:1:35: error[E0308] mismatched types" in result.text

    def test_it_writes_no_lock_file(self, crate: Path):
        (crate / "Cargo.lock").unlink()
        result = check(crate, trust="full")
        assert result.is_error and "run cargo generate-lockfile" in result.text
