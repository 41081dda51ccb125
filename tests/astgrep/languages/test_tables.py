"""Every language of the contract, by its table: calls, definitions, members, conditions, loops, strings, comments, repeats."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import pytest
from astgrep.engine.searching import captures, matches, parsed
from astgrep.languages import tables
from astgrep.languages.table import KINDS, Rewrite, Row, Table
from astgrep.rewrite.rewriting import rewritten
from requirements import REQUIREMENTS
from toolpost_astgrep.profiles import DESCRIBED

pytestmark = pytest.mark.requirement("ast:languages")

_SENTENCE = REQUIREMENTS["ast:languages"]
PROMISED = frozenset(_SENTENCE.partition("network: ")[2].partition(".")[0].replace("c-sharp", "csharp").split(", "))
WRITTEN = sorted(module.name for module in pkgutil.iter_modules(tables.__path__))


@cache
def table(language: str) -> Table:
    found: Table = importlib.import_module(f"astgrep.languages.tables.{language}").TABLE
    return found


ROWS = [
    pytest.param(language, row, id=f"{language}, {row.kind}: {row.pattern}")
    for language in WRITTEN
    for row in table(language).rows
]
REWRITES = [
    pytest.param(language, each, id=f"{language}: {each.pattern} to {each.rewrite}")
    for language in WRITTEN
    for each in table(language).rewrites
]


def test_every_promised_language_has_a_profile_and_a_table_with_all_kinds():
    assert DESCRIBED >= PROMISED
    assert set(WRITTEN) >= PROMISED
    lacking = {language: set(KINDS) - {row.kind for row in table(language).rows} for language in WRITTEN}
    assert not {language: kinds for language, kinds in lacking.items() if kinds}


@pytest.mark.parametrize("language", WRITTEN)
def test_the_source_is_code(language: str):
    _, tree = parsed(language, table(language).source)
    assert not tree.root_node.has_error


@pytest.mark.parametrize(("language", "row"), ROWS)
def test_finds(language: str, row: Row):
    code = table(language).source
    data = code.encode()
    found = [
        (data.count(b"\n", 0, match.start) + 1, data[match.start : match.end].decode().split("\n")[0])
        for match in matches(language, row.pattern, code, row.context)
    ]
    assert found == row.found
    if row.captures:
        assert row.captures.items() <= captures(language, row.pattern, code, row.context)[0].items()


@pytest.mark.parametrize(("language", "each"), REWRITES)
def test_rewrites(language: str, each: Rewrite):
    made = rewritten(language, each.pattern, each.rewrite, each.before, context=each.context)
    assert (made.after.decode() if made.after is not None else None) == each.after, made.problem
