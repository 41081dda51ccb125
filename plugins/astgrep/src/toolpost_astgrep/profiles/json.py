"""JSON."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_JSON = Profile(
    rungs=(
        Rung("expression", "", "\n"),
        Rung("pair", "{", "}\n"),
        Rung("pair", "{", ' "": 0}\n'),  # with its comma
        Rung("element", "[", "]\n"),
        Rung("element", "[", " 0]\n"),
    ),
    spellings=('"NAME"', "NAME"),
    mixed=True,  # `"$KEY": $VALUE`
    containers=frozenset({"document"}),
    strings=frozenset({"string"}),
    stand_ins={"{": ("NAME: 0",), "": ("NAME: 0",)},
    parentheses=None,
)

PROFILES = {"json": _JSON}
