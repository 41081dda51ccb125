"""Killed anywhere, files are old or new, all together, and a person's are the person's. See proofs/apply_kills.py."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

import pytest
from proofs import apply_kills
from proofs.apply_kills import Tally

pytestmark = pytest.mark.requirement("core:atomic", "core:cancel")

_FULL = bool(os.environ.get("TOOLPOST_FULL"))
_SHARE = 1.0 if _FULL else 0.02


def assert_whole(tally: Tally, at_least: int) -> None:
    assert (tally.mixed, tally.overwritten) == (0, 0), "\n".join(tally.details)
    assert tally.landed >= at_least, f"only {tally.landed} of {tally.tried} found the change under way"


@pytest.mark.parametrize("links", [False, True], ids=["renameat2", "links"])
def test_killed_at_every_call(links: bool) -> None:
    assert_whole(apply_kills.at_every_call(links=links), 80)


@pytest.mark.parametrize("links", [False, True], ids=["renameat2", "links"])
def test_killed_again_while_it_recovers(links: bool) -> None:
    assert_whole(apply_kills.twice(_SHARE, links=links), 1000 if _FULL else 40)


@pytest.mark.parametrize("proof", [apply_kills.person_after_kill, apply_kills.person_meanwhile])
def test_what_a_person_changed_stays(proof: Callable[[float], Tally]) -> None:
    assert_whole(proof(_SHARE), 80)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=["disk full", "broken"])
def test_a_call_that_fails_is_no_worse_than_a_kill(code: int) -> None:
    assert_whole(apply_kills.refused(code), 60)


def test_killed_at_random_times() -> None:
    landed = 1000 if _FULL else 20
    assert_whole(apply_kills.at_random_times(landed), landed)
