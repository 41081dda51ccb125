"""Fixtures of the tests of language servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from lsp.fakes import Fakes


@pytest.fixture
def fakes(toolpost_workspace: Path, tmp_path: Path) -> Iterator[Fakes]:
    """A workspace of fake servers; in the end they are held to what they saw."""
    with ExitStack() as stack:
        fakes = Fakes(toolpost_workspace, tmp_path, stack)
        fakes.put({"fake.toml": ""})
        yield fakes
        fakes.check()


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only one on PATH beside the system's; `lsp.writing.projects.put` fills it."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder
