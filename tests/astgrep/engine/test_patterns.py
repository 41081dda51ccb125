"""How a fragment is read: the ladder of contexts, readings, metavariables, and what is refused."""

from __future__ import annotations

import re

import pytest
from astgrep.engine.searching import captures, reading, texts
from toolpost_astgrep.patterns.pattern import LostVariable, PatternError, UnknownContext, Unparsable, compile_pattern


def contexts(language: str, pattern: str) -> list[str]:
    return [each.context for each in compile_pattern(pattern, language).readings]


@pytest.mark.requirement("ast:ladder")
@pytest.mark.parametrize(
    ("language", "pattern", "context", "kind"),
    [
        ("python", "return $X", "statement", "return_statement"),
        ("python", "$X + 1", "statement", "binary_operator"),
        ("python", "except $E: $$$B", "except", "except_clause"),
        ("python", "elif $X: $$$B", "else", "elif_clause"),
        ("python", "case $X: $$$B", "case", "case_clause"),
        ("python", "@$D", "decorator", "decorator"),
        ("javascript", "get $X() { $$$B }", "class member", "method_definition"),
        ("javascript", "catch ($E) { $$$B }", "catch", "catch_clause"),
        ("javascript", "case $X: $$$B", "case", "switch_case"),
        ("typescript", "foo($A) {}", "class member", "method_definition"),
        ("typescript", "$A | string", "statement", "binary_expression"),
        ("tsx", "<Foo $$$A />", "statement", "jsx_self_closing_element"),
        ("rust", "$X => $Y", "match arm", "match_arm"),
        ("rust", "$X.unwrap()", "statement", "call_expression"),
        ("rust", "fn $F(&self) { $$$B }", "statement", "function_item"),
        ("go", "case $X: $$$B", "case", "expression_case"),
        ("go", "func $F() { $$$B }", "declaration", "function_declaration"),
        ("go", "package $P", "declaration", "package_clause"),
        ("go", "case $X := <-$Y: $$$B", "select case", "communication_case"),
        ("c", "case $X: $$$B", "statement", "case_statement"),
        ("c", "#include $X", "statement", "preproc_include"),
        ("java", "public void $F($$$A) { $$$B }", "class member", "method_declaration"),
        ("java", "catch ($E $N) { $$$B }", "catch", "catch_clause"),
        ("java", "@Override", "attribute", "marker_annotation"),
        ("java", "case $X -> $Y", "case", "switch_rule"),
        ("dart", "dispose($X)", "statement", "identifier selector"),
        ("dart", "class $C extends State<$T> { $$$B }", "declaration", "class_definition"),
        ("dart", "import $X;", "declaration", "import_specification"),
    ],
)
def test_the_first_context_that_accepts_the_fragment_is_its_meaning(language, pattern, context, kind):
    meaning = reading(language, pattern)
    assert (meaning.context, meaning.kind) == (context, kind)


@pytest.mark.requirement("ast:ladder")
def test_a_call_in_dart_is_no_function_signature():
    code = "void f() { dispose(a); x = dispose(b); return dispose(c); } void dispose(Foo x) {}"
    assert texts("dart", "dispose($X)", code) == ["dispose(a)", "dispose(b)", "dispose(c)"]
    assert texts("dart", "dispose($X)", "class A { dispose(x); }", "class member") == ["dispose(x)"]


@pytest.mark.requirement("ast:readings", "ast:ladder")
class TestReadings:
    def test_further_contexts_that_accept_the_fragment_are_readings(self):
        assert contexts("python", "$K = $V") == ["statement", "argument", "parameter"]
        assert contexts("javascript", "a: $V")[:2] == ["statement", "pair"]

    def test_a_context_picks_a_reading(self):
        code = "f(a=1)\nb = 2\n"
        assert texts("python", "$K = $V", code) == ["b = 2"]
        assert texts("python", "$K = $V", code, "argument") == ["a=1"]
        assert texts("javascript", "a: $V", "x = {a: 1, b: 2}", "pair") == ["a: 1"]

    @pytest.mark.parametrize(
        ("language", "pattern", "code"),
        [
            ("python", "Optional[$T]", "def f(a: Optional[int]): pass\n"),
            ("typescript", "Array<$T>", "let a: Array<number>"),
            ("java", "List<$T>", "class A { List<String> x; }"),
            ("rust", "Option<$T>", "fn f(a: Option<i32>) {}"),
            ("go", "[]$T", "package p\nvar a []int\n"),
            ("dart", "List<$T>", "List<int> f() {}"),
            ("c", "struct $S", "struct a *b;"),
            ("cpp", "std::vector<$T>", "std::vector<int> a;"),
        ],
    )
    def test_a_type_is_one(self, language, pattern, code):
        assert len(texts(language, pattern, code, "type")) == 1

    def test_what_is_the_same_in_two_contexts_is_one_reading(self):
        assert contexts("python", "f($X)") == ["statement"]

    def test_an_unknown_context_lists_those_there_are(self):
        with pytest.raises(UnknownContext, match="There are: statement, expression, class member"):
            compile_pattern("f()", "python", context="nowhere")

    @pytest.mark.parametrize("language", ["javascript", "java", "dart", "c", "rust"])
    def test_a_reserved_word_is_never_the_name_of_a_member(self, language):
        for each in compile_pattern("if ($X) { $$$A }", language).readings:
            assert "method" not in each.kind
            assert "signature" not in each.kind
            assert "declaration" not in each.kind


