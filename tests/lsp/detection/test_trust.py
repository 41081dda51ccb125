"""What a checkout brings along runs only where it was trusted (core:trust, facts §6)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from toolpost import Run, Tier, Trust, allow_all
from toolpost.testing import open_run
from toolpost_lsp.detection.detect import Detection, Finding, NotUsable, Usable

TRUSTS: tuple[Trust, ...] = ("none", "interpreter", "full")


class Checkout:
    """A project that holds programs of its own; each leaves a mark where it is run."""

    def __init__(self, workspace: Path, outside: Path) -> None:
        self.workspace, self.outside = workspace, outside
        self.mark = outside / "ran"
        outside.mkdir()
        self.put("pyproject.toml", "[project]\n")
        self.put("a.py", "x = 1\n")

    def put(self, name: str, text: str = "") -> Path:
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, path: Path | str, *, marks: bool = True) -> Path:
        """A server's program that says a version."""
        path = self.workspace / path
        path.parent.mkdir(parents=True, exist_ok=True)
        mark = f'echo "$0" >> {self.mark}\n' if marks else ""
        path.write_text(f"#!/bin/sh\n{mark}echo 1.2.3\n")
        path.chmod(0o755)
        return path

    @property
    def ran(self) -> bool:
        return self.mark.exists()


