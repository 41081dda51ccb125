"""Rewrites one source with the real parts: grammar, pattern, matcher and template."""

from __future__ import annotations

from toolpost_astgrep import grammars
from toolpost_astgrep.pattern import compile_pattern
from toolpost_astgrep.profiles import profile_of
from toolpost_astgrep.rewrite import FileRewrite, rewrite_source
from toolpost_astgrep.scan import Scanner
from toolpost_astgrep.template import Template
from tree_sitter import Parser


def rewritten(
    language: str, pattern: str, rewrite: str, source: str | bytes, context: str | None = None
) -> FileRewrite:
    """What becomes of a source in which the pattern matches."""
    data = source.encode() if isinstance(source, str) else source
    grammar, profile = grammars.load(language), profile_of(language)
    meaning = compile_pattern(pattern, language, context=context, grammar=grammar).meaning
    scanner = Scanner(meaning, grammar, profile)
    tree = Parser(grammar).parse(data)
    matches = list(scanner.matches(data, tree))
    assert matches, f"{pattern!r} does not match {source[:200]!r}"
    template = Template.parse(rewrite, meaning.variables)
    return rewrite_source(
        data, tree, matches, template, grammar=grammar, profile=profile, language=language, scanner=scanner
    )


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
