"""One validated read call, and the import it needs, beside other frameworks: `python tests/bench/peers/run.py`.

Each framework has an environment of its own, made below a temporary folder; all run in turn, three times, and the
fastest counts. The last column is the figure that the issue asks for: the call over the bare async function of the same
process. Ratios hold, times do not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PEERS = {
    "toolpost": ("on_toolpost.py", [str(ROOT / "core")]),
    "pydantic-ai ToolManager": ("on_pydantic_ai.py", ["pydantic-ai-slim==2.68.0"]),
    "openai-agents": ("on_openai_agents.py", ["openai-agents==0.24.0"]),
    "mcp server tool": ("on_mcp.py", ["mcp==2.3.0"]),
    "langchain ainvoke": ("on_langchain.py", ["langchain-core==1.8.3"]),
}
IMPORTS = {
    "toolpost": "from toolpost import Host, Tool, Result, Tier; Host([])",
    "pydantic-ai ToolManager": "from pydantic_ai.toolsets import FunctionToolset; from pydantic_ai.tool_manager import ToolManager",
    "openai-agents": "import agents",
    "mcp server tool": "from mcp.server.mcpserver import MCPServer",
    "langchain ainvoke": "from langchain_core.tools import StructuredTool",
}
LIMIT = 1 / 3


def environment(folder: Path, packages: list[str]) -> Path:
    """A fresh environment with these packages; gives its Python."""
    subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, *packages], check=True)
    return python


def import_seconds(python: Path, code: str, folder: str) -> float:
    """How long a fresh interpreter takes for an import, less what it takes for none: the fastest of five each."""

    def fastest(words: str) -> float:
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            subprocess.run([python, "-c", words], env={**os.environ, "TOOLPOST_STATE_HOME": folder}, check=True)
            times.append(time.perf_counter() - begun)
        return min(times)

    subprocess.run([python, "-c", code], check=True)  # compiled once
    return fastest(code) - fastest("pass")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="toolpost-bench-") as folder:
        pythons = {
            name: environment(Path(folder) / str(number), packages)
            for number, (name, (_, packages)) in enumerate(PEERS.items())
        }
        figures: dict[str, list[dict[str, float]]] = {name: [] for name in PEERS}
        for _ in range(3):
            for name, (script, _) in PEERS.items():
                done = subprocess.run(
                    [pythons[name], HERE / script],
                    env={**os.environ, "PYTHONPATH": str(HERE), "TOOLPOST_STATE_HOME": folder},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                figures[name].append(json.loads(done.stdout.splitlines()[-1]))
        imports = {name: import_seconds(pythons[name], code, folder) for name, code in IMPORTS.items()}
    best = {name: min(rounds, key=lambda each: each["call"]) for name, rounds in figures.items()}
    own = best["toolpost"]["call"]
    print(f"{'call':<26}{'µs':>9}{'× bare':>9}{'× toolpost':>12}{'import ms':>12}{'× toolpost':>12}")
    for name, each in best.items():
        call = f"{each['call']:>9.1f}{each['call'] / each['bare']:>9.0f}{each['call'] / own:>12.1f}"
        print(f"{name:<26}{call}{imports[name] * 1e3:>12.0f}{imports[name] / imports['toolpost']:>12.1f}")
    ratio = own / best["pydantic-ai ToolManager"]["call"]
    print(f"toolpost over pydantic-ai's ToolManager: {ratio:.2f} (at most {LIMIT:.2f})")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
