"""Servers that only the full suite runs: each finds what is broken, sees it mended, and navigates, from its first call on."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.servers import node_modules
from lsp.writing.projects import put
from toolpost import Result, Tier, allow_all
from toolpost.testing import open_run

pytestmark = pytest.mark.slow

SECONDS = 60
USERS = 20

Ask = Callable[..., Awaitable[Result]]


@attrs.frozen(kw_only=True)
class Other:
    """One server and a project of its kind.

    Attributes:
        programs: what must be on PATH, the server's first.
        files: of the project; the first is the one that is broken and mended.
        broken: what the first file's text is replaced by, piece by piece.
        problems: what is said of it then, without its path.
        first: the first question to the fresh server: action, line, symbol.
        answer: the places of its answer.
        trusted: whether it needs the checkout's own code.
    """

    programs: tuple[str, ...]
    files: Mapping[str, str]
    broken: tuple[str, str]
    problems: tuple[str, ...]
    first: tuple[str, int, str] | None = None
    answer: tuple[str, ...] = ()
    trusted: bool = False

    @property
    def file(self) -> str:
        return next(iter(self.files))


_PYTHON = "def total(values: list[int]) -> int:\n    return sum(values)\n\n\nkept: int = 0\n"
_PYTHON_USE = "from core import total\n\nresult = total([1])\n"
_TYPESCRIPT = "export function total(value: number): number {\n  return value + 1;\n}\nexport const kept: number = 0;\n"
_TYPESCRIPT_USE = 'import { total } from "./core";\n\nexport const result = total(1);\n'
_TSCONFIG = json.dumps({"compilerOptions": {"strict": True, "module": "es2022", "target": "es2022", "types": []}})
_GIT = {".git/HEAD": ""}


def _python(program: str, broken: tuple[str, str], *problems: str, settings: str = "") -> Other:
    users = {f"use{number:02}.py": _PYTHON_USE for number in range(USERS)}
    return Other(
        programs=(program,),
        files={"core.py": _PYTHON, **users, "pyproject.toml": settings},
        broken=broken,
        problems=problems,
        first=("references", 1, "total"),
        answer=("core.py:1", *(f"{name}:{line}" for name in users for line in (1, 3))),
    )


def _typescript(program: str, *problems: str) -> Other:
    users = {f"use{number:02}.ts": _TYPESCRIPT_USE for number in range(USERS)}
    return Other(
        programs=(program,),
        files={"core.ts": _TYPESCRIPT, **users, "tsconfig.json": _TSCONFIG},
        broken=("kept: number = 0", 'kept: number = "a"'),
        problems=problems,
        first=("references", 1, "total"),
        answer=("core.ts:1", *(f"{name}:{line}" for name in users for line in (1, 3))),
    )


_ESLINT = 'export default [{ rules: { "prefer-const": "error" } }];\n'
_SCHEMA = json.dumps({"type": "object", "properties": {"one": {"type": "number"}}})

OTHERS: Mapping[str, Other] = {
    "basedpyright": _python(
        "basedpyright-langserver",
        ("kept: int = 0", 'kept: int = "a"'),
        '5:13: error[reportAssignmentType] Type "Literal[\'a\']" is not assignable to declared type "int" '
        '"Literal[\'a\']" is not assignable to "int"',
        settings="[tool.basedpyright]\n",
    ),
    "jedi-language-server": _python(
        "jedi-language-server",
        ("def total(", "def total(("),
        "1:11: error SyntaxError: Function parameters cannot be parenthesized (core.py, line 1)",
    ),
    "python-lsp-server": _python("pylsp", ("sum(values)", "sum(valuez)"), "2:16: error undefined name 'valuez'"),
    "tsgo": _typescript("tsgo", "4:14: error[2322] Type 'string' is not assignable to type 'number'."),
    "vtsls": _typescript("vtsls", "4:14: error[2322] Type 'string' is not assignable to type 'number'."),
    "eslint": Other(
        programs=("vscode-eslint-language-server",),
        files={
            "core.js": "export const kept = 0;\n",
            "eslint.config.js": _ESLINT,
            "package.json": '{"type": "module"}',
        },
        broken=("export const kept = 0;", "let kept = 0;\nexport { kept };"),
        problems=("1:5: error[prefer-const] 'kept' is never reassigned. Use 'const' instead.",),
        trusted=True,
    ),
    "bash-language-server": Other(
        programs=("bash-language-server", "shellcheck"),
        files={
            "core.sh": '#!/bin/bash\n. ./library.sh\nhello "$1"\n',
            "library.sh": '#!/bin/bash\nhello() {\n  echo "$1"\n}\n',
            **_GIT,
        },
        broken=('hello "$1"', "hello $1"),
        problems=("3:7: info[SC2086] Double quote to prevent globbing and word splitting.",),
        first=("references", 3, "hello"),
        answer=("library.sh:2", "core.sh:3"),
    ),
    "vscode-json-language-server": Other(
        programs=("vscode-json-language-server",),
        files={"core.json": '{"$schema": "https://example.invalid/schema.json", "one": 1}\n', **_GIT},
        broken=('"one": 1', '"one": 1 1'),
        problems=("1:61: error[514] Expected comma",),
    ),
    "vscode-css-language-server": Other(
        programs=("vscode-css-language-server",),
        files={"core.css": ":root { --main: red; }\n.a { color: var(--main); }\n", **_GIT},
        broken=("color:", "colour:"),
        problems=("2:6: warning[unknownProperties] Unknown property: 'colour'",),
        first=("references", 2, "--main"),
        answer=("core.css:1", "core.css:2"),
    ),
    "vscode-html-language-server": Other(
        programs=("vscode-html-language-server",),
        files={
            "core.html": "<html>\n<style>\n.a { color: red; }\n</style>\n<script>\nconst kept = 0;\nconsole.log(kept);\n"
            "</script>\n</html>\n",
            **_GIT,
        },
        broken=("const kept = 0;", "const kept = ;"),
        problems=("6:14: error Expression expected.",),
        first=("references", 7, "kept"),
        answer=("core.html:6", "core.html:7"),
    ),
    "yaml-language-server": Other(
        programs=("yaml-language-server",),
        files={"core.yaml": "# yaml-language-server: $schema=./schema.json\none: 1\n", "schema.json": _SCHEMA, **_GIT},
        broken=("one: 1", "one: a"),
        problems=('2:6: error[0] Incorrect type. Expected "number".',),
    ),
}
"""By the server's id."""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only one on PATH beside the system's."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def project(other: Other, folder: Path) -> Path:
    for name, text in other.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def install_eslint(folder: Path) -> None:
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "eslint").symlink_to(node_modules("-full") / "eslint")


