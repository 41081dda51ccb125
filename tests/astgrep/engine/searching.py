"""Searching a piece of code with a pattern, as the worker does it, for tests."""

from __future__ import annotations

from functools import cache

from toolpost_astgrep import grammars
from toolpost_astgrep.matching.match import Match
from toolpost_astgrep.matching.scan import Scanner
from toolpost_astgrep.patterns.parts import Reading
from toolpost_astgrep.patterns.pattern import compile_pattern
from toolpost_astgrep.profiles import profile_of
from tree_sitter import Language, Parser, Tree


@cache
def grammar(language: str) -> Language:
    return grammars.load(language)


def parsed(language: str, code: str | bytes) -> tuple[bytes, Tree]:
    data = code.encode() if isinstance(code, str) else code
    return data, Parser(grammar(language)).parse(data)


def reading(language: str, pattern: str, context: str | None = None) -> Reading:
    return compile_pattern(pattern, language, context=context, grammar=grammar(language)).meaning


def scanner(language: str, pattern: str | Reading, context: str | None = None, *, prefilter: bool = True) -> Scanner:
    meaning = reading(language, pattern, context) if isinstance(pattern, str) else pattern
    return Scanner(meaning, grammar(language), profile_of(language), prefilter)


def matches(language: str, pattern: str | Reading, code: str | bytes, context: str | None = None) -> list[Match]:
    """All matches, and the prefilter lets the code pass if there are any."""
    searcher = scanner(language, pattern, context)
    data, tree = parsed(language, code)
    found = list(searcher.matches(data, tree))
    assert not found or searcher.may_match(data), f"the prefilter loses {pattern!r} in {code!r}"
    return found


def texts(language: str, pattern: str | Reading, code: str, context: str | None = None) -> list[str]:
    data = code.encode()
    return [data[match.start : match.end].decode() for match in matches(language, pattern, code, context)]


def captures(language: str, pattern: str, code: str, context: str | None = None) -> list[dict[str, str]]:
    data = code.encode()
    return [
        {name: data[capture.start : capture.end].decode() for name, capture in match.captures.items()}
        for match in matches(language, pattern, code, context)
    ]
