"""How much memory a process and all its children hold (Linux)."""

from __future__ import annotations

import os

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(pid: int) -> int:
    """Bytes in memory of a process and everything that it started, as far as that is to be seen."""
    total, left, seen = 0, [pid], set[int]()
    while left:
        one = left.pop()
        if one in seen:
            continue
        seen.add(one)
        try:
            with open(f"/proc/{one}/statm") as statm:
                total += int(statm.read().split()[1]) * _PAGE
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children") as children:
                    left += map(int, children.read().split())
        except (OSError, ValueError, IndexError):  # gone meanwhile
            continue
    return total
