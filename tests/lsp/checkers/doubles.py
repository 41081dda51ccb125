"""Runs in which `check` is a tool, programs that play checkers, and workspaces that must stay as they are."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
from toolpost import Call, Result, Scope, Tier, Tool, allow_all
from toolpost.testing import open_run, plugin
from toolpost_lsp.checkers.checker import Checker
from toolpost_lsp.checkers.execution import Limits
from toolpost_lsp.checkers.known import CHECKERS
from toolpost_lsp.checkers.run import check_with
from toolpost_lsp.config import LspConfig
from toolpost_lsp.supervisor import Supervisor

SECONDS = 100


@attrs.frozen(kw_only=True)
class Nothing:
    """No arguments."""


def check(
    workspace: Path,
    checkers: tuple[Checker, ...] = CHECKERS,
    *,
    limits: Limits | None = None,
    config: LspConfig | None = None,
    progress: list[str] | None = None,
    **terms: Any,
) -> Result:
    """What `lsp diagnostics` of `*` answers; it leaves every byte of the workspace as it was.

    Args:
        progress: gets what is told meanwhile.
        terms: of the run.
    """

    @asynccontextmanager
    async def resource(run: Scope) -> AsyncIterator[Supervisor]:
        supervisor = Supervisor(scope=run, config=config or LspConfig())
        try:
            yield supervisor
        finally:
            await supervisor.close()

    async def handler(params: Nothing, call: Call[Supervisor]) -> Result:
        return await check_with(checkers, call, limits)

    tool = Tool(name="check", description="check", params=Nothing, handler=handler, tier=Tier.READ)

    async def main() -> Result:
        async with (
            asyncio.timeout(SECONDS),
            open_run(workspace, [plugin("checks", tool, resource=resource)], approver=allow_all, **terms) as run,
        ):
            told = (progress if progress is not None else []).append
            return await run.surface(Tier.READ).call("check", {}, progress=told)

    before = contents(workspace)
    result = asyncio.run(main())
    assert contents(workspace) == before
    return result


def contents(folder: Path) -> dict[str, bytes | None]:
    """Each file and folder below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def files(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


def script(path: Path, body: str) -> Path:
    """A program in Python that answers a version probe, and else runs *body*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"#!{sys.executable} -IS\nimport os, sys, time\n"
        f"if '--version' in sys.argv:\n    print('1.2.3')\n    sys.exit()\n{body}\n"
    )
    path.chmod(0o755)
    return path
