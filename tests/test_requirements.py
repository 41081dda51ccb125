"""Every requirement has a test, and every mark is a requirement."""

from __future__ import annotations

import ast
from pathlib import Path

from requirements import PENDING, REQUIREMENTS

TESTS = Path(__file__).resolve().parent


def marked() -> dict[str, list[str]]:
    """The ids that tests name, with the files that name them."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), f"{path}:{node.lineno}: name requirements as plain text"
                    found.setdefault(argument.value, []).append(path.name)
    return found


def test_every_requirement_that_is_not_pending_has_a_test():
    assert sorted(set(REQUIREMENTS) - set(PENDING) - set(marked())) == []


def test_every_mark_is_a_requirement():
    assert sorted(set(marked()) - set(REQUIREMENTS)) == []


def test_pending_requirements_are_requirements_and_say_what_they_wait_for():
    assert sorted(set(PENDING) - set(REQUIREMENTS)) == []
    assert all(PENDING.values())


def test_a_pending_requirement_that_a_test_covers_leaves_the_list():
    assert sorted(set(PENDING) & set(marked())) == []
