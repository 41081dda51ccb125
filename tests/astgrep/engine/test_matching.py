"""What matches: first what the peer gets wrong (facts/structural-search.md §3), then each rule of matching by itself."""

from __future__ import annotations

import pytest
from astgrep.engine.searching import captures, matches, texts


@pytest.mark.requirement("ast:no-leftovers", "ast:backtrack", "ast:ladder", "ast:same-capture")
@pytest.mark.parametrize(
    ("language", "pattern", "code", "expected"),
    [
        (
            "dart",
            "if ($X != null) $X.dispose()",
            "void f() { if (a != null) a.dispose(); if (b != null) c.dispose(); if (d.e != null) d.e.dispose(); }",
            ["if (a != null) a.dispose()", "if (d.e != null) d.e.dispose()"],
        ),
        (
            "dart",
            "if ($X != null) $X.dispose();",
            "void f() { if (a != null) a.dispose(); if (b != null) { b.dispose(); } }",
            ["if (a != null) a.dispose()"],
        ),
        ("dart", "dispose($X)", "void f(){dispose(a);}", ["dispose(a)"]),
        (
            "javascript",
            "if ($X != null) $X.dispose()",
            "if (a != null) a.dispose(); else b();\nif (a != null) a.dispose()\n",
            ["if (a != null) a.dispose()"],
        ),
        ("python", "global $X", "def f():\n    global a, b\n    global c\n", ["global c"]),
        ("python", "import $X", "import a, b\nimport c\nimport d.e\n", ["import c", "import d.e"]),
        (
            "python",
            "def $F($$$A):\n    return $X",
            "def f():\n    return 1\ndef g(a):\n    x = 1\n    return 2\ndef h(a):\n    return 2\n    x = 1\n",
            ["def f():\n    return 1"],
        ),
        ("python", "except $E: $$$B", "try:\n    pass\nexcept A:\n    x\n    y\n", ["except A:\n    x\n    y"]),
        ("python", "f($A, $$$B)", "f()\nf(1)\nf(1, 2)\nf(1, 2, 3,)\n", ["f(1)", "f(1, 2)", "f(1, 2, 3,)"]),
        ("python", "f($$$A, 2, 3, $$$B)", "f(2, 2, 3)\nf(2, 3)\nf(1, 3, 2)\n", ["f(2, 2, 3)", "f(2, 3)"]),
        (
            "python",
            "f($$$A, blank=True, $$$B)",
            "f(a, blank=True)\nf(blank=True, b=c)\n",
            ["f(a, blank=True)", "f(blank=True, b=c)"],
        ),
        ("rust", "$X => $Y", "fn f() { match x { 1 => 2, A => b, } }", ["1 => 2", "A => b"]),
        ("typescript", "foo($A) {}", "class C { foo(a) {} bar(b) {} }", ["foo(a) {}"]),
        ("javascript", "async $F() {}", "class C { async f() {} g() {} }", ["async f() {}"]),
        (
            "go",
            "fmt.Println($A)",
            "package p\nfunc f() { fmt.Println(a); fmt.Println(b, c); x := fmt.Println(d) }\n",
            ["fmt.Println(a)", "fmt.Println(d)"],
        ),
        ("python", "if ($A): return $B", "if (a): return b\nif (c): return d\nelse: e\n", ["if (a): return b"]),
        (
            "javascript",
            "if ($A) return $B",
            "function f() { if (a) return b; if (c) return d; else e }",
            ["if (a) return b"],
        ),
    ],
)
def test_where_the_peer_is_wrong(language, pattern, code, expected):
    assert texts(language, pattern, code) == expected


