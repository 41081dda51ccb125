"""A process swaps folders and files of a workspace with links that lead out, while the workspace is read and changed.

    python tests/proofs/confinement_race.py [--seconds 30]

What must be 0: reads that gave what is outside, and anything outside that changed. `went well` and `refused` show that
the attack was met in both states; the last row, which does it in the usual wrong way, that it is an attack.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from core.workspace.snapshots import snapshot
from toolpost.workspace import Change, Confinement, StaleError, StateFolder, apply, digest, recover, syscalls

_INSIDE, _SECRET, _WRITTEN = b"inside", b"secret", b"written"
_PAUSE = 0.02  # seconds; a change of files takes some milliseconds, and some are to come through
_PATIENCE = 30.0  # seconds; only a failure takes as long
_LONGEST = 3600.0  # seconds after which an attacker ends by itself, whatever became of us


@attrs.define(kw_only=True)
class Outcome:
    """What came of one operation under attack."""

    went_well: int = 0
    refused: int = 0
    escapes: int = 0

    def shows(self, operation: str) -> bool:
        """Whether the attack was met in both states, so that this shows something."""
        return self.went_well > 0 and self.refused > 0 and (operation != NAIVE or self.escapes > 0)


@attrs.frozen
class Field:
    """The workspace, its links' twins, and what must never be reached.

    `folder` and `folder/sub` are swapped with links to folders outside that look the same, `folder/file` with a link
    to the secret; `deep/down` is swapped with `flat`, so that `..` leads elsewhere from one moment to the next.
    """

    top: Path

    @property
    def workspace(self) -> Path:
        return self.top / "workspace"

    @property
    def outside(self) -> Path:
        return self.top / "outside"

    def build(self) -> None:
        for root, content in ((self.workspace, _INSIDE), (self.outside, _SECRET)):
            (root / "folder" / "sub").mkdir(parents=True)
            for path in ("file", "folder/file", "folder/sub/file"):
                (root / path).write_bytes(content)
        (self.workspace / "deep" / "down" / "in").mkdir(parents=True)
        (self.workspace / "flat").mkdir()
        (self.workspace / "flat" / "in").symlink_to("../..")
        (self.workspace / "link").symlink_to("folder")
        for path, target in (
            ("twin-folder", self.outside / "folder"),
            ("folder/twin-sub", "../../outside/folder/sub"),
            ("folder/twin-file", "../../outside/folder/file"),
        ):
            (self.workspace / path).symlink_to(target)

    def attack(self, pause: float) -> None:
        """Swap as fast as it goes, but for pauses of up to so many seconds. All ends as it began."""
        workspace = os.open(self.workspace, os.O_PATH)
        folder = os.open(self.workspace / "folder", os.O_PATH)  # wherever it goes
        deep = os.open(self.workspace / "deep", os.O_PATH)
        ends = time.monotonic() + _LONGEST
        while time.monotonic() < ends:
            for directory, one, other in (
                (workspace, "folder", "twin-folder"),
                (folder, "sub", "twin-sub"),
                (workspace, "folder", "twin-folder"),
                (folder, "file", "twin-file"),
                (folder, "sub", "twin-sub"),
                (folder, "file", "twin-file"),
            ):
                with contextlib.suppress(OSError):
                    syscalls.exchange(one, other, directory)
            with contextlib.suppress(OSError):
                os.rename("down", "aside", src_dir_fd=deep, dst_dir_fd=workspace)
                os.rename("aside", "down", src_dir_fd=workspace, dst_dir_fd=deep)
            if pause:
                time.sleep(random.uniform(0, pause))


_READ = ("folder/file", "folder/sub/file", "link/sub/file", "folder/sub/../file", "deep/down/in/../../../folder/file")
_CLIMB = ("deep/down/in/../../../../outside/file", "deep/down/../../../outside/file", "flat/in/outside/file")


def _read(files: Confinement, number: int) -> bool:
    """Whether it gave what is outside."""
    path = (*_READ, *_CLIMB)[number % (len(_READ) + len(_CLIMB))]
    if number % 3 == 0:
        return files.read(files.resolve(path)) == _SECRET
    return files.read(path) == _SECRET


def _stat(files: Confinement, number: int) -> bool:
    path = _READ[number % 3]
    outside = Path(files.workspace).parent / "outside" / path.replace("link", "folder")
    return os.path.samestat(files.stat(path), outside.stat())


def _create(files: Confinement, number: int) -> bool:
    path = ("folder/made", "folder/sub/made", "link/sub/made")[number % 3]
    descriptor = files.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.write(descriptor, _WRITTEN)
        return os.readlink(f"/proc/self/fd/{descriptor}").startswith(f"{Path(files.workspace).parent}/outside")
    finally:
        os.close(descriptor)


def _change(files: Confinement, number: int) -> bool:
    """Edit, create, move and delete; what comes out is looked at from outside."""
    state = StateFolder(f"{Path(files.workspace).parent}/state")
    content = files.read("folder/sub/file") if number % 2 else _INSIDE
    moved = f"folder/sub/moved-{number}"
    changes = [
        Change(path="folder/sub/file", seen=digest(content), after=_WRITTEN if content == _INSIDE else _INSIDE),
        Change(path=moved, seen=None, after=_WRITTEN),
        Change(path=f"link/new-{number}/file", seen=None, after=_WRITTEN),
    ]
    applied = apply(files, changes, state=state)
    apply(files, applied.undo, state=state)
    return False


def _check_then_use(files: Confinement, number: int) -> bool:
    """How it is not done here: this shows that the attack is one."""
    path = os.path.join(files.workspace, _READ[number % len(_READ)])
    if not os.path.realpath(path).startswith(files.workspace + "/"):
        raise PermissionError(path)
    return Path(path).read_bytes() == _SECRET


NAIVE = "check, then use"
OPERATIONS: dict[str, Callable[[Confinement, int], bool]] = {
    "read": _read,
    "stat": _stat,
    "create": _create,
    "change files": _change,
    NAIVE: _check_then_use,
}


@contextlib.contextmanager
def _attacked(field: Field, pause: float) -> Iterator[None]:
    pid = os.fork()
    if pid == 0:
        try:
            field.attack(pause)
        finally:
            os._exit(1)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def race(operation: str, seconds: float, *, openat2: bool) -> Outcome:
    """Do one operation again and again under attack, for longer if the attack was not met yet: a machine may be busy."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as top:
        field = Field(Path(os.path.realpath(top)))
        field.build()
        before = snapshot(field.outside)
        with Confinement(field.workspace, openat2=openat2) as files:
            with _attacked(field, _PAUSE if operation == "change files" else 0):
                ends = time.monotonic() + seconds
                number = 0
                while (now := time.monotonic()) < ends or (now < ends + _PATIENCE and not outcome.shows(operation)):
                    number += 1
                    try:
                        escaped = OPERATIONS[operation](files, number)
                    except (OSError, StaleError):
                        outcome.refused += 1
                    else:
                        outcome.went_well += 1
                        outcome.escapes += escaped
            recover(files, StateFolder(f"{top}/state"))
        outcome.escapes += snapshot(field.outside) != before
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30, help="for each row")
    options = parser.parse_args()
    print(f"{'under attack':<16}{'by':<10}{'went well':>10}{'refused':>10}{'escapes':>10}")
    for operation in OPERATIONS:
        for openat2 in (True, False):
            outcome = race(operation, options.seconds, openat2=openat2)
            row = f"{outcome.went_well:>10}{outcome.refused:>10}{outcome.escapes:>10}"
            print(f"{operation:<16}{'openat2' if openat2 else 'walk':<10}{row}", flush=True)
            if operation == NAIVE:
                break


if __name__ == "__main__":
    main()
