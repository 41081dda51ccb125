"""A statement that is captured brings its own `;`, and no second one stands behind it."""

from __future__ import annotations

import pytest
from astgrep.rewrite.rewriting import text

pytestmark = pytest.mark.requirement("edit:separators", "edit:substitute")

_FRAMES = {
    "c": "void m() {{ {} }}",
    "cpp": "void m() {{ {} }}",
    "java": "class A {{ void m() {{ {} }} }}",
    "javascript": "function m() {{ {} }}",
    "typescript": "function m() {{ {} }}",
    "rust": "fn m() {{ {} }}",
    "dart": "void m() {{ {} }}",
    "csharp": "class A {{ void m() {{ {} }} }}",
}


@pytest.mark.parametrize("language", _FRAMES)
@pytest.mark.parametrize(
    ("pattern", "rewrite", "before", "after"),
    [
        ("{ g(); $A; h(); }", "{ h(); $A; g(); }", "g(); f(1); h();", "h(); f(1); g();"),
        ("{ $A; h(); }", "{ $A; $A; h(); }", "f(1); h();", "f(1); f(1); h();"),
        ("{ $$$A }", "{ $$$A; h(); }", "f(1); g();", "f(1); g(); h();"),
        ("{ $A; $$$B }", "{ $$$B; $A; }", "f(1); g(); h();", "g(); h(); f(1);"),
    ],
)
def test_in_a_body(language: str, pattern: str, rewrite: str, before: str, after: str):
    frame = _FRAMES[language]
    assert text(language, pattern, rewrite, frame.format(before)) == frame.format(after)


@pytest.mark.parametrize(
    ("language", "pattern", "rewrite", "before", "after"),
    [
        (
            "javascript",
            "for ($A; $B; $C) $D",
            "for ($A; $B; $C) { $D }",
            "for (let i = 0; i < n; i++) f();",
            "for (let i = 0; i < n; i++) { f(); }",
        ),
        (
            "javascript",
            "if ($C) $A; else $B;",
            "if (!$C) $B; else $A;",
            "if (x) f(); else g();",
            "if (!x) g(); else f();",
        ),
        (
            "javascript",
            "if ($C) $A; else $B;",
            "if (!$C) $B; else $A;",
            "if (x) { f() } else { g() }",
            "if (!x) { g() } else { f() }",
        ),
        ("javascript", "$A; g();", "g(); $A;", "if (x) { y() }\ng();\n", "g(); if (x) { y() }\n"),
        ("rust", "let $X = $V;", "let $X = f($V);", "fn m() { let a = { 1 }; }", "fn m() { let a = f({ 1 }); }"),
        ("rust", "f($V);", "let x = $V; g();", "fn m() { f({ 1 }); }", "fn m() { let x = { 1 }; g(); }"),
        (
            "javascript",
            "f($X);",
            "x = $X; g();",
            "f({});\nf(() => { h(); });\n",
            "x = {}; g();\nx = () => { h(); }; g();\n",
        ),
    ],
)
def test_of_what_is_no_plain_statement(language: str, pattern: str, rewrite: str, before: str, after: str):
    assert text(language, pattern, rewrite, before) == after
