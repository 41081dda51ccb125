"""A rename over 50 files by real servers, as the first thing that is asked of them: every byte, and back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lsp.rename.projects import MANY, PROJECTS, Project
from lsp.servers import program, search_path
from lsp.writing.projects import PROJECTS as PROGRAMS
from toolpost import Result, Run, Tier, allow_all
from toolpost.testing import open_run

SECONDS = 90


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def differing(left: Mapping[str, bytes], right: Mapping[str, bytes]) -> list[str]:
    return sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))


async def ask(run: Run, tool: str, **arguments: Any) -> Result:
    return await run.surface(Tier.WRITE).call(tool, arguments)


async def everything(run: Run, project: Project, folder: Path) -> None:
    before, after = contents(folder), project.renamed(folder)
    file, line, symbol = project.at
    at = {"file": file, "line": line, "symbol": symbol}

    refused = await ask(run, "lsp_rename", **at, new_name="1 bad")
    assert refused.is_error and differing(contents(folder), before) == []

    renamed = await ask(run, "lsp_rename", **at, new_name=project.new)
    assert not renamed.is_error, renamed.text
    assert differing(contents(folder), after) == [], renamed.text
    assert len(renamed.data["files"]) >= MANY
    assert "// total" in renamed.text or "# load" in renamed.text

    assert not re.search(r"^(\d+ new|fixed: )", renamed.text, re.MULTILINE), (
        renamed.text
    )  # nothing was broken, nothing is
    undone = await ask(run, "resolve", action="undo", edit_id=renamed.data["undo_id"])
    assert not undone.is_error, undone.text
    assert differing(contents(folder), before) == []

    staged = await ask(run, "lsp_rename", **at, new_name=project.new, preview=True)
    assert not staged.is_error, staged.text
    assert differing(contents(folder), before) == []
    accepted = await ask(run, "resolve", action="accept")
    assert not accepted.is_error, accepted.text
    assert differing(contents(folder), after) == []

    if project.foreign is not None:
        file, symbol = project.foreign
        foreign = await ask(run, "lsp_rename", file=file, line=1, symbol=symbol, new_name="mine")
        assert foreign.is_error, foreign.text
        assert differing(contents(folder), after) == []


@pytest.mark.requirement(
    "rename:project-wide",
    "rename:valid-name",
    "rename:zero-is-error",
    "rename:preview",
    "resolve:undo",
    "lsp:encoding",
    "lsp:readiness",
)
@pytest.mark.parametrize("name", PROJECTS)
def test_a_rename_is_whole_and_can_be_taken_back(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = PROJECTS[name]
    for each in PROGRAMS[name].programs:
        program(each)
    monkeypatch.setenv("PATH", search_path())
    folder = tmp_path / "project"
    folder.mkdir()
    project.write(folder)

    async def main() -> None:
        async with (
            asyncio.timeout(SECONDS),
            open_run(folder, ["files", "lsp"], approver=allow_all, trust="full") as run,
        ):
            await everything(run, project, folder)

    asyncio.run(main())


@pytest.mark.requirement("rename:separate")
def test_who_may_only_read_has_no_rename(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_run(tmp_path, ["lsp"], approver=allow_all) as run:
            assert run.surface(Tier.READ).has("lsp")
            assert not run.surface(Tier.READ).has("lsp_rename")
            assert run.surface(Tier.WRITE).has("lsp_rename")
            assert (await run.surface(Tier.READ).call("lsp_rename", {"file": "a.py", "new_name": "b"})).is_error

    asyncio.run(main())
