"""Somebody who may not do everything: what he may not write stays, and what he writes does not become more than it was.

Root may everything, so another user tries it, in folders that he can reach.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from core.workspace.snapshots import snapshot

pytestmark = pytest.mark.requirement("core:atomic")

_NOBODY = 65534

_UNPRIVILEGED = """
import os, sys
from toolpost.workspace import Change, Confinement, Disk, StateFolder, apply, digest, recover
workspace, state, what, *paths = sys.argv[1:]
class Dying(Disk):
    def rename_journal(self, old, new):
        if what == "die" and new.endswith(".committed"):
            os._exit(7)
        super().rename_journal(old, new)
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
with Confinement(workspace) as files:
    try:
        if what == "recover":
            print(*recover(files, StateFolder(state)))
        else:
            changes = [Change(path=path, seen=digest(b"old"), after=b"new") for path in paths]
            apply(files, changes, state=StateFolder(state), disk=Dying())
    except PermissionError as error:
        print(error)
"""


@attrs.frozen
class Home:
    """A workspace and a state folder that belong to nobody."""

    workspace: Path
    state: Path

    def add(self, name: str, mode: int, owner: int = _NOBODY) -> Path:
        path = self.workspace / name
        path.write_bytes(b"old")
        if os.geteuid() == 0:
            os.chown(path, owner, owner)
        os.chmod(path, mode)
        return path

    def run(self, what: str, *paths: str) -> str:
        words = [sys.executable, "-c", _UNPRIVILEGED, str(self.workspace), str(self.state), what, *paths]
        done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
        assert done.returncode == (7 if what == "die" else 0), done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def home() -> Iterator[Home]:
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        made = Home(Path(top, "workspace"), Path(top, "state"))
        for each in (made.workspace, made.state, made.workspace / "closed"):
            each.mkdir()
            if os.geteuid() == 0:
                os.chown(each, _NOBODY, _NOBODY)
        yield made
        os.chmod(made.workspace / "closed", 0o755)


@pytest.mark.parametrize(("path", "mode"), [("read-only", 0o444), ("closed/file", 0o644)])
def test_without_permission_nothing_is_written(home: Home, path: str, mode: int) -> None:
    home.add("fine", 0o644)
    home.add(path, mode)
    os.chmod(home.workspace / "closed", 0o555)
    before = snapshot(home.workspace)
    said = home.run("apply", "fine", path)
    assert re.search(f"ermi.*'{path}'", said), said
    assert snapshot(home.workspace) == before
    assert os.listdir(home.state) == ["lock"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file to somebody else first")
def test_a_file_that_changes_its_owner_does_not_run_as_the_new_one(home: Home) -> None:
    path = home.add("tool", 0o6777, owner=0)
    home.run("apply", "tool")
    after = path.stat()
    assert path.read_bytes() == b"new"
    assert after.st_uid == _NOBODY, "only root could have kept the owner"
    assert stat.S_IMODE(after.st_mode) == 0o777


def test_what_cannot_be_read_any_more_does_not_hold_up_the_recovery_of_the_rest(home: Home) -> None:
    for name in ("a", "b"):
        home.add(name, 0o644)
    home.run("die", "a", "b")
    os.chmod(home.workspace / "a", 0)
    said = home.run("recover")
    assert "a was changed by somebody since and is left alone" in said
    os.chmod(home.workspace / "a", 0o644)
    assert snapshot(home.workspace).contents == {"a": b"new", "b": b"old"}
