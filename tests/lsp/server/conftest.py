from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of the fake server, which is the whole workspace."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "fake.toml").write_text("")
    return folder
