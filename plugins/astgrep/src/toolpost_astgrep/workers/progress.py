"""A few words of memory that harness and worker share: which file the worker is at, whether a grammar is at work on it,
and whether the worker shall stop.

Frames would cost more than the work on most files, and a worker that hangs in a grammar sends none.
"""

from __future__ import annotations

import mmap
import os
import struct

_PLACE = struct.Struct("<QQ")
_STOP = struct.Struct("<Q")
_STOP_AT = _PLACE.size
_LIMIT = struct.Struct("<Q")
_LIMIT_AT = _STOP_AT + _STOP.size
_ORDERS = struct.Struct("<QQ")  # both, which a worker looks at before each file
_PARSES = struct.Struct("<QQ")
_PARSES_AT = _LIMIT_AT + _LIMIT.size
_KEPT = struct.Struct("<Q")
_KEPT_AT = _PARSES_AT + _PARSES.size
_SIZE = 4096
NO_FILE = (1 << 64) - 1
"""The place of a worker that is at no file: it reads the pattern, or waits."""
STARTING = NO_FILE - 1
"""The place of a worker that has not come up yet."""


class Progress:
    """The shared words: the current file's index, a count that goes up with each file, how many files a grammar has begun
    and ended to parse, for how many there was a tree, the job to stop, and the file before which to end.

    Args:
        descriptor: the memory, as `create` gives it; it stays yours.
    """

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _SIZE)
        self._count = self.now()[1]

    @classmethod
    def create(cls) -> tuple[Progress, int]:
        """New words, and the descriptor by which a worker gets them."""
        descriptor = os.memfd_create("toolpost-astgrep")
        os.ftruncate(descriptor, _SIZE)
        made = cls(descriptor)
        made.at(STARTING)
        return made, descriptor

    def at(self, index: int) -> None:
        """Say which file comes now."""
        self._count += 1  # one side only says where it is: the harness before the start, the worker from then on
        _PLACE.pack_into(self._memory, 0, index, self._count)

    def now(self) -> tuple[int, int]:
        """The current index, and the count."""
        index, count = _PLACE.unpack_from(self._memory)
        return index, count

    def parse_begins(self) -> None:
        """Say that a grammar gets the file now."""
        begun, ended = self.parses()
        _PARSES.pack_into(self._memory, _PARSES_AT, begun + 1, ended)

    def parse_ends(self) -> None:
        """Say that the grammar is done with it."""
        _, ended = self.parses()
        _PARSES.pack_into(self._memory, _PARSES_AT, ended + 1, ended + 1)

    def parses(self) -> tuple[int, int]:
        """How many parses have begun, and how many have ended: a grammar is at work if they differ."""
        begun, ended = _PARSES.unpack_from(self._memory, _PARSES_AT)
        return begun, ended

    def tree_kept(self) -> None:
        """Say that there was a tree from an earlier job."""
        _KEPT.pack_into(self._memory, _KEPT_AT, self.kept() + 1)

    def kept(self) -> int:
        """For how many files there was one."""
        count: int = _KEPT.unpack_from(self._memory, _KEPT_AT)[0]
        return count

    def orders(self) -> tuple[int, int]:
        """The job to leave, and the file before which to end. The worker says first which file comes, then looks here: so
        who sets a limit and then sees the worker before it knows that it holds."""
        job, index = _ORDERS.unpack_from(self._memory, _STOP_AT)
        return job, index

    def stop(self, job: int) -> None:
        """Ask the worker to leave that job."""
        _STOP.pack_into(self._memory, _STOP_AT, job)

    def stopped(self) -> int:
        """The job to leave."""
        job: int = _STOP.unpack_from(self._memory, _STOP_AT)[0]
        return job

    def limit(self, index: int) -> None:
        """Ask the worker to end before that file; NO_FILE takes it back."""
        _LIMIT.pack_into(self._memory, _LIMIT_AT, index)

    def close(self) -> None:
        self._memory.close()
