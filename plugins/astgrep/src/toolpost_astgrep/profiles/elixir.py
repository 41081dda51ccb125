"""Elixir."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_ELIXIR = Profile(
    rungs=(
        Rung("statement", "", "\n"),
        Rung("expression", "(", ")\n", refuses=frozenset({"stab_clause"})),
        Rung("pipe", "x\n", "\n"),
        Rung("rescue", "try do\nx\n", "\nend\n"),
        Rung("else", "if x do\nx\n", "\nend\n"),
        Rung("case", "case x do\n", "\nend\n"),
        Rung("pair", "[", "]\n"),
        Rung("pair", "%{", "}\n"),
        Rung("argument", "f(", ")\n"),
    ),
    spellings=("NAME",),
    stand_ins={
        "": ("NAME: 0", "NAME -> 0"),
        "(": ("NAME: 0",),
        "[": ("NAME: 0",),
        "{": ("NAME => 0", "NAME: 0"),
        **dict.fromkeys([":", "(:", "[:", "{:"], ()),  # behind a key there is a value
    },
    line_comment="#",
    block_comment=None,
    containers=frozenset({"source", "arguments", "body", "keywords", "map_content"}),
    clauses=frozenset({"else_block", "rescue_block", "catch_block", "after_block"}),
    strings=frozenset({"string", "charlist", "sigil", "quoted_atom", "quoted_keyword", "char"}),
    closing=frozenset({"end", "else", "rescue", "catch", "after"}),
    reserved=frozenset({"do", "end", "else", "rescue", "catch", "after", "fn", "when", "and", "or", "not", "in"}),
)

PROFILES = {"elixir": _ELIXIR}