@pytest.mark.requirement("ast:no-leftovers")
class TestNoLeftovers:
    @pytest.mark.parametrize(
        ("language", "pattern", "code"),
        [
            ("python", "def $F($$$A): $$$B", "async def f(): pass"),
            ("python", "def $F($$$A): $$$B", "def f() -> int: pass"),
            ("python", "class $C: $$$B", "class A(B): pass"),
            ("python", "for $I in $X: $$$B", "for i in x:\n    a\nelse:\n    b\n"),
            ("python", "with $X: $$$B", "with a, b: pass"),
            ("python", "lambda $X: $Y", "lambda a, b: c"),
            ("python", "from $M import $N", "from a import b, c"),
            ("python", "[$A for $B in $C]", "[a for b in c if d]"),
            ("python", "return", "def f():\n    return 1\n"),
            ("python", "try: $$$A\nexcept: $$$B", "try:\n    a\nexcept:\n    b\nfinally:\n    c\n"),
            ("javascript", "function $F($$$A) { $$$B }", "async function f() {}"),
            ("javascript", "function $F($$$A) { $$$B }", "function* f() {}"),
            ("javascript", "class $C { $$$B }", "class A extends B {}"),
            ("javascript", "let $X", "let a = 1"),
            ("javascript", "let $X = $Y", "let a = 1, b = 2"),
            ("javascript", "const $X = $Y", "let a = 1"),
            ("javascript", "() => { $$$B }", "f(async () => {})"),
            ("typescript", "let $X = $Y", "let a: number = 1"),
            ("typescript", "function $F($$$A) { $$$B }", "function f(): void {}"),
            ("tsx", "<a $$$A />", "<a.b />"),
            ("rust", "fn $F($$$A) { $$$B }", "pub fn f() {}"),
            ("rust", "fn $F($$$A) { $$$B }", "fn f() -> i32 { 1 }"),
            ("rust", "let $X = $Y", "fn f() { let mut a = 1; }"),
            ("rust", "impl $T { $$$B }", "impl A for B {}"),
            ("go", "func $F($$$A) { $$$B }", "package p\nfunc f() int { return 1 }\n"),
            ("go", "func $F($$$A) { $$$B }", "package p\nfunc (r R) f() {}\n"),
            ("go", "if $X { $$$A }", "package p\nfunc f() { if a { } else { } }\n"),
            ("c", "int $X = $Y", "static int a = 1;"),
            ("c", "return", "int f() { return 1; }"),
            ("java", "void $F($$$A) { $$$B }", "class A { static void f() {} }"),
            ("java", "import $P", "import static a.b;"),
            ("dart", "import $P", "import 'a' as b;"),
            ("dart", "final $X = $Y;", "void f() { final int a = 1; }"),
            ("dart", "for (var $I in $X) { $$$B }", "void f() async { await for (var a in b) {} }"),
        ],
    )
    def test_what_the_pattern_does_not_name_does_not_go_along(self, language, pattern, code):
        assert texts(language, pattern, code) == []

    def test_a_decorator_stays_outside(self):
        assert texts("python", "def $F($$$A): $$$B", "@x\ndef f(): pass\n") == ["def f(): pass"]

    def test_with_it_in_the_pattern_it_matches(self):
        assert texts("python", "async def $F($$$A): $$$B", "async def f(): pass\ndef g(): pass") == [
            "async def f(): pass"
        ]
        assert texts("rust", "let mut $X = $Y", "fn f() { let mut a = 1; let b = 2; }") == ["let mut a = 1"]

    def test_comments_go_along(self):
        assert texts("python", "f($X, $Y)", "f(  # why\n    1,  # one\n    2)\n") == [
            "f(  # why\n    1,  # one\n    2)"
        ]


