"""Processes that die within a change of files, at a point of their own choosing, and leave it to be recovered."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from toolpost.workspace import Change, Confinement, Disk, StateFolder, apply, digest


class Dying(Disk):
    """Its process dies before the journal is renamed: everything is switched, and nothing committed."""

    def rename_journal(self, old: str, new: str) -> None:
        if new.endswith(".committed"):
            os._exit(7)
        super().rename_journal(old, new)


class DyingAfterAFailedCommit(Disk):
    """The commit's rename is done, but not flushed; the process dies while the change is taken back."""

    failed = False

    def rename_journal(self, old: str, new: str) -> None:
        super().rename_journal(old, new)
        if new.endswith(".committed"):
            self.failed = True
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def exchange(self, directory: int, temporary: str, name: str) -> None:
        super().exchange(directory, temporary, name)
        if self.failed:
            os._exit(7)


class DyingLater(Disk):
    """Its process dies once the change is committed."""

    def settle(self, directory: int, temporary: str) -> None:
        os._exit(7)


def die_within(disk: Disk, workspace: Path, changes: list[Change], roots: list[Path] | None = None) -> StateFolder:
    state = StateFolder.of(workspace)
    pid = os.fork()
    if pid == 0:
        try:
            with Confinement(workspace, roots or []) as files:
                apply(files, changes, state=state, disk=disk)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    return state


def edits(workspace: Path, *names: str) -> list[Change]:
    for name in names:
        (workspace / name).write_bytes(b"old")
    return [Change(path=name, seen=digest(b"old"), after=b"new") for name in names]
