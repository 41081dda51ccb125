"""Indentation, line ends, strings and comments: what is moved, and what is not."""

from __future__ import annotations

import pytest
from astgrep.rewrite.rewriting import rewritten, text
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost_astgrep.rewriting.indentation import Layout, moved


@pytest.mark.requirement("edit:substitute")
class TestIndentation:
    @pytest.mark.parametrize("rewrite", ["while x:\n    $$$B", "while x: $$$B", "while x:\n  $$$B", "while x:\n\t$$$B"])
    def test_a_body_keeps_its_relative_indentation(self, rewrite: str):
        source = "def f():\n    if x:\n        a()\n        if y:\n            b()\n\n        c()\n"
        made = text("python", "if x: $$$B", rewrite, source)
        assert made == "def f():\n    while x:\n        a()\n        if y:\n            b()\n\n        c()\n"

    def test_a_body_moves_out(self):
        source = "def f():\n    try:\n        a()\n        b()\n    except E:\n        pass\n"
        assert text("python", "try:\n    $$$B\nexcept $E:\n    pass", "$$$B", source) == "def f():\n    a()\n    b()\n"

    def test_a_body_moves_in(self):
        source = "def f():\n  for x in y:\n    a()\n    b()\n"
        made = text("python", "for $X in $Y: $$$B", "with z:\n    for $X in $Y:\n        $$$B", source)
        assert made == "def f():\n  with z:\n    for x in y:\n      a()\n      b()\n"

    def test_two_heads_become_one(self):
        source = "if a:\n    if b:\n        c()\n        d()\n"
        made = text("python", "if $A:\n    if $B:\n        $$$C", "if $A and $B: $$$C", source)
        assert made == "if a and b:\n    c()\n    d()\n"

    def test_a_head_of_several_lines_does_not_push_its_body_in(self):
        source = "if (a and\n        b):\n    c()\n    d()\n"
        assert text("python", "if $A: $$$B", "while $A: $$$B", source) == source.replace("if", "while")

    def test_a_file_with_tabs_gets_tabs(self):
        source = "def f():\n\tif x:\n\t\ta()\n\t\tb()\n"
        made = text("python", "if $C: $$$B", "while $C:\n    z()\n    $$$B", source)
        assert made == "def f():\n\twhile x:\n\t\tz()\n\t\ta()\n\t\tb()\n"

    def test_a_file_with_two_blanks_gets_two(self):
        source = "if (a) {\n  f(1);\n}\n"
        made = text("javascript", "f($X)", "if (b) {\n    if (c) {\n        g($X);\n    }\n}", source)
        assert made == "if (a) {\n  if (b) {\n    if (c) {\n      g(1);\n    }\n  }\n}\n"

    def test_a_template_with_two_blanks_in_a_file_with_four(self):
        source = "fn m() {\n    f(1);\n}\n"
        made = text("rust", "f($X);", "match $X {\n  1 => {\n    g()\n  }\n  _ => {}\n}", source)
        assert (
            made == "fn m() {\n    match 1 {\n        1 => {\n            g()\n        }\n        _ => {}\n    };\n}\n"
        )

    @pytest.mark.parametrize("step", ["\t", "    ", "  "])
    def test_go_bodies_with_tabs(self, step: str):
        source = "package p\nfunc f() {\n\tif err != nil {\n\t\treturn err\n\t}\n}\n"
        rewrite = f"if err != nil {{\n{step}log(err)\n{step}$$$B\n}}"
        made = text("go", "if err != nil { $$$B }", rewrite, source)
        assert made == "package p\nfunc f() {\n\tif err != nil {\n\t\tlog(err)\n\t\treturn err\n\t}\n}\n"

    @pytest.mark.parametrize(
        ("language", "heads", "source"),
        [
            ("javascript", ("if ($C)", "while ($C)"), "x(() => {\n  if (a) {\n    b();\n\n    c();\n  }\n});\n"),
            ("rust", ("if $C", "while $C"), "fn f() {\n    if a {\n        b();\n        c()\n    }\n}\n"),
            ("go", ("if $C", "for $C"), "package p\n\nfunc f() {\n\tif a {\n\t\tb()\n\t\tc()\n\t}\n}\n"),
            ("c", ("if ($C)", "while ($C)"), "void f()\n{\n\tif (a) {\n\t\tb();\n\t\tc();\n\t}\n}\n"),
            ("java", ("if ($C)", "while ($C)"), "class A {\n  void f() {\n    if (a) {\n      b();\n    }\n  }\n}\n"),
            ("dart", ("if ($C)", "while ($C)"), "void f() {\n  if (a) {\n    b();\n    c();\n  }\n}\n"),
        ],
    )
    def test_a_body_with_lines_of_its_own_keeps_them_where_the_rewrite_has_one_line(
        self, language: str, heads: tuple[str, str], source: str
    ):
        old, new = (head + " { $$$B }" for head in heads)
        assert text(language, old, new, source) == source.replace(*(head.replace("$C", "a") for head in heads))

    @pytest.mark.parametrize(
        "arguments",
        [
            "a, b",
            "\n        a,\n        b,\n    ",
            "\n        a,\n        b\n    ",
            "\n            a,\n              b",
            "a,\n        b",
        ],
    )
    def test_arguments_keep_their_lines(self, arguments: str):
        source = f"if x:\n    y = foo({arguments})\n"
        assert text("python", "foo($$$A)", "bar($$$A)", source) == source.replace("foo", "bar")

    def test_children_of_an_element_keep_their_lines(self):
        source = "const x = (\n  <div>\n    <a/>\n    {b}\n  </div>\n);\n"
        assert text("tsx", "<div>$$$C</div>", "<p>$$$C</p>", source) == source.replace("div", "p")

    def test_empty_lines_of_a_rewrite_hold_no_blanks(self):
        assert text("python", "f($X)", "g()\n\n\nh($X)", "if a:\n    f(1)\n") == "if a:\n    g()\n\n\n    h(1)\n"