def ask_in(folder: Path, main: Callable[[Ask], Awaitable[None]], *, trusted: bool = False) -> None:
    """Ask in a run that is closed in a bounded time."""

    async def run_it() -> None:
        terms: dict[str, Any] = {"approver": allow_all, "trust": "full" if trusted else "none"}
        async with asyncio.timeout(SECONDS), open_run(folder, ["files", "lsp"], **terms) as run:

            async def ask(action: str, **more: Any) -> Result:
                return await run.surface(Tier.WRITE).call("lsp", {"action": action, **more})

            await main(ask)

    asyncio.run(run_it())


def said(result: Result, file: str) -> tuple[str, ...]:
    """The problems that are told, without the file's path and the server's name."""
    assert not result.is_error, result.text
    lines = result.text.splitlines()[1:]
    return tuple(line.removeprefix(f"{file}:").rpartition(" (")[0] for line in lines)


@pytest.mark.requirement("lsp:fresh", "lsp:readiness", "core:processes")
@pytest.mark.parametrize("name", OTHERS)
def test_a_server_navigates_and_sees_what_breaks_and_what_is_mended(name: str, tmp_path: Path, programs: Path) -> None:
    other = OTHERS[name]
    put(programs, *other.programs)
    folder = project(other, tmp_path / "project")
    if other.trusted:
        install_eslint(folder)
    file, text = other.file, other.files[other.file]
    assert text.count(other.broken[0]) == 1
    ids: list[int] = []

    async def main(ask: Ask) -> None:
        if other.first:
            action, line, symbol = other.first
            found = await ask(action, file=file, line=line, symbol=symbol)
            assert tuple(each.split("  ")[0] for each in found.text.splitlines()[1:]) == other.answer, found.text
        for turn in range(3):
            (folder / file).write_text(text.replace(*other.broken))
            assert said(await ask("diagnostics", file=file), file) == other.problems, turn
            (folder / file).write_text(text)
            assert said(await ask("diagnostics", file=file), file) == (), turn
        status = await ask("status", file=file)
        ids.extend(each["pid"] for each in (status.data or {})["servers"] if each.get("pid"))
        assert len(ids) == 1 and alive(ids[0])

    ask_in(folder, main, trusted=other.trusted)
    assert not alive(ids[0])


