"""No separator dangles where a `$$$` metavariable stands for nothing."""

from __future__ import annotations

import pytest
from astgrep.rewrite.rewriting import text
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost_astgrep.patterns.metavariables import Metavariable, split
from toolpost_astgrep.rewriting.separators import settled

pytestmark = pytest.mark.requirement("edit:separators")


@pytest.mark.parametrize(
    ("rewrite", "source", "expected"),
    [
        ("bar($$$A, c)", "foo()", "bar(c)"),
        ("bar($$$A, c)", "foo(a, b,)", "bar(a, b, c)"),
        ("bar($$$A, c)", "foo(a)", "bar(a, c)"),
        ("bar(c, $$$A)", "foo()", "bar(c)"),
        ("bar(c, $$$A)", "foo(a, b,)", "bar(c, a, b)"),
        ("bar(c, $$$A, d)", "foo()", "bar(c, d)"),
        ("bar(c, $$$A, d)", "foo(a)", "bar(c, a, d)"),
        ("bar($$$A)", "foo()", "bar()"),
        ("bar($$$A)", "foo(a,)", "bar(a)"),
        ("bar([$$$A], c)", "foo()", "bar([], c)"),
        ("bar(\n    $$$A,\n    c,\n)", "foo()", "bar(\n    c,\n)"),
        ("bar(\n    c,\n    $$$A,\n)", "foo()", "bar(\n    c,\n)"),
        ("bar(\n    c,\n    $$$A\n)", "foo()", "bar(\n    c\n)"),
    ],
)
def test_a_list_of_arguments(rewrite: str, source: str, expected: str):
    assert text("python", "foo($$$A)", rewrite, source) == expected


@pytest.mark.parametrize(
    ("language", "pattern", "rewrite", "source", "expected"),
    [
        ("tsx", "<A $$$P />", "<B $$$P x/>", "const x = <A/>;\n", "const x = <B x/>;\n"),
        ("javascript", "f($$$A)", "return [...[$$$A]];", "() => { f(); }\n", "() => { return [...[]]; }\n"),
        ("rust", "f($$$A)", "g(x, $$$A)", "fn m() { f(); f(1,); }\n", "fn m() { g(x); g(x, 1); }\n"),
        (
            "go",
            "f($$$A)",
            "g(ctx, $$$A)",
            "package p\nfunc m() { f(); f(1) }\n",
            "package p\nfunc m() { g(ctx); g(ctx, 1) }\n",
        ),
        (
            "java",
            "f($$$A)",
            "g($$$A, 0)",
            "class A { int x = f(); int y = f(1); }",
            "class A { int x = g(0); int y = g(1, 0); }",
        ),
        ("c", "f($$$A)", "g(p, $$$A)", "int x = f(); int y = f(1, 2);\n", "int x = g(p); int y = g(p, 1, 2);\n"),
        ("dart", "f($$$A)", "g($$$A, c)", "var x = f(); var y = f(1,);\n", "var x = g(c); var y = g(1, c);\n"),
        ("python", "def f($$$A): $$$B", "lambda $$$A: 1", "def f(): pass\n", "lambda: 1\n"),
        ("ruby", "f($$$A)", "g $$$A", "f(1)\nf()\n", "g 1\ng\n"),
        ("bash", "f $$$A", "g -x $$$A\nh", "f\nf a b\n", "g -x\nh\ng -x a b\nh\n"),
    ],
)
def test_every_language(language: str, pattern: str, rewrite: str, source: str, expected: str):
    assert text(language, pattern, rewrite, source) == expected


@pytest.mark.parametrize(
    ("rewrite", "expected"),
    [
        ("function g() {\n  $$$B\n  end();\n}", "function g() {\n  end();\n}"),
        ("function g() {\n  start();\n  $$$B\n}", "function g() {\n  start();\n}"),
        ("function g() { $$$B }", "function g() {}"),
        ("function g() { $$$B; end(); }", "function g() { end(); }"),
        ("$$$B\nend();", "end();"),
    ],
)
def test_an_empty_body_leaves_no_empty_line(rewrite: str, expected: str):
    assert text("javascript", "function f() { $$$B }", rewrite, "function f() {}\n") == expected + "\n"


_items = st.lists(st.sampled_from(["x", "y1", "$$$A", "$$$B", "$$$C"]), min_size=1, max_size=6)
_brackets = st.sampled_from([("(", ", ", ")"), ("[", ",", "]"), ("(\n    ", ",\n    ", "\n)")])


@settings(max_examples=300, deadline=None)
@given(_items, st.sets(st.sampled_from("ABC")), _brackets)
def test_what_is_left_of_a_list_is_the_list_of_what_is_left(
    items: list[str], gone: set[str], brackets: tuple[str, str, str]
):
    opener, comma, closer = brackets
    pieces = list(split(opener + comma.join(items) + closer))
    empty = {index for index, piece in enumerate(pieces) if isinstance(piece, Metavariable) and piece.name in gone}
    left = settled(pieces, empty)
    made = "".join(
        piece[start:end] if isinstance(piece, str) else ("" if index in empty else str(piece))
        for index, (piece, (start, end)) in enumerate(zip(pieces, left, strict=True))
    )
    kept = [item for item in items if item.removeprefix("$$$") not in gone]
    wanted = opener + comma.join(kept) + closer
    assert "".join(made.split()) == "".join(wanted.split())
    if kept:
        assert made == wanted


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["a", "b1", "f(x)", "'s, t'", "(1, 2)"]), max_size=4), st.booleans())
def test_any_number_of_arguments_keeps_them_and_the_commas_between(arguments: list[str], trailing: bool):
    source = "foo(" + ", ".join(arguments) + ("," if trailing and arguments else "") + ")"
    assert text("python", "foo($$$A)", "bar(z, $$$A, y)", source) == "bar(" + ", ".join(["z", *arguments, "y"]) + ")"
