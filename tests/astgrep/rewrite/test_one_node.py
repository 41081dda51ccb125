"""A capture stays one thing in its new place, and so does the replacement in what surrounds it."""

from __future__ import annotations

import ast

import pytest
from astgrep.rewrite.rewriting import problem, rewritten, text
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.requirement("edit:one-node")


@pytest.mark.parametrize(
    ("language", "pattern", "rewrite", "source", "expected"),
    [
        ("python", "double($X)", "$X * 2", "double(a + b)", "(a + b) * 2"),
        ("python", "add($A, $B)", "$A + $B", "add(1, 2) * 3", "(1 + 2) * 3"),
        ("python", "neg($A)", "-$A", "neg(a + b)", "-(a + b)"),
        ("python", "f($X)", "$X.y", "f(lambda: 1)", "(lambda: 1).y"),
        ("python", "f($X)", "$X.y", "f(1)", "(1).y"),
        ("python", "eq($A, $B)", "$A == $B", "eq(a < b, c)", "(a < b) == c"),
        ("python", "eq($A, $B)", "$A == $B", "eq(a, not b)", "a == (not b)"),
        ("python", "lt($A, $B)", "$A < $B", "lt(a, b) < c", "(a < b) < c"),
        ("python", "pair($A, $B)", "$A, $B", "f(pair(1, 2))", "f((1, 2))"),
        ("javascript", "double($X)", "$X * 2", "double(a ? b : c);", "(a ? b : c) * 2;"),
        ("javascript", "neg($X)", "-$X", "neg(-1);", "-(-1);"),
        ("javascript", "f($X)", "$X()", "f(() => 1);", "(() => 1)();"),
        ("javascript", "f($X)", "new $X()", "f(g().h);", "new (g().h)();"),
        ("javascript", "require($X)", "await import($X)", "a = require('a').b;", "a = (await import('a')).b;"),
        ("javascript", "pair($A, $B)", "$A, $B", "f(pair(1, 2));", "f((1, 2));"),
        ("typescript", "cast($X)", "$X as T", "cast(a).b;", "(a as T).b;"),
        ("tsx", "f($X)", "$X ? <a/> : null", "const x = f(a || b) || c;", "const x = (a || b ? <a/> : null) || c;"),
        ("rust", "double($X)", "$X * 2", "fn f() { double(a + b); }", "fn f() { (a + b) * 2; }"),
        ("rust", "f($X)", "$X.await?", "fn f() { f(-a); }", "fn f() { (-a).await?; }"),
        ("go", "double($X)", "$X * 2", "package p\nvar x = double(a + b)\n", "package p\nvar x = (a + b) * 2\n"),
        ("c", "DOUBLE($X)", "$X * 2", "int x = DOUBLE(a + b);", "int x = (a + b) * 2;"),
        ("c", "deref($A)", "*$A", "int x = deref(p)[1];", "int x = (*p)[1];"),
        ("java", "dbl($X)", "$X * 2", "class A { int x = dbl(a + b); }", "class A { int x = (a + b) * 2; }"),
        ("dart", "sub($A)", "c - $A", "var x = sub(a - b);", "var x = c - (a - b);"),
        ("dart", "add($A, $B)", "$A + $B", "var x = y - add(1, 2);", "var x = y - (1 + 2);"),
        (
            "dart",
            "add($A, $B)",
            "$A + $B",
            "f() async { return await add(1, 2); }",
            "f() async { return await (1 + 2); }",
        ),
        ("dart", "both($A, $B)", "$A && $B", "var x = c > both(1, 2);", "var x = c > (1 && 2);"),
        # Languages that nobody described: many of their grammars know no precedence.
        ("scala", "double($X)", "$X * 2", "val x = double(a + b)", "val x = (a + b) * 2"),
        ("kotlin", "double($X)", "$X * 2", "val x = double(a + b)", "val x = (a + b) * 2"),
        ("zig", "double($X)", "$X * 2", "const x = double(a + b);", "const x = (a + b) * 2;"),
        ("elixir", "double($X)", "$X * 2", "x = double(a + b)\n", "x = (a + b) * 2\n"),
    ],
)
def test_what_would_fall_apart_is_parenthesised(language: str, pattern: str, rewrite: str, source: str, expected: str):
    made = rewritten(language, pattern, rewrite, source)
    assert made.after is not None, made.problem
    assert made.after.decode() == expected
    assert made.parenthesised == 1


