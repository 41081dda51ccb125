"""`toolpost explain [TOOL]`: for every tool of every installed plugin, whether it is there and, if not, why."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from toolpost.cli import options, output
from toolpost.explain import declared


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "explain",
        help="say of each tool whether it is there and, if not, which layer removed it and the remedy",
        description="Say of each tool whether it is on the surface and, if not, which layer removed it and the remedy. "
        "Layers: install, load, conflict, composition, configuration, resource, mode, ceiling, filter.",
    )
    parser.add_argument("name", metavar="TOOL", nargs="?", help="only this one (exit code 1 if it is not there)")
    options.add(parser)
    parser.set_defaults(run=lambda given: asyncio.run(_explain(given)))


async def _explain(given: argparse.Namespace) -> int:
    async with options.opened(given) as here:
        surface = here.surface
        if given.name is not None:
            absent = surface.explain(given.name)
            print(f"{given.name}: {absent or 'on the surface'}")
            return 1 if absent else 0
        rows = []
        for name, plugin in sorted(declared(surface).items(), key=lambda item: (item[1], item[0])):
            absent = surface.explain(name)
            rows.append((name, plugin, "there" if absent is None else f"absent: {absent}"))
        print(output.table(rows))
        for problem in here.run.host.problems:
            output.talk(f"problem: {problem}")
    return 0
