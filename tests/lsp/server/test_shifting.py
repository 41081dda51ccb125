"""Problems that still hold are shown where they stand in the text of today."""

from __future__ import annotations

import random

import pytest
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Diagnostic, Position, Range
from toolpost_lsp.server.shifting import shifted


def problem(line: int) -> Diagnostic:
    place = Position(line=line, character=2)
    return Diagnostic(range=Range(start=place, end=place), message="e")


def moved(before: str, after: str, *lines: int) -> list[int]:
    items = shifted([problem(each) for each in lines], LineIndex.of(before), LineIndex.of(after))
    assert all(each.range.start == each.range.end for each in items)
    return [each.range.start.line for each in items]


@pytest.mark.parametrize(
    ("before", "after", "lines", "expected"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", [0, 2], [0, 2]),
        ("a\nb\nc\n", "new\na\nb\nc\n", [0, 2], [1, 3]),
        ("a\nb\nc\n", "a\nnew\nnew\nb\nc\n", [0, 1, 2], [0, 3, 4]),
        ("a\nb\nc\n", "a\nc\n", [0, 2], [0, 1]),
        ("a\nb\nc\n", "a\nB\nc\n", [0, 1, 2], [0, 1, 2]),
        ("a\r\nb\r\n", "\r\na\r\nb\r\n", [1], [2]),
        ("", "a\n", [0], [1]),
        ("a", "", [0], [0]),
    ],
)
def test_what_stands_behind_a_change_moves_with_it(
    before: str, after: str, lines: list[int], expected: list[int]
) -> None:
    assert moved(before, after, *lines) == expected


def test_a_line_that_was_kept_keeps_its_problem() -> None:
    chance = random.Random(3)
    for _ in range(300):
        lines = [f"line {number}" for number in range(chance.randrange(1, 12))]
        start = chance.randrange(len(lines) + 1)
        end = chance.randrange(start, len(lines) + 1)
        new = [f"new {number}" for number in range(chance.randrange(4))]
        after = [*lines[:start], *new, *lines[end:]]
        for number, line in enumerate(lines):
            if line in after:
                (now,) = moved("\n".join(lines), "\n".join(after), number)
                assert after[now] == line, (lines, after)
