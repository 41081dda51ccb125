"""What a child gets to know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost.processes import child_environment, redact

HARNESS = {
    "PATH": "/bin",
    "HOME": "/h",
    "LC_ALL": "C",
    "LC_TIME": "de",
    "TZ": "UTC",
    "API_KEY": "sk-1",
    "LCX": "no",
    "PYTHONPATH": "/x",
}


def test_only_the_allowed_variables_are_passed_on() -> None:
    assert child_environment(base=HARNESS) == {
        "PATH": "/bin",
        "HOME": "/h",
        "LC_ALL": "C",
        "LC_TIME": "de",
        "TZ": "UTC",
    }


def test_named_and_given_variables_are_added_and_given_ones_win() -> None:
    chosen = child_environment({"TZ": "CET", "NEW": "1"}, keep=["API_KEY", "NOT_THERE"], base=HARNESS)
    assert chosen["API_KEY"] == "sk-1"
    assert chosen["TZ"] == "CET"
    assert chosen["NEW"] == "1"
    assert "NOT_THERE" not in chosen
    assert "PYTHONPATH" not in chosen


def test_the_harness_s_own_environment_is_the_source_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "of-this-test")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    assert child_environment()["TERM"] == "of-this-test"
    assert "SECRET_TOKEN" not in child_environment()


def test_secrets_are_replaced_and_short_values_are_left() -> None:
    assert redact("key=abcd1234, word=yes", ["abcd1234", "yes", ""]) == "key=[redacted], word=yes"


def test_a_secret_within_a_longer_one_leaves_nothing_of_it() -> None:
    assert redact("x abcd1234-and-more y", ["abcd1234", "abcd1234-and-more"]) == "x [redacted] y"


@given(st.lists(st.text("abc", min_size=8, max_size=12), max_size=4), st.text("abc ", max_size=60))
def test_no_secret_is_left(secrets: list[str], text: str) -> None:
    shown = redact(text, secrets)
    assert not any(secret in shown for secret in secrets)
