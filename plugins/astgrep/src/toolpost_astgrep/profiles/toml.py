"""TOML."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_TABLES = frozenset({"table", "table …", "table_array_element", "table_array_element …"})
_PAIRS = frozenset({"pair", "pair …"})

_TOML = Profile(
    rungs=(
        Rung("expression", "z = ", "\n"),
        Rung("pair", "", "\n[z]\n", refuses=_TABLES),
        Rung("pair", "z = { ", " }\n"),
        Rung("pair", "z = { ", " z = 0 }\n"),  # with its comma
        Rung("table", "", "\n[z]\n"),
        Rung("header", "", "\nz = 0\n", refuses=_PAIRS),
        Rung("element", "z = [", "]\n"),
        Rung("key", "", " = 0\n"),
    ),
    spellings=('"NAME"', "NAME"),
    line_comment="#",
    block_comment=None,
    containers=frozenset({"document"}),
    strings=frozenset({"string", "quoted_key"}),
    stand_ins={"": ("NAME = 0",), "{": ("NAME = 0",)},
    parentheses=None,
)

PROFILES = {"toml": _TOML}
