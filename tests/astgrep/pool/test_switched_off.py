"""What a run remembers of a grammar that costs it workers (ast:killable)."""

from __future__ import annotations

from pathlib import Path

import pytest
from astgrep.harness import tree
from astgrep.pool.pools import HOSTILE, pooled, query, run
from toolpost_astgrep.search import Found
from toolpost_astgrep.workers.losses import LOSSES, Losses
from toolpost_astgrep.workers.pool import JobError

DEADLINE = 0.5
GOOD = {f"good{n}.py": "f(1)\n" for n in range(5)}


def hanging(*numbers: int) -> dict[str, str]:
    return {f"hang{n}.py": f"f({n})  # hang\n" for n in numbers}


@pytest.mark.requirement("ast:killable")
class TestAFileThatCostAWorker:
    def test_costs_none_again_until_it_changes(self, tmp_path: Path):
        tree(tmp_path, GOOD | hanging(0) | {"crash.py": "f(1)  # crash\n"})

        async def work() -> None:
            async with pooled(HOSTILE, workers=1, deadline=DEADLINE) as (engine, workers):
                first = await engine.search(query(tmp_path))
                assert first.skipped == {"hang0.py": "took over 0.5 s", "crash.py": "crashed (SIGSEGV)"}
                spent = len(workers.processes)
                again = await engine.search(query(tmp_path, "f(1)"))
                assert again.skipped == {
                    "hang0.py": "took over 0.5 s before, in this run",
                    "crash.py": "crashed (SIGSEGV) before, in this run",
                }
                assert first.total == again.total == first.searched == again.searched == 5
                assert len(workers.processes) == spent
                tree(tmp_path, {"hang0.py": "f(2); f(3)\n"})
                mended = await engine.search(query(tmp_path))
                assert (mended.total, list(mended.skipped)) == (7, ["crash.py"])

        run(work)

    def test_costs_no_other_language_and_no_other_folder(self, tmp_path: Path):
        tree(tmp_path, {"a/x.js": "f(1) // hang\n", "b/x.js": "f(1)\n"})

        async def work() -> None:
            async with pooled(HOSTILE, workers=1, deadline=DEADLINE) as (engine, _):
                assert (await engine.search(query(tmp_path / "a", language="javascript"))).total == 0
                assert (await engine.search(query(tmp_path / "b", language="javascript"))).total == 1

        run(work)


@pytest.mark.requirement("ast:killable")
class TestAGrammar:
    def test_that_hangs_on_everything_is_switched_off_and_costs_no_other(self, tmp_path: Path):
        tree(tmp_path / "py", hanging(*range(20)))
        tree(tmp_path / "js", {"a.js": "f(1)\n"})

        async def work() -> None:
            async with pooled(HOSTILE, workers=1, deadline=DEADLINE) as (engine, workers):
                found = await engine.search(query(tmp_path / "py"))
                assert (found.searched, len(found.skipped)) == (0, 20)
                assert len(workers.processes) == LOSSES
                with pytest.raises(JobError) as refused:
                    await engine.search(query(tmp_path / "py", "g($X)"))
                assert str(refused.value) == (
                    "the python grammar is not used again in this run: it cost 3 parser processes and parsed "
                    "0 files (hang0.py: took over 0.5 s; hang1.py: took over 0.5 s; hang10.py: took over 0.5 s). "
                    "Search another language, or read the files as text"
                )
                assert len(workers.processes) == LOSSES
                assert (await engine.search(query(tmp_path / "js", language="javascript"))).total == 1

        run(work)

    def test_that_parses_more_than_it_costs_stays(self, tmp_path: Path):
        tree(tmp_path, GOOD | hanging(*range(LOSSES + 1)))

        async def work() -> Found:
            async with pooled(HOSTILE, workers=1, deadline=DEADLINE) as (engine, _):
                await engine.search(query(tmp_path))
                return await engine.search(query(tmp_path))

        found = run(work)
        assert (found.total, sorted(found.skipped)) == (5, sorted(hanging(*range(LOSSES + 1))))


def test_the_same_loss_again_tells_nothing_new_of_a_grammar():
    losses = Losses()
    for _ in range(LOSSES + 1):
        losses.lost("lox", "the pattern 'f($X)'", "took over 5 s")
    assert losses.switched_off("lox") is None
