"""Rewrites one source with the real parts: grammar, pattern, matcher and template."""

from __future__ import annotations

from collections.abc import Sequence

from toolpost_astgrep import grammars
from toolpost_astgrep.matching.scan import Scanner
from toolpost_astgrep.patterns.pattern import compile_pattern
from toolpost_astgrep.profiles import profile_of
from toolpost_astgrep.rewriting.rewrite import FileRewrite, Rule, rewrite_source
from toolpost_astgrep.rewriting.template import Template
from tree_sitter import Parser


def rewritten(
    language: str, pattern: str, rewrite: str, source: str | bytes, context: str | None = None
) -> FileRewrite:
    """What becomes of a source in which the pattern matches."""
    made = by_rules(language, [(pattern, rewrite)], source, context)
    assert any(made.matches), f"{pattern!r} does not match {source[:200]!r}"
    return made


def by_rules(
    language: str, rules: Sequence[tuple[str, str]], source: str | bytes, context: str | None = None
) -> FileRewrite:
    """What becomes of a source by patterns and rewrites, one after the other."""
    data = source.encode() if isinstance(source, str) else source
    grammar, profile = grammars.load(language), profile_of(language)
    made = []
    for pattern, rewrite in rules:
        meaning = compile_pattern(pattern, language, context=context, grammar=grammar).meaning
        made.append(
            Rule(search=Scanner(meaning, grammar, profile), template=Template.parse(rewrite, meaning.variables))
        )
    tree = Parser(grammar).parse(data)
    return rewrite_source(data, tree, made, grammar=grammar, profile=profile, language=language)


def text(language: str, pattern: str, rewrite: str, source: str | bytes, context: str | None = None) -> str:
    """The new text of a source that can be rewritten."""
    made = rewritten(language, pattern, rewrite, source, context)
    assert made.problem is None, made.problem
    assert made.after is not None
    return made.after.decode()


def problem(language: str, pattern: str, rewrite: str, source: str | bytes) -> str:
    """Why a source cannot be rewritten."""
    made = rewritten(language, pattern, rewrite, source)
    assert made.after is None, made.after
    assert made.problem is not None
    return made.problem
