"""The fake server as the plugin knows servers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from lsp.fake.modes import Modes
from toolpost_lsp.server.definition import ServerDefinition

_TESTS = Path(__file__).resolve().parents[2]


def command(modes: Modes) -> tuple[str, ...]:
    """What starts the server; it needs `environment`."""
    return (sys.executable, "-P", "-m", "lsp.fake.server", modes.json())


def environment() -> dict[str, str]:
    """The variables that let it find its own modules."""
    return {"PYTHONPATH": str(_TESTS)}


def definition(modes: Modes | None = None, **fields: Any) -> ServerDefinition:
    """A server of `.fake` files whose root holds a `fake.toml`; *fields* are those of the record that differ."""
    own: dict[str, Any] = {
        "id": "fake",
        "languages": {".fake": "fake"},
        "command": command(modes or Modes()),
        "root_markers": ("fake.toml",),
        "version_probe": None,
        "env": environment(),
        "ready_log": r"Found \d+ source files",
    }
    return ServerDefinition(**{**own, **fields})
