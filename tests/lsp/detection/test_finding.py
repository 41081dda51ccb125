"""Which server serves a file: a marker and a program that answers; either alone starts nothing (lsp:intersection)."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from toolpost import Run, allow_all
from toolpost.testing import open_run
from toolpost_lsp.detection.detect import Detection, Finding, NotUsable, Usable

GOOD = "#!/bin/sh\necho tool 4.5.6\n"
RUSTUP = "#!/bin/sh\necho \"error: Unknown binary 'rust-analyzer' in official toolchain\" >&2\nexit 1\n"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))  # machines have servers of their own
    return folder


def install(folder: Path, name: str, text: str = GOOD) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def put(workspace: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(text)


def play(workspace: Path, work: Callable[[Run, Detection], Awaitable[None]], **config: Any) -> None:
    async def main() -> None:
        async with (
            asyncio.timeout(60),
            open_run(workspace, ["lsp"], approver=allow_all, trust="full", config={"lsp": config}) as run,
        ):
            await work(run, run.bindings["lsp"].handle.detection)

    asyncio.run(main())


def found(findings: tuple[Finding, ...], name: str) -> Finding:
    return next(each for each in findings if each.definition.id == name)


def look(workspace: Path, path: str, name: str, **config: Any) -> Finding:
    """What is found of one server for one file."""
    kept: list[Finding] = []

    async def work(run: Run, detection: Detection) -> None:
        kept.append(found(await detection.of_file(path), name))

    play(workspace, work, **config)
    return kept[0]


# ---- the two halves -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("lsp:intersection")
def test_a_marker_and_a_program_make_a_server(toolpost_workspace: Path, programs: Path) -> None:
    put(toolpost_workspace, {"go.mod": "", "a.go": ""})
    program = install(programs, "gopls")
    server = look(toolpost_workspace, "a.go", "gopls")
    assert isinstance(server, Usable)
    assert (server.command[0], server.root, server.marker) == (str(program), str(toolpost_workspace), "go.mod")
    assert server.version == "4.5.6"


@pytest.mark.requirement("lsp:intersection")
@pytest.mark.parametrize(
    ("files", "program", "lack", "says"),
    [
        ({"a.go": ""}, GOOD, "no project", "go.mod"),
        ({"a.go": "", "go.mod": ""}, None, "no program", "go install"),
        ({"a.go": ""}, None, "no project", "not found either"),
        ({"a.go": "", "go.mod": ""}, RUSTUP, "stub", "Unknown binary"),
        ({"a.go": "", "go.mod": ""}, "#!/bin/sh\nexit 0\n", None, ""),
        ({"a.go": "", "go.mod": ""}, "#!/nowhere/at/all\n", "stub", "gopls"),
        ({"a.go": "", "go.mod": ""}, "#!/bin/sh\nkill -9 $$\n", "stub", "gopls"),
    ],
    ids=["no marker", "no program", "neither", "a stub", "no version", "no interpreter", "killed"],
)
def test_what_is_missing_is_named(
    toolpost_workspace: Path, programs: Path, files: Mapping[str, str], program: str | None, lack: str | None, says: str
) -> None:
    put(toolpost_workspace, files)
    if program is not None:
        install(programs, "gopls", program)
    server = look(toolpost_workspace, "a.go", "gopls")
    if lack is None:
        assert isinstance(server, Usable)
        return
    assert isinstance(server, NotUsable) and server.lack == lack
    assert says in f"{server.reason} {server.remedy}", server


@pytest.mark.requirement("lsp:intersection")
def test_a_program_that_hangs_or_floods_is_no_server(
    toolpost_workspace: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost_lsp.detection.binaries.SECONDS", 0.5)
    put(toolpost_workspace, {"a.go": "", "go.mod": "", "Cargo.toml": "", "a.rs": ""})
    install(programs, "gopls", "#!/bin/sh\n/bin/sleep 60\n")
    install(programs, "rust-analyzer", "#!/bin/sh\n/usr/bin/yes 1.2.3\n")
    hangs = look(toolpost_workspace, "a.go", "gopls")
    assert isinstance(hangs, NotUsable) and hangs.lack == "stub" and "did not answer" in hangs.reason
    assert isinstance(look(toolpost_workspace, "a.rs", "rust-analyzer"), NotUsable)


def test_what_may_not_be_run_is_not_found(toolpost_workspace: Path, programs: Path) -> None:
    put(toolpost_workspace, {"a.go": "", "go.mod": ""})
    install(programs, "gopls").chmod(stat.S_IRUSR | stat.S_IWUSR)
    server = look(toolpost_workspace, "a.go", "gopls")
    assert isinstance(server, NotUsable) and server.lack == "no program"


def test_a_program_is_asked_once_until_it_changes(toolpost_workspace: Path, programs: Path, tmp_path: Path) -> None:
    put(toolpost_workspace, {"a.go": "", "go.mod": ""})
    log = tmp_path / "asked"
    program = install(programs, "gopls", f"#!/bin/sh\necho asked >> {log}\necho 1.0.0\n")

    async def work(run: Run, detection: Detection) -> None:
        for _ in range(3):
            await detection.of_file("a.go")
        assert log.read_text().count("asked") == 1
        install(programs, "gopls", f"#!/bin/sh\necho asked >> {log}\necho 2.0.0 now longer\n")
        server = found(await detection.of_file("a.go"), "gopls")
        assert isinstance(server, Usable) and server.version == "2.0.0"

    play(toolpost_workspace, work)
    assert program.exists()


# ---- projects -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("lsp:intersection")
@pytest.mark.parametrize(
    ("files", "path", "server", "root"),
    [
        ({"go.mod": "", "in/go.mod": ""}, "in/deep/a.go", "gopls", "in"),
        ({"go.work": "", "in/go.mod": ""}, "in/a.go", "gopls", ""),
        ({"Cargo.toml": "[workspace]\n", "in/Cargo.toml": "[package]\n"}, "in/a.rs", "rust-analyzer", ""),
        ({"Cargo.toml": "[package]\n", "in/Cargo.toml": "[package]\n"}, "in/a.rs", "rust-analyzer", "in"),
        ({"pyproject.toml": "", "kiosk/__init__.py": "", "kiosk/setup.cfg": ""}, "kiosk/a.py", "ruff", ""),
        ({"go.mod": "", "node_modules/x/go.mod": ""}, "node_modules/x/a.go", "gopls", ""),
        ({"build/compile_commands.json": "[]"}, "src/a.c", "clangd", ""),
        ({"pyproject.toml": "not = [toml", "a/b.py": ""}, "a/b.py", "ruff", ""),
    ],
    ids=[
        "nearest",
        "go.work",
        "cargo workspace",
        "no cargo workspace",
        "a package is no project",
        "vendored",
        "a path",
        "malformed",
    ],
)
def test_the_project_of_a_file(
    toolpost_workspace: Path, programs: Path, files: Mapping[str, str], path: str, server: str, root: str
) -> None:
    put(toolpost_workspace, {**files, path: ""})
    for name in ("gopls", "rust-analyzer", "ruff", "clangd"):
        install(programs, name)
    usable = look(toolpost_workspace, path, server)
    assert isinstance(usable, Usable), usable
    assert usable.root == str(toolpost_workspace / root if root else toolpost_workspace)


def test_deno_is_not_typescripts(toolpost_workspace: Path, programs: Path) -> None:
    put(toolpost_workspace, {"package.json": "{}", "deno.json": "{}", "a.ts": ""})
    install(programs, "tsgo")
    server = look(toolpost_workspace, "a.ts", "tsgo")
    assert isinstance(server, NotUsable) and server.lack == "another's project" and "deno.json" in server.reason


# ---- the one of several ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("lsp:multi-server")
@pytest.mark.parametrize(
    ("files", "config", "chosen"),
    [
        ({"pyproject.toml": ""}, {}, "pyright"),
        ({"pyproject.toml": "[tool.ty]\n"}, {}, "ty"),
        ({"pyproject.toml": "", "ty.toml": ""}, {}, "ty"),
        ({"pyproject.toml": "[tool.basedpyright]\n"}, {}, "basedpyright"),
        ({"pyproject.toml": "[tool.zuban]\n"}, {"disabled": ["zuban"]}, "pyright"),
        ({"pyproject.toml": "[tool.ty]\n"}, {"prefer": ["zuban"]}, "zuban"),
    ],
)
def test_a_language_has_one_server_for_types_and_linters_beside_it(
    toolpost_workspace: Path, programs: Path, files: Mapping[str, str], config: Mapping[str, Any], chosen: str
) -> None:
    put(toolpost_workspace, {**files, "a.py": ""})
    for name in ("pyright-langserver", "basedpyright-langserver", "ty", "zuban", "ruff"):
        install(programs, name)

    async def work(run: Run, detection: Detection) -> None:
        usable = [each.definition.id for each in await detection.of_file("a.py") if isinstance(each, Usable)]
        assert usable == [chosen, "ruff"]
        for each in await detection.of_file("a.py"):
            if isinstance(each, NotUsable) and each.lack == "not chosen":
                assert chosen in each.reason and each.definition.id in each.remedy

    play(toolpost_workspace, work, **config)


def test_a_command_of_the_configuration_takes_the_place_of_the_known_one(
    toolpost_workspace: Path, programs: Path, tmp_path: Path
) -> None:
    put(toolpost_workspace, {"go.mod": "", "a.go": ""})
    mine = install(tmp_path, "my-gopls")
    server = look(toolpost_workspace, "a.go", "gopls", commands={"gopls": [str(mine), "serve"]})
    assert isinstance(server, Usable) and server.command == (str(mine), "serve")


def test_a_program_under_another_of_its_names_is_found(toolpost_workspace: Path, programs: Path) -> None:
    put(toolpost_workspace, {"compile_flags.txt": "", "a.c": ""})
    program = install(programs, "clangd-15")
    server = look(toolpost_workspace, "a.c", "clangd")
    assert isinstance(server, Usable) and server.command[0] == str(program)
