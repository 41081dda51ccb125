"""A grammar with its table, from a wheel that somebody else made: found, used in the workers, and no danger to the rest."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from endtoend.commands import PROGRAM
from thirdparty import wheels

LOX = """
    from toolpost_astgrep.grammars import ExtraGrammar
    from toolpost_astgrep.profiles import Profile, Rung

    def language():
        from tree_sitter_language_pack import get_language
        return get_language("lua")

    grammar = ExtraGrammar(
        name="lox",
        load=language,
        endings=(".lox",),
        profile=Profile(
            rungs=(Rung("statement", "", "\\n"), Rung("field", "x = {", "}\\n")),
            line_comment="--",
            block_comment=("--[[", "]]"),
            containers=frozenset({"chunk", "block"}),
            strings=frozenset({"string"}),
        ),
    )
"""
SOURCE = """-- f(0)
local ports = { [1] = "f(1)", ["two"] = f(2) }
f( 3 )
"""


class Site(wheels.Site):
    """Wheels installed beside this environment, and a workspace."""

    def doctor(self) -> str:
        """What `toolpost doctor` prints."""
        return self.run(PROGRAM, "doctor")

    def calls(self, *wanted: tuple[str, dict[str, Any]]) -> list[str]:
        """The answers to calls in one run, in a process that sees the wheels."""
        code = (
            "import json, sys; from pathlib import Path; from astgrep.harness import calls\n"
            "wanted = map(tuple, json.loads(sys.argv[1]))\n"
            "print(json.dumps([result.text for result in calls(Path.cwd(), *wanted)]))"
        )
        texts: list[str] = json.loads(self.run(sys.executable, "-P", "-c", code, json.dumps(wanted)))
        return texts


def wheel(folder: Path, name: str, source: str, entry: str) -> Path:
    """A wheel of one module that gives one grammar."""
    return wheels.wheel(folder, name, source, "toolpost.grammars", entry)


@pytest.fixture(scope="module")
def lox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(tmp_path_factory.mktemp("wheels"), "lox-grammar", LOX, "lox = lox_grammar:grammar")


@pytest.mark.requirement("core:third-party")
class TestAGrammarOfSomebodyElse:
    def test_serves_searches_and_rewrites_by_its_own_table(self, tmp_path: Path, lox: Path):
        site = Site(tmp_path, lox)
        file = site.workspace / "a.lox"
        file.write_text(SOURCE)
        calls, field, proposed, _ = site.calls(
            ("ast_grep", {"pattern": "f($X)", "language": "lox"}),
            ("ast_grep", {"pattern": "[$K] = $V", "path": "a.lox"}),
            ("ast_edit", {"pattern": "f($X)", "rewrite": "g($X)", "language": "lox"}),
            ("resolve", {"action": "accept"}),
        )
        assert "2 matches in 1 file (1 lox file searched)" in calls
        assert "a.lox:3: f( 3 )" in calls
        # Only its own table knows what stands in a table constructor.
        assert '$K=1  $V="f(1)"' in field
        assert "$V=f(2)" in field
        assert "2 replacements in 1 file" in proposed
        assert file.read_text() == SOURCE.replace("= f(2)", "= g(2)").replace("f( 3 )", "g(3)")

    def test_is_not_harmed_by_broken_ones_and_they_are_told(self, tmp_path: Path, lox: Path):
        conflicting = LOX.replace('name="lox"', 'name="python"')
        unloadable = LOX.replace('name="lox"', 'name="hoax"').replace('(".lox",)', '(".hoax",)')
        site = Site(
            tmp_path,
            lox,
            wheel(tmp_path, "broken-grammar", "raise SystemExit('no such machine')", "a = broken_grammar:grammar"),
            wheel(tmp_path, "other-lox", LOX, "lox = other_lox:grammar"),
            wheel(tmp_path, "other-python", conflicting, "python = other_python:grammar"),
            wheel(tmp_path, "hoax-grammar", unloadable.replace('"lua"', '"nothing"'), "hoax = hoax_grammar:grammar"),
        )
        (site.workspace / "a.lox").write_text(SOURCE)
        (site.workspace / "a.py").write_text("f(1)\n")
        (site.workspace / "a.hoax").write_text("f(1)\n")
        good, own, bad = site.calls(
            ("ast_grep", {"pattern": "f($X)", "language": "lox"}),
            ("ast_grep", {"pattern": "f($X)", "language": "python"}),
            ("ast_grep", {"pattern": "f($X)", "path": "a.hoax"}),
        )
        assert "2 matches" in good
        assert "1 match" in own
        assert "the grammar of 'hoax', which hoax-grammar brings, cannot be loaded: LookupError" in bad
        told = site.doctor()
        assert "grammar lox comes from lox-grammar" in told
        assert "problem: toolpost.grammars entry 'a' of broken-grammar: SystemExit: no such machine" in told
        assert "problem: grammar 'lox' of other-lox is not used: lox-grammar has that name" in told
        assert "problem: grammar 'python' of other-python is not used: toolpost-astgrep has that name" in told
