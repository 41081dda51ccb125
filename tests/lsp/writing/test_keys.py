"""What makes two diagnostics the same one, wherever they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsp.writing.values import diagnostic
from toolpost_lsp.protocol.types import Severity
from toolpost_lsp.writing.keys import counted_keys, key_of, normalised

pytestmark = pytest.mark.requirement("write:ledger")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Redefinition of unused `f` from line 3", "Redefinition of unused `f` from line 5"),
        ('Name "x" already defined on line 12', 'Name "x" already defined on line 9'),
        ("previous definition at a.c:3:14", "previous definition at a.c:10:1"),
        ("other declaration (main.go:12)", "other declaration (main.go:120)"),
        ("see main.go:12", "see main.go:7"),
        ("block of lines 3-5", "block of lines 10\u201312"),
        ("unclosed at Line: 3, Column 4", "unclosed at Line: 13, Column 9"),
        ("ends in col. 7", "ends in col. 70"),
        ("ln 7", "ln 8"),
    ],
)
def test_a_position_in_a_message_makes_no_difference(before: str, after: str) -> None:
    assert normalised(before) == normalised(after) != before


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("Expected 2 arguments, but got 3", "Expected 2 arguments, but got 4"),
        ("deadline 3 is over", "deadline 4 is over"),
        ("cannot assign 1:2 to x", "cannot assign 1:3 to y"),
        ("Line too long (101 > 100)", "Line too long (102 > 100)"),
    ],
)
def test_other_numbers_make_a_difference(one: str, another: str) -> None:
    assert normalised(one) != normalised(another)


def test_blanks_of_every_kind_are_one_blank() -> None:
    assert normalised(' "a" is\n\u00a0\u00a0not  "b"\t') == '"a" is not "b"'


@given(st.text())
def test_a_normalised_message_stays_as_it_is(message: str) -> None:
    once = normalised(message)
    assert normalised(once) == once


def test_severity_code_and_message_count_and_the_place_does_not() -> None:
    known = key_of(diagnostic("wrong", line=1))
    assert key_of(diagnostic("wrong", line=70)) == known
    others = [
        diagnostic("wrong", severity=Severity.WARNING),
        diagnostic("wrong", code="other"),
        diagnostic("wrong", code=None),
        diagnostic("other"),
    ]
    assert len({known, *map(key_of, others)}) == 5


def test_what_is_there_twice_counts_twice() -> None:
    counted = counted_keys([diagnostic(line=1), diagnostic(line=2), diagnostic("other")])
    assert sorted(counted.values()) == [1, 2]