@pytest.mark.requirement("edit:one-node")
class TestStrings:
    def test_a_multi_line_string_keeps_its_lines_and_the_rest_moves(self):
        source = 'if x:\n        y = foo("""a\n   b""")\n'
        made = text("python", "foo($A)", "bar(\n    $A\n)", source)
        assert made == 'if x:\n        y = bar(\n            """a\n   b"""\n        )\n'

    @pytest.mark.parametrize(
        ("language", "source"),
        [
            ("javascript", "if (a) {\n        f(`x\n  ${y}\n`);\n}\n"),
            ("rust", 'fn m() {\n        f(r#"x\n  y\n"#);\n}\n'),
            ("go", "package p\nfunc m() {\n\t\tf(`x\n  y\n`)\n}\n"),
            ("dart", "void m() {\n        f('''x\n  y\n''');\n}\n"),
            ("java", 'class A { void m() {\n        f("""\n  y\n"""); } }\n'),
            ("c", 'void m() {\n        f("x\\\n  y\\\n");\n}\n'),
            ("ruby", "if a\n        f(%q(x\n  y\n))\nend\n"),
        ],
    )
    def test_in_every_language(self, language: str, source: str):
        made = text(language, "f($A)", "g(\n    $A)", source)
        assert "\n  y" in made or "\n  ${y}" in made
        assert "".join(made.split()) == "".join(source.replace("f(", "g(", 1).split())

    def test_a_string_in_the_rewrite_keeps_its_lines(self):
        made = text("python", "f($A)", 'g("""x\n y\n    z""",\n  $A)', "if a:\n    f(1)\n")
        assert made == 'if a:\n    g("""x\n y\n    z""",\n        1)\n'

    def test_a_block_comment_keeps_its_lines(self):
        source = "if (a) {\n      if (b) {\n        c(); /* x\n  y */\n        d();\n      }\n}\n"
        made = text("javascript", "if (b) { $$$B }", "$$$B", source)
        assert made == "if (a) {\n      c(); /* x\n  y */\n      d();\n}\n"

    def test_a_capture_may_be_put_into_a_string(self):
        assert text("python", "check($X)", 'check($X, "$X")', "check(a + b)\n") == 'check(a + b, "a + b")\n'


