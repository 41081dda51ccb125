"""The pytest plugin `toolpost`: fixtures for tests of plugins. It imports toolpost only inside them.

A pytest plugin loads before coverage starts, and each start of pytest pays for what it imports.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from toolpost.testing import FakeClock, RecordingApprover, ScriptedPeer


@pytest.fixture
def toolpost_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty workspace; runs on it keep their state beside it, not in the user's own folder."""
    monkeypatch.setenv("TOOLPOST_STATE_HOME", str(tmp_path / "toolpost-state"))
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def recording_approver() -> RecordingApprover:
    """An approver that says yes and keeps what it was asked."""
    from toolpost.testing import RecordingApprover

    return RecordingApprover()


@pytest.fixture
def fake_clock() -> FakeClock:
    """A clock that the test moves by hand."""
    from toolpost.testing import FakeClock

    return FakeClock()


@pytest.fixture
def scripted_peer(tmp_path: Path) -> Callable[[list[dict[str, Any]]], ScriptedPeer]:
    """Makes a scripted peer for a protocol framed by Content-Length."""
    from toolpost.testing import ScriptedPeer

    return lambda steps: ScriptedPeer.write(tmp_path, steps)
