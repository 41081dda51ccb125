"""The smallest ranged change: right in every encoding, and small."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import converters, types
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Position
from toolpost_lsp.server.change import smallest, smallest_change

PIECES = ["a", "b", "é", "e\u0301", "😀", "😁", "\u2028", "\r\n", "\n", "\r"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def applied(text: str, change: dict[str, Any], encoding: str) -> str:
    """What a server makes of a change; it counts in units of its own, as servers do."""
    codec, width = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    starts, lines, at = [0], [], 0
    while at < len(text):
        length = 2 if text.startswith("\r\n", at) else 1
        if text[at] in "\r\n":
            lines.append((starts[-1], at))
            starts.append(at + length)
        at += length
    lines.append((starts[-1], len(text)))

    def place(position: dict[str, int]) -> int:
        start, end = lines[position["line"]]
        line = text[start:end].encode(codec)
        assert position["character"] * width <= len(line), "a column beyond its line"
        return start + len(line[: position["character"] * width].decode(codec))  # strict: never within a character

    return text[: place(change["range"]["start"])] + change["text"] + text[place(change["range"]["end"]) :]


@pytest.mark.requirement("lsp:encoding")
@given(TEXTS, TEXTS, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_a_server_that_applies_it_has_the_new_text(old: str, new: str, encoding: Any) -> None:
    change = smallest_change(LineIndex.of(old), new, encoding)
    assert applied(old, change, encoding) == new


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_no_character_can_be_left_out_of_it(before: str, one: str, other: str, after: str) -> None:
    old, new = before + one + after, before + other + after
    start, end, text = smallest(old, new)
    assert old[:start] + text + old[end:] == new
    assert end - start <= len(one) + 2 and len(text) <= len(other) + 2
    replaced = old[start:end]
    if replaced and text and "\r" not in old + new:
        assert replaced[0] != text[0] and replaced[-1] != text[-1]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", (0, 0, "")),
        ("same", "same", (4, 4, "")),
        ("", "all", (0, 0, "all")),
        ("all", "", (0, 3, "")),
        ("aaa", "aaaa", (3, 3, "a")),
        ("abab", "ab", (2, 4, "")),
        ("x😀y", "x😁y", (1, 2, "😁")),  # they share half a surrogate pair
        ("e\u0301", "e\u0300", (1, 2, "\u0300")),
        ("a\r\nb", "a\nb", (1, 3, "\n")),  # never between CR and LF
        ("a\nb", "a\r\nb", (1, 2, "\r\n")),
        ("a\rb", "a\r\nb", (1, 2, "\r\n")),
        ("a\r\nb", "a\rb", (1, 3, "\r")),
        ("\r\n\r\n", "\r\n", (2, 4, "")),
        ("\n", "\r\n\n", (0, 0, "\r\n")),
    ],
)
def test_it_is_the_smallest_that_has_a_position(old: str, new: str, expected: tuple[int, int, str]) -> None:
    assert smallest(old, new) == expected


def test_equal_texts_make_an_empty_change() -> None:
    change = smallest_change(LineIndex.of("a\r\n"), "a\r\n", "utf-16")
    assert change == {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}, "text": ""}


def test_it_is_what_the_protocol_describes() -> None:
    change = smallest_change(LineIndex.of("a\nb"), "a\nc", "utf-16")
    oracle = converters.get_converter()
    understood = oracle.structure(change, types.TextDocumentContentChangePartial)
    assert oracle.unstructure(understood) == change


def test_a_large_text_takes_milliseconds() -> None:
    lines = [f"value_{number} = compute({number}, 'é')\n" for number in range(8_000)]
    old = LineIndex.of("".join(lines))
    assert len(old.text) > 250_000
    new = "".join([*lines[:4_000], "inserted = 1\n", *lines[4_000:]])

    def seconds() -> float:
        begin = time.process_time()
        smallest_change(old, new, "utf-16")
        return time.process_time() - begin

    assert min(seconds() for _ in range(5)) < 0.02  # 2 ms; a machine that is busy with more takes longer
    assert old.position(smallest(old.text, new)[0], "utf-16") == Position(4_000, 0)
