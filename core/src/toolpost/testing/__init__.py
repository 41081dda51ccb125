"""The public test kit: doubles and helpers for tests of harnesses and plugins, and the conformance suite.

The framework itself never imports it. `PluginConformance` needs pytest, and is imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolpost.testing.clock import FakeClock
from toolpost.testing.doubles import RecordingApprover, ScriptedHuman, tool
from toolpost.testing.peer import ScriptedPeer
from toolpost.testing.plugins import open_run, plugin

if TYPE_CHECKING:
    from toolpost.testing.conformance import PluginConformance

__all__ = [
    "FakeClock",
    "PluginConformance",
    "RecordingApprover",
    "ScriptedHuman",
    "ScriptedPeer",
    "open_run",
    "plugin",
    "tool",
]


def __getattr__(name: str) -> Any:
    if name == "PluginConformance":
        from toolpost.testing.conformance import PluginConformance

        return PluginConformance
    raise AttributeError(f"module 'toolpost.testing' has no attribute {name!r}")
