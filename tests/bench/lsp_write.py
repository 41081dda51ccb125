"""What diagnostics add to a write, beside the server's own time for them: `python tests/bench/lsp_write.py`.

The same file is written in two runs, one with the language servers and one without; what the first takes longer is what a
write pays for its diagnostics. A raw client shows its own server the same text, and asks. All are warm and take
turns; medians. Servers that publish have no time of their own: for them the wait is bounded.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Awaitable, Callable
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
MOST = 1.5
"""Seconds that a write waits for a warm server, whatever it does."""
ADDED = 1.0
"""Milliseconds that a write may take longer for a file that no server handles."""


class Writer:
    """Writes the core of a project again and again, in turns with an error in it and without one."""

    def __init__(self, project: Project, run: Run, *, told: bool) -> None:
        self.project, self.run, self.told = project, run, told
        self.numbers, self.others = itertools.count(), itertools.count()

    async def source(self) -> None:
        number = next(self.numbers)
        line = self.project.fine if number % 2 else self.project.broken
        result = await call(
            self.run, "write", path=self.project.core, content=self.project.core_with(line.format(number))
        )
        assert not result.is_error, result.text
        if self.told:
            assert ("fixed: 1" if number % 2 else "1 new") in result.text, result.text

    async def other(self) -> None:
        result = await call(self.run, "write", path="notes.nothing", content=f"{next(self.others)}\n")
        assert not result.is_error and "new" not in result.text, result.text


async def by_hand(client: RawClient, project: Project, numbers: itertools.count[int]) -> None:
    number = next(numbers)
    line = project.fine if number % 2 else project.broken
    client.show(project.core, project.language, project.core_with(line.format(number)))
    assert bool(await client.pull(project.core)) is not bool(number % 2)


async def measure(project: Project) -> list[Row]:
    """A core of five lines shows what a write pays at least; one of five hundred, the share that this is of a real one."""
    rows = await _measure(project, "")
    return [*rows, *(await _measure(project.longer(), ", 500 lines"))] if project.pulls else rows


async def _measure(project: Project, which: str) -> list[Row]:
    numbers = itertools.count()
    async with opened(project) as run, opened(project, plugins=["files"]) as plain, raw_client(project) as client:
        await call(run, "lsp", action="diagnostics", file=project.core)
        ours, bare = Writer(project, run, told=True), Writer(project, plain, told=False)
        contenders: dict[str, Callable[[], Awaitable[None]]] = {"write": ours.source, "bare": bare.source}
        if project.pulls:
            client.show(project.core, project.language, project.text)
            await client.until(client.pulling)
            contenders["server"] = lambda: by_hand(client, project, numbers)
        spent = await medians({**contenders, "other": ours.other, "bare other": bare.other}, rounds=ROUNDS)
    added, rows = spent["write"] - spent["bare"], []
    whole = f"{spent['write'] * 1e3:.2f} ms a write, {spent['bare'] * 1e3:.2f} ms without servers"
    rows.append(bounded(f"{project.server}, a write{which}", whole, spent["write"], MOST, " s"))
    if project.pulls:
        own = spent["server"]
        value = f"{added * 1e3:.2f} ms for diagnostics, {own * 1e3:.2f} ms by hand, {added / own:.2f} times"
        what = f"{project.server}, write to diagnostics{which}"
        rows.append(bounded(what, value, added / own, TIMES, " times") if which else (what, value, ""))
    other = (spent["other"] - spent["bare other"]) * 1e3
    rows.append(bounded(f"{project.server}, a file of no server", f"{other:.3f} ms added", other, ADDED, " ms"))
    return rows


if __name__ == "__main__":
    sys.exit(figures(measure, ["ty", "pyright", "zuban", "pyrefly"]))