def alive(pid: int) -> bool:
    """Whether a process of the group that a server leads runs."""
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return True


def without_eslint(folder: Path) -> None:
    """It has a configuration, and nothing that could read it."""


def with_a_broken_configuration(folder: Path) -> None:
    install_eslint(folder)
    (folder / "eslint.config.js").write_text("nonsense(((")


@pytest.mark.requirement("write:three-answers", "lsp:multi-server")
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (without_eslint, "the project has no eslint installed"),
        (with_a_broken_configuration, "its configuration cannot be used"),
    ],
)
def test_an_eslint_that_cannot_check_is_no_clean_file(
    spoil: Callable[[Path], None], reason: str, tmp_path: Path, programs: Path
) -> None:
    other = OTHERS["eslint"]
    put(programs, *other.programs)
    folder = project(other, tmp_path / "project")
    spoil(folder)

    async def main(ask: Ask) -> None:
        result = await ask("diagnostics", file=other.file)
        assert result.is_error and "not available" in result.text, result.text
        assert reason in (await ask("status", file=other.file)).text

    ask_in(folder, main, trusted=True)


@pytest.mark.requirement("lsp:intersection")
def test_an_eslint_of_an_untrusted_project_says_what_it_lacks(tmp_path: Path, programs: Path) -> None:
    other = OTHERS["eslint"]
    put(programs, *other.programs)
    folder = project(other, tmp_path / "project")

    async def main(ask: Ask) -> None:
        result = await ask("diagnostics", file=other.file)
        assert result.is_error and 'trust="full"' in result.text, result.text

    ask_in(folder, main)


@pytest.mark.requirement("write:three-answers")
def test_shell_scripts_are_not_called_clean_where_nothing_checks_them(tmp_path: Path, programs: Path) -> None:
    other = OTHERS["bash-language-server"]
    put(programs, "bash-language-server")
    folder = project(other, tmp_path / "project")

    async def main(ask: Ask) -> None:
        result = await ask("diagnostics", file=other.file)
        assert result.is_error and "not available" in result.text, result.text
        assert "shellcheck is not on PATH" in (await ask("status", file=other.file)).text

    ask_in(folder, main)


@pytest.mark.requirement("lsp:readiness")
@pytest.mark.parametrize("name", ["jedi-language-server", "python-lsp-server"])
def test_a_server_that_looks_at_some_files_only_says_so(name: str, tmp_path: Path, programs: Path) -> None:
    put(programs, *OTHERS[name].programs)
    folder = project(OTHERS[name], tmp_path / "project")
    for number in range(40):
        (folder / f"more{number}.py").write_text(_PYTHON_USE)

    async def main(ask: Ask) -> None:
        result = await ask("references", file="core.py", line=1, symbol="total")
        assert (result.data or {})["total"] < 1 + 2 * (USERS + 40)
        assert "30 files that name it at most" in result.text.splitlines()[0]

    ask_in(folder, main)