@pytest.mark.requirement("ast:same-grammar")
class TestSameGrammar:
    @pytest.mark.parametrize(
        ("language", "code"),
        [
            ("python", "dispose(x)\ndispose( x )\ndispose(\n    x,\n)\ndispose(  # why\n    x)\ndispose \\\n (x)\n"),
            ("javascript", "dispose(x); dispose( x ); dispose(\n x,\n); dispose(/* why */ x); dispose(x // why\n)"),
            ("typescript", "dispose(x); dispose( x ); dispose(\n x,\n); dispose(/* why */ x); dispose(x // why\n)"),
            ("tsx", "dispose(x); dispose( x ); dispose(\n x,\n); dispose(/* why */ x); dispose(x // why\n)"),
            (
                "rust",
                "fn f() { dispose(x); dispose( x ); dispose(\n x,\n); dispose(/* why */ x); dispose(x // why\n); }",
            ),
            (
                "go",
                "package p\nfunc f() { dispose(x); dispose( x ); dispose(\n x,\n); dispose(/* w */ x); dispose(x, // w\n) }",
            ),
            ("c", "void f() { dispose(x); dispose( x ); dispose(\n x\n); dispose(/* why */ x); dispose(x // why\n); }"),
            (
                "java",
                "class A { void f() { dispose(x); dispose( x ); dispose(\n x\n); dispose(/* w */ x); dispose(x // w\n); } }",
            ),
            (
                "dart",
                "void f() { dispose(x); dispose( x ); dispose(\n x,\n); dispose(/* why */ x); dispose(x // why\n); }",
            ),
        ],
    )
    def test_it_matches_however_it_is_spaced_wrapped_or_commented(self, language, code):
        assert len(texts(language, "dispose(x)", code)) == 5

    @pytest.mark.parametrize(
        ("language", "code"),
        [
            ("python", '# dispose(x)\ns = \'dispose(x)\'\n"""dispose(x)"""\n'),
            ("javascript", "// dispose(x)\n/* dispose(x) */ s = 'dispose(x)'; t = `dispose(x)`; u = /dispose(x)/"),
            ("rust", '// dispose(x)\n/* dispose(x) */ fn f() { let s = "dispose(x)"; }'),
            ("go", 'package p\n// dispose(x)\nvar s = "dispose(x)" + `dispose(x)`\n'),
            ("c", '// dispose(x)\n/* dispose(x) */ char *s = "dispose(x)";'),
            ("java", '// dispose(x)\n/* dispose(x) */ class A { String s = "dispose(x)"; }'),
            ("dart", "// dispose(x)\n/* dispose(x) */ var s = 'dispose(x)';"),
        ],
    )
    def test_never_inside_a_string_or_a_comment(self, language, code):
        assert texts(language, "dispose(x)", code) == []

    def test_not_as_a_part_of_another_name(self):
        assert texts("python", "dispose(x)", "redispose(x)\ndisposed(x)\na.dispose(x)\ndispose(xs)\n") == []

    def test_code_in_a_template_string_is_code(self):
        assert texts("javascript", "dispose(x)", "`${dispose(x)}`") == ["dispose(x)"]
        assert texts("python", "dispose(x)", "f'{dispose(x)}'") == ["dispose(x)"]


@pytest.mark.requirement("ast:same-grammar")
class TestStrings:
    @pytest.mark.parametrize(
        ("language", "pattern", "code", "count"),
        [
            ("python", "print('a')", "print('a')\nprint(\"a\")\nprint('b')\nprint(f'a')\n", 1),
            ("python", r'f("a\n")', 'f("a\\n")\nf("b\\n")\nf("a\\nb")\n', 1),
            ("python", "f('a  b')", "f('a  b')\nf('a b')\n", 1),
            ("javascript", "f('a')", "f('a'); f('b'); f(`a`); f('a ')", 1),
            ("javascript", "f(`a ${b}`)", "f(`a ${b}`); f(`c ${b}`); f(`a ${c}`)", 1),
            ("typescript", "f(/a b/g)", "f(/a b/g); f(/a b/); f(/a  b/g)", 1),
            ("rust", 'f("a b")', 'fn g() { f("a b"); f("a c"); }', 1),
            ("go", "f('a')", "package p\nfunc g() { f('a'); f('b') }\n", 1),
            ("c", 'f("a")', 'void g() { f("a"); f("b"); f("a" "b"); }', 1),
            ("java", 'f("a")', 'class A { void g() { f("a"); f("b"); } }', 1),
            ("dart", "print('a b')", "void f() { print('a b'); print('a c'); print('a  b'); print('ab'); }", 1),
            ("dart", "print('a $b')", "void f() { print('a $b'); print('c $b'); print('a $c'); }", 1),
        ],
    )
    def test_a_string_matches_by_all_of_its_text(self, language, pattern, code, count):
        assert len(texts(language, pattern, code)) == count

    def test_a_metavariable_in_a_string_with_text_beside_it_in_code(self):
        assert captures("dart", "print('a ${$X}')", "void f() { print('a ${b}'); print('c ${b}'); }") == [{"X": "b"}]
        assert captures("javascript", "f(`a ${$X}`)", "f(`a ${b.c}`); f(`d ${b}`)") == [{"X": "b.c"}]


