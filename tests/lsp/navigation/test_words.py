"""Texts of servers in one line, and counts in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost_lsp.words import clean, counted, cut, listed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\r\n\tc", "a b c"),
        ("\x1b[31mred\x07", "[31mred"),
        ("a\u00a0\u00a0 b\u2028c\u0085d", "a b c d"),
        ("  a  ", "a"),
        ("\n\n", ""),
    ],
)
def test_a_text_is_one_line_without_control_characters(text: str, line: str):
    assert clean(text) == line


@given(st.text(), st.integers(1, 50))
def test_a_text_is_never_longer_than_asked_for(text: str, most: int):
    assert len(clean(text, most)) <= most
    assert len(clean(text, most).splitlines()) <= 1


def test_what_is_cut_ends_in_an_ellipsis():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert cut("abcd efg", 6) == "abcd…"


@pytest.mark.parametrize(
    ("count", "what", "words"),
    [(1, "file", "1 file"), (0, "file", "0 files"), (2, "quick fix", "2 quick fixes"), (3, "match", "3 matches")],
)
def test_counts_are_words(count: int, what: str, words: str):
    assert counted(count, what) == words


def test_lists_are_bounded():
    assert listed(["a", "b"]) == "a, b"
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
