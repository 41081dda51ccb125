"""Ignore files and globs: read as git reads them, whatever stands in them (ast:walk)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from astgrep.harness import SECONDS, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toolpost_astgrep.files.globs import Globs
from toolpost_astgrep.files.ignore import Rules
from toolpost_astgrep.files.walk import list_files

NAMES = ["a", "b", "ab", "foo", "a b", "a-b", "a1", "A", "[x]", "x!", "#h"]
PIECES = [
    *NAMES, "*", "**", "***", "?", "*.py", "*.gen.py", "a*", "*a*", "*.p?", "*b.py", "a\\*", "\\#h", "a\\ b", "x\\!", "\\[x\\]",
    "[ab]", "[!a]", "[^b]*", "[a-b]?", "[z-a]", "[]x]", "[\\[]x]", "[[]x[]]", "[a-]*", "[-a]*", "[a/]b",
    "[[:alpha:]]", "[[:digit:]]*", "[[:foo:]]", "[", "[a", "a\\", "a\\/b", "",
]  # fmt: skip
FILES = [
    f"{folder}{name}{ending}"
    for folder in ("", "a/", "foo/", "a/b/", "a/foo/ab/", "[x]/", "a b/a1/")
    for name in NAMES[:9]
    for ending in (".py", ".gen.py")
]
LINES = st.lists(
    st.builds(
        lambda sign, slash, pieces, end: sign + slash + "/".join(pieces) + end,
        st.sampled_from(["", "", "", "!"]),
        st.sampled_from(["", "", "/"]),
        st.lists(st.sampled_from(PIECES), min_size=1, max_size=3),
        st.sampled_from(["", "", "/", " ", "  ", "\r"]),
    ),
    max_size=5,
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tree(tmp_path_factory.mktemp("checkout"), dict.fromkeys(FILES, ""))
    subprocess.run(["git", "-C", str(folder), "init", "-q"], check=True, timeout=SECONDS)
    return folder


def walked(folder: Path) -> list[str]:
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return [path for path, _ in list_files(root, ".", "python").files]
    finally:
        os.close(root)


@pytest.mark.requirement("ast:walk")
class TestIgnoreFiles:
    @settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(top=LINES, below=LINES)
    def test_any_rules_leave_the_files_that_git_leaves(self, checkout: Path, top: list[str], below: list[str]):
        # A first line of its own: a file that ignores everything beside it is another matter (test_walk).
        (checkout / ".gitignore").write_bytes("\n".join(["no such name", *top]).encode())
        (checkout / "a/.gitignore").write_bytes("\n".join([*below, ""]).encode())
        told = subprocess.run(
            ["git", "-C", str(checkout), "ls-files", "-coz", "--exclude-standard"],
            check=True,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert walked(checkout) == sorted(path for path in told.stdout.split("\0") if path.endswith(".py"))

    def test_a_malformed_line_costs_itself_only(self):
        rules = Rules.of(["!", "a\\", "[z-a]", "[", "/", "*.log"])
        assert rules.decide("x.log", folder=False) is True
        assert rules.decide("a", folder=False) is None

    def test_a_byte_order_mark_and_carriage_returns_are_no_part_of_a_rule(self):
        rules = Rules.read(b"\xef\xbb\xbfa.py\r\nb.py\r\n")
        assert (rules.decide("a.py", folder=False), rules.decide("b.py", folder=False)) == (True, True)

    def test_a_rule_made_to_try_every_way_takes_no_time(self):
        # Each of these held the interpreter for minutes as an ordinary regular expression.
        program = (
            "from toolpost_astgrep.files.ignore import Rules\n"
            "rules = Rules.of(['*a' * 30 + 'x', '**/' * 30 + 'x', '/'.join(['**', '*a'] * 30) + '/x'])\n"
            "assert rules.decide('a' * 250, folder=False) is None\n"
            "assert rules.decide('/'.join(['aa'] * 1000), folder=False) is None\n"
        )
        subprocess.run([sys.executable, "-c", program], check=True, timeout=20)


class TestGlobs:
    @pytest.mark.parametrize(
        ("globs", "path", "chosen"),
        [
            (["*.py"], "a/b.py", True),
            (["*.py"], "a/b.pyi", False),
            (["src/**"], "src/a/b.py", True),
            (["src/**"], "lib/src/b.py", False),
            (["tests"], "a/tests/b/c.py", True),
            (["*.{ts,tsx}"], "a.tsx", True),
            (["*.{ts,tsx}"], "a.py", False),
            (["{a,b}/*.{py,pyi}"], "b/x.pyi", True),
            (["!tests"], "a.py", True),
            (["!tests"], "tests/a.py", False),
            (["!tests", "*.py"], "tests/a.py", False),
            (["*.py", "!**/gen/**"], "a/gen/b.py", False),
            (["["], "a.py", False),
        ],
    )
    def test_what_globs_choose(self, globs: list[str], path: str, chosen: bool):
        assert Globs.of(globs).chooses(path) is chosen

    def test_braces_without_end_stay_bounded(self):
        assert Globs.of(["{a,b}" * 30]).chooses("c") is False  # 2**30 globs otherwise
