"""Fixtures of the tests of write wrapping."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only one on PATH beside the system's; `put` fills it."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder
