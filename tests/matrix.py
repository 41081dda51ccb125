"""The matrix: core alone, each plugin alone, all together; each Python that is here; highest and lowest versions.

`nox` runs it (`noxfile.py`), or `python tests/matrix.py`. Each cell is a fresh environment with built wheels, in which only
that distribution and what it needs can be imported; two cells run at once. A table stands at the end.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
AT_ONCE = 2
ONCE = (
    "tests/core/workspace/test_kills.py",
    "tests/core/workspace/test_races.py",
    "tests/core/processes/test_guards.py",
    "tests/core/test_stateful.py",
    "tests/astgrep/engine/test_backtracking.py",
    "tests/astgrep/engine/test_prefilter.py",
    "tests/astgrep/pool/test_losses.py",
    "tests/astgrep/pool/test_cancelling.py",
    "tests/astgrep/pool/test_memory.py",
    "tests/astgrep/pool/test_spoilt_text.py",
    "tests/astgrep/rewrite/test_properties.py",
    "tests/astgrep/hostile",
    "tests/composition/test_matrix.py",
    "tests/lsp/checkers/test_real_checkers.py",
    "tests/lsp/move",
    "tests/lsp/navigation/test_real_servers.py",
    "tests/lsp/rename/test_real_servers.py",
    "tests/lsp/server",
    "tests/lsp/test_faults.py",
    "tests/lsp/test_other_servers.py",
    "tests/lsp/writing/test_bounds.py",
    "tests/lsp/writing/test_late.py",
    "tests/lsp/writing/test_real_servers.py",
    "tests/lsp/writing/test_trouble.py",
)
"""Kills, races, long properties, real servers: what they show does not depend on the cell, so they run once, in the quick
suite."""


@attrs.frozen(kw_only=True)
class Cell:
    """One environment, and the tests that run in it.

    Attributes:
        name: what people call the distributions in it.
        package: the one distribution, or None for all together.
        tests: paths below the root.
    """

    name: str
    package: str | None
    tests: tuple[str, ...]
    python: str
    resolution: str

    def command(self) -> list[str]:
        """What runs the cell. `--with` is never used: it would let the workspace's environment in."""
        words = [
            "uv",
            "run",
            "--isolated",
            "--exact",
            "--no-editable",
            "--python",
            self.python,
            "--resolution",
            self.resolution,
        ]
        if self.package is not None:
            words += ["--package", self.package]
        return [
            *words,
            "python",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *(f"--ignore={path}" for path in ONCE),
            *self.tests,
        ]


@attrs.frozen(kw_only=True)
class Outcome:
    """How a cell ended."""

    cell: Cell
    code: int
    summary: str
    seconds: float
    output: str


def distributions() -> dict[str, tuple[str | None, tuple[str, ...]]]:
    """Core alone, each plugin alone, all together."""
    found: dict[str, tuple[str | None, tuple[str, ...]]] = {"core": ("toolpost", ("tests/core",))}
    for folder in sorted((ROOT / "plugins").iterdir()):
        if (folder / "pyproject.toml").is_file():
            found[folder.name] = (f"toolpost-{folder.name}", (f"tests/{folder.name}",))
    found["all"] = (None, ("tests/composition", "tests/endtoend"))
    return found


def cells() -> Iterator[Cell]:
    """Every cell: all Pythons that are here with the highest versions, the lowest Python with the lowest versions too."""
    present = [python for python in PYTHONS if available(python)]
    for name, (package, tests) in distributions().items():
        for python in present:
            yield Cell(name=name, package=package, tests=tests, python=python, resolution="highest")
        yield Cell(name=name, package=package, tests=tests, python=present[0], resolution="lowest-direct")


def available(python: str) -> bool:
    """Whether uv finds that Python here; nothing is downloaded."""
    done = subprocess.run(["uv", "python", "find", python], env=environment(), capture_output=True, check=False)
    return done.returncode == 0


def environment() -> dict[str, str]:
    """The environment of a cell. pyenv's shims fail for versions that are not chosen, so all that are installed are."""
    made = {**os.environ, "UV_PYTHON_DOWNLOADS": "never", "PYTHONDONTWRITEBYTECODE": "1"}
    if shutil.which("pyenv"):
        versions = subprocess.run(
            ["pyenv", "versions", "--bare"], capture_output=True, text=True, check=False
        ).stdout.split()
        wanted = [version for version in versions if version.rpartition(".")[0] in PYTHONS]
        made["PYENV_VERSION"] = ":".join(wanted)
    made.pop("VIRTUAL_ENV", None)
    return made


def run(cell: Cell) -> Outcome:
    """Run one cell; a command that hangs counts as failed."""
    begun = time.monotonic()
    try:
        done = subprocess.run(
            cell.command(), cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=900, check=False
        )
        code, output = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired as error:
        code, output = -1, str(error.stdout or "") + "\ntimed out"
    found = re.findall(
        r"^(?:=+ )?((?:\d+ (?:passed|failed|skipped|errors?|deselected|xfailed)[, ]*)+)in ", output, re.MULTILINE
    )
    summary = (
        found[-1].strip(", ") if found else output.strip().splitlines()[-1][:80] if output.strip() else "no output"
    )
    return Outcome(cell=cell, code=code, summary=summary, seconds=time.monotonic() - begun, output=output)


def table(outcomes: list[Outcome]) -> str:
    """The cells, a line each."""
    rows = [("distribution", "python", "versions", "outcome", "seconds", "tests")]
    for each in outcomes:
        cell = each.cell
        rows.append(
            (
                cell.name,
                cell.python,
                cell.resolution,
                "ok" if each.code == 0 else "FAILED",
                f"{each.seconds:.0f}",
                each.summary,
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def main() -> int:
    begun = time.monotonic()
    wanted = list(cells())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(run, wanted))
    for outcome in outcomes:
        if outcome.code != 0:
            print(f"\n---- {outcome.cell}\n{outcome.output[-6000:]}")
    print(table(outcomes))
    print(f"{len(outcomes)} cells in {(time.monotonic() - begun) / 60:.1f} minutes")
    return 1 if any(outcome.code for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
