"""The quick form of the proof that no call hangs over a grammar, whatever it is fed (ast:killable)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from astgrep.pool.pools import HOSTILE
from proofs.grammar_mutations import prove

INPUTS = 25


@pytest.mark.requirement("ast:killable")
class TestSpoiltText:
    def test_hangs_no_call_over_real_grammars(self, tmp_path: Path):
        names = ["bash", "dart", "go", "javascript", "python", "rust", "yaml"]
        tallies = asyncio.run(prove(names, tmp_path, inputs=INPUTS))
        assert [(each.grammar, each.inputs, each.hung, each.wrong) for each in tallies] == [
            (name, INPUTS, [], []) for name in names
        ]
        # What is ordinary text costs no worker.
        lost = [each for tally in tallies for each in (*tally.killed, *tally.crashed)]
        assert not [each for each in lost if each.startswith(("text", "pattern"))]

    def test_hangs_no_call_over_one_that_hangs_and_crashes(self, tmp_path: Path):
        hostile = HOSTILE.replace('b"hang" in data', "len(data) % 3 == 0").replace(
            'b"crash" in data', "len(data) % 3 == 1"
        )
        (tally,) = asyncio.run(prove(["lua"], tmp_path, inputs=6, deadline=0.5, script=hostile))
        assert (tally.inputs, tally.hung, tally.wrong) == (6, [], [])
        assert tally.killed
        assert tally.crashed
        assert tally.off  # and a new run goes on

    def test_hangs_no_call_over_one_that_never_returns(self, tmp_path: Path):
        (tally,) = asyncio.run(prove(["cobol"], tmp_path, inputs=INPUTS, deadline=0.5))
        assert (tally.hung, tally.wrong, tally.off, len(tally.killed)) == ([], [], 1, 3)