@pytest.mark.requirement("ast:same-capture")
class TestSameCapture:
    def test_twice_the_same_name_is_twice_the_same_text(self):
        assert captures("python", "$A == $A", "a == a\na == b\na.b == a.b\n") == [{"A": "a"}, {"A": "a.b"}]

    def test_blanks_and_comments_between_tokens_do_not_count(self):
        assert len(matches("python", "$A + $A", "(x.y\n + x . y)\nf(1) + f( 1,\n)\n")) == 1
        assert len(matches("javascript", "$A + $A", "x.y + x /* why */ . y")) == 1

    @pytest.mark.parametrize(
        ("language", "code"),
        [
            ("python", "'a b' + 'a  b'"),
            ("python", r'"a\n" + "b\n"'),
            ("javascript", "`a ${b}` + `c ${b}`"),
            ("dart", "var x = 'a' + 'b';"),
            ("rust", 'fn f() { "a b" + "a  b"; }'),
        ],
    )
    def test_inside_strings_everything_counts(self, language, code):
        assert matches(language, "$A + $A", code) == []

    def test_any_number_of_siblings_twice(self):
        assert captures("python", "f($$$A)(g($$$A))", "f(1, 2)(g(1,2))\nf(1)(g(2))\nf()(g())\n") == [
            {"A": "1, 2"},
            {"A": ""},
        ]

    def test_all_of_a_dart_expression_is_compared(self):
        code = "void f() { if (a.b != null) a.b.close(); if (a.b != null) a.close(); if (a != null) a.b.close(); }"
        assert captures("dart", "if ($X != null) $X.close()", code) == [{"X": "a.b"}]


@pytest.mark.requirement("ast:captures", "ast:run")
class TestRanges:
    def test_offsets_are_bytes(self):
        (match,) = matches("python", "f($X)", "é = '→'; f(ü)\n")
        assert (match.start, match.end) == (12, 17)
        assert (match.captures["X"].start, match.captures["X"].end) == (14, 16)

    def test_a_byte_order_mark_counts(self):
        (match,) = matches("python", "f($X)", b"\xef\xbb\xbff(1)\n")
        assert match.start == 3

    @pytest.mark.parametrize(
        ("language", "pattern", "code", "expected", "outer"),
        [
            ("javascript", "let $X = 1", "let a = 1;", "let a = 1", "let a = 1;"),
            ("javascript", "f()", "f();", "f()", "f()"),
            ("javascript", "if ($X) f()", "if (a) f();", "if (a) f()", "if (a) f();"),
            ("javascript", "export const $X = 1", "export const a = 1;", "export const a = 1", "export const a = 1;"),
            ("java", "return $X", "class A { int f() { return 1; } }", "return 1", "return 1;"),
        ],
    )
    def test_a_final_semicolon_is_outside(self, language, pattern, code, expected, outer):
        (match,) = matches(language, pattern, code)
        assert (code[match.start : match.end], code[match.start : match.outer_end]) == (expected, outer)

    def test_a_comment_at_its_end_is_inside(self):
        code = "def f():\n    a\n    # b\n\nf()\n"
        assert texts("python", "def f(): $$$B", code) == [code.removesuffix("\n\nf()\n")]

    def test_an_ellipsis_gives_each_node(self):
        code = "f(1, 'two',  # why\n  3,)"
        (match,) = matches("python", "f($$$A)", code)
        assert [code[start:end] for start, end in match.captures["A"].nodes] == [
            "1",
            "'two'",
            "3",
        ]

    def test_an_empty_ellipsis_knows_where_it_is(self):
        (match,) = matches("python", "f(1, $$$A)", "f(1)")
        assert (match.captures["A"].start, match.captures["A"].end, match.captures["A"].nodes) == (3, 3, ())

    def test_outer_ones_come_before_those_inside(self):
        assert texts("python", "f($X)", "f(f(f(1)))\nf(2)\n") == ["f(f(f(1)))", "f(f(1))", "f(1)", "f(2)"]
        assert texts("python", "$X.$Y", "a.b.c\n") == ["a.b.c", "a.b"]
        assert texts("dart", "$F($$$A)", "void f() { a.b(c).d(e); }") == ["a.b(c).d(e)", "a.b(c)"]


