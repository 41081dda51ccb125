"""Nothing leaves the workspace while a process swaps its folders for links. The attack is in proofs/confinement_race.py."""

from __future__ import annotations

import os

import pytest
from proofs.confinement_race import NAIVE, OPERATIONS, race

_SECONDS = 30.0 if os.environ.get("TOOLPOST_FULL") else 0.5


@pytest.mark.requirement("core:confined")
@pytest.mark.parametrize("openat2", [True, False], ids=["openat2", "walk"])
@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each != NAIVE])
def test_nothing_escapes_under_attack(operation: str, openat2: bool) -> None:
    outcome = race(operation, _SECONDS, openat2=openat2)
    assert outcome.escapes == 0
    assert outcome.shows(operation), outcome


def test_the_attack_gets_the_better_of_a_check_before_the_use() -> None:
    """It would find a mistake."""
    assert race(NAIVE, 0.1, openat2=False).escapes > 0
