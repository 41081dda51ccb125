"""What the core's tests share: a workspace, and a folder for distributions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from core.distributions import Site

from core import distributions


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A folder on `sys.path` for distributions that a test installs."""
    with distributions.site(tmp_path_factory.mktemp("site"), monkeypatch) as made:
        yield made
