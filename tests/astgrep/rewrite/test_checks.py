"""What a rewrite may not do to a file: break its syntax, or its encoding."""

from __future__ import annotations

import pytest
from astgrep.rewrite.rewriting import problem, rewritten
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.requirement("edit:reparse")
class TestSyntax:
    @pytest.mark.parametrize(
        ("language", "rewrite", "source"),
        [
            ("python", "g($X", "f(1)\n"),
            ("javascript", "g($X", "f(1);\n"),
            ("typescript", "g($X]", "f(1);\n"),
            ("tsx", "<a>$X", "f(1);\n"),
            ("rust", "g($X", "fn m() { f(1); }\n"),
            ("go", "g($X", "package p\nvar x = f(1)\n"),
            ("c", "g($X", "int x = f(1);\n"),
            ("java", "g($X", "class A { int x = f(1); }\n"),
            ("dart", "g($X", "var x = f(1);\n"),
        ],
    )
    def test_a_file_may_not_gain_errors(self, language: str, rewrite: str, source: str):
        told = problem(language, "f($X)", rewrite, source)
        assert told.startswith(("line 1: ", "line 2: "))
        assert "would not parse" in told or "would be missing" in told

    def test_the_first_one_is_told_with_its_line_and_what_would_stand_there(self):
        told = problem("python", "f($X)", "g($X]", "a\nb\n  \nx = f(1)\nf(2)\n")
        assert told == "line 4: this would not parse: 'x = g(1]'"

    def test_lines_are_those_of_the_file_as_it_is(self):
        told = problem("python", "f($X)", "g(\n\n\n$X, 1)", "f(1)\nf(2)\nf(k=3)\nx\n")
        assert told == "line 3: Python says 'positional argument follows keyword argument' of 'k=3, 1)'"

    def test_pythons_own_compiler_is_asked(self):
        told = problem("python", "f($X)", "$X(k=1, 2)", "\nf(a)\n")
        assert told == "line 2: Python says 'positional argument follows keyword argument' of 'a(k=1, 2)'"

    @pytest.mark.parametrize("rewrite", ["return $X", "break", "nonlocal q", "yield $X; import *"])
    def test_what_only_a_compiler_sees(self, rewrite: str):
        assert problem("python", "f($X)", rewrite, "f(1)\n").startswith("line 1: ")

    @pytest.mark.parametrize("source", ["print 'python 2'\nf(1)\n", "f(1)\ndef (:\n", "f(1)\nreturn\n"])
    def test_a_file_that_was_broken_before_may_be_rewritten(self, source: str):
        assert rewritten("python", "f($X)", "g($X)", source).after == source.replace("f(1)", "g(1)").encode()

    def test_but_not_broken_further(self):
        assert problem("python", "f($X)", "g($X]", "f(1)\nx\ny\ndef (:\n").startswith("line 1: ")

    def test_a_warning_of_the_compiler_is_no_error(self):
        assert rewritten("python", "f($X)", "$X is 1", "f('\\d')\n").after == b"'\\d' is 1\n"


@pytest.mark.requirement("edit:encoding")
class TestBytes:
    @pytest.mark.parametrize(
        ("language", "pattern", "rewrite", "source", "expected"),
        [
            ("python", "$A == None", "$A is None", "if é == None:\r\n\tpass\r\n", "if é is None:\r\n\tpass\r\n"),
            ("javascript", "f($X)", "g($X, 'é')", "'😀'; f('中');\r\n", "'😀'; g('中', 'é');\r\n"),
            ("rust", "f($X)", "g($X)", 'fn m() {\r\n\tf("é");\r\n}', 'fn m() {\r\n\tg("é");\r\n}'),
            (
                "go",
                "f($X)",
                "g($X)",
                "package p\r\n\r\nvar x = f(`é\r\n`)\r\n",
                "package p\r\n\r\nvar x = g(`é\r\n`)\r\n",
            ),
        ],
    )
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_what_is_not_replaced_stays(
        self, language: str, pattern: str, rewrite: str, source: str, expected: str, mark: str
    ):
        assert rewritten(language, pattern, rewrite, mark + source).after == (mark + expected).encode()

    @pytest.mark.parametrize(
        ("language", "source"),
        [
            ("c", b"int x = f('\xe9');\n"),
            ("java", b'class A { int x = f("\xe9\xff"); }\r\n'),
            ("dart", b"var x = f('\xe9');"),
        ],
    )
    def test_nor_does_what_is_no_utf8_change(self, language: str, source: bytes):
        assert rewritten(language, "f($X)", "g($X)", source).after == source.replace(b"f(", b"g(")

    def test_a_declared_encoding_is_kept(self):
        made = rewritten("python", "f($X)", "g($X, 'é')", b"# -*- coding: latin-1 -*-\nf('caf\xe9')\n")
        assert made.after == b"# -*- coding: latin-1 -*-\ng('caf\xe9', '\xe9')\n"
        # Also where the file would do for UTF-8: what is put must be read as what it is.
        made = rewritten("python", "f($X)", "g($X, 'é')", b"# coding: latin-1\nf(1)\n")
        assert made.after == b"# coding: latin-1\ng(1, '\xe9')\n"

    def test_a_character_that_the_encoding_lacks_is_refused(self):
        told = problem("python", "f($X)", "g($X, '中')", b"# -*- coding: latin-1 -*-\nf('caf\xe9')\n")
        assert "'中' cannot be put there" in told
        assert "iso-8859-1" in told

    def test_nobody_guesses_an_encoding(self):
        source = b"f('caf\xe9');\n"
        told = problem("javascript", "f($X)", "g($X, 'é')", source)
        assert "not UTF-8 and declares no encoding" in told
        assert rewritten("javascript", "f($X)", "g($X, 'e')", source).after == b"g('caf\xe9', 'e');\n"

    @settings(max_examples=100, deadline=None)
    @given(
        st.lists(
            st.sampled_from(
                [
                    b"x = 'e\xcc\x81\xe4\xb8\xad\xf0\x9f\x98\x80'\n",
                    b"# \xc3\xbc == None\r\n",
                    b"if a:\r\n\tpass\r\n",
                    b"y == None\n",
                    b"\n",
                    b" \t \r\n",
                    b"z = 1  # \xe2\x80\xae\n",
                    b"f(k == None, [\n   None == w])\n",
                    b"s = '''\n == None\r\n'''\n",
                ]
            ),
            max_size=8,
        ),
        st.sampled_from([b"", b"\xef\xbb\xbf"]),
        st.sampled_from([b"", b"w == None"]),
    )
    def test_what_is_outside_the_matches_never_changes(self, lines: list[bytes], mark: bytes, last: bytes):
        source = mark + b"w == None\n" + b"".join(lines) + last
        made = rewritten("python", "$A == None", "None is  $A", source)
        assert made.after is not None, made.problem
        old, new, end_old, end_new = bytearray(), bytearray(), 0, 0
        for span in made.spans:
            old += source[end_old : span.old_start]
            new += made.after[end_new : span.start]
            end_old, end_new = span.old_end, span.end
            assert source[span.old_start : span.old_end].endswith(b" == None")
            assert made.after[span.start : span.end].startswith(b"None is  ")
        assert old + source[end_old:] == new + made.after[end_new:]
