"""What went wrong with a plugin, told once and kept: nobody else pays for it (contract core:isolation)."""

from __future__ import annotations

import logging
from typing import Literal

import attrs

log = logging.getLogger("toolpost")

FAILURES = (Exception, SystemExit)
"""What a plugin's code may raise at nobody's cost: `sys.exit()` in a hook ends no harness."""

Phase = Literal[
    "find", "import", "hooks", "tools", "conflict", "config", "resource", "tier", "gate", "write", "pending", "called",
    "status", "close", "recovery", "notice",
]  # fmt: skip


@attrs.frozen(kw_only=True)
class Problem:
    """One failure of one plugin: who, which version, in which phase, what, and the remedy where there is one."""

    plugin: str
    phase: Phase
    error: str
    distribution: str = ""
    version: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        owner = f" ({self.distribution} {self.version})".replace(" )", ")") if self.distribution else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"plugin {self.plugin!r}{owner}, {self.phase}: {self.error}{remedy}"


class PluginError(Exception):
    """Raised instead of being kept: in strict mode, and for a plugin that the harness requires."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def told(error: BaseException) -> str:
    """An exception in one line: its type and what it says."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def warn(problem: Problem, error: BaseException | None = None) -> None:
    """Log a problem: one line as a warning, its traceback at debug level."""
    log.warning("%s", problem)
    if error is not None:
        log.debug("plugin %r, %s", problem.plugin, problem.phase, exc_info=error)
