"""A symbol on a line: which place it means, and what is said when it means none or several."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost import ToolError
from toolpost_lsp.navigation.symbol import ambiguous, find, occurrences
from toolpost_lsp.protocol.text import LineIndex


def columns(line: str, symbol: str) -> list[int]:
    return [each.start for each in occurrences(line, symbol)]


def names(line: str, symbol: str) -> list[str]:
    return [each.name for each in occurrences(line, symbol)]


def refusal(text: str, line: int, symbol: str | None) -> str:
    with pytest.raises(ToolError) as raised:
        find(LineIndex.of(text), "a.py", line, symbol)
    return str(raised.value)


@pytest.mark.requirement("lsp:line-symbol")
class TestOccurrences:
    @pytest.mark.parametrize(
        ("line", "symbol", "expected"),
        [
            ("load(payload, load_all)", "load", [0]),  # whole identifiers only
            ("payload = reload()", "load", [0, 10]),  # no whole one: any text, at the identifier it lies in
            ("x = x + xx", "x", [0, 4]),
            ("total = sub_total", "total", [0]),
            ("$x = x", "x", [5]),  # a dollar is part of the name
            ("$x = x", "$x", [0]),
            ("a.b.c", "b", [2]),
            ("größe = größe_2", "größe", [0]),
            ("日本 = 日本語", "日本", [0]),
            ("f'{name} name2'", "name", [3]),
            ("x1 = 1", "1", [5]),  # no identifier at all: the text itself
            ("a + b", "+", [2]),
            ("banana", "an", [0]),  # several times in one identifier are one meaning
            ("", "x", []),
            ("Load()", "load", []),  # never another case
        ],
    )
    def test_whole_identifiers_come_before_other_text(self, line: str, symbol: str, expected: list[int]):
        assert columns(line, symbol) == expected

    @pytest.mark.parametrize(
        ("line", "symbol", "name", "start"),
        [
            ("return auth.login(user)", "auth.login(", "login", 12),
            ("return auth.login(user)", "auth.login", "login", 12),
            ("return auth.login(user)", "login(user", "user", 18),
            ("return auth.login(user)", "auth.", "auth", 7),
            ("return auth.login(user)", "n(", "login", 12),  # cut in the middle: the whole identifier
            ("def  load (self)", "def  load", "load", 5),
            ("this.#secret = 1", "#secret", "secret", 6),
            ("color: var(--main-color)", "--main-color", "color", 18),
            ("x = 0x1f", "x = 0x1f", "x", 0),  # a number is no identifier
            ("fn f<'a>(x: &'a str)", "&'a", "a", 14),
            ("a->b", "->", "->", 1),
        ],
    )
    def test_the_last_identifier_inside_is_meant(self, line: str, symbol: str, name: str, start: int):
        (found,) = occurrences(line, symbol)
        assert (found.name, found.start, found.end) == (name, start, start + len(name))

    @pytest.mark.requirement("lsp:encoding")
    def test_columns_are_code_points_whatever_stands_before(self):
        assert columns("'😀é\u0301' + name", "name") == [8]
        assert columns("\tname", "name") == [1]

    @pytest.mark.parametrize("form", ["NFC", "NFD"])
    def test_composed_and_decomposed_spellings_find_each_other(self, form: str):
        other = "NFD" if form == "NFC" else "NFC"
        line = unicodedata.normalize(form, "x = é + größe + 각")
        for word in ("größe", "é", "각"):
            (found,) = occurrences(line, unicodedata.normalize(other, word))
            assert found.name == unicodedata.normalize(form, word)
            assert line[found.start : found.end] == found.name

    def test_the_spelling_that_is_there_counts_before_the_composed_one(self):
        composed, decomposed = "é", "e\u0301"
        assert columns(f"{composed} {decomposed}", decomposed) == [2]

    def test_a_letter_without_its_mark_is_no_whole_identifier(self):
        assert names("e\u0301 = e", "e") == ["e"]
        assert columns("e\u0301 = e", "e") == [5]

    @given(st.text(max_size=40), st.text(min_size=1, max_size=4))
    def test_every_place_is_on_the_line_and_named_once(self, line: str, symbol: str):
        found = occurrences(line, symbol)
        assert len({each.start for each in found}) == len(found)
        for each in found:
            assert 0 <= each.start < each.end <= len(line)
            assert each.name == line[each.start : each.end]

    @given(st.text(max_size=20), st.text(alphabet="abé$_1", min_size=1, max_size=6), st.text(max_size=20))
    def test_text_that_is_on_the_line_is_found(self, before: str, symbol: str, behind: str):
        assert occurrences(before + symbol + behind, symbol)

    def test_a_line_of_marks_alone_costs_no_time(self):
        assert occurrences("e" + "\u0301" * 20_000, "ö") == ()


@pytest.mark.requirement("lsp:symbol-ambiguous")
class TestSeveral:
    def test_all_are_given_and_a_number_picks_one(self):
        lines = LineIndex.of("x = x + x\n")
        assert [each.start for each in find(lines, "a.py", 1, "x")] == [0, 4, 8]
        assert [each.start for each in find(lines, "a.py", 1, "x#3")] == [8]

    @pytest.mark.parametrize("symbol", ["x#4", "x#0"])
    def test_a_number_out_of_range_says_how_many_there_are(self, symbol: str):
        assert "'x' 3 times" in refusal("x = x + x\n", 1, symbol)

    def test_a_number_that_is_written_on_the_line_itself_is_found(self):
        (found,) = find(LineIndex.of("# see issue#14\n"), "a.py", 1, "issue#14")
        assert found.name == "issue"

    def test_a_name_that_begins_with_the_sign_is_no_number(self):
        assert find(LineIndex.of("#2 + #2\n"), "a.js", 1, "#2")

    def test_the_refusal_shows_each_with_its_neighbours(self):
        found = occurrences("first.load(second.load)", "load")
        error = ambiguous("a.py", 7, "load", found)
        assert "load#1: …first.load(second.lo…; load#2: …ad(second.load)…" in str(error)
        assert error.data["occurrences"] == [{"symbol": "load#1", "column": 6}, {"symbol": "load#2", "column": 18}]

    def test_the_refusal_is_bounded(self):
        line = " ".join(["x"] * 5000)
        assert len(str(ambiguous("a.py", 1, "x", occurrences(line, "x")))) < 1000


@pytest.mark.requirement("lsp:symbol-required")
class TestMissing:
    @pytest.mark.parametrize("symbol", [None, "", "  "])
    def test_no_symbol_shows_the_line(self, symbol: str | None):
        assert "a.py:2" in refusal("x\n  y = f(z)\n", 2, symbol)
        assert "`y = f(z)`" in refusal("x\n  y = f(z)\n", 2, symbol)

    def test_a_symbol_of_two_lines_is_refused(self):
        assert "one line" in refusal("a\nb\n", 1, "a\nb")

    def test_a_line_end_behind_the_symbol_does_not_count(self):
        assert find(LineIndex.of("a\nb\n"), "a.py", 1, "a\n")[0].name == "a"


class TestNotThere:
    @pytest.mark.requirement("lsp:line-symbol")
    @pytest.mark.parametrize("line", [0, -1, 3, 99])
    def test_a_line_out_of_range_names_the_line_count(self, line: int):
        assert refusal("a\nb\n", line, "a") == f"a.py has 2 lines; there is no line {line}"

    @pytest.mark.requirement("lsp:line-symbol")
    def test_the_last_line_needs_no_end(self):
        assert find(LineIndex.of("a\nb"), "a.py", 2, "b")[0].start == 0
        assert refusal("", 2, "b") == "a.py has 1 line; there is no line 2"

    @pytest.mark.requirement("lsp:symbol-ambiguous")
    def test_the_nearest_line_that_has_it_is_named(self):
        text = "load()\n\n\n\nnothing\n\nload(2)\n"
        told = refusal(text, 5, "load")
        assert "a.py:5, which is: `nothing`" in told
        assert "nearest line that has it is 7: `load(2)`" in told

    @pytest.mark.requirement("lsp:symbol-ambiguous")
    def test_the_nearest_line_is_named_without_the_number(self):
        assert "'load' is not on a.py:2" in refusal("load()\nx\n", 2, "load#2")

    def test_a_symbol_that_is_nowhere_says_so(self):
        assert "No line of the file has it" in refusal("a\nb\n", 1, "c")

    def test_a_long_line_is_cut(self):
        assert len(refusal("x" * 10_000 + "\n", 1, "y")) < 400

    def test_only_line_feeds_and_returns_end_lines(self):
        (found,) = find(LineIndex.of("a\x0b\u2028b\r\nc\rd"), "a.py", 3, "d")
        assert found.start == 0
