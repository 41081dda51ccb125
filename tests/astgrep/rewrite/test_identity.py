"""A rewrite that is its own pattern gives real code back: the standard library's, by bytes, by characters, by meaning."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest
from astgrep.rewrite.rewriting import rewritten

_STDLIB = Path(sysconfig.get_path("stdlib"))
_SOURCE = b"\n\n".join(
    (_STDLIB / name).read_bytes()
    for name in ("argparse.py", "contextlib.py", "functools.py", "heapq.py", "tokenize.py")
)


@pytest.mark.requirement("edit:substitute", "edit:separators", "edit:one-node")
@pytest.mark.parametrize(
    "pattern",
    [
        "class $C($$$B): $$$D",
        "return $X",
        "for $X in $Y: $$$B",
        "raise $X",
        "$A.$B",
        "$F($$$A)",
        "import $$$A",
        "from $M import $$$A",
        "[$X for $Y in $Z]",
        "try: $$$A\nexcept $E: $$$B",
    ],
)
def test_the_same_characters(pattern: str):
    made = rewritten("python", pattern, pattern, _SOURCE)
    assert made.after is not None, made.problem
    assert made.parenthesised == 0
    # Blanks are the template's; a comment behind the colon of a head is in no capture, and is counted.
    if not made.comments:
        assert _squeezed(made.after) == _squeezed(_SOURCE)
    assert _meaning(made.after) == _meaning(_SOURCE)


@pytest.mark.requirement("edit:substitute")
@pytest.mark.parametrize(
    "pattern", ["class $C($$$B): $$$D", "return $X", "raise $X", "from $M import $$$A", "with $A: $$$B"]
)
def test_the_same_bytes(pattern: str):
    assert rewritten("python", pattern, pattern, _SOURCE).after == _SOURCE


@pytest.mark.requirement("edit:substitute", "edit:one-node")
@pytest.mark.parametrize(
    ("pattern", "rewrite"),
    [
        ("$A.$B", "zz[$A].$B"),
        ("$A and $B", "zz($A, $B)"),
        ("$A if $C else $B", "zz($A, $C, $B)"),
        ("not $A", "zz($A)"),
        ("$A + $B", "zz($A, $B)"),
        ("$A in $B", "zz($A, $B)"),
        ("return $X", "zz($X)"),
        ("if $C: $$$B", "while zz($C): $$$B"),
    ],
)
def test_there_and_back_means_the_same(pattern: str, rewrite: str):
    there = rewritten("python", pattern, rewrite, _SOURCE)
    assert there.after is not None, there.problem
    back = rewritten("python", rewrite, pattern, there.after)
    assert back.after is not None, back.problem
    assert back.replacements == there.replacements
    assert _meaning(back.after) == _meaning(_SOURCE)


def _squeezed(source: bytes) -> str:
    return "".join(source.decode().split())


def _meaning(source: bytes) -> str:
    return ast.dump(ast.parse(source))
