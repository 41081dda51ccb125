"""What toolpost keeps on disk for one workspace, in one folder outside the checkout."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

import attrs


@attrs.frozen
class StateFolder:
    """One workspace's state folder: journal, locks, ledgers. It is made when something is first kept in it."""

    path: str

    @classmethod
    def of(cls, workspace: str | os.PathLike[str]) -> StateFolder:
        """That workspace's folder, in `$TOOLPOST_STATE_HOME`, `$XDG_STATE_HOME/toolpost` or `~/.local/state/toolpost`."""
        real = os.path.realpath(workspace)
        base = os.environ.get("TOOLPOST_STATE_HOME")
        if not base:
            home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
            base = os.path.join(home, "toolpost")
        mark = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
        return cls(os.path.join(base, f"{os.path.basename(real) or 'root'}-{mark}"))

    def make(self) -> str:
        """The folder, made if it is not there, for this user alone."""
        os.makedirs(self.path, mode=0o700, exist_ok=True)
        return self.path

    def holds(self, path: str) -> bool:
        """Whether a file, by its real path, lies in this folder: it may be inside the workspace, if that is a home."""
        own = os.path.realpath(self.path)
        return os.path.commonpath((own, path)) == own

    def file(self, name: str) -> str:
        """The path of a file in it."""
        return os.path.join(self.path, name)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Only one process at a time changes or recovers this workspace; another waits. Its death ends it."""
        descriptor = os.open(os.path.join(self.make(), "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            # A fork that was made meanwhile, and lives on, holds the descriptor too: closing alone would not end the lock.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)
