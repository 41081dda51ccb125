"""What makes a search quick, as far as it is no matter of seconds: what is not parsed at all. The seconds are in tests/bench."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest
from astgrep.pool.pools import pooled, query, run
from toolpost_astgrep.search import Found

STDLIB = Path(sysconfig.get_path("stdlib"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few megabytes of real code."""
    folder = tmp_path_factory.mktemp("library")
    for name in ("asyncio", "email", "json", "http", "unittest", "importlib", "multiprocessing"):
        shutil.copytree(STDLIB / name, folder / name, ignore=lambda _, names: {n for n in names if n == "__pycache__"})
    return folder


def searched(folder: Path, *patterns: str) -> list[Found]:
    """The patterns one after the other in one run, on two workers."""

    async def work() -> list[Found]:
        async with pooled(workers=2) as (engine, _):
            return [await engine.search(query(folder, pattern)) for pattern in patterns]

    found: list[Found] = run(work)
    return found


def size(folder: Path) -> int:
    return sum(length for _, length in query(folder).files)


pytestmark = pytest.mark.requirement("ast:speed")


def test_what_is_nowhere_costs_no_parse(library: Path):
    (found,) = searched(library, "zzqq_nothing($X)")
    assert (found.total, found.parsed) == (0, 0)


@pytest.mark.parametrize(
    ("pattern", "share"),
    [("tasks.current_task($$$)", 0.05), ("$X.is_multipart()", 0.1)],
)
def test_only_files_that_may_match_are_parsed(library: Path, pattern: str, share: float):
    (found,) = searched(library, pattern)
    assert found.total > 0
    assert found.parsed < share * size(library)


@pytest.mark.parametrize("pattern", ["$F($$$ARGS)", "$A + $B", "isinstance($X, str)"])
def test_a_second_search_parses_nothing(library: Path, pattern: str):
    cold, warm = searched(library, pattern, pattern)
    assert cold.parsed > 0
    assert (warm.total, warm.parsed) == (cold.total, 0)


def test_a_tree_serves_every_pattern(library: Path):
    _, other = searched(library, "$F($$$ARGS)", "$A.$B = $C")
    assert other.total > 0
    assert other.parsed < 0.05 * size(library)
