"""CSS."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_CSS = Profile(
    rungs=(
        Rung("statement", "a {", "\n}\n"),
        Rung("statement", "a {", ";\n}\n"),
        Rung("expression", "a { b: ", "; }\n"),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("selector", "", " {}\n"),
        Rung("argument", "a { b: f(", "); }\n"),
        Rung("query", "@media ", " {}\n"),
        Rung("property", "a { ", ": 0; }\n"),
        Rung("keyframe", "@keyframes a {", "}\n"),
    ),
    spellings=("NAME",),
    containers=frozenset({"stylesheet"}),
    strings=frozenset({"string_value"}),
    loose=True,
    reserved=frozenset({"from", "to"}),
    stand_ins={"{": ("NAME: 0;", "from { NAME: 0; }"), "": ("NAME: 0;",)},
)

PROFILES = {"css": _CSS}
