"""Opens real runs of toolpost-astgrep on small trees."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from toolpost import Host, Result, Run, Surface, Tier, allow_all

SECONDS = 60


def tree(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def in_run(
    folder: Path,
    work: Callable[[Run, Surface], Awaitable[Any]],
    *,
    plugins: tuple[str, ...] = ("astgrep",),
    **options: Any,
) -> Any:
    """Open a run on *folder*, do the work with its full surface, and close it; gives what the work gave."""

    async def main() -> Any:
        async with (
            asyncio.timeout(SECONDS),
            Host(plugins, strict=True).open(folder, approver=allow_all, **options) as run,
        ):
            return await work(run, run.surface(Tier.EXEC))

    return asyncio.run(main())


def calls(folder: Path, *wanted: tuple[str, dict[str, Any]], **options: Any) -> list[Result]:
    """Calls one after the other in one run."""

    async def work(run: Run, surface: Surface) -> list[Result]:
        return [await surface.call(name, arguments) for name, arguments in wanted]

    return in_run(folder, work, **options)


def call(folder: Path, name: str, **arguments: Any) -> Result:
    """One call in a run of its own."""
    return calls(folder, (name, arguments))[0]
