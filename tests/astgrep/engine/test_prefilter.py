"""The prefilter lets every file pass that holds a match, and few others."""

from __future__ import annotations

import sysconfig
import time
from pathlib import Path

import pytest
from astgrep.engine.searching import matches, parsed, scanner
from hypothesis import given, settings
from hypothesis import strategies as st

PATTERNS = [
    "isinstance($X, str)",
    "for $I in range(len($X)): $$$B",
    "$A == None",
    "$A is not None",
    "print($$$A, file=$F)",
    "def $F(self): return $X",
    "raise ValueError($$$A)",
    "$X.join($Y)",
    "return",
    "if not $A: return $B",
    "lambda: $X",
    "{}",
    "'utf-8'",
    "[$X for $X in $Y]",
    "try: $$$A\nexcept OSError: pass",
    "global $X",
    "import os, sys",
]


def sources(limit: int) -> list[Path]:
    """Every so manieth file of the running Python's own library."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    assert len(files) > 100
    return files[:: max(1, len(files) // limit)]


@pytest.mark.requirement("ast:same-grammar")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_loses_nothing_in_real_files(pattern: str):
    search = scanner("python", pattern)
    for path in sources(30):
        data = path.read_bytes()
        if not search.may_match(data):
            _, tree = parsed("python", data)
            assert list(search.matches(data, tree)) == [], path


_gaps = st.lists(
    st.sampled_from([" ", "\n", "\t", "\f", ",", " # c\n", "# f(\n", "\\\n", "#\n#\n", "# é\n", "\r\n", "\xa0"]),
    max_size=4,
).map("".join)


@pytest.mark.requirement("ast:same-grammar")
@settings(max_examples=300, deadline=None)
@given(st.lists(_gaps, min_size=7, max_size=7))
def test_it_loses_nothing_whatever_stands_between_tokens(gaps: list[str]):
    tokens = ["found", "(", "a", ".", "b", ")", ""]
    matches("python", "found(a.b)", "(" + "".join(a + b for a, b in zip(tokens, gaps, strict=True)) + ")")


_script_gaps = st.lists(
    st.sampled_from(
        [
            " ",
            "\n",
            "\r",
            "//\n",
            "// (\r",
            "/* ( */",
            "/**/",
            "<!-- \n",
            "\n-->\n",
            "\u2003",
            "\ufeff",
            "\xa0",
            "/*\n*/",
        ]
    ),
    max_size=3,
).map("".join)


@pytest.mark.requirement("ast:same-grammar")
@pytest.mark.parametrize(
    ("language", "frame"),
    [
        ("javascript", "({});"),
        ("typescript", "({});"),
        ("rust", "fn f() {{ ({}); }}"),
        ("c", "void f() {{ ({}); }}"),
        ("java", "class A {{ Object x = ({}); }}"),
        ("dart", "var x = ({});"),
        ("go", "package p\nvar x = ({})\n"),
    ],
)
@settings(max_examples=100, deadline=None)
@given(gaps=st.lists(_script_gaps, min_size=7, max_size=7))
def test_it_loses_nothing_in_languages_with_braces(language: str, frame: str, gaps: list[str]):
    tokens = ["found", "(", "a", ".", "b", ")", ""]
    code = frame.format("".join(a + b for a, b in zip(tokens, gaps, strict=True)))
    search = scanner(language, "found(a.b)")
    data, tree = parsed(language, code)
    assert search.may_match(data) or not list(search.matches(data, tree)), code


@pytest.mark.requirement("ast:same-grammar")
@pytest.mark.parametrize(
    ("language", "pattern", "code"),
    [
        ("rust", "f(x)", "fn g() { f /* a /* b */ c */ (x); }"),
        ("dart", "f(x)", "void g() { f /* a /* b */ c */ (x); }"),
        ("c", "f(x)", "void g() { f // and \\\n on\n (x); }"),
        ("javascript", "f(x)", "f // ends here\r(x)"),
        ("javascript", "é(x)", "(é)(x); é\u2003(x)"),
        ("javascript", "f(é)", "f(é)"),
        ("python", "f(x)", "f \\\n (x)"),
        ("c", "#define $N $V", "#  define A 1\n"),
    ],
)
def test_comments_and_blanks_of_each_language(language, pattern, code):
    assert matches(language, pattern, code)


@pytest.mark.requirement("ast:same-grammar")
@pytest.mark.parametrize(
    "filler", ["#" * 200_000, "# " * 100_000, ", " * 100_000, "\\\n" * 100_000, "#\n" * 100_000, "/*" * 100_000]
)
@pytest.mark.parametrize("language", ["python", "javascript", "rust", "c"])
def test_no_file_takes_long(language, filler):
    search = scanner(language, "f(a, b, c)")
    data = ("f" + filler + "( a b c ) " + filler).encode()
    start = time.process_time()
    search.may_match(data)
    assert time.process_time() - start < 2


@pytest.mark.requirement("ast:same-grammar")
@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("isinstance($X, str)", "isinstance(x, int)\nstr(y)\n"),
        ("$A == None", "x = None\n"),
        ("range(len($X))", "range(x) + len(y)\n"),
        ("print('a b')", "print('a')\n"),
    ],
)
def test_most_files_without_a_match_are_never_parsed(pattern, code):
    assert not scanner("python", pattern).may_match(code.encode())
    assert scanner("python", pattern, prefilter=False).may_match(code.encode())
