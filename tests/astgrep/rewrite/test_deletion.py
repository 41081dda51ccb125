"""An empty rewrite deletes, with what would dangle then: a `;`, a separator, the line."""

from __future__ import annotations

import pytest
from astgrep.rewrite.rewriting import problem, rewritten, text
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.requirement("edit:substitute")


@pytest.mark.parametrize(
    ("language", "pattern", "source", "expected"),
    [
        ("python", "print($X)", "a\nprint(1)\nb\n", "a\nb\n"),
        ("python", "print($X)", "if a:\n    print(1)\n    b\n", "if a:\n    b\n"),
        ("python", "print($X)", "a\nprint(1)", "a"),
        ("python", "print($X)", "a\r\nprint(1)", "a"),
        ("python", "print($X)", "print(1)", ""),
        ("python", "print($X)", "print(\n    1\n)\na\n", "a\n"),
        ("python", "print($X)", "print(1)  # why\na\n", "# why\na\n"),
        ("python", "print($X)", "a; print(1); b\n", "a; b\n"),
        ("javascript", "log($X)", "a();\nlog(1);\nb();\n", "a();\nb();\n"),
        ("javascript", "log($X)", "a()\nlog(1)\nb()\n", "a()\nb()\n"),
        ("javascript", "log($X)", "a(); log(1); b();\n", "a(); b();\n"),
        ("javascript", "log($X)", "a(); log(1);\nb();\n", "a();\nb();\n"),
        ("javascript", "log($X)", "f(() => { log(1); });\n", "f(() => { });\n"),
        ("typescript", "import $X from 'a'", "import b from 'a';\nimport c from 'c';\n", "import c from 'c';\n"),
        (
            "tsx",
            "log($X)",
            "const f = () => {\n  log(1);\n  return <a/>;\n};\n",
            "const f = () => {\n  return <a/>;\n};\n",
        ),
        ("rust", "dbg($X);", "fn f() {\n    dbg(x);\n    g();\n}\n", "fn f() {\n    g();\n}\n"),
        ("rust", "use $X;", "use a::b;\nuse c;\nfn f() {}\n", "fn f() {}\n"),
        (
            "go",
            "defer $X",
            "package p\nfunc f() {\n\tdefer a()\n\tb()\n}\n",
            "package p\nfunc f() {\n\tb()\n}\n",
        ),
        ("c", "log($X);", "void f() {\n  log(1);\n  g();\n}\n", "void f() {\n  g();\n}\n"),
        ("java", "log($X);", "class A { void f() {\n  log(1);\n  g();\n} }\n", "class A { void f() {\n  g();\n} }\n"),
        ("dart", "log($X)", "void f() {\n  log(1);\n  g();\n}\n", "void f() {\n  g();\n}\n"),
    ],
)
def test_a_statement_goes_with_its_semicolon_and_its_line(language: str, pattern: str, source: str, expected: str):
    assert text(language, pattern, "", source) == expected


@pytest.mark.requirement("edit:separators")
@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("python", "f(a, drop(1), b)\n", "f(a, b)\n"),
        ("python", "f(a, drop(1))\n", "f(a)\n"),
        ("python", "f(drop(1))\n", "f()\n"),
        ("python", "f(drop(1), drop(2))\n", "f()\n"),
        ("python", "f(a, drop(1), drop(2))\n", "f(a)\n"),
        ("python", "f(drop(1), a, drop(2), drop(3), b, drop(4))\n", "f(a, b)\n"),
        ("python", "f(a, drop(1),)\n", "f(a,)\n"),
        ("python", "f(\n    a,\n    drop(1),\n    b,\n)\n", "f(\n    a,\n    b,\n)\n"),
        ("python", "f(\n    a,\n    drop(1)\n)\n", "f(\n    a\n)\n"),
        ("java", "class A { int x = g(\n   a,\n   drop(1)\n); }\n", "class A { int x = g(\n   a\n); }\n"),
        ("rust", "fn f() { let x = [drop(1), 2]; }", "fn f() { let x = [2]; }"),
        ("go", "package p\nvar x = f(\n\ta,\n\tdrop(1),\n)\n", "package p\nvar x = f(\n\ta,\n)\n"),
        ("dart", "var x = [a, drop(1)];", "var x = [a];"),
    ],
)
def test_an_element_of_a_list_goes_with_one_separator(language: str, source: str, expected: str):
    assert text(language, "drop($X)", "", source) == expected


_items = st.lists(st.sampled_from(["a", "g(1, 2)", "drop(1)", "drop((2, 3))", "'x, y'"]), max_size=7)


@pytest.mark.requirement("edit:separators")
@settings(max_examples=150, deadline=None)
@given(_items, _items, st.sampled_from([", ", ",", ",\n  "]))
def test_any_list_is_left_with_what_is_not_deleted(before: list[str], behind: list[str], comma: str):
    items = [*before, "drop(0)", *behind]
    kept = [item for item in items if not item.startswith("drop")]
    made = text("python", "drop($X)", "", "f(" + comma.join(items) + ")\n")
    assert "".join(made.split()) == "".join(("f(" + ",".join(kept) + ")").split())


@pytest.mark.requirement("edit:one-node")
@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("javascript", "if (x) log(1);\nb();\n"),  # b() would be what depends on x
        ("javascript", "if (x) b(); else log(1);\nc();\n"),
        ("javascript", "for (;;) log(1);\nb();\n"),
        ("javascript", "x = log(1)\nb()\n"),
        ("c", "void f() {\n  if (p) log(p);\n  g();\n}\n"),
        ("java", "class A { void f() {\n  while (p) log(p);\n  g();\n} }\n"),
        ("dart", "void f() {\n  if (x) log(1);\n  g();\n}\n"),
        ("python", "x = (log(1), a)\n"),  # a tuple would be none any more
        ("python", "x = {log(1)}\n"),
        ("python", "f(a, log(1) - 2)\n"),
        ("go", "package p\nvar x = a - log(1) - b\n"),
    ],
)
def test_what_would_change_the_code_around_it_is_refused(language: str, source: str):
    told = problem(language, "log($X)", "", source)
    assert "without `log(" in told or "would not parse" in told or "would be missing" in told


@pytest.mark.requirement("edit:reparse")
def test_a_python_block_may_not_be_emptied():
    told = problem("python", "print($X)", "", "x\ndef f():\n    print(1)\ny\n")
    assert told.startswith("line 4: Python says")
    assert "expected an indented block" in told


def test_a_decorator_may_go():
    assert text("python", "@foo", "", "@foo\ndef f(): pass\n") == "def f(): pass\n"
    assert text("python", "@foo", "", "@foo\n@bar\ndef f(): pass\n") == "@bar\ndef f(): pass\n"


@pytest.mark.requirement("edit:one-node")
def test_comments_that_go_along_are_counted():
    made = rewritten("python", "print($X)", "", "print(1,  # a\n)\nx\n")
    assert (made.after, made.comments, made.replacements) == (b"x\n", 1, 1)


@pytest.mark.parametrize("rewrite", ["", " ", "\n\n"])
def test_blanks_are_an_empty_rewrite(rewrite: str):
    assert text("python", "print($X)", rewrite, "a\nprint(1)\n") == "a\n"


@pytest.mark.requirement("edit:encoding")
def test_a_byte_order_mark_stays():
    made = rewritten("python", "print($X)", "", b"\xef\xbb\xbfprint(1)\r\nx\r\n")
    assert made.after == b"\xef\xbb\xbfx\r\n"
