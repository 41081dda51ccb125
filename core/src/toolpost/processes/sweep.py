"""The sweep: ends what is left of runs whose harness and guards are all dead, after their ledgers."""

from __future__ import annotations

import os
import time
from pathlib import Path

import attrs

from .guard import ledger, procfs
from .guard.ledger import Ledger
from .guard.procfs import Identity

RUN_VARIABLE = "TOOLPOST_RUN"
"""The variable that carries a run's tag in the environment of everything it starts."""


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
        ledger_folder: where the runs' `*.ledger` files are; it need not exist.
    """
    swept = []
    for path in sorted(ledger_folder.glob("*.ledger")):
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
    known = {*run.guards, *run.known}
    killed: set[Identity] = set()
    until = time.monotonic() + seconds
    while True:
        left = _members(run.tag, known)
        procfs.end(left)
        killed.update(left)
        known.update(left)
        if not left or time.monotonic() > until:
            return Swept(
                tag=run.tag,
                killed=tuple(sorted(pid for pid, _ in killed.difference(left))),
                left=tuple(sorted(pid for pid, _ in left)),
            )
        time.sleep(0.002)


def _members(tag: str, known: set[Identity]) -> list[Identity]:
    """The living processes of a run that may be killed from here."""
    mine = os.geteuid()
    spare = _lineage()
    tagged = {process for pid in procfs.pids() if _carries(pid, tag) and (process := procfs.identity(pid))}
    roots = {process for process in known | tagged if process[0] not in spare and procfs.alive(process)}
    below = procfs.descendants({pid for pid, _ in roots}, frozenset(spare))
    return [process for process in {*roots, *below} if procfs.alive(process) and _owner(process[0]) == mine]


def _lineage() -> set[int]:
    """This process and its ancestors."""
    lineage: set[int] = set()
    pid = os.getpid()
    while pid and pid not in lineage:
        lineage.add(pid)
        pid = procfs.parent(pid)
    return lineage


def _carries(pid: int, tag: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"{RUN_VARIABLE}={tag}".encode() in file.read().split(b"\0")
    except OSError:
        return False  # gone, or another user's


def _owner(pid: int) -> int | None:
    try:
        return os.stat(f"/proc/{pid}").st_uid
    except OSError:
        return None
