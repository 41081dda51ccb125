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

    @pytest.mark.parametrize(("does", "killed", "crashed"), [("hang", 3, 0), ("crash", 0, 3)])
    def test_hangs_no_call_over_one_that_does_nothing_else(self, tmp_path: Path, does: str, killed: int, crashed: int):
        # All but the file that shows that the pool still answers.
        hostile = HOSTILE.replace(f'b"{does}" in data', "data != b'f(1)\\n'")
        (tally,) = asyncio.run(prove(["lua"], tmp_path, inputs=4, deadline=0.5, script=hostile))
        assert (tally.inputs, tally.hung, tally.wrong) == (4, [], [])
        assert (len(tally.killed), len(tally.crashed), tally.off) == (killed, crashed, 1)

    def test_hangs_no_call_over_one_that_never_returns(self, tmp_path: Path):
        (tally,) = asyncio.run(prove(["cobol"], tmp_path, inputs=INPUTS, deadline=0.5))
        assert (tally.hung, tally.wrong, tally.off, len(tally.killed)) == ([], [], 1, 3)