@pytest.mark.requirement("ast:ladder")
@pytest.mark.parametrize(
    ("language", "pattern", "code"),
    [
        ("javascript", "match($X)", "match(1); loop(2)"),
        ("c", "new($X)", "void f() { new(1); try(2); }"),
        ("dart", "part($X)", "void f() { part(1); }"),
    ],
)
def test_a_word_that_another_language_reserves_is_a_name(language, pattern, code):
    assert len(texts(language, pattern, code)) == 1


@pytest.mark.requirement("ast:unparsable")
class TestUnparsable:
    def test_it_names_the_contexts_tried_and_where_each_broke(self):
        with pytest.raises(Unparsable) as raised:
            compile_pattern("class $A", "python")
        text = str(raised.value)
        assert "pattern 'class $A' is no python in any context. Tried:" in text
        assert "statement" in text
        assert "it breaks at 'class $A'" in text
        assert "except" in text
        assert "class $A: $$$BODY" in text

    @pytest.mark.parametrize(
        ("language", "pattern"),
        [
            ("javascript", "for ($$$A) { $$$B }"),
            ("python", "def $F("),
            ("rust", "fn {"),
            ("go", "if {"),
            ("java", "class {"),
            ("dart", "class {"),
            ("c", "int = ;"),
        ],
    )
    def test_broken_code_is_never_searched_for(self, language, pattern):
        with pytest.raises(Unparsable, match=f"is no {language} in any context"):
            compile_pattern(pattern, language)

    @pytest.mark.parametrize("language", ["c", "javascript", "java", "dart"])
    def test_the_head_of_a_for_is_no_list(self, language):
        with pytest.raises(Unparsable, match=r"Write for \(\$A; \$B; \$C\)"):
            compile_pattern("for ($$$A) { $$$B }", language)

    def test_a_backslash_before_a_metavariable_is_answered_with_what_to_write(self):
        with pytest.raises(Unparsable, match=r"put a blank between: \\ \$X -> \$Y"):
            compile_pattern(r"map (\$X -> $B) $Y", "haskell")

    @pytest.mark.parametrize(
        ("pattern", "said"),
        [
            ("foo.*bar", "such as foo($$$ARGS)"),
            (r"\bfoo\b", "try foo"),
            ("^import", "such as foo($$$ARGS)"),
            (r"foo\(.*\)", "try foo($$$A)"),
        ],
    )
    def test_a_regular_expression_is_told_apart(self, pattern: str, said: str):
        with pytest.raises(Unparsable, match=f"looks like a regular expression.*{re.escape(said)}"):
            compile_pattern(pattern, "python")

    @pytest.mark.parametrize(
        "pattern", ["", "  \n", "$A", "$$$", "$A\n$B", "x\0", "f(" * 200 + ")" * 200, "x" * 20_001]
    )
    def test_what_would_match_nothing_or_everything_is_refused(self, pattern):
        with pytest.raises(PatternError):
            compile_pattern(pattern, "python")


@pytest.mark.requirement("ast:lost-variable")
@pytest.mark.parametrize(
    ("language", "pattern", "lost"),
    [
        ("python", "foo$X()", "foo$X"),
        ("python", "print(1)  # $NOTE", "$NOTE"),
        ("python", 'f("a $X")', "$X"),
        ("dart", "print('$A')", "'$A'"),
        ("javascript", "f(`$A and more`)", "$A"),
        ("c", "#include <$F>", "<$F>"),
        ("dart", 'import "$P"', '"$P"'),
    ],
)
def test_a_metavariable_that_is_no_node_is_refused(language, pattern, lost):
    with pytest.raises(LostVariable) as raised:
        compile_pattern(pattern, language)
    assert lost in str(raised.value)


