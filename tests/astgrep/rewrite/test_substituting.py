"""Captures in the rewrite's text, in every language; what the peer gets wrong (facts/structural-search.md §3)."""

from __future__ import annotations

import pytest
from astgrep.rewrite.rewriting import problem, rewritten, text
from toolpost_astgrep.patterns.pattern import PatternError
from toolpost_astgrep.rewriting.template import Template


@pytest.mark.requirement("edit:substitute")
@pytest.mark.parametrize(
    ("language", "pattern", "rewrite", "source", "expected"),
    [
        ("python", "$A == None", "$A is None", "x.y == None\n", "x.y is None\n"),
        ("javascript", "$A == null", "$A === null", "if (a == null) {}\n", "if (a === null) {}\n"),
        ("typescript", "$A as any", "$A as unknown", "f(x as any);\n", "f(x as unknown);\n"),
        ("tsx", "<A $$$P />", "<B $$$P x/>", 'const x = <A b="1" c/>;\n', 'const x = <B b="1" c x/>;\n'),
        ("rust", "$A.unwrap()", '$A.expect("some")', "fn f() { g().unwrap(); }\n", 'fn f() { g().expect("some"); }\n'),
        (
            "go",
            "fmt.Println($$$A)",
            "log.Print($$$A)",
            "package p\nfunc f() { fmt.Println(1, 2) }\n",
            "package p\nfunc f() { log.Print(1, 2) }\n",
        ),
        ("c", "if ($X) free($X);", "free($X);", "void f() { if (p) free(p); }\n", "void f() { free(p); }\n"),
        (
            "java",
            "System.out.println($A);",
            "log.info($A);",
            "class A { void f() { System.out.println(1); } }\n",
            "class A { void f() { log.info(1); } }\n",
        ),
        (
            "dart",
            "if ($X != null) $X.dispose()",
            "$X?.dispose()",
            "void f() { if (a.b != null) a.b.dispose(); }\n",
            "void f() { a.b?.dispose(); }\n",
        ),
        ("rust", "let $X = $Y;", "let mut $X = $Y;", "fn f() { let x = 1; }\n", "fn f() { let mut x = 1; }\n"),
        ("javascript", "$A && $A.$B", "$A?.$B", "if (x.y && x.y.z) {}\n", "if (x.y?.z) {}\n"),
        ("python", "swap($A, $B)", "swap($B, $A, $B)", "swap(é, b)\n", "swap(b, é, b)\n"),
    ],
)
def test_metavariables_are_substituted(language: str, pattern: str, rewrite: str, source: str, expected: str):
    assert text(language, pattern, rewrite, source) == expected


@pytest.mark.requirement("files:literal")
@pytest.mark.parametrize("replacement", ["r'\\1 \\g<0> $& $1 %s {0}'", "'\\\\n'", "'$$x'", "'\\$name'"])
def test_a_rewrite_is_literal_but_for_metavariables(replacement: str):
    assert text("python", "f($X)", f"g({replacement}, $X)", "f(1)\n") == f"g({replacement}, 1)\n"


@pytest.mark.requirement("ast:metavariables", "files:literal")
def test_a_backslash_makes_a_metavariable_literal():
    assert text("python", "f($X)", "g('\\$X', $X)", "f(1)\n") == "g('$X', 1)\n"
    assert text("dart", "f($X)", "g('\\$X $X')", "void m() { f(1); }\n") == "void m() { g('$X 1'); }\n"


@pytest.mark.requirement("files:literal")
def test_what_was_captured_is_literal_too():
    assert text("python", "f($X)", "g($X)", "f('$X $$$A \\$X \\\\1')\n") == "g('$X $$$A \\$X \\\\1')\n"


@pytest.mark.requirement("ast:lost-variable")
class TestNames:
    @pytest.mark.parametrize("rewrite", ["g($_)", "g($$$)", "g($X, $$$)"])
    def test_what_binds_nothing_cannot_be_put_anywhere(self, rewrite: str):
        with pytest.raises(PatternError, match="binds nothing"):
            Template.parse(rewrite, {"X"})

    def test_an_unbound_name_is_refused_with_those_that_there_are(self):
        with pytest.raises(PatternError, match=r"\$Y.*It captures: \$A, \$X.*write \\\$Y"):
            Template.parse("g($Y)", {"X", "A"})

    def test_names_of_other_shapes_are_text(self):
        assert Template.parse("g($x, $1, $)", set()).pieces == ("g($x, $1, $)",)


