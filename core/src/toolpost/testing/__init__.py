"""Doubles and helpers for tests of harnesses and plugins. The framework itself never imports them."""

from toolpost.testing.clock import FakeClock
from toolpost.testing.doubles import RecordingApprover, tool
from toolpost.testing.plugins import open_run, plugin

__all__ = ["FakeClock", "RecordingApprover", "open_run", "plugin", "tool"]
