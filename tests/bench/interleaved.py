"""Measuring two things fairly on a shared machine: turn about, medians, and the ratio beside its bound."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping


async def medians(
    contenders: Mapping[str, Callable[[], Awaitable[object]]], *, rounds: int = 31, repeat: int = 1
) -> dict[str, float]:
    """Seconds that one call of each contender takes: the median over *rounds* turns of *repeat* calls each."""
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    for contender in contenders.values():
        for _ in range(3):
            await contender()
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, contender in contenders.items():
                started = time.perf_counter()
                for _ in range(repeat):
                    await contender()
                spent[name].append((time.perf_counter() - started) / repeat)
    finally:
        gc.enable()
    return {name: statistics.median(times) for name, times in spent.items()}


def table(rows: list[tuple[str, str, str]]) -> None:
    """Print what was measured, the value, and the bound."""
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for what, value, bound in rows:
        print(f"{what:<{widths[0]}}  {value:>{widths[1]}}  {bound}")