@pytest.mark.requirement("edit:substitute")
class TestTheRewriteIsReadAsItsPatternIs:
    """Blanks around it and a final `;` are no part of a pattern's meaning (ast:run), nor of its rewrite's."""

    @pytest.mark.parametrize("rewrite", ["bar($X)\n", "\n  bar($X)", "bar($X)  \n\n", "bar($X);", "bar($X) ;\n"])
    def test_blanks_around_it_and_a_semicolon(self, rewrite: str):
        assert text("javascript", "foo($X)", rewrite, "foo(1);\nx\n") == "bar(1);\nx\n"

    def test_a_margin_is_taken_off_every_line(self):
        made = text("python", "f($X)", "    if $X:\n        g()\n    h()\n", "f(a)\n")
        assert made == "if a:\n    g()\nh()\n"

    @pytest.mark.parametrize(
        ("language", "source", "expected"),
        [
            ("javascript", "x = foo(1) + 2\n", "x = bar(1) + 2\n"),
            ("javascript", "foo(1)\ny\n", "bar(1)\ny\n"),
            ("rust", "fn f() -> i32 { foo(1) }\n", "fn f() -> i32 { bar(1) }\n"),
            ("java", "class A { int x = foo(1); }\n", "class A { int x = bar(1); }\n"),
            ("c", "int x = foo(foo2(1));\n", "int x = bar(foo2(1));\n"),
        ],
    )
    def test_a_semicolon_is_put_only_where_the_code_has_it(self, language: str, source: str, expected: str):
        assert text(language, "foo($X)", "bar($X);", source) == expected

    def test_a_statement_in_the_place_of_a_block_gets_its_semicolon(self):
        made = text("c", "if ($X) { $$$B }", "free($X);", "void f() { if (p) { a(); } b(); }\n")
        assert made == "void f() { free(p); b(); }\n"

    @pytest.mark.parametrize(
        ("language", "source", "expected"),
        [
            ("javascript", "foo();\nb();\n", "if (a) { g(); }\nb();\n"),
            ("java", "class A { void m() { foo(); b(); } }", "class A { void m() { if (a) { g(); } b(); } }"),
            ("c", "void m() { foo(); b(); }", "void m() { if (a) { g(); } b(); }"),
            ("dart", "void m() { foo(); b(); }", "void m() { if (a) { g(); } b(); }"),
        ],
    )
    def test_a_block_in_the_place_of_a_statement_takes_the_semicolon(self, language: str, source: str, expected: str):
        assert text(language, "foo()", "if (a) { g(); }", source) == expected

    def test_but_not_one_that_something_else_needs(self):
        assert text("javascript", "foo()", "{ a: 1 }", "x = foo();\ny\n") == "x = { a: 1 };\ny\n"
        assert text("rust", "foo()", "unsafe { g() }", "fn m() { foo(); }") == "fn m() { unsafe { g() }; }"


@pytest.mark.requirement("edit:overlap")
class TestOverlap:
    def test_the_outermost_is_taken_and_the_rest_counted(self):
        made = rewritten("python", "f($X)", "g($X)", "f(f(f(1)))\n")
        assert made.after == b"g(f(f(1)))\n"
        assert (made.replacements, made.nested, made.still_matches) == (1, 2, 2)

    def test_of_runs_that_overlap_the_first(self):
        made = rewritten("javascript", "a($X); a($Y);", "b($X, $Y);", "a(1);\na(2);\na(3);\n")
        assert made.after == b"b(1, 2);\na(3);\n"
        assert (made.replacements, made.nested) == (1, 1)

    def test_a_rewrite_that_matches_again_is_told(self):
        assert rewritten("python", "f($X)", "f(g($X))", "f(1)\nh(2)\n").still_matches == 1
        assert rewritten("python", "f($X)", "g($X)", "f(1)\nh(f)\n").still_matches == 0


@pytest.mark.requirement("edit:none")
def test_a_rewrite_may_change_nothing():
    source = b"f(\n    1,  # one\n    2,\n)\n"
    assert rewritten("python", "f($$$A)", "f($$$A)", source).after == source


@pytest.mark.requirement("edit:substitute")
def test_the_places_before_and_after_are_told():
    made = rewritten("python", "f($X)", "gg($X)", "f(1); f(2)\n")
    assert [(each.old_start, each.old_end, each.start, each.end) for each in made.spans] == [
        (0, 4, 0, 5),
        (6, 10, 7, 12),
    ]


@pytest.mark.requirement("edit:substitute")
def test_a_tuple_without_parentheses_stays_one():
    assert text("python", "return $X", "yield $X", "def f():\n    return a,\n") == "def f():\n    yield a,\n"
    assert text("python", "return $X", "g($X)", "def f():\n    return a,\n") == "def f():\n    g((a,))\n"
    assert text("python", "x = ($$$A)", "y = ($$$A)", "x = (a,)\n") == "y = (a,)\n"


@pytest.mark.requirement("edit:reparse")
def test_a_literal_metavariable_that_is_no_code_is_refused():
    assert "this would not parse" in problem("python", "f($X)", "g(\\$X, $X)", "f(1)\n")
