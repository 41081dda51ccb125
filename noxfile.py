"""The front of the matrix: `nox` runs all of it, `nox -s cell -- core 3.12 highest` one cell."""

from __future__ import annotations

import sys

import nox

sys.path.insert(0, "tests")
import matrix

nox.options.sessions = ["matrix"]


@nox.session(python=False, name="matrix")
def whole(session: nox.Session) -> None:
    """Every cell, two at once, and the table."""
    session.run(sys.executable, "tests/matrix.py", external=True)


@nox.session(python=False)
def cell(session: nox.Session) -> None:
    """One cell: NAME PYTHON RESOLUTION."""
    name, python, resolution = session.posargs
    package, tests = matrix.distributions()[name]
    chosen = matrix.Cell(name=name, package=package, tests=tests, python=python, resolution=resolution)
    session.run(*chosen.command(), env=matrix.environment(), external=True)
