"""Lua."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_LUA = Profile(
    rungs=(
        Rung("statement", "", "\n"),
        Rung("expression", "x = ", "\n"),
        Rung("else", "if x then\n", "\nend\n"),
        Rung("pair", "x = {", "}\n"),
        Rung("argument", "f(", ")\n"),
        Rung("parameter", "function f(", ") end\n"),
    ),
    spellings=("NAME",),
    stand_ins=dict.fromkeys(["", "(", "{", "then", "else"], ("NAME()",)),  # a name alone is no statement
    line_comment="--",
    block_comment=None,
    unclear=(b"--[",),  # it begins as a line's comment does
    containers=frozenset({"chunk", "block", "variable_list", "expression_list"}),
    strings=frozenset({"string"}),
    closing=frozenset({"end", "else", "elseif", "until"}),
    reserved=frozenset(
        {"and", "break", "do", "else", "elseif", "end", "for", "function", "if", "in", "local", "not", "or"}
    )
    | {"repeat", "return", "then", "until", "while"},
)

PROFILES = {"lua": _LUA}
