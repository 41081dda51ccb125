"""Which worker gets which file: the same one again, and none of them much more than another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from toolpost_astgrep.workers.shards import split

FILES = st.dictionaries(st.text(min_size=1, max_size=8), st.integers(0, 3_000_000), max_size=60).map(
    lambda files: sorted(files.items())
)


def owners(files: list[tuple[str, int]], count: int) -> dict[str, int]:
    return {path: index for index, shard in enumerate(split(files, count)) for path in shard}


@given(files=FILES, count=st.integers(1, 8))
def test_each_file_goes_to_one_worker_in_order(files: list[tuple[str, int]], count: int):
    shards = split(files, count)
    assert len(shards) == count
    assert sorted(path for shard in shards for path in shard) == [path for path, _ in files]
    assert all(shard == sorted(shard) for shard in shards)


@given(files=FILES, count=st.integers(1, 8))
def test_the_same_files_fall_the_same_way(files: list[tuple[str, int]], count: int):
    assert split(files, count) == split(files, count)


def test_large_files_are_spread_evenly():
    files = [(f"{n:03}.py", 1_000_000 if n % 10 == 0 else 1_000) for n in range(200)]
    sizes = dict(files)
    loads = [sum(sizes[path] for path in shard) for shard in split(files, 4)]
    assert max(loads) - min(loads) <= 1_000_000


def test_a_further_file_moves_few_others():
    files = [(f"{n:03}.py", 1_000 + 37 * n) for n in range(500)]
    before, after = owners(files, 4), owners([*files, ("new.py", 20_000)], 4)
    assert sum(before[path] != after[path] for path in before) <= 25
