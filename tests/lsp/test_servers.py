"""The servers that tests run against are those that are pinned."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from lsp.servers import find, program, search_path, versions

PINNED = sorted(versions().items())


@pytest.mark.parametrize(("name", "version"), PINNED, ids=[name for name, _ in PINNED])
def test_a_server_is_of_the_pinned_version(name: str, version: str) -> None:
    said = subprocess.run(
        [program(name), "--version"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PATH": search_path()},
    )
    assert version in said.stdout


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))


def test_a_missing_server_fails_in_ci_and_is_a_reason_elsewhere(
    nothing_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find("ty") is None
    monkeypatch.setenv("TOOLPOST_CI", "1")
    with pytest.raises(pytest.fail.Exception, match=r"servers\.py"):
        program("ty")
    monkeypatch.delenv("TOOLPOST_CI")
    with pytest.raises(pytest.skip.Exception, match=r"servers\.py"):
        program("ty")
