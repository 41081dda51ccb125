"""The three tiers: what a tool lets the model do, and so who may see it."""

from __future__ import annotations

import enum
import functools


@functools.total_ordering
class Tier(enum.Enum):
    """What the model gains by calling a tool. Ordered: `READ < WRITE < EXEC` (contract core:tier-declared).

    A surface has one tier as its ceiling and holds the tools up to it. The tier decides what is *visible*, not
    merely what is approved.
    """

    READ = "read"
    """Cannot change the workspace, nor run what the model or the checkout chose."""

    WRITE = "write"
    """Changes files."""

    EXEC = "exec"
    """Starts or drives a process of the model's or the checkout's choice."""

    rank: int

    def __init__(self, _: str) -> None:
        self.rank = len(type(self).__members__)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Tier):
            return NotImplemented
        return self.rank < other.rank
