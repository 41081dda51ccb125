"""The matrix covers what it must, and a cell sees nothing but its own distribution (core:matrix, core:alone)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import matrix
import pytest

PLUGINS = sorted(path.parent.name for path in (matrix.ROOT / "plugins").glob("*/pyproject.toml"))


@pytest.mark.requirement("core:matrix")
def test_it_has_core_alone_each_plugin_alone_and_all_on_every_python_here_highest_and_lowest():
    cells = list(matrix.cells())
    pythons = [python for python in matrix.PYTHONS if matrix.available(python)]
    assert pythons
    for name in ("core", *PLUGINS, "all"):
        own = [cell for cell in cells if cell.name == name]
        assert [cell.python for cell in own if cell.resolution == "highest"] == pythons
        assert [cell.resolution for cell in own].count("lowest-direct") == 1
        assert all((matrix.ROOT / path).is_dir() for cell in own for path in cell.tests)


@pytest.mark.requirement("core:matrix")
def test_its_table_names_every_cell_and_how_it_ended():
    cell = matrix.Cell(name="core", package="toolpost", tests=("tests/core",), python="3.11", resolution="highest")
    outcomes = [
        matrix.Outcome(cell=cell, code=0, summary="12 passed", seconds=3.2, output=""),
        matrix.Outcome(cell=cell, code=1, summary="1 failed", seconds=4.0, output=""),
    ]
    assert [line.split()[:5] for line in matrix.table(outcomes).splitlines()[1:]] == [
        ["core", "3.11", "highest", "ok", "3"],
        ["core", "3.11", "highest", "FAILED", "4"],
    ]


@pytest.mark.requirement("core:alone")
@pytest.mark.parametrize("name", ["core", *PLUGINS])
def test_a_cell_sees_only_its_own_distribution_and_what_it_needs(name: str):
    package, tests = matrix.distributions()[name]
    cell = matrix.Cell(name=name, package=package, tests=tests, python="3.11", resolution="highest")
    words = cell.command()
    words = words[: words.index("python") + 1]
    code = "import importlib.util as u; print(*[n for n in %r if u.find_spec(n)])" % [
        f"toolpost_{plugin}" for plugin in PLUGINS
    ]
    done = subprocess.run(
        [*words, "-c", code], cwd=matrix.ROOT, env=matrix.environment(), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ([] if name == "core" else [f"toolpost_{name}"])


def test_the_front_runs_it():
    assert "tests/matrix.py" in Path(matrix.ROOT / "noxfile.py").read_text()
