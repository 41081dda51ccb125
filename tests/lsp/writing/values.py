"""Diagnostics and problems as tests need them."""

from __future__ import annotations

from toolpost_lsp.diagnostics.problem import Problem
from toolpost_lsp.protocol.types import Diagnostic, Position, Range, Severity


def diagnostic(
    message: str = "wrong", line: int = 0, *, severity: Severity = Severity.ERROR, code: str | None = "code"
) -> Diagnostic:
    """A diagnostic at the beginning of a line, 0-based."""
    place = Range(Position(line, 0), Position(line, 1))
    return Diagnostic(range=place, message=message, severity=severity, code=code)


def problem(message: str = "wrong", line: int = 0, *, path: str = "a.py", code: str | None = "code") -> Problem:
    """An error of the server `checker`."""
    said = diagnostic(message, line, code=code)
    return Problem(path=path, range=said.range, diagnostic=said, servers=("checker",))
