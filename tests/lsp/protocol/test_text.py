"""Lines and columns, in every encoding that a server may count in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Position, Range

pytestmark = pytest.mark.requirement("lsp:encoding")

ENCODINGS: Any = ("utf-8", "utf-16", "utf-32")
PIECES = [
    "a",
    "é",
    "e\u0301",
    "😀",
    "👩\u200d👩\u200d👧",
    "汉",
    "\t",
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b",
    "\x0c",
    "\x1c",
    "\ufeff",
    "\0",
]
ENDS = ["\r\n", "\n", "\r", "\n\r"]
TEXTS = st.lists(st.sampled_from(PIECES + ENDS) | st.text(max_size=4), max_size=30).map("".join)
OFFSETS = st.integers(-2, 40)


def units(text: str, encoding: str) -> int:
    """How long a text is, counted the slow way."""
    return sum(
        {"utf-8": len(each.encode()), "utf-16": len(each.encode("utf-16-le")) // 2, "utf-32": 1}[encoding]
        for each in text
    )


@given(TEXTS)
def test_lines_are_split_at_line_feeds_and_returns_only(text: str) -> None:
    index = LineIndex.of(text)
    lines = re.split("\r\n|\r|\n", text)
    assert index.count == len(lines)
    assert [index.line(number) for number in range(index.count)] == lines


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_what_only_python_takes_for_a_line_end_is_none(odd: str) -> None:
    index = LineIndex.of(f"a{odd}b\nc")
    assert (index.count, index.line(0), index.line(1)) == (2, f"a{odd}b", "c")


@given(TEXTS, st.sampled_from(ENCODINGS), OFFSETS)
def test_every_offset_comes_back(text: str, encoding: Any, offset: int) -> None:
    index = LineIndex.of(text)
    position = index.position(offset, encoding)
    nearest = min(max(0, offset), len(text))
    if text[nearest - 1 : nearest + 1] == "\r\n" and nearest:
        nearest -= 1  # no position names the place between the two
    assert index.offset(position, encoding) == nearest
    before = re.split("\r\n|\r|\n", text[:nearest])[-1]
    assert position.character == units(before, encoding)


@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(-1, 40), st.integers(-1, 40) | st.sampled_from([2**31, 2**53]))
def test_every_position_is_brought_to_the_nearest_offset_before_it(
    text: str, encoding: Any, line: int, character: int
) -> None:
    index = LineIndex.of(text)
    offset = index.offset(Position(line, character), encoding)
    assert 0 <= offset <= len(text)
    if line < 0:
        assert offset == 0
    elif line >= index.count:
        assert offset == len(text)
    else:
        at = index.position(offset, encoding)
        assert at.line == line
        whole = index.line(line)
        column = offset - index.offset(Position(line, 0), encoding)
        assert at.character <= max(0, character)
        if column < len(whole):  # the next character would be beyond it
            assert units(whole[: column + 1], encoding) > max(0, character)


@given(TEXTS, st.sampled_from(ENCODINGS), OFFSETS, OFFSETS)
def test_ranges_are_pairs_of_positions(text: str, encoding: Any, one: int, other: int) -> None:
    index = LineIndex.of(text)
    span = index.range(one, other, encoding)
    ends = sorted((index.offset(span.start, encoding), index.offset(span.end, encoding)))
    assert index.offsets(span, encoding) == index.offsets(Range(span.end, span.start), encoding) == tuple(ends)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_between_a_return_and_its_line_feed_is_the_end_of_the_line(encoding: Any) -> None:
    assert [LineIndex.of("ab\r\nc").position(each, encoding) for each in (2, 3, 4)] == [
        Position(0, 2),
        Position(0, 2),
        Position(1, 0),
    ]


@pytest.mark.parametrize(
    ("encoding", "column"),
    [("utf-8", 9), ("utf-16", 6), ("utf-32", 5)],
)
def test_a_name_behind_emoji_and_combining_characters(encoding: Any, column: int) -> None:
    index = LineIndex.of("x\n'😀e\u0301'grand")
    assert index.position(2 + 5, encoding) == Position(1, column)
    assert index.offset(Position(1, column), encoding) == 2 + 5


@pytest.mark.parametrize(("encoding", "inside"), [("utf-8", (2, 3, 4)), ("utf-16", (2,)), ("utf-32", ())])
def test_a_column_within_a_character_is_its_beginning(encoding: Any, inside: tuple[int, ...]) -> None:
    index = LineIndex.of("a😀b")
    assert {index.offset(Position(0, each), encoding) for each in inside} <= {1}


@pytest.mark.parametrize("half", [chr(0xD83D), chr(0xDE00), chr(0xDE00) + chr(0xD83D)])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_half_a_surrogate_pair_is_a_character_like_any_other(encoding: Any, half: str) -> None:
    text = f"é{half}b"
    index = LineIndex.of(text)
    assert [index.offset(index.position(each, encoding), encoding) for each in range(len(text) + 1)] == list(
        range(len(text) + 1)
    )


def test_a_line_that_there_is_not_is_empty() -> None:
    index = LineIndex.of("a\nb")
    assert [index.line(number) for number in (-1, 2, 2**40)] == ["", "", ""]
