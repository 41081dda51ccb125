"""`toolpost tools [NAME]`: what a model would see here, or one tool in full."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from toolpost import Tool
from toolpost.cli import UsageError, options, output


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "tools",
        help="list the tools that are there, or show one in full",
        description="List the tools that are there under these options, or show one with its arguments.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="show this one in full")
    parser.add_argument("--all", action="store_true", help="also the tools that are left out of lists for people")
    parser.add_argument("--json", action="store_true", help="as JSON, with descriptions and schemas")
    options.add(parser)
    parser.set_defaults(run=lambda given: asyncio.run(_tools(given)))


async def _tools(given: argparse.Namespace) -> int:
    async with options.opened(given) as here:
        surface = here.surface
        rows = []
        for tool in surface.tools:
            bound = surface.get(tool.name)
            if bound is not None and (tool.listed or given.all or given.name == tool.name):
                rows.append((tool, bound.tier.value, bound.binding.name))
        if given.name is not None:
            rows = [row for row in rows if row[0].name == given.name]
            if not rows:
                absent = surface.explain(given.name)
                raise UsageError(f"{given.name} is not there: {absent}")
        if given.json:
            for tool, tier, plugin in rows:
                described = {"name": tool.name, "description": tool.description, "tier": tier, "plugin": plugin}
                print(output.dumps({**described, "input_schema": tool.schema}))
        elif given.name is not None:
            print(_full(*rows[0]))
        elif not rows:
            output.talk("No tools here; `toolpost explain` says why.")
        else:
            print(output.table([(tool.name, tier, plugin, _first_line(tool)) for tool, tier, plugin in rows]))
    return 0


def _first_line(tool: Tool[Any, Any]) -> str:
    return tool.description.strip().splitlines()[0]


def _full(tool: Tool[Any, Any], tier: str, plugin: str) -> str:
    lines = [f"{tool.name}  ({tier}, plugin {plugin})", "", tool.description.strip(), ""]
    required = tool.schema.get("required", [])
    rows = []
    for name, schema in tool.schema["properties"].items():
        kind = schema.get("type", "")
        if "enum" in schema:
            kind = " | ".join(str(value) for value in schema["enum"])
        how = (
            "required" if name in required else f"default {schema['default']!r}" if "default" in schema else "optional"
        )
        rows.append((name, kind, how, " ".join(str(schema.get("description", "")).split())))
    return "\n".join([*lines, output.table(rows, indent="  ") if rows else "  (no arguments)"])