@pytest.mark.requirement("ast:metavariables")
class TestMetavariables:
    def test_one_is_one_node_and_three_dollars_are_any_number(self):
        code = "f()\nf(1)\nf(1, 2)\n"
        assert texts("python", "f($X)", code) == ["f(1)"]
        assert captures("python", "f($$$X)", code) == [{"X": ""}, {"X": "1"}, {"X": "1, 2"}]

    def test_underscore_and_bare_dollars_bind_nothing_and_need_not_agree(self):
        assert captures("python", "f($_, $_, $$$)", "f(1, 2, 3, 4)") == [{}]

    def test_a_name_may_begin_with_an_underscore(self):
        assert captures("python", "f($_X)", "f(1)") == [{"_X": "1"}]

    def test_lower_case_and_digits_are_plain_code(self):
        assert texts("javascript", "$a + $1", "x = $a + $1; y = b + c") == ["$a + $1"]
        assert reading("javascript", "$a + $1").variables == frozenset()

    def test_a_backslash_makes_a_literal_one(self):
        assert texts("javascript", r"f(\$X)", "f($X); f(y)") == ["f($X)"]
        assert texts("python", r'f("\$X")', 'f("$X")\nf("y")\n') == ['f("$X")']

    def test_before_any_other_dollar_a_backslash_is_a_backslash(self):
        assert texts("python", r"f(r'\$[a-z]')", "f(r'\\$[a-z]')\nf(r'$[a-z]')\n") == [r"f(r'\$[a-z]')"]

    def test_inside_quotes_it_is_the_content(self):
        assert captures("python", 'f("$A")', "f(\"y z\")\nf('y')\nf(g)\n") == [{"A": "y z"}]
        assert captures("rust", 'f("$A")', 'fn g() { f("y z"); f(h); }') == [{"A": "y z"}]

    def test_its_stand_in_is_unlike_all_names_of_the_pattern(self):
        assert captures("python", "tpmv0x(tpmv, $A)", "tpmv0x(tpmv, 1)\n") == [{"A": "1"}]

    @pytest.mark.parametrize(
        ("language", "pattern", "code", "captured"),
        [
            ("java", "class $C { $$$B }", "class A { int x; void f() {} }", "int x; void f() {}"),
            ("java", "void $F($$$B) { }", "class A { void f(int a, A b) { } }", "int a, A b"),
            ("dart", "class $C { $$$B }", "class A { int x; void f() {} }", "int x; void f() {}"),
            ("rust", "impl $T { $$$B }", "impl A { fn f() {} }", "fn f() {}"),
            ("rust", "struct $T { $$$B }", "struct A { a: i32, b: u8 }", "a: i32, b: u8"),
            ("rust", "match $X { $$$B }", "fn f() { match x { 1 => 2, _ => { 3 } } }", "1 => 2, _ => { 3 }"),
            ("rust", "for $X in $Y { $$$B; g() }", "fn f() { for a in b { x; y; g() } }", "x; y;"),
            ("go", "type $T struct { $$$B }", "package p\ntype A struct { x int; y string }\n", "x int; y string"),
            ("go", "switch $X { $$$B }", "package p\nfunc f() { switch a { case 1: x() } }", "case 1: x()"),
            ("go", "import ($$$B)", 'package p\nimport (\n"a"\nb "c"\n)\n', '"a"\nb "c"'),
            ("c", "struct $S { $$$B };", "struct A { int x; char *y; };", "int x; char *y;"),
            ("c", "switch ($X) { $$$B }", "void f() { switch (a) { case 1: b(); } }", "case 1: b();"),
            ("javascript", "switch ($X) { $$$B }", "switch (a) { case 1: b() }", "case 1: b()"),
            ("javascript", "import { $$$B } from $M", "import { a, b as c } from 'x'", "a, b as c"),
            ("typescript", "interface $I { $$$B }", "interface A { x: number; y(): void }", "x: number; y(): void"),
            (
                "python",
                "match $X:\n    $$$B",
                "match x:\n    case 1: pass\n    case 2: pass\n",
                "case 1: pass\n    case 2: pass",
            ),
        ],
    )
    def test_it_stands_where_no_plain_name_can(self, language, pattern, code, captured):
        assert [each["B"] for each in captures(language, pattern, code)] == [captured]


@pytest.mark.requirement("ast:run")
class TestRun:
    @pytest.mark.parametrize("pattern", ["f(a)", "f(a);", "  f(a);  ", "\nf(a)\n"])
    @pytest.mark.parametrize("language", ["javascript", "java", "dart", "c", "rust"])
    def test_blanks_and_a_final_semicolon_are_no_part_of_it(self, language, pattern):
        assert reading(language, pattern) == reading(language, "f(a)")

    def test_several_statements_are_several_siblings(self):
        code = "a = b\nb = a\nc = d\nd = e\n"
        assert captures("python", "$X = $Y\n$Y = $X", code) == [{"X": "a", "Y": "b"}]

    def test_an_indented_fragment_is_read_by_its_own_margin(self):
        assert texts("python", "    if $X:\n        f()\n", "if a:\n  f()\n") == ["if a:\n  f()"]

    def test_line_ends_of_any_kind_will_do(self):
        assert reading("python", "a = 1\r\nb = 2\r\n") == reading("python", "a = 1\nb = 2")
