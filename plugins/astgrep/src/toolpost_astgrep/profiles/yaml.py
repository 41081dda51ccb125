"""YAML."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_YAML = Profile(
    rungs=(
        Rung("expression", "z: ", "\n"),
        Rung("pair", "", "\nz: 0\n"),
        Rung("item", "", "\n- 0\n"),
        Rung("flow pair", "{", "}\n"),
        Rung("flow pair", "{", " z: 0}\n"),  # with its comma
        Rung("flow item", "[", "]\n"),
        Rung("flow item", "[", " 0]\n"),
        Rung("file", "", "\n"),
    ),
    spellings=("NAME",),
    line_comment="#",
    block_comment=None,
    containers=frozenset({"stream", "document", "block_mapping", "block_sequence"}),
    bullet="-",
    strings=frozenset({"double_quote_scalar", "single_quote_scalar", "block_scalar"}),
    hanging=frozenset({"block_scalar"}),
    stand_ins={"": ("NAME: 0", "- NAME"), "{": ("NAME: 0",)},
    parentheses=None,
    indented=True,
)

PROFILES = {"yaml": _YAML}
