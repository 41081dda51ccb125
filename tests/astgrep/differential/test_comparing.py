"""What the gate takes for a difference, and for an explained one: on a small file, with answers that ast-grep gave for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from astgrep.differential.allowed import ALLOWED
from astgrep.differential.comparing import Allowed, Difference, Source, differences, sorted_out
from astgrep.differential.patterns import PATTERNS
from bench import ast_grep
from toolpost_astgrep import grammars
from toolpost_astgrep.matching.scan import Scanner
from toolpost_astgrep.patterns.pattern import compile_pattern
from toolpost_astgrep.profiles import profile_of
from tree_sitter import Parser

CODE = b"""import os
import re, sys
if os:
    # why
    return os
if re:
    return re
else:
    return sys
del os,
"""
IF = "if $A:\n    return $B"
FOLDER = Path("/corpus")


def difference(pattern: str, answered: Sequence[tuple[int, int]], code: bytes = CODE) -> list[Difference]:
    """How our matches differ from what the peer answered."""
    grammar = grammars.load("python")
    source = Source(code, Parser(grammar).parse(code))
    reading = compile_pattern(pattern, "python", grammar=grammar).meaning
    scanner = Scanner(reading, grammar, profile_of("python"))
    lines = [
        json.dumps({"file": "/corpus/a.py", "range": {"byteOffset": {"start": start, "end": end}}}).encode()
        for start, end in answered
    ]
    ours = {"a.py": list(scanner.matches(code, source.tree))}
    return list(differences(ours, ast_grep.sites(lines, FOLDER), {"a.py": source}, reading))


def sides(found: Sequence[Difference]) -> list[tuple[str, bytes]]:
    return [(each.side, each.text) for each in found]


def test_the_same_range_on_both_sides_is_no_difference():
    assert difference("import $X", [(0, 9)]) == []


def test_what_only_the_peer_has_is_one():
    assert sides(difference("import $X", [(0, 9), (10, 24)])) == [("peer", b"import re, sys")]


def test_what_only_we_have_is_one():
    assert sides(difference("import $X", [])) == [("ours", b"import os")]


def test_a_range_that_is_one_byte_longer_is_two():
    assert sides(difference("import $X", [(0, 10)])) == [("ours", b"import os"), ("peer", b"import os\n")]


def test_the_separator_that_closes_a_match_may_be_in_it_or_not():
    start = CODE.index(b"del")
    assert difference("del $X", [(start, start + 6)]) == []
    assert difference("del $X", [(start, start + 7)]) == []


def test_a_range_that_the_peer_answers_twice_is_one_more_than_ours():
    assert sides(difference("import $X", [(0, 9), (0, 9)])) == [("peer", b"import os")]


def test_real_answers_differ_only_as_is_explained():
    start = CODE.index(b"if re")
    for pattern, answered in {"import $X": [(0, 9), (10, 24)], IF: [(start, CODE.index(b"\ndel"))]}.items():
        found = difference(pattern, answered)
        assert found
        _, unexplained = sorted_out(pattern, found, ALLOWED)
        assert sides(unexplained) == []


def test_what_nothing_explains_is_left():
    found = difference("import $X", [(0, 9), (25, 31)])
    kinds, unexplained = sorted_out("import $X", found, ALLOWED)
    assert not kinds
    assert sides(unexplained) == [("peer", b"if os:")]


def test_an_explanation_counts_for_its_side_and_its_patterns_only():
    anything = Allowed(name="any", side="peer", reason="", check=lambda each: True, patterns=frozenset({"import $X"}))
    found = difference("import $X", [(10, 24)])
    assert sides(found) == [("ours", b"import os"), ("peer", b"import re, sys")]
    kinds, unexplained = sorted_out("import $X", found, [anything])
    assert kinds == {anything: 1}
    assert sides(unexplained) == [("ours", b"import os")]
    elsewhere = attrs.evolve(anything, patterns=frozenset({"global $X"}))
    assert sorted_out("import $X", found, [elsewhere])[1] == found


@pytest.mark.parametrize("kind", ALLOWED, ids=lambda kind: kind.name)
def test_an_explanation_is_about_patterns_that_are_compared_and_says_why(kind):
    assert kind.patterns <= {pattern for patterns in PATTERNS.values() for pattern in patterns}
    assert kind.reason