@pytest.mark.requirement("ast:metavariables", "ast:backtrack")
def test_a_list_that_is_not_there_is_empty():
    assert captures("python", "lambda $$$A: $B", "lambda: c\nlambda d, e: f\n") == [
        {"A": "", "B": "c"},
        {"A": "d, e", "B": "f"},
    ]
    assert captures("python", "f($$$, lambda $$$A: $B, $$$C)", "f(1, lambda: c, 2)\n") == [
        {"A": "", "B": "c", "C": "2"}
    ]


@pytest.mark.requirement("ast:run")
class TestSeparators:
    @pytest.mark.parametrize(
        ("language", "pattern", "code", "expected"),
        [
            ("python", "except ($$$A): $$$B", "try: a\nexcept (B, C): d\nexcept (D): e\n", ["except (B, C): d"]),
            ("python", "f(($$$A))", "f((1, 2))\nf(())\nf((3,))\nf((4))\n", ["f((1, 2))", "f(())", "f((3,))"]),
            ("python", "f(($X))", "f((1, 2))\nf((3,))\nf((4))\n", ["f((4))"]),
            ("rust", "g(($$$A))", "fn f() { g((a, b)); g((c)); }", ["g((a, b))"]),
        ],
    )
    def test_any_number_of_things_in_parentheses_is_a_tuple(self, language, pattern, code, expected):
        assert texts(language, pattern, code) == expected

    def test_a_trailing_comma_means_nothing(self):
        assert texts("python", "[$A, $B]", "[1, 2,]\n[1, 2]\n") == ["[1, 2,]", "[1, 2]"]
        assert texts("python", "[1, 2,]", "[1, 2]\n") == ["[1, 2]"]

    def test_a_hole_does(self):
        code = "x = [, 1]; y = [2]; z = [1, 2]; w = [1, , 2]"
        assert texts("javascript", "[, $A]", code) == ["[, 1]"]
        assert texts("javascript", "[$A, $B]", code) == ["[1, 2]"]

    def test_the_empty_parts_of_a_loop_do(self):
        code = "void f() { for (;;) a(); for (i = 0;;) a(); for (; i < 1;) a(); for (;; i++) a(); }"
        assert texts("c", "for (;;) a()", code) == ["for (;;) a()"]
        assert texts("c", "for ($X;;) a()", code) == ["for (i = 0;;) a()"]
        assert texts("c", "for (; $X;) a()", code) == ["for (; i < 1;) a()"]

    def test_a_semicolon_that_the_language_supplies_means_nothing(self):
        code = "function f() { if (a) return; if (b) return\n if (c) return 1 }"
        assert texts("javascript", "if ($X) return;", code) == ["if (a) return", "if (b) return"]
        assert texts("javascript", "if ($X) return", code) == ["if (a) return", "if (b) return"]


@pytest.mark.requirement("ast:same-grammar")
class TestBrokenFiles:
    def test_what_is_outside_the_error_matches(self):
        assert texts("python", "f($X)", "f(1)\nif :\nf(2)\n") == ["f(1)", "f(2)"]

    def test_what_the_parser_made_up_does_not(self):
        assert texts("javascript", "f($X)", "f(1) ; f(2") == ["f(1)"]

    def test_not_utf8(self):
        (match,) = matches("python", "f($X)", b"# \xe9\nf('\xe9')\n")
        assert match.captures["X"].end - match.captures["X"].start == 3