@pytest.mark.parametrize(
    ("language", "pattern", "rewrite", "source", "expected"),
    [
        ("python", "double($X)", "$X * 2", "double(x)", "x * 2"),
        ("python", "double($X)", "$X * 2", "double(f(x).y[0])", "f(x).y[0] * 2"),
        ("python", "double($X)", "$X * 2", "double((a + b))", "(a + b) * 2"),
        ("python", "double($X)", "f($X, 2)", "double(a + b)", "f(a + b, 2)"),
        ("python", "add($A, $B)", "$A + $B", "f(add(1, 2))", "f(1 + 2)"),
        ("python", "pair($A, $B)", "$A, $B", "x = pair(1, 2)", "x = 1, 2"),
        (
            "rust",
            "log($X)",
            'println!("{}", $X)',
            "fn f() { log(a.b() + 1); }",
            'fn f() { println!("{}", a.b() + 1); }',
        ),
        ("typescript", "cast($X)", "$X as T", "f(cast(a));", "f(a as T);"),
        ("javascript", "f($X)", "$X ?? 0", "x = f(a.b);", "x = a.b ?? 0;"),
        ("dart", "add($A, $B)", "$A + $B", "var x = add(1, 2);", "var x = 1 + 2;"),
        ("dart", "add($A, $B)", "$A + $B", "f() { return add(a.b, c()); }", "f() { return a.b + c(); }"),
        ("scala", "double($X)", "$X * 2", "val x = double(c)\nval y = 1", "val x = c * 2\nval y = 1"),
    ],
)
def test_no_parentheses_without_need(language: str, pattern: str, rewrite: str, source: str, expected: str):
    assert text(language, pattern, rewrite, source) == expected


@pytest.mark.parametrize(
    ("rewrite", "source", "expected"),
    [
        ("$A ?? $B", "x = a || b || c;", "x = (a || b) ?? c;"),
        ("$A ?? $B", "x = p && q || r;", "x = (p && q) ?? r;"),
        ("$A ** $B", "x = -a || b;", "x = (-a) ** b;"),
    ],
)
def test_what_the_grammar_takes_and_the_language_does_not(rewrite: str, source: str, expected: str):
    assert text("javascript", "$A || $B", rewrite, source) == expected


class TestRefusals:
    def test_a_list_is_not_put_into_parentheses(self):
        assert "$$$A captured, `a, b`, would fall apart" in problem("javascript", "f($$$A)", "-$$$A", "f(a, b);")

    def test_several_statements_in_the_place_of_one_without_braces(self):
        told = problem("javascript", "foo()", "a(); b()", "c();\nif (x) foo();\n")
        assert told.startswith("line 2: ")
        assert "`foo()`" in told

    def test_several_statements_in_a_line_of_python(self):
        assert "`foo()`" in problem("python", "foo()", "a()\nb()", "if x: foo()\n")
        assert text("python", "foo()", "a()\nb() + c", "if x:\n    foo()\n") == "if x:\n    a()\n    b() + c\n"

    @pytest.mark.parametrize(
        ("language", "pattern", "rewrite", "source"),
        [("yaml", "a: $X", "b: -$X", "a: 1\n"), ("bash", "rm $X", "$X && x", "y | rm a\n")],
    )
    def test_where_parentheses_are_something_else(self, language: str, pattern: str, rewrite: str, source: str):
        assert "line 1: " in problem(language, pattern, rewrite, source)

    def test_parts_of_a_name(self):
        assert "would fall apart" in problem("python", "f($X)", "get_$X()", "f(a)\n")


