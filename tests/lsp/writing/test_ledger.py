"""What is new against what was there before and what was reported already: counted, whatever moved."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsp.writing.values import diagnostic
from toolpost_lsp.protocol.types import Diagnostic, Severity
from toolpost_lsp.writing.keys import Key, counted_keys
from toolpost_lsp.writing.ledger import Ledger, introduced, known_of, repaired

pytestmark = pytest.mark.requirement("write:ledger", "write:new-only")

ANYWHERE = (0, 1_000)
NOTHING: Counter[Key] = Counter()

severities = st.sampled_from([Severity.ERROR, Severity.WARNING])
items = st.builds(
    diagnostic, st.sampled_from("abc"), st.integers(0, 40), severity=severities, code=st.sampled_from(["x", "y", None])
)
many = st.lists(items, max_size=12)
ranges = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda pair: (min(pair), max(pair)))


def moved(found: list[Diagnostic], lines: int) -> list[Diagnostic]:
    return [
        diagnostic(each.message, each.range.start.line + lines, severity=each.severity, code=each.code)
        for each in found
    ]


def test_a_second_identical_error_is_new() -> None:
    before = [diagnostic(line=1)]
    now = [diagnostic(line=1), diagnostic(line=5)]
    assert introduced(now, counted_keys(before), (5, 5)) == [now[1]]


def test_of_several_alike_the_nearest_to_the_changed_lines_is_new() -> None:
    now = [diagnostic(line=line) for line in (1, 10, 11, 30)]
    known = counted_keys(now[:2])
    assert [each.range.start.line for each in introduced(now, known, (12, 14))] == [10, 11]
    assert [each.range.start.line for each in introduced(now, known, (25, 40))] == [11, 30]


@given(many, st.integers(0, 100), ranges)
def test_what_only_moved_is_not_new(found: list[Diagnostic], lines: int, changed: tuple[int, int]) -> None:
    assert introduced(moved(found, lines), counted_keys(found), changed) == []


@given(many, many, ranges)
def test_new_is_what_there_is_more_of(now: list[Diagnostic], before: list[Diagnostic], lines: tuple[int, int]) -> None:
    new = introduced(now, counted_keys(before), lines)
    assert counted_keys(new) == counted_keys(now) - counted_keys(before)
    assert not Counter(new) - Counter(now), "each stands in the text"
    assert new == sorted(new, key=lambda each: each.range)


@given(many, many, many)
def test_known_is_the_larger_count_of_reported_and_before(
    now: list[Diagnostic], reported: list[Diagnostic], before: list[Diagnostic]
) -> None:
    known = known_of((counted_keys(reported), counted_keys(before)))
    new = counted_keys(introduced(now, known, ANYWHERE))
    for key, count in counted_keys(now).items():
        assert new[key] == max(count - max(counted_keys(reported)[key], counted_keys(before)[key]), 0)


@given(many, many)
def test_what_is_new_and_what_is_repaired_make_up_the_difference(
    before: list[Diagnostic], now: list[Diagnostic]
) -> None:
    was, there = counted_keys(before), counted_keys(now)
    new = len(introduced(now, was, ANYWHERE))
    assert len(now) == len(before) + new - repaired(was, there, Severity.WARNING)


def test_repaired_warnings_count_only_where_warnings_do() -> None:
    before = counted_keys([diagnostic(), diagnostic("odd", severity=Severity.WARNING)])
    assert repaired(before, NOTHING, Severity.ERROR) == 1
    assert repaired(before, NOTHING, Severity.WARNING) == 2


def test_a_verdict_takes_the_place_of_the_one_before() -> None:
    ledger, two, one = Ledger(), counted_keys([diagnostic(), diagnostic()]), counted_keys([diagnostic()])
    assert ledger.of("a.py", "checker") == NOTHING
    ledger.replace("a.py", "checker", two)
    ledger.replace("a.py", "checker", one)
    assert ledger.of("a.py", "checker") == one, "what was mended is new when it is made again"
    assert ledger.of("a.py", "other") == ledger.of("b.py", "checker") == NOTHING


def test_a_moved_file_takes_along_what_was_reported_and_a_deleted_one_leaves_nothing() -> None:
    ledger, one = Ledger(), counted_keys([diagnostic()])
    ledger.replace("a.py", "checker", one)
    ledger.replace("b.py", "checker", counted_keys([diagnostic("other")]))
    ledger.move("a.py", "b.py")
    assert (ledger.of("a.py", "checker"), ledger.of("b.py", "checker")) == (NOTHING, one)
    ledger.move("never.py", "b.py")
    assert ledger.of("b.py", "checker") == one
    ledger.forget("b.py")
    ledger.forget("b.py")
    assert ledger.of("b.py", "checker") == NOTHING
