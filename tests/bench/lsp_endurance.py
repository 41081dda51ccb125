"""Many edits in a row on one file: `python tests/bench/lsp_endurance.py`: 1,000 with ty, 100 with each other server.

Every second edit makes an error and the next one repairs it, so each verdict is known beforehand: `1 new`, then `fixed: 1`. A wrong
one is one too many; one that is "not known yet" is counted apart. Memory and processes are taken after a tenth of
the edits and at the end. Neither may have grown here; a server that grows is compared with one of its kind that a raw
client shows the same edits.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.lsp_projects import PROJECTS, Project
from bench.lsp_raw import raw_client
from bench.lsp_session import Row, bounded, call, figures, only, opened
from toolpost import Run

EDITS = {"ty": 1000}
USUAL = 100
GROWTH = 1.1
"""Times the memory after a tenth of the edits: Python's allocator keeps pages."""
MORE = 20
"""Megabytes that a server may grow by more than one of its kind does by hand: collectors take their time."""
PATIENCE = 2.0
"""Seconds in which a server publishes, by hand."""


@attrs.frozen
class Size:
    """What the run takes: processes below this one, and the resident megabytes of each side."""

    processes: int
    ours: float
    servers: float

    @classmethod
    def now(cls) -> Size:
        parents: dict[int, int] = {}
        memory: dict[int, float] = {}
        for entry in filter(str.isdecimal, os.listdir("/proc")):
            try:
                status = Path("/proc", entry, "status").read_text()
            except OSError:  # it has ended meanwhile
                continue
            fields = dict(re.findall(r"^(PPid|VmRSS):\s+(\d+)", status, re.MULTILINE))
            parents[int(entry)] = int(fields["PPid"])
            memory[int(entry)] = int(fields.get("VmRSS", 0)) / 1024
        below = {os.getpid()}
        while more := {child for child, parent in parents.items() if parent in below} - below:
            below |= more
        others = below - {os.getpid()}
        return cls(len(others), memory[os.getpid()], sum(memory[each] for each in others))


async def edit(run: Run, project: Project, number: int) -> str:
    """One edit; whether its verdict was right."""
    breaks = number % 2 == 0
    line = (project.broken if breaks else project.fine).format(number)
    result = await call(run, "write", path=project.core, content=project.core_with(line))
    assert not result.is_error, result.text
    if "not known" in result.text:
        return "not known yet"
    wanted = "1 new" if breaks else "fixed: 1"
    return "right" if wanted in result.text else f"WRONG: {result.text!r}"


async def by_hand(project: Project, times: int) -> float:
    """The megabytes by which a server grows that is shown the same edits by a raw client."""
    before = 0.0
    with only(project):
        async with raw_client(project) as client:
            client.show(project.core, project.language, project.text)
            if project.pulls:
                await client.until(client.pulling)
            for number in range(times):
                if number == times // 10:
                    before = Size.now().servers
                client.heard.clear()
                line = (project.fine if number % 2 else project.broken).format(number)
                client.show(project.core, project.language, project.core_with(line))
                if project.pulls:
                    await client.pull(project.core)
                else:
                    await client.published(project.core, PATIENCE)
            return Size.now().servers - before


async def measure(project: Project) -> list[Row]:
    times = EDITS.get(project.server, USUAL)
    hand = await by_hand(project, times)
    outcomes: Counter[str] = Counter()
    async with opened(project) as run:
        await call(run, "lsp", action="diagnostics", file=project.core)
        before, begun = Size.now(), time.perf_counter()
        for number in range(times):
            if number == times // 10:
                before = Size.now()
            outcomes[await edit(run, project, number)] += 1
        spent, after = time.perf_counter() - begun, Size.now()
    wrong = sum(count for outcome, count in outcomes.items() if outcome.startswith("WRONG"))
    verdicts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common(3))
    name, more = f"{project.server}, {times} edits", after.processes - before.processes
    ours = f"{before.ours:.0f} to {after.ours:.0f} MB"
    servers = f"{before.servers:.0f} to {after.servers:.0f} MB, by hand {hand:+.0f} MB"
    return [
        bounded(name, f"{verdicts}; {spent / times * 1e3:.1f} ms each", wrong, 0, " wrong"),
        bounded(f"{name}, this process", ours, after.ours / before.ours, GROWTH, " times"),
        bounded(f"{name}, the server", servers, after.servers - before.servers - hand, MORE, " MB more"),
        bounded(f"{name}, processes", f"{before.processes} to {after.processes}", more, 0, " more"),
    ]


if __name__ == "__main__":
    sys.exit(figures(measure, list(PROJECTS)))
