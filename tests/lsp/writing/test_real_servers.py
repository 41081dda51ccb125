"""An agent learns with the write itself that it broke the build: with real servers (contracts §3)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp.writing.projects import PROJECTS, put
from toolpost import Result, Run, Tier, allow_all
from toolpost.testing import open_run

SECONDS = 60


async def write(run: Run, path: str, content: str) -> str:
    """Write a file; what stands behind the tool's own line."""
    result = await run.surface(Tier.WRITE).call("write", {"path": path, "content": content})
    assert not result.is_error, result.text
    return told(result)


def told(result: Result) -> str:
    return "\n".join(note.text for note in result.notes if note.source == "lsp")


@pytest.mark.requirement("write:sync", "write:new-only", "write:first-line", "write:fixed", "write:elsewhere")
@pytest.mark.parametrize("name", PROJECTS)
def test_a_write_tells_what_it_broke_and_what_it_mended(name: str, tmp_path: Path, only: Path) -> None:
    project = PROJECTS[name]
    put(only, *project.programs)
    workspace = tmp_path / "project"
    workspace.mkdir()
    project.write(workspace)

    async def main() -> None:
        async with (
            asyncio.timeout(SECONDS),
            open_run(workspace, ["files", "lsp"], approver=allow_all, trust="full") as run,
        ):
            said = [await write(run, project.core, project.text + "\n")]
            said.append(await write(run, project.core, project.broken))
            said.append(await write(run, project.core, "\n" + project.broken))
            said.append(await write(run, project.core, project.text))
            said.append(await write(run, project.core, project.changed))
            said.append(await write(run, project.core, project.text))
            first, broken, moved, mended, changed, back = said
            assert first == "no new problems"
            assert broken.splitlines()[0] == "1 new" and f"{project.core}:{project.line}:" in broken, broken
            assert moved == "no new problems", moved
            assert mended == "no new problems\nfixed: 1", mended
            if project.elsewhere:
                assert changed.startswith("1 new error in other files\n" + project.caller + ":"), changed
                assert back == "no new problems\nfixed: 1", back
            else:
                assert (changed, back) == ("no new problems", "no new problems")

    asyncio.run(main())
