"""`toolpost tour`: the families' scripts on the sample project (contract cli:tour)."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Any

from toolpost.cli import UsageError


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "tour",
        help="play what the tools do, on a sample project",
        description="Play each installed family's script on a copy of the sample project: every call and answer as an agent "
        "would see it. Nothing outside a temporary folder is touched.",
    )
    parser.add_argument("--html", metavar="FILE", help="also write the session as one page")
    parser.set_defaults(run=lambda given: asyncio.run(_tour(given)))


async def _tour(given: argparse.Namespace) -> int:
    from toolpost.tour.page import page
    from toolpost.tour.play import Played, play

    def show(played: Played) -> None:
        print("\n".join(played.lines()), flush=True)

    played = await play(show)
    surprises = [each for each in played if each.surprising]
    calls = sum(1 for each in played if each.result is not None)
    print(f"\n{calls} calls played" + (f", {len(surprises)} of them not as their scene says" if surprises else ""))
    if given.html:
        _write(given.html, page(played))
    return 1 if surprises else 0


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--html {path}: {error.strerror}") from error
