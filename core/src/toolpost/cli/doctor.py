"""`toolpost doctor`: what works in this checkout, what does not, and what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import platform
from typing import Any

from toolpost import Run
from toolpost.binding import Binding
from toolpost.cli import options, output, settings
from toolpost.problems import told
from toolpost.workspace import needs_recovery


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "doctor",
        help="say what works in this checkout, what does not, and what to do about it",
        description="Open a run here and say of each plugin whether it loaded, whether it is alive, and what its tools can do. "
        "Exit code 1 if something is broken; what is merely not there is no problem.",
    )
    options.add(parser)
    parser.set_defaults(run=lambda given: asyncio.run(_doctor(given)))


async def _doctor(given: argparse.Namespace) -> int:
    async with options.opened(given) as here:
        run = here.run
        print(output.table(_surroundings(run)))
        for plugin in run.host.plugins:
            print()
            binding = run.bindings.get(plugin.name)
            version = f" ({plugin.distribution} {plugin.version})".replace(" )", ")") if plugin.distribution else ""
            print(f"{plugin.name}{version}: {'alive' if binding else 'not in this run'}")
            if binding is None:
                print(f"  {run.absence(plugin.name)}")
            else:
                for line in _status(run, binding):
                    print(f"  {line}")
            tools = [tool.name for tool in plugin.tools]
            if tools:
                print(f"  tools: {', '.join(tools)}")
        problems = [*run.host.problems, *run.problems]
        print(f"\n{len(problems)} problem{'s' if len(problems) != 1 else ''}")
        for problem in problems:
            print(f"  {problem}")
    return 1 if problems else 0


def _surroundings(run: Run) -> list[tuple[str, str]]:
    files, state = run.scope.files, run.scope.state
    user = settings.user_file()
    return [
        ("workspace", run.scope.workspace),
        ("state", f"{state.path}" + (" (an interrupted change waits for recovery)" if needs_recovery(state) else "")),
        ("configuration", f"{user}" if user.exists() else f"{user} (not there)"),
        ("trust", run.scope.trust),
        ("python", f"{platform.python_version()} on {platform.system()} {platform.release()}"),
        ("confinement", "openat2" if files.uses_openat2 else "walking fallback (no openat2 here)"),
    ]


def _status(run: Run, binding: Binding) -> list[str]:
    hook = binding.plugin.hooks.get("toolpost_status")
    if hook is None:
        return []
    try:
        status = hook(run=run.scope, handle=binding.handle)
    except Exception as error:
        run.note_problem(binding.name, "status", told(error))
        return []
    if status is None:
        return []
    return [*([] if status.usable else ["not usable here"]), *status.lines]
