"""What one question costs through the tool, beside a raw client of the same server: `python tests/bench/lsp_request.py`.

Both have a server of their own on the same project, both are warm, and they take turns; medians of 50, and their ratio.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.interleaved import medians
from bench.lsp_projects import Project
from bench.lsp_raw import RawClient, raw_client
from bench.lsp_session import Row, bounded, call, figures, opened
from toolpost import Run

ROUNDS = 50
TIMES = 1.3
QUESTIONS = {"hover": "textDocument/hover", "definition": "textDocument/definition"}


async def through_the_tool(run: Run, project: Project, action: str) -> None:
    result = await call(run, "lsp", action=action, file=project.use, line=project.line, symbol="total#1")
    assert not result.is_error and "total" in result.text, result.text


async def by_hand(client: RawClient, project: Project, action: str) -> None:
    line = project.files[project.use].split("\n")[project.line - 1]
    place = {"line": project.line - 1, "character": line.index("total")}
    params = {"textDocument": {"uri": client.uri(project.use)}, "position": place}
    assert await client.request(QUESTIONS[action], params)


async def warm(run: Run, client: RawClient, project: Project) -> None:
    """Let both servers read the project."""
    for name in (project.core, project.use):
        client.show(name, project.language, project.files[name])
        await call(run, "lsp", action="diagnostics", file=name)
    for action in QUESTIONS:
        await by_hand(client, project, action)
        await through_the_tool(run, project, action)


async def measure(project: Project) -> list[Row]:
    contenders: dict[str, Callable[[], Awaitable[None]]] = {}
    async with opened(project) as run, raw_client(project) as client:
        await warm(run, client, project)
        for action in QUESTIONS:
            contenders[f"raw {action}"] = lambda action=action: by_hand(client, project, action)
            contenders[action] = lambda action=action: through_the_tool(run, project, action)
        spent = await medians(contenders, rounds=ROUNDS)
    return [row(project, action, spent) for action in QUESTIONS]


def row(project: Project, action: str, spent: Mapping[str, float]) -> Row:
    raw, tool = spent[f"raw {action}"], spent[action]
    value = f"{raw * 1e3:.2f} ms by hand, {tool * 1e3:.2f} ms through the tool, {tool / raw:.2f} times"
    return bounded(f"{project.server}, {action}", value, tool / raw, TIMES, " times")


if __name__ == "__main__":
    sys.exit(figures(measure, ["ty", "pyright"]))
