"""What all tests share: a state folder that is nobody's own, and the reason why slow tests are left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs keep their journals, locks and ledgers here, not in the user's own state folder."""
    home = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("TOOLPOST_STATE_HOME", str(home))
    return home


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("TOOLPOST_FULL") != "1":
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(
                    pytest.mark.skip(reason="above the quick suite's share of time; TOOLPOST_FULL=1 runs it")
                )
