"""Text that a model may safely read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost.visible import bound, escape


@pytest.mark.requirement("core:bounded")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb", "a\\u202eb"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("\u200f", "\\u200f"),
        ("a\x00b", "a\\x00b"),
        ("a\rb", "a\\x0db"),
        ("\x85\u2028", "\\x85\\u2028"),
        ("\ud800", "\\ud800"),
        ("a\tb\r\nc\n", "a\tb\r\nc\n"),
        ("ÄÖ 漢字 🙂", "ÄÖ 漢字 🙂"),
    ],
)
def test_what_would_change_how_the_rest_is_read_is_shown(text: str, shown: str):
    assert escape(text) == shown


@pytest.mark.requirement("core:bounded")
@given(st.text(max_size=300), st.integers(20, 200))
def test_what_is_cut_is_counted(text: str, limit: int):
    cut = bound(text, limit)
    if len(text) <= limit:
        assert cut == escape(text)
    else:
        kept = limit * 3 // 4 + limit // 4
        assert f"… {len(text) - kept} characters in " in cut


def test_the_head_and_the_tail_stay():
    cut = bound("h" * 1000 + "\n" * 500 + "t" * 1000, 100)
    assert cut.startswith("h" * 75 + "\n… ")
    assert cut.endswith("…\n" + "t" * 25)
    assert "2400 characters in 501 lines left out" in cut
