"""Which worker gets which file."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType

_PER_FILE = 2_000
"""Bytes of source whose work is as much as opening a file."""
_EVEN = 0.05
_MOVES = 100

File = tuple[str, int]
"""A path and its size in bytes."""


def split(files: Sequence[File], count: int, owners: Mapping[str, int] = MappingProxyType({})) -> list[list[str]]:
    """Spread files over *count* workers, about the same work to each, sorted by path.

    A file stays with its worker, which has its tree. One without follows from its path, so that the same files always fall
    the same way; only a few large ones are moved for balance.

    Args:
        owners: the worker of each file that was searched before.
    """
    if count == 1:
        return [sorted(path for path, _ in files)]
    shards: list[list[File]] = [[] for _ in range(count)]
    for file in files:
        owner = owners.get(file[0])
        index = zlib.crc32(file[0].encode(errors="surrogateescape")) if owner is None else owner
        shards[index % count].append(file)
    loads = [sum(size + _PER_FILE for _, size in shard) for shard in shards]
    for _ in range(_MOVES):
        fullest, emptiest = loads.index(max(loads)), loads.index(min(loads))
        gap = loads[fullest] - loads[emptiest]
        # The closer to half the gap, the smaller the gap that remains.
        fitting = [file for file in shards[fullest] if file[1] + _PER_FILE < gap and file[0] not in owners]
        if gap <= _EVEN * sum(loads) / count or not fitting:
            break
        moved = min(fitting, key=lambda file: (abs(gap - 2 * (file[1] + _PER_FILE)), file))
        shards[fullest].remove(moved)
        shards[emptiest].append(moved)
        loads[fullest] -= moved[1] + _PER_FILE
        loads[emptiest] += moved[1] + _PER_FILE
    return [sorted(path for path, _ in shard) for shard in shards]
