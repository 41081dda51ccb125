"""What the fake server heard and did, a JSON line each: written as it happens, so that its death loses nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs


def writer(path: str | None) -> Callable[[Mapping[str, Any]], None]:
    """What appends an entry; nothing is kept without a path."""
    if path is None:
        return lambda entry: None
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def write(entry: Mapping[str, Any]) -> None:
        os.write(file, json.dumps(entry).encode() + b"\n")

    return write


@attrs.frozen
class Log:
    """What a server logged, in every one of its lives."""

    path: Path

    def entries(self) -> list[Mapping[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def starts(self) -> list[int]:
        """The process ids of its lives."""
        return [entry["start"] for entry in self.entries() if "start" in entry]

    def children(self) -> list[int]:
        """The process ids of what it started."""
        return [entry["child"] for entry in self.entries() if "child" in entry]

    def faults(self) -> list[str]:
        """What the client did against the protocol."""
        return [entry["fault"] for entry in self.entries() if "fault" in entry]

    def heard(self, method: str) -> list[Any]:
        """The params of every message of that method."""
        return [entry.get("params") for entry in self.entries() if entry.get("method") == method]

    def answers(self) -> list[Mapping[str, Any]]:
        """The client's answers to the server's own requests."""
        return [entry for entry in self.entries() if "id" in entry and "method" not in entry]


def runs(pid: int) -> bool:
    """Whether a process is alive; one that nobody has waited for yet is dead."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
