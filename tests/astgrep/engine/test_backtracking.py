"""`$$$` tries all ways, in bounded time."""

from __future__ import annotations

import time

import pytest
from astgrep.engine.naive import Item, Many, One, Value, first_match, spelt
from astgrep.engine.searching import captures, matches, scanner, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost_astgrep.matching.match import StepLimit
from tree_sitter import Parser

_values = st.recursive(st.integers(1, 3), lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=12)
_ones = st.sampled_from([One(None), One("A"), One("B")])
_many = st.sampled_from([Many(None), Many("M"), Many("N")])
_items = st.recursive(
    st.one_of(st.integers(1, 3), _ones, _many), lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=8
)


@pytest.mark.requirement("ast:backtrack", "ast:same-capture", "ast:metavariables")
@settings(max_examples=400, deadline=None)
@given(st.lists(_items, max_size=5).map(tuple), st.lists(_values, max_size=6).map(tuple))
def test_it_matches_as_trying_all_ways_does(pattern: tuple[Item, ...], value: tuple[Value, ...]):
    source = f"found({spelt(value)})"
    expected = first_match((pattern,), (value,))
    found = captures("python", f"found({spelt(pattern)})", source)
    if expected is None:
        assert found == []
    else:
        assert found == [{name: ", ".join(map(spelt, values)) for name, values in expected.items()}]


@pytest.mark.requirement("ast:backtrack")
class TestBounds:
    def test_too_many_ways_end_in_an_error(self):
        ones = ", ".join(["1"] * 101)
        with pytest.raises(StepLimit, match="too many ways"):
            matches("python", "f($$$A, $$$B, $$$C, $$$D, $$$A, $$$B, $$$C, $$$D, 2)", f"f({ones}, 2)")

    def test_what_failed_once_is_not_tried_again(self):
        numbers = ", ".join(str(each % 7) for each in range(50_000))
        start = time.process_time()
        assert matches("python", "f($$$, 1, $$$, 2, $$$, 3, $$$, 8, $$$, 9, $$$)", f"f({numbers}, 8)") == []
        assert time.process_time() - start < 5

    def test_long_rows_of_siblings(self):
        numbers = ", ".join(map(str, range(50_000)))
        assert len(matches("python", "[$$$A, 49999]", f"[{numbers}]")) == 1
        assert captures("python", "[$$$, 7, $X, $$$]", f"[{numbers}]") == [{"X": "8"}]

    def test_deep_code(self):
        deep = "(" * 20_000 + "x" + ")" * 20_000
        assert len(matches("python", "f($X)", f"f({deep})")) == 1
        assert len(matches("python", "f($X, $X)", f"f({deep}, {deep})")) == 1
        assert len(matches("python", "($X)", deep)) == 20_000

    def test_long_patterns(self):
        row = ", ".join(["1"] * 3_000)
        assert len(matches("python", f"[$$$A, {row}]", f"[2, {row}]")) == 1

    def test_many_places_in_one_file(self):
        count = 30_000
        search = scanner("python", "f($X)")
        data = b"f(1)\n" * count
        tree = Parser(search.grammar).parse(data)
        start = time.process_time()
        assert search.scan(data, tree, most=0) == (count, [])
        assert time.process_time() - start < 5


@pytest.mark.requirement("ast:backtrack", "ast:run")
def test_an_ellipsis_between_statements():
    code = "x = open(a)\nf(x)\ng()\nx.close()\n"
    assert captures("python", "$F = open($A)\n$$$B\n$F.close()", code) == [{"F": "x", "A": "a", "B": "f(x)\ng()"}]
    assert texts("python", "f(x)\n$$$", code) == ["f(x)\ng()\nx.close()"]
