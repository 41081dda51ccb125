"""What importing toolpost costs: `python tests/bench/imports.py`.

Fresh interpreters, turn about: one imports every public name of toolpost, as a harness that opens a run does; the other
imports only what toolpost stands on (pluggy, attrs, cattrs, asyncio, importlib_metadata). `import toolpost` alone is shown too.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from interleaved import table

TIMES = 1.5
ROUNDS = 31
SCRIPTS = {
    "base": "import asyncio, attrs, cattrs, importlib_metadata, pluggy",
    "toolpost": "import toolpost; [getattr(toolpost, name) for name in toolpost.__all__]",
    "bare": "import toolpost",
}
_TIMED = "import time; started = time.perf_counter(); {}; print(time.perf_counter() - started)"


def once(script: str) -> float:
    """Seconds of one import, from compiled files as an installed package's, whatever this shell forbids Python to write."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", _TIMED.format(script)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    return float(ran.stdout)


def measure() -> dict[str, float]:
    """Seconds of each import: the median over interpreters that take turns."""
    spent: dict[str, list[float]] = {name: [] for name in SCRIPTS}
    for script in SCRIPTS.values():
        once(script)
    for _ in range(ROUNDS):
        for name, script in SCRIPTS.items():
            spent[name].append(once(script))
    return {name: statistics.median(times) for name, times in spent.items()}


def main() -> None:
    spent = measure()
    table(
        [
            ("what it stands on", f"{spent['base'] * 1e3:.0f} ms", ""),
            ("every public name", f"{spent['toolpost'] * 1e3:.0f} ms", ""),
            ("ratio", f"{spent['toolpost'] / spent['base']:.2f}", f"at most {TIMES}"),
            ("import toolpost alone", f"{spent['bare'] * 1e3:.0f} ms", ""),
        ]
    )


if __name__ == "__main__":
    main()