@pytest.fixture
def checkout(toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    checkout = Checkout(toolpost_workspace, tmp_path / "outside")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return checkout


def play(workspace: Path, trust: Trust, work: Callable[[Run, Detection], Awaitable[None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(30), open_run(workspace, ["lsp"], trust=trust, approver=allow_all) as run:
            await work(run, run.bindings["lsp"].handle.detection)

    asyncio.run(main())


def found(findings: tuple[Finding, ...], name: str) -> Finding:
    return next(each for each in findings if each.definition.id == name)


@pytest.mark.requirement("core:trust", "lsp:intersection")
@pytest.mark.parametrize("trust", TRUSTS)
@pytest.mark.parametrize("where", [".venv/bin/ty", "venv/bin/ty", "node_modules/.bin/ty"])
def test_a_program_of_the_checkout_runs_with_full_trust_only(checkout: Checkout, trust: Trust, where: str) -> None:
    program = checkout.program(where)

    async def work(run: Run, detection: Detection) -> None:
        ty = found(await detection.of_file("a.py"), "ty")
        if trust == "full":
            assert isinstance(ty, Usable) and ty.command[0] == str(program) and ty.version == "1.2.3"
        else:
            assert isinstance(ty, NotUsable) and ty.lack == "not trusted"
            assert str(program) in ty.reason and 'trust="full"' in ty.remedy

    play(checkout.workspace, trust, work)
    assert checkout.ran == (trust == "full")


@pytest.mark.requirement("core:trust")
@pytest.mark.parametrize("entry", ["bin", "", ".", "absolute", "link"])
def test_what_path_leads_into_the_checkout_is_not_looked_in(
    checkout: Checkout, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.program("bin/ty")
    checkout.program("ty")
    link = checkout.outside / "link"
    link.symlink_to(checkout.workspace / "bin")
    entries = {"absolute": str(checkout.workspace / "bin"), "link": str(link)}
    monkeypatch.setenv("PATH", f"{entries.get(entry, entry)}:/usr/bin:/bin")
    monkeypatch.chdir(checkout.workspace)

    async def work(run: Run, detection: Detection) -> None:
        assert isinstance(found(await detection.of_file("a.py"), "ty"), NotUsable)

    play(checkout.workspace, "none", work)
    assert not checkout.ran


@pytest.mark.requirement("core:trust")
def test_a_link_on_path_that_leads_into_the_checkout_is_not_followed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout.outside / "ty").symlink_to(checkout.program("bin/ty"))
    monkeypatch.setenv("PATH", f"{checkout.outside}:/usr/bin:/bin")

    async def work(run: Run, detection: Detection) -> None:
        assert isinstance(found(await detection.of_file("a.py"), "ty"), NotUsable)

    play(checkout.workspace, "interpreter", work)
    assert not checkout.ran


@pytest.mark.requirement("core:trust")
@pytest.mark.parametrize("trust", TRUSTS)
def test_a_server_that_runs_code_of_its_project_needs_full_trust(
    checkout: Checkout, trust: Trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.program(checkout.outside / "pyrefly", marks=False)
    monkeypatch.setenv("PATH", f"{checkout.outside}:/usr/bin:/bin")

    async def work(run: Run, detection: Detection) -> None:
        pyrefly = found(await detection.of_file("a.py"), "pyrefly")
        assert isinstance(pyrefly, Usable) == (trust == "full")
        if isinstance(pyrefly, NotUsable):
            assert pyrefly.lack == "not trusted" and 'trust="full"' in pyrefly.remedy

    play(checkout.workspace, trust, work)


@pytest.mark.requirement("core:trust")
@pytest.mark.parametrize("trust", TRUSTS)
def test_the_projects_interpreter_is_named_only_where_it_is_trusted(
    checkout: Checkout, trust: Trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.program(checkout.outside / "pyright-langserver", marks=False)
    monkeypatch.setenv("PATH", f"{checkout.outside}:/usr/bin:/bin")
    python = checkout.program(".venv/bin/python")

    async def work(run: Run, detection: Detection) -> None:
        pyright = found(await detection.of_file("a.py"), "pyright")
        assert isinstance(pyright, Usable)
        assert pyright.settings.get("python.pythonPath") == (None if trust == "none" else str(python))

    play(checkout.workspace, trust, work)
    assert not checkout.ran


@pytest.mark.requirement("core:trust")
@pytest.mark.parametrize("trust", TRUSTS)
def test_typescript_language_server_gets_a_compiler_that_is_not_the_checkouts(
    checkout: Checkout, trust: Trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.put("package.json", "{}")
    checkout.put("a.ts", "let a = 1;\n")
    checkout.put("node_modules/typescript/lib/tsserver.js")
    installed = checkout.outside / "node_modules"
    checkout.program(installed / ".bin" / "typescript-language-server", marks=False)
    monkeypatch.setenv("PATH", f"{installed}/.bin:/usr/bin:/bin")

    async def work(run: Run, detection: Detection) -> None:
        server = found(await detection.of_file("a.ts"), "typescript-language-server")
        if trust == "full":
            assert isinstance(server, Usable) and "tsserver" not in (server.initialization_options or {})
            return
        assert isinstance(server, NotUsable) and server.lack == "not trusted", "there is no other compiler"
        own = installed / "typescript/lib/tsserver.js"
        own.parent.mkdir(parents=True)
        own.write_text("")
        server = found(await detection.of_file("a.ts"), "typescript-language-server")
        assert isinstance(server, Usable) and server.initialization_options["tsserver"]["path"] == str(own)

    play(checkout.workspace, trust, work)


@pytest.mark.requirement("core:trust")
def test_a_clone_inside_the_workspace_is_not_trusted_with_it(checkout: Checkout) -> None:
    checkout.put("vendor/other/.git/HEAD")
    checkout.put("vendor/other/pyproject.toml", "[project]\n")
    checkout.put("vendor/other/a.py", "x = 1\n")
    checkout.program("vendor/other/.venv/bin/ty")

    async def work(run: Run, detection: Detection) -> None:
        ty = found(await detection.of_file("vendor/other/a.py"), "ty")
        assert isinstance(ty, NotUsable) and ty.lack == "not trusted"

    play(checkout.workspace, "full", work)
    assert not checkout.ran


@pytest.mark.requirement("core:trust")
def test_a_command_comes_from_the_harness_never_from_the_checkout(checkout: Checkout) -> None:
    program = checkout.program("evil", marks=True)
    checkout.put("toolpost.toml", f'[lsp.commands]\nty = ["{program}", "server"]\n')

    async def main() -> None:
        async with open_run(checkout.workspace, ["lsp"], trust="none", approver=allow_all, strict=False) as run:
            result = await run.surface(Tier.READ).call("lsp", {"action": "diagnostics", "file": "a.py"})
            assert result.is_error

    asyncio.run(main())
    assert not checkout.ran


@pytest.mark.requirement("core:trust")
def test_programs_get_a_path_without_the_checkout(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.program(checkout.outside / "ty", marks=False)
    monkeypatch.setenv("PATH", f"{checkout.workspace}/bin:node_modules/.bin:{checkout.outside}:/usr/bin:/bin")

    async def work(run: Run, detection: Detection) -> None:
        ty = found(await detection.of_file("a.py"), "ty")
        assert isinstance(ty, Usable)
        assert ty.env["PATH"].split(os.pathsep) == [str(checkout.outside), "/usr/bin", "/bin"]

    play(checkout.workspace, "none", work)
