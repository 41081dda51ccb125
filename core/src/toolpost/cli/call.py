"""`toolpost call TOOL key=value …`: one run, one call (contract cli:call)."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from toolpost import Result
from toolpost.cli import UsageError, arguments, options, output


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "call",
        help="open a run, call one tool, print its result",
        description="Open a run, call one tool, print its result. Exit code: 0 success, 1 the tool's error, 2 wrong usage.",
        epilog="toolpost call ast_grep pattern='$A == None' language=python",
    )
    parser.add_argument("tool", metavar="TOOL", help="see `toolpost tools`")
    parser.add_argument("words", metavar="key=value", nargs="*", help="the tool's arguments")
    parser.add_argument("--json", metavar="OBJECT", help="the arguments as one JSON object (- reads standard input)")
    parser.add_argument(
        "--data", action="store_true", help="print the result as JSON, with its data, instead of its text"
    )
    parser.add_argument("--accept", action="store_true", help="accept at once what the call stages")
    options.add(parser)
    parser.set_defaults(run=lambda given: asyncio.run(_call(given)))


async def _call(given: argparse.Namespace) -> int:
    if given.json is not None and given.words:
        raise UsageError("give the arguments as key=value or with --json, not both")
    async with options.opened(given) as here:
        surface = here.surface
        bound = surface.get(given.tool)
        values: Any = (
            arguments.from_json(given.json)
            if given.json is not None
            else arguments.from_words(given.words, bound.tool.schema if bound else None)
        )
        result = await surface.call(given.tool, values, progress=output.talk)
        _print(result, given)
        staged = surface.advice
        if staged is not None and not result.is_error:
            if given.accept:
                result = await surface.call("resolve", {"action": "accept", "edit_id": staged.edit_id})
                _print(result, given)
            else:
                output.talk(
                    f"{staged.edit_id} ends with this run, and nothing was written. Give --accept to apply it at once, "
                    "or keep a run open with `toolpost run`."
                )
        if bound is None and (absent := surface.explain(given.tool)) is not None and absent.layer != "install":
            output.talk(f"{given.tool}: {absent}")
    return 1 if result.is_error else 0


def _print(result: Result, given: argparse.Namespace) -> None:
    if given.data:
        print(output.dumps(output.as_json(result)))
        return
    text = result.text
    print(text, end="" if text.endswith("\n") else "\n")
    for image in result.images:
        print(f"[{image.mime}, {len(image.data)} bytes; --data prints it]")
