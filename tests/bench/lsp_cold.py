"""References and rename as the first call on a cold server: `python tests/bench/lsp_cold.py`.

Each is asked 20 times, on a fresh run with a fresh server. An answer is complete, or it says that it may not be; a rename changes
every place or none. One partial answer is one too many.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.lsp_projects import Project
from bench.lsp_session import Row, bounded, call, figures, opened
from toolpost import Result

TIMES = 20
NEW = "grand_total"


async def references(project: Project) -> tuple[str, float]:
    """How the first call ended, and its seconds."""
    async with opened(project) as run:
        begun = time.perf_counter()
        result = await call(run, "lsp", action="references", file=project.core, line=line(project), symbol="total")
        spent = time.perf_counter() - begun
    if result.is_error or says_that_it_may_be_more(result):
        return "said so", spent
    return ("complete" if (result.data or {}).get("total") == project.places else "PARTIAL"), spent


async def rename(project: Project) -> tuple[str, float]:
    async with opened(project) as run:
        begun = time.perf_counter()
        result = await call(run, "lsp_rename", file=project.core, line=line(project), symbol="total", new_name=NEW)
        spent = time.perf_counter() - begun
        folder = Path(run.scope.workspace)
        now = {name: (folder / name).read_text() for name in project.files}
    if now == dict(project.files):
        return ("said so" if result.is_error else "NOTHING CHANGED"), spent
    whole = {name: text.replace("total", NEW) for name, text in project.files.items()}
    return ("complete" if now == whole and not result.is_error else "PARTIAL"), spent


def line(project: Project) -> int:
    """Where the core defines it."""
    return next(n for n, text in enumerate(project.text.splitlines(), 1) if "total(" in text)


def says_that_it_may_be_more(result: Result) -> bool:
    return (result.data or {}).get("ready") is False and "not ready" in result.text


async def measure(project: Project) -> list[Row]:
    rows = []
    for ask in (references, rename):
        ended = [await ask(project) for _ in range(TIMES)]
        outcomes = Counter(outcome for outcome, _ in ended)
        value = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        value += f"; median {statistics.median(spent for _, spent in ended):.2f} s"
        wrong = sum(count for outcome, count in outcomes.items() if outcome.isupper())
        rows.append(bounded(f"{project.server}, {ask.__name__} first", value, wrong, 0, " partial"))
    return rows


if __name__ == "__main__":
    sys.exit(figures(measure, ["pyright"]))
