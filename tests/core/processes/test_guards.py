"""Nothing outlives a run, however it ends. The rounds themselves are in proofs/guards.py."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import closing

import pytest
from proofs.guards import EVENTS, WINDOW, Nasty, play

ROUNDS = 20 if os.environ.get("TOOLPOST_FULL") else 3


@pytest.mark.requirement("core:processes", "core:run-bound")
@pytest.mark.parametrize("event", EVENTS)
def test_nothing_is_alive_a_second_after(event: str) -> None:
    rounds = play(event, ROUNDS)
    assert [played.survivors for played in rounds] == [0] * ROUNDS
    assert max(played.ms for played in rounds) <= WINDOW * 1000


def test_the_nasty_program_outlives_an_ordinary_kill_of_its_process_group() -> None:
    """Else the rounds would show nothing."""
    with closing(Nasty(seconds=2)) as nasty:
        words = {"stdout": subprocess.PIPE, "pass_fds": [nasty.theirs], "start_new_session": True}
        with subprocess.Popen(nasty.argv, **words) as program:
            nasty.given()
            assert program.stdout
            assert program.stdout.readline() == b"ready\n"
            os.killpg(program.pid, signal.SIGKILL)
            assert nasty.outcome(time.monotonic()).survivors >= 3
        assert not nasty.alive(20), "it does not end by itself either"
