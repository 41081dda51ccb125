"""Searching parsed files: what is counted, what is found around a rare token, and what nearly matches."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from astgrep.engine.searching import grammar, parsed, reading, scanner, texts
from toolpost_astgrep.matching.match import Matcher
from toolpost_astgrep.patterns.near import relaxed, widened
from toolpost_astgrep.profiles import profile_of

STDLIB = [Path(sysconfig.get_path("stdlib")) / name for name in ("ast.py", "argparse.py", "textwrap.py", "dis.py")]
PATTERNS = [
    "$F($$$A)",
    "$F($A)",
    "$A + $B",
    "$A + $A",
    "$X = $Y",
    "$X.$Y",
    "if $A: $$$B",
    "def $F($$$A): $$$B",
    "return $X",
    "[$$$A]",
    "f($$$A, 1, $$$B)",
    "isinstance($X, str)",
    "self.$F",
    "None",
    "'$S'",
    "not $X",
    "$A if $B else $C",
    "$X = $Y\n$Z = $W",
    "for $I in $X: $$$B",
    "{$K: $V}",
]


@pytest.mark.requirement("ast:data")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_node_that_matches_is_found_and_counted(pattern: str):
    """Against the slow way: the matcher is asked about every node of the tree."""
    search = scanner("python", pattern)
    meaning = search.reading
    for path in STDLIB:
        data, tree = parsed("python", path.read_bytes())
        found = list(search.matches(data, tree))
        assert search.scan(data, tree, most=0) == (len(found), [])
        assert search.scan(data, tree, most=3) == (len(found), found[:3])
        assert found == sorted(found, key=lambda match: (match.start, -match.outer_end)), "not in document order"
        if len(meaning.run) == 1:
            matcher, slow, todo = Matcher(meaning, data), [], [tree.root_node]
            while todo:
                node = todo.pop()
                match = matcher.node(node)
                if match is not None:
                    slow.append(match)
                todo.extend(reversed(node.children))
            assert [(match.start, match.end, match.captures) for match in found] == [
                (match.start, match.end, match.captures) for match in slow
            ]


@pytest.mark.requirement("ast:data")
@pytest.mark.parametrize(
    ("language", "pattern", "code", "count"),
    [
        ("javascript", "$F($$$A)", "f(); g(1, 2); h(/* c */ 3,); i`x`; new J(1)", 3),
        ("javascript", "let $X = $Y", "let a = 1; let b = 2\nlet c = 3, d = 4; let e", 2),
        ("go", "$A = $B", "package p\nfunc f() { a = b; c, d = e, f }\n", 2),
        ("c", "$A + $B", "int x = a + b + c; int y = a - b;", 2),
        ("dart", "$F($$$A)", "void f() { a(1)(2); b.c(3); }", 3),
        ("python", "f($X)", "f(1)\nif :\nf(2)\n", 2),
    ],
)
def test_counting_agrees_with_finding(language, pattern, code, count):
    search = scanner(language, pattern)
    data, tree = parsed(language, code)
    assert search.scan(data, tree, most=0)[0] == count
    assert len(list(search.matches(data, tree))) == count


@pytest.mark.requirement("ast:zero-explained")
class TestNearMisses:
    def test_each_literal_once_left_open(self):
        near = dict(relaxed(reading("python", "self.load(key, None)")))
        assert set(near) == {b"self", b"load", b"key", b"None"}
        code = "self.load(name, None)\nself.store(key, None)\nself.load(key)\n"
        assert texts("python", near[b"load"], code) == ["self.store(key, None)"]
        assert texts("python", near[b"key"], code) == ["self.load(name, None)"]
        assert texts("python", near[b"None"], code) == []

    def test_none_where_nothing_would_be_left_to_hold_on_to(self):
        assert not list(relaxed(reading("python", "load($X)")))
        assert not list(relaxed(reading("python", "$A + $B")))

    @pytest.mark.requirement("ast:no-leftovers")
    @pytest.mark.parametrize(
        ("language", "pattern", "code"),
        [
            ("python", "def $F($$$A): $$$B", "async def f(a) -> int: pass"),
            ("python", "class $C: $$$B", "class A(B): pass"),
            ("javascript", "if ($X) { $$$A }", "if (a) { b } else { c }"),
            ("rust", "fn $F($$$A) { $$$B }", "pub fn f(a: i32) -> i32 { 1 }"),
            ("java", "void $F($$$A) { $$$B }", "class A { @Override public void f() { } }"),
        ],
    )
    def test_with_optional_parts_that_the_pattern_leaves_out(self, language, pattern, code):
        meaning = reading(language, pattern)
        assert texts(language, meaning, code) == []
        assert len(texts(language, widened(meaning), code)) == 1

    def test_but_no_other_shape(self):
        assert texts("python", widened(reading("python", "def $F($$$A): $$$B")), "class A:\n    x = 1\n") == []


@pytest.mark.requirement("ast:same-grammar")
@pytest.mark.parametrize("language", ["perl", "julia", "groovy"])
def test_a_language_without_a_profile_has_a_generic_one(language):
    assert profile_of(language).rungs[0].context == "file"
    assert grammar(language) is not None
    assert len(texts(language, "foo($X)", "foo(1);")) == 1


def test_a_grammar_whose_nameless_nodes_hold_others_is_searched():
    assert texts("comment", "(x)", "see (x), not x") == ["(x)"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_a_file_with_syntax_errors_holds_is_counted_like_what_is_found(pattern: str):
    broken = STDLIB[1].read_bytes().replace(b"return self", b"return (self", 3) + b"\ndef f(:\n    g(1)\n"
    data, tree = parsed("python", broken)
    assert tree.root_node.has_error
    search = scanner("python", pattern)
    assert search.scan(data, tree, most=0)[0] == len(list(search.matches(data, tree)))
