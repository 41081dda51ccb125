"""Runs on which exactly one real server serves a project, and the tables that figures about them end in."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.interleaved import table
from bench.lsp_projects import PROJECTS, Missing, Project, require
from toolpost import Host, Result, Run, Tier, allow_all

Row = tuple[str, str, str]
OVER = "OVER"


@contextmanager
def only(project: Project) -> Iterator[None]:
    """A PATH on which that server is the only one, and a state folder that is nobody's own."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        for name in (project.program[0], *project.also, "node"):
            if found := (shutil.which(name) if name == "node" else require(name)):
                os.symlink(found, os.path.join(folder, name))
        os.environ["PATH"] = f"{folder}:/usr/bin:/bin"
        os.environ["TOOLPOST_STATE_HOME"] = state
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


@asynccontextmanager
async def opened(project: Project, *, plugins: Sequence[str] = ("files", "lsp")) -> AsyncIterator[Run]:
    """A run on the project, written anew, which its server alone serves."""
    with tempfile.TemporaryDirectory() as workspace, only(project):
        project.write(Path(workspace))
        host = Host(list(plugins), strict=True)
        async with host.open(workspace, approver=allow_all, trust="full") as run:
            yield run


async def call(run: Run, tool: str, **arguments: object) -> Result:
    """One call of a tool, as an agent makes it."""
    return await run.surface(Tier.EXEC).call(tool, arguments)


def bounded(what: str, value: str, ratio: float, bound: float, words: str) -> Row:
    """A row of the table: a value that must not be over its bound."""
    return what, value, f"at most {bound:g}{words}" + ("" if ratio <= bound else f"  {OVER}")


def figures(measure: Callable[[Project], Awaitable[list[Row]]], usual: Sequence[str]) -> int:
    """Take figures of the servers that the command line names, or of the usual ones; the exit code says whether all hold."""
    rows: list[Row] = []
    for name in sys.argv[1:] or usual:
        try:
            rows += asyncio.run(_take(measure, PROJECTS[name]()))
        except Missing as missing:
            rows.append((name, str(missing), OVER))
    table(rows)
    return int(any(OVER in bound for _, _, bound in rows))


async def _take(measure: Callable[[Project], Awaitable[list[Row]]], project: Project) -> list[Row]:
    return await measure(project)
