"""A regular expression is known as one, and answered with the patterns that it means."""

from __future__ import annotations

import pytest
from toolpost_astgrep.patterns.regular_expression import as_patterns, looks_like_regex

pytestmark = pytest.mark.requirement("ast:zero-explained")


@pytest.mark.parametrize(
    ("expression", "patterns"),
    [
        (r"foo\(.*\)", ["foo($$$A)"]),
        (r"foo(.*)", ["foo($$$A)"]),
        (r"def \w+\(self.*\):", ["def $A(self, $$$B): $$$BODY"]),
        (r"^class (\w+)\(Base\):", ["class $A(Base): $$$BODY"]),
        (r"console\.log\([^)]*\)", ["console.log($$$A)"]),
        (r"\bprint\s*\(", ["print($$$BODY)"]),
        (r"(\w+)\.append\((.*)\)", ["$A.append($$$B)"]),
        (r"logger\.(debug|info)\(.*\)", ["logger.debug($$$A)", "logger.info($$$A)"]),
        (r"if .* == None:", ["if $A == None: $$$BODY"]),
        (r"get_\w+\(", []),
        (r"import java.util.*", []),
    ],
)
def test_is_known_and_translated(expression: str, patterns: list[str]):
    assert looks_like_regex(expression)
    assert as_patterns(expression) == patterns


@pytest.mark.parametrize(
    "pattern",
    ["f($X)", "a || b", "use foo::*;", "if ($X != null) $X.dispose()", "x = [1, 2]", "$A ? $B : $C", "a * b", "f(*$A)", "x |> f"],
)  # fmt: skip
def test_code_is_not_taken_for_one(pattern: str):
    assert not looks_like_regex(pattern)
