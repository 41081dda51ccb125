"""The plugin in a run: when its tools are there, what opening costs, what is refused before any server is asked."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.fakes import Fakes
from toolpost import Run, Surface, Tier, allow_all
from toolpost.testing import open_run
from toolpost_lsp.config import LspConfig
from toolpost_lsp.status import overview

TOOLS = {"lsp": Tier.READ, "lsp_rename": Tier.WRITE, "lsp_fix": Tier.WRITE, "lsp_move": Tier.WRITE}


def play(workspace: Path, work: Callable[[Run, Surface], Awaitable[None]], **terms: Any) -> None:
    async def main() -> None:
        async with (
            asyncio.timeout(30),
            open_run(workspace, ["files", "lsp"], **{"approver": allow_all, **terms}) as run,
        ):
            await work(run, run.surface(Tier.EXEC))

    asyncio.run(main())


# ---- there or not ---------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:resources", "core:live-handle")
def test_without_the_supervisor_there_are_none_of_its_tools(
    toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "toolpost_lsp.supervisor", None)

    async def work(run: Run, surface: Surface) -> None:
        names = {each.name for each in surface.tools}
        assert not names & TOOLS.keys() and "read" in names
        for name in TOOLS:
            absence = surface.explain(name)
            assert absence is not None and absence.layer == "resource" and "supervisor" in absence.reason
            assert (await surface.call(name, {"action": "status"})).failure == "unknown"

    play(toolpost_workspace, work, strict=False)


@pytest.mark.requirement("core:open-starts-nothing", "core:tier-table")
def test_opening_starts_nothing_and_tiers_are_as_the_table_says(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            surface = agent.run.surface(Tier.EXEC)
            for name, tier in TOOLS.items():
                bound = surface.get(name)
                assert bound is not None and bound.tier == tier
            assert [name for name in TOOLS if agent.run.surface(Tier.READ).has(name)] == ["lsp"]
            assert not agent.run.scope.processes.started and not agent.supervisor.running
            await agent.call("lsp", action="diagnostics", file="a.fake")
            assert agent.run.scope.processes.started

    asyncio.run(main())


@pytest.mark.requirement("core:detect-at-call", "lsp:intersection")
def test_where_nothing_is_usable_the_tools_stay_and_say_why(
    toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path / "nothing"))
    (toolpost_workspace / "a.rs").write_text("fn main() {}\n")
    (toolpost_workspace / "notes.txt").write_text("x\n")

    async def work(run: Run, surface: Surface) -> None:
        assert TOOLS.keys() <= {each.name for each in surface.tools}
        status = await surface.call("lsp", {"action": "status", "file": "a.rs"})
        assert not status.is_error and "rust-analyzer" in status.text
        hover = await surface.call("lsp", {"action": "hover", "file": "a.rs", "line": 1, "symbol": "main"})
        assert hover.is_error and "Cargo.toml" in hover.text
        # No file has changed its folder but a marker came: the next call finds it.
        (toolpost_workspace / "Cargo.toml").write_text("[package]\nname = 'a'\n")
        again = await surface.call("lsp", {"action": "status", "file": "a.rs"})
        assert "rustup component add rust-analyzer" in again.text
        for arguments in ({"action": "diagnostics", "file": "notes.txt"}, {"action": "reload", "file": "notes.txt"}):
            text = (await surface.call("lsp", arguments)).text
            assert "no language server that is known serves notes.txt" in text
        assert not run.scope.processes.started

    play(toolpost_workspace, work)


# ---- what is refused at once ----------------------------------------------------------------------------------------


@pytest.mark.requirement("lsp:line-symbol")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"action": "hover"}, "hover needs file, line and symbol; file is missing"),
        ({"action": "hover", "file": "a.fake", "query": "x"}, "hover takes file, line, symbol; leave out query"),
        ({"action": "status", "line": 3}, "status takes file; leave out line"),
        ({"action": "reload", "file": "a.fake", "symbol": "x", "line": 1}, "leave out line, symbol"),
        ({"action": "symbols", "symbol": "x"}, "symbols takes file, query; leave out symbol"),
        ({"action": "symbols"}, "file"),
        ({"action": "symbols", "file": "a.fake", "query": "x"}, "query"),
        ({"action": "diagnostics", "file": "*", "line": 1}, "diagnostics takes file; leave out line"),
        ({"action": "diagnostics"}, "file"),
        ({"action": "hover", "file": "../a.fake", "line": 1, "symbol": "x"}, "../a.fake"),
        ({"action": "hover", "file": "a.fake", "line": 0, "symbol": "x"}, "line"),
        ({"action": "hover", "file": "", "line": 1, "symbol": "x"}, "file"),
        ({"action": "rename", "file": "a.fake"}, "action"),
    ],
    ids=str,
)
def test_arguments_that_do_not_go_together_are_named(fakes: Fakes, arguments: dict[str, Any], says: str) -> None:
    fakes.put({"a.fake": "x\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open() as agent:
            refused = await agent.run.surface(Tier.READ).call("lsp", arguments)
            assert refused.is_error and says in refused.text, refused.text

    asyncio.run(main())
    assert log.starts() == []


# ---- configuration --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:trust")
def test_a_workspace_may_lower_bounds_and_decides_nothing_else(toolpost_workspace: Path) -> None:
    (toolpost_workspace / "toolpost.toml").write_text(
        "[lsp]\nservers = 2\nwait = 5\nidle = 60\ndiagnostics = 'off'\ndisabled = ['ruff']\nprefer = ['ty']\n"
        "[lsp.commands]\nruff = ['./evil']\n"
    )

    async def work(run: Run, surface: Surface) -> None:
        assert run.bindings["lsp"].handle.config == attrs.evolve(LspConfig(), servers=2, idle=60.0)
        told = "\n".join(str(problem.error) for problem in run.problems)
        assert [name for name in ("wait", "diagnostics", "disabled", "prefer", "commands") if name not in told] == []

    play(toolpost_workspace, work)


@pytest.mark.parametrize("wrong", [{"wait": 0}, {"wait": 6}, {"servers": 0}, {"idle": -1}, {"diagnostics": "all"}])
def test_values_out_of_bounds_are_told(toolpost_workspace: Path, wrong: dict[str, Any]) -> None:
    async def work(run: Run, surface: Surface) -> None:
        [problem] = run.problems
        absence = surface.explain("lsp")
        assert absence is not None and absence.layer == "configuration", absence
        assert f"{next(iter(wrong))}: " in str(problem.error) and str(problem.error) in absence.reason

    play(toolpost_workspace, work, strict=False, config={"lsp": wrong})


def test_ids_that_name_nothing_are_told(toolpost_workspace: Path) -> None:
    config = {"disabled": ["rufff", "mypy"], "prefer": ["ty"], "commands": {"goplease": ["x"], "ruff": ["x"]}}

    async def work(run: Run, surface: Surface) -> None:
        status = await surface.call("lsp", {"action": "status"})
        problems = [line for line in status.text.splitlines() if line.startswith("problem: ")]
        assert problems == [
            "problem: disabled in the section lsp names 'rufff', which is no known server or checker",
            "problem: commands in the section lsp names 'goplease', which is no known server",
        ]
        assert [f"problem: {each}" for each in status.data["problems"]] == problems
        told = overview(run.bindings["lsp"].handle)
        assert set(problems) <= set(told.lines) and told.data["problems"] == status.data["problems"]

    play(toolpost_workspace, work, config={"lsp": config})


# ---- names only -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("write:no-server-no-cost")
def test_whether_a_file_is_served_is_told_by_its_name_alone(toolpost_workspace: Path) -> None:
    async def work(run: Run, surface: Surface) -> None:
        serves = run.bindings["lsp"].handle.serves
        assert [each for each in ("a.py", "in/go.mod", "not/there.ts", ".bashrc") if not serves(each)] == []
        assert [each for each in ("a.txt", "py", "", "Makefile", "a.py/b", "a.py.bak") if serves(each)] == []
        assert not run.scope.processes.started

    play(toolpost_workspace, work)
