"""The ledger of one run: a file that outlives harness and guards, so that a later sweep finds what they left.

Lines of words, so that the guards need no parser and a person can read it::

    toolpost-ledger 1
    tag <the run's tag>
    place <boot id> <pid namespace>
    harness <pid> <start time>
    guard <pid> <start time>        twice
    known <pid> <start time>        one a descendant
"""

from __future__ import annotations

import os

from .procfs import Identity

_HEAD = "toolpost-ledger 1"


class Ledger:
    """What the file says. `place` names where its process ids are valid: this boot, this pid namespace."""

    __slots__ = ("guards", "harness", "known", "place", "tag")

    def __init__(
        self, tag: str, harness: Identity, guards: list[Identity], known: list[Identity], place: tuple[str, str]
    ) -> None:
        """Hold one run's tag and processes."""
        self.tag = tag
        self.harness = harness
        self.guards = guards
        self.known = known
        self.place = place


def here() -> tuple[str, str]:
    """The boot id and the pid namespace of this process; `-` where the system does not tell."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            boot = file.read().strip()
    except OSError:
        boot = "-"
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = "-"
    return boot, namespace


def _row(kind: str, process: Identity) -> str:
    return f"{kind} {process[0]} {process[1]}"


def write(path: str, ledger: Ledger) -> None:
    """Replace the file whole; only the owner may read it.

    Raises:
        OSError: the file cannot be written.
    """
    rows = [_HEAD, f"tag {ledger.tag}", "place " + " ".join(ledger.place), _row("harness", ledger.harness)]
    rows += [_row("guard", guard) for guard in ledger.guards]
    rows += [_row("known", process) for process in ledger.known]
    draft = path + ".new"
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(fd, "w") as file:
        file.write("\n".join(rows) + "\n")
    os.rename(draft, path)


def read(path: str) -> Ledger:
    """Read a ledger.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not a ledger.
    """
    with open(path) as file:
        head, *rows = file.read().splitlines() or [""]
    if head != _HEAD:
        raise ValueError(f"{path} is not a ledger of toolpost: it begins with {head[:80]!r} instead of {_HEAD!r}")
    words: dict[str, list[list[str]]] = {}
    for row in rows:
        kind, *values = row.split(" ")
        words.setdefault(kind, []).append(values)
    processes = {
        kind: [(int(pid), int(started)) for pid, started in words.get(kind, [])]
        for kind in ("harness", "guard", "known")
    }
    try:
        [[tag]], [[boot, namespace]], [harness] = words["tag"], words["place"], processes["harness"]
    except KeyError as missing:
        raise ValueError(f"{path} is a ledger without its line {missing}") from None
    return Ledger(tag, harness, processes["guard"], processes["known"], (boot, namespace))


def remove(path: str) -> None:
    """Delete the ledger, and a draft of it that was never finished."""
    for name in (path, path + ".new"):
        try:
            os.unlink(name)
        except OSError:
            pass  # gone already, or its folder is: there is nothing left to tell
