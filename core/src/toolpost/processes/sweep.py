"""The sweep: ends what is left of runs whose harness and guards are all dead, after their ledgers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import attrs

from .guard import ledger, procfs
from .guard.ledger import Ledger
from .guard.procfs import Identity

RUN_VARIABLE = "TOOLPOST_RUN"
"""The variable that carries a run's tag in the environment of everything it starts."""

_CHASE = 0.02  # seconds without a catch until nothing is taken to run from us; hundreds of looks


@attrs.frozen(kw_only=True)
class Swept:
    """One dead run that was swept.

    Attributes:
        tag: the run's tag.
        killed: pids that were alive and are dead now.
        left: pids that are alive still, after a second; the ledger stays for the next sweep.
    """

    tag: str
    killed: tuple[int, ...]
    left: tuple[int, ...]


def sweep(ledger_folder: Path) -> tuple[Swept, ...]:
    """End what is left of dead runs, and delete their ledgers. Call it before a run is opened.

    A run whose harness lives is never touched, nor a ledger of another pid namespace (another container), nor a process
    of another user. A ledger from before the last boot is only deleted. A file that is no ledger is left alone.

    Args:
        ledger_folder: where the runs' ledgers are; it need not exist.
    """
    swept = []
    for path in sorted(ledger_folder.glob("*")):
        try:
            found = ledger.read(str(path))
        except (OSError, ValueError):
            continue
        boot, namespace = ledger.here()
        if found.place[0] != boot:
            ledger.remove(str(path))
        elif found.place[1] == namespace and not procfs.alive(found.harness):
            result = end_run(found)
            if not result.left:
                ledger.remove(str(path))
            swept.append(result)
    return tuple(swept)


def end_run(run: Ledger, seconds: float = 1.0) -> Swept:
    """Kill this user's processes of one run: those that the ledger knows, those that carry its tag, all below them.

    This process and those it descends from are spared, whatever they carry.

    Args:
        run: the run's ledger.
        seconds: how long to wait for the last one to die.
    """
    hunt = _Hunt(tag=run.tag, known={*run.guards, *run.known})
    until = time.monotonic() + seconds
    while True:
        left = hunt.find()
        procfs.end(left)
        if not left or time.monotonic() > until:
            return Swept(
                tag=run.tag,
                killed=tuple(sorted(pid for pid, _ in hunt.caught.difference(left))),
                left=tuple(sorted(pid for pid, _ in left)),
            )
        time.sleep(0.001)


@attrs.define(kw_only=True)
class _Hunt:
    """The search for one run's processes, without being their parent."""

    tag: str
    known: set[Identity]
    caught: set[Identity] = attrs.field(factory=set, init=False)
    _spare: frozenset[int] = attrs.field(factory=lambda: _lineage(), init=False)

    def find(self) -> list[Identity]:
        """The run's living processes. Those that can be told by themselves are stopped at sight, before they fork."""
        roots = set(self._catch_newest())
        roots.update(process for pid in procfs.pids() if (process := self._stop(pid)))
        below = procfs.descendants({pid for pid, _ in roots}, self._spare)
        found = [*roots, *filter(_may_end, below)]
        self.known.update(found)
        self.caught.update(found)
        return found

    def _catch_newest(self) -> list[Identity]:
        """Stop what forks and exits on and on, which is among the latest to be started.

        Reading all of /proc takes longer than it stays the same process; reading the last few takes microseconds.
        """
        until = time.monotonic() + _CHASE
        while time.monotonic() < until:
            newest = procfs.newest()
            if stopped := [process for pid in range(newest, newest - 4, -1) if (process := self._stop(pid))]:
                return stopped
        return []

    def _stop(self, pid: int) -> Identity | None:
        process = procfs.identity(pid)
        if not process or pid in self._spare or not (process in self.known or _carries(pid, self.tag)):
            return None
        return process if _may_end(process) and procfs.send(process, signal.SIGSTOP) else None


def _may_end(process: Identity) -> bool:
    """Whether it lives and is this user's."""
    try:
        return procfs.alive(process) and os.stat(f"/proc/{process[0]}").st_uid == os.geteuid()
    except OSError:
        return False  # just gone


def _lineage() -> frozenset[int]:
    """This process and its ancestors."""
    lineage: set[int] = set()
    pid = os.getpid()
    while pid and pid not in lineage:
        lineage.add(pid)
        pid = procfs.parent(pid)
    return frozenset(lineage)


def _carries(pid: int, tag: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"{RUN_VARIABLE}={tag}".encode() in file.read().split(b"\0")
    except OSError:
        return False  # gone, or another user's
