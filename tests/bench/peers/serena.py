"""References, a file's symbols and a rename, beside Serena: `python tests/bench/peers/serena.py`.

Serena has an environment of its own, and the very same pyright, on the same project; its tools are called through MCP on standard
input and output. Both are warm and take turns; medians, their ratio, and the bytes of each answer.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.corpora import kept, making
from bench.interleaved import medians
from bench.lsp_projects import Project
from bench.lsp_session import OVER, Row, call, figures, opened
from toolpost import Run

PACKAGE = "serena-agent==2.1.0"
TIMES = 10
ROUNDS = 10
START = (
    "start-mcp-server",
    "--context",
    "claude-code",
    "--agent-interface",
    "tools",
    "--enable-web-dashboard",
    "false",
)
NAMES = ("total", "grand_total")


def program() -> str:
    """Serena's program, installed now if it is not there yet."""
    folder = kept(PACKAGE.replace("==", "-"))
    if not folder.is_dir():
        with making(folder) as fresh:  # relocatable, since it is made under another name
            subprocess.run(
                ["uv", "venv", "--quiet", "--relocatable", "--clear", "--python", sys.executable, fresh], check=True
            )
            python = str(fresh / "bin" / "python")
            subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, PACKAGE], check=True)
    return str(folder / "bin" / "serena")


@attrs.define(eq=False)
class Peer:
    """Serena's MCP server."""

    process: asyncio.subprocess.Process
    _numbers: Iterator[int] = attrs.field(factory=itertools.count, init=False)

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def ask(self, method: str, params: Any) -> Any:
        assert self.process.stdout
        number = next(self._numbers)
        self.send({"id": number, "method": method, "params": params})
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == number:
                return message["result"]
        raise RuntimeError("Serena ended")

    async def tool(self, name: str, **arguments: Any) -> str:
        """A tool's text."""
        result = await self.ask("tools/call", {"name": name, "arguments": arguments})
        text: str = "".join(each.get("text", "") for each in result["content"])
        assert not result.get("isError"), text
        return text


@asynccontextmanager
async def serena(installed: str, project: Project) -> AsyncIterator[Peer]:
    """Serena on the project, written anew, with the project's own server instead of the one that it would fetch."""
    with tempfile.TemporaryDirectory() as folder:
        workspace, home = Path(folder, "workspace"), Path(folder, "home")
        for each in (workspace, home):
            each.mkdir()
        project.write(workspace)
        server = json.dumps({"python": {"ls_path": project.command[0]}})
        (home / "serena_config.yml").write_text(f"projects: []\nls_specific_settings: {server}\n")
        process = await asyncio.create_subprocess_exec(
            installed,
            *START,
            "--project",
            workspace,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "HOME": str(home), "SERENA_HOME": str(home), "SERENA_USAGE_REPORTING": "false"},
            limit=1 << 26,
        )
        peer = Peer(process)
        try:
            about = {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            }
            await peer.ask("initialize", about)
            peer.send({"method": "notifications/initialized"})
            yield peer
        finally:
            assert process.stdin
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), 10)
            except TimeoutError:
                process.kill()
                await process.wait()


@attrs.define(eq=False)
class Task:
    """One task, done by each of the two: the text of the answer, and how many bytes it had last."""

    by_us: Callable[[], Awaitable[str]]
    by_peer: Callable[[], Awaitable[str]]
    bytes: dict[str, int] = attrs.field(factory=dict, init=False)

    async def ours(self) -> None:
        self.bytes["ours"] = len((await self.by_us()).encode())

    async def theirs(self) -> None:
        self.bytes["theirs"] = len((await self.by_peer()).encode())


def tasks(project: Project, run: Run, peer: Peer) -> dict[str, Task]:
    here, there = itertools.cycle((NAMES, NAMES[::-1])), itertools.cycle((NAMES, NAMES[::-1]))

    async def tool(name: str, **arguments: Any) -> str:
        result = await call(run, name, file=project.core, **arguments)
        assert not result.is_error, result.text
        return result.text

    async def rename() -> str:
        old, new = next(here)
        return await tool("lsp_rename", line=1, symbol=old, new_name=new)

    async def their_rename() -> str:
        old, new = next(there)
        return await peer.tool("rename_symbol", name_path=old, relative_path=project.core, new_name=new)

    file = {"relative_path": project.core}
    return {
        "references": Task(
            lambda: tool("lsp", action="references", line=1, symbol=NAMES[0]),
            lambda: peer.tool("find_referencing_symbols", name_path=NAMES[0], **file),
        ),
        "document symbols": Task(
            lambda: tool("lsp", action="symbols"), lambda: peer.tool("get_symbols_overview", **file)
        ),
        "rename": Task(rename, their_rename),
    }


async def measure(project: Project) -> list[Row]:
    rows, installed = [], program()
    async with opened(project) as run, serena(installed, project) as peer:
        for name, task in tasks(project, run, peer).items():
            # An odd number of warm-up calls and an even one of rounds: renames end where the next task does not look.
            spent = await medians({"ours": task.ours, "theirs": task.theirs}, rounds=ROUNDS)
            ratio = spent["theirs"] / spent["ours"]
            value = f"{spent['ours'] * 1e3:.1f} ms and {task.bytes['ours']} B, Serena {spent['theirs'] * 1e3:.1f} ms and {task.bytes['theirs']} B"
            rows.append(
                (
                    name,
                    f"{value}: {ratio:.1f} times",
                    f"at least {TIMES} times" + ("" if ratio >= TIMES else f"  {OVER}"),
                )
            )
    return rows


if __name__ == "__main__":
    sys.exit(figures(measure, ["pyright"]))