@pytest.mark.requirement("edit:one-node")
class TestComments:
    def test_those_around_a_body_go_along(self):
        source = "if x:\n    # why\n    a()  # tail\n    # between\n    b()\n    # end\nc()\n"
        made = rewritten("python", "if $C: $$$B", "while $C:\n    $$$B", source)
        assert made.after is not None
        assert made.after.decode() == source.replace("if x", "while x")
        assert made.comments == 0

    @pytest.mark.parametrize("rewrite", ["while ($C) { $$$B }", "while ($C) {\n  $$$B\n}"])
    def test_in_braces_too(self, rewrite: str):
        source = "if (x) {\n  // why\n  a(); // tail\n  /* between */\n  b();\n  // end\n}\n"
        assert text("javascript", "if ($C) { $$$B }", rewrite, source) == source.replace("if", "while")

    def test_those_of_arguments(self):
        source = "f(\n    a,  # one\n    # two\n    b,  # three\n)\n"
        assert text("python", "f($$$A)", "g($$$A)", source) == "g" + source[1:]

    def test_a_line_comment_never_takes_code_along(self):
        made = rewritten("python", "f($$$A)", "g($$$A, c)", "f(\n    a,\n    b  # end\n)\n")
        assert made.after is not None
        assert "# end" not in made.after.decode()
        assert made.comments == 1
        assert compile(made.after, "x", "exec")

    def test_what_is_put_twice_keeps_them_only_where_both_places_can(self):
        source = "if x:\n    a()\n    # end\n"
        made = rewritten("python", "if $C: $$$B", "while $C:\n    $$$B\nfor y in z:\n    $$$B; w()", source)
        assert made.after == b"while x:\n    a()\nfor y in z:\n    a(); w()\n"
        assert made.comments == 1

    @pytest.mark.parametrize(
        ("source", "lost"),
        [("f(# why\n 1)", 1), ("f([1, # why\n 2])", 0), ("f(1 # a\n # b\n)", 2), ("f(1)  # behind it", 0)],
    )
    def test_what_is_lost_is_counted(self, source: str, lost: int):
        assert rewritten("python", "f($A)", "g($A)", source).comments == lost

    def test_what_is_lost_in_a_head_is_counted(self):
        made = rewritten("javascript", "if ($C) { $$$B }", "$$$B", "if (a /* x */) { // y\n  b(); // z\n}\n")
        assert made.after == b"b(); // z\n"
        assert made.comments == 2

    def test_a_comment_in_a_capture_that_is_not_used_is_lost(self):
        assert rewritten("python", "f($A, $B)", "g($A)", "f(1, [ # why\n 2])").comments == 1


@pytest.mark.requirement("edit:encoding")
class TestLineEnds:
    def test_a_crlf_file_gets_crlf(self):
        assert text("python", "f($X)", "g(\n  $X)", "f(1)\r\nf(2)\r\n") == "g(\r\n  1)\r\ng(\r\n  2)\r\n"
        source = "if x:\r\n    a()\r\n    b()\r\n"
        assert text("python", "if $C: $$$B", "while $C: $$$B", source) == source.replace("if", "while")

    def test_a_rewrite_with_crlf_in_a_file_without(self):
        assert text("python", "f($X)", "g(\r\n  $X)", "f(1)\nf(2)\n") == "g(\n  1)\ng(\n  2)\n"

    @pytest.mark.parametrize("rewrite", ["g($X)", "g($X)\n", "g(\n $X)"])
    def test_a_missing_last_line_end_stays_missing(self, rewrite: str):
        assert not text("python", "f($X)", rewrite, "x\nf(1)").endswith("\n")


@pytest.mark.requirement("edit:substitute")
class TestLayoutOfAFile:
    @pytest.mark.parametrize(
        ("source", "unit", "newline"),
        [
            (b"", b"", b"\n"),
            (b"a\nb\n", b"", b"\n"),
            (b"a\n  b\n    c\n  d\n", b"  ", b"\n"),
            (b"a\n    b\n        c\n", b"    ", b"\n"),
            (b"a\r\n\tb\r\n\t\tc\r\n", b"\t", b"\r\n"),
            (b"\xef\xbb\xbfa\n   b\n", b"   ", b"\n"),
            (b"a(\n           b)\n/**\n * c\n */\n", b"", b"\n"),  # an alignment, and a comment's star
            (b"a\r\nb\nc\n", b"", b"\n"),
        ],
    )
    def test_is_told_by_its_lines(self, source: bytes, unit: bytes, newline: bytes):
        layout = Layout.of(source)
        assert (layout.unit, layout.newline) == (unit, newline)

    @settings(max_examples=200, deadline=None)
    @given(
        st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["a", "bb", "", "c: d"])), min_size=1, max_size=6),
        st.integers(0, 3),
        st.integers(0, 3),
    )
    def test_moving_lines_keeps_what_is_in_them_and_how_deep_they_are_to_each_other(
        self, lines: list[tuple[int, str]], before: int, after: int
    ):
        def written(depth: int) -> bytes:
            rest = [("  " * (depth + deeper) + line if line else "") for deeper, line in lines]
            return "\n".join(["first", *rest]).encode()

        source = b"  " * before + written(before)
        start = 2 * before
        made = moved(source, start, len(source), base=b"  " * before, indent=b"  " * after, verbatim=frozenset())
        assert made == written(after)


@pytest.mark.requirement("edit:substitute", "edit:encoding")
@pytest.mark.parametrize("content", ["one\\n two\n", "a\\tb\n\n", "plain\n", "x\\n  \n  "])
def test_a_captured_string_keeps_its_last_line_ends_and_blanks(content: str):
    assert text("python", 'f("""$A""")', "f('''$A''')", f'f("""{content}""")\n') == f"f('''{content}''')\n"
