from __future__ import annotations

from pathlib import Path

import pytest
from endtoend.commands import CommandLine


@pytest.fixture
def toolpost(tmp_path: Path) -> CommandLine:
    """The command line in an empty checkout."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    return CommandLine(folder=checkout, home=home)