class TestSurroundings:
    """What is around a replacement is read as before."""

    @pytest.mark.parametrize(
        ("language", "pattern", "rewrite", "source"),
        [
            ("javascript", "foo()", "if (a) foo()", "if (c) foo(); else b();\n"),  # the else changes hands
            ("javascript", "foo()", "(b)()", "a\nfoo()\n"),  # joined with the line before
            ("javascript", "foo()", "[1].map(f)", "a\nfoo()\n"),
            ("c", "foo();", "if (a) { foo(); }", "void f() { if (c) foo(); else b(); }"),
        ],
    )
    def test_a_rewrite_that_changes_them_is_refused(self, language: str, pattern: str, rewrite: str, source: str):
        told = problem(language, pattern, rewrite, source)
        assert "change the code around it" in told or "would not parse" in told

    def test_an_error_elsewhere_does_not_stand_in_the_way(self):
        made = rewritten("python", "f($X)", "g($X)", "f(1)\ndef (:\n")
        assert made.after == b"g(1)\ndef (:\n"

    @pytest.mark.parametrize(
        ("language", "context", "pattern", "rewrite", "source", "expected"),
        [
            ("python", "argument", "k=$V", "k=$V, j=2", "f(k=1, l=3)\n", "f(k=1, j=2, l=3)\n"),
            ("javascript", "pair", "a: $V", "a: $V, b: 2", "x = {a: 1};\n", "x = {a: 1, b: 2};\n"),
            (
                "go",
                "expression",
                "f($X)",
                "g($X)",
                "package p\nvar x = []int{f(1), 2}\n",
                "package p\nvar x = []int{g(1), 2}\n",
            ),
        ],
    )
    def test_one_element_of_a_list_may_become_several(
        self, language: str, context: str, pattern: str, rewrite: str, source: str, expected: str
    ):
        assert text(language, pattern, rewrite, source, context) == expected


_atoms = st.sampled_from(["a", "b.c", "f(x)", "d[0]", "1", "-e", "(g, h)", "[i]", "'s'"])


def _operations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.sampled_from(["+", "*", "-", "**", "and", "or", "==", "<", "in", "|", "%", "is not"])
    return st.one_of(
        st.builds("{} {} {}".format, inner, binary, inner),
        st.builds("({})".format, inner),
        st.builds("not {}".format, inner),
        st.builds("-{}".format, inner),
        st.builds("{} if {} else {}".format, inner, inner, inner),
        st.builds("lambda x: {}".format, inner),
        st.builds("f({}, k={})".format, inner, inner),
        st.builds("({})[{}]".format, inner, inner),
    )


def _compiles(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


_expressions = st.recursive(_atoms, _operations, max_leaves=6).filter(_compiles)
_around = (
    "x = {}",
    "{} * y",
    "y - {}",
    "not {}",
    "f({}, 1)",
    "{}.z",
    "y ** {}",
    "-{}",
    "{} if y else z",
    "y and {}",
    "{}(1)",
)
_rewrites = (
    "$A + $B", "$A ** $B", "-$A", "not $A", "$A and $B", "$A if $B else 0", "$A.m($B)", "$A < $B", "[$A, $B]", "lambda: $A", "$A[$B]",
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(_expressions, _expressions, st.sampled_from(_around), st.sampled_from(_rewrites))
def test_python_reads_it_as_if_everything_were_in_parentheses(a: str, b: str, around: str, rewrite: str):
    meant = around.format("(" + rewrite.replace("$A", f"({a})").replace("$B", f"({b})") + ")") + "\n"
    made = text("python", "zz($A, $B)", rewrite, around.format(f"zz({a}, {b})") + "\n")
    assert _meaning(made) == _meaning(meant), made


class _Flat(ast.NodeTransformer):
    """`(a and b) and c` is the same as `a and b and c`, which has a node of its own."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        parts = [
            part.values if isinstance(part, ast.BoolOp) and type(part.op) is type(node.op) else [part]
            for part in node.values
        ]
        return ast.BoolOp(op=node.op, values=[value for part in parts for value in part])


def _meaning(source: str) -> str:
    return ast.dump(_Flat().visit(ast.parse(source)))
