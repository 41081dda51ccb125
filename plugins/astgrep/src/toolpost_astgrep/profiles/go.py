"""Go."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_LABELLED = frozenset({"labeled_statement > expression_statement"})  # `a: b` is a pair more often than that

_GO = Profile(
    rungs=(
        Rung("statement", "package p\nfunc f() {", "\n}\n", refuses=_LABELLED),
        Rung("expression", "package p\nvar x = (", ")\n"),
        Rung("class member", "package p\ntype T struct {", "\n}\n"),
        Rung("class member", "package p\ntype T interface {", "\n}\n"),
        Rung("declaration", "package p\n", "\n", refuses=_LABELLED),
        Rung("file", "", "\n", refuses=_LABELLED),
        Rung("case", "package p\nfunc f() { switch x {", "\n} }\n"),
        Rung("select case", "package p\nfunc f() { select {", "\n} }\n"),
        Rung("pair", "package p\nvar x = T{", "}\n"),
        Rung("argument", "package p\nvar x = f(", ")\n"),
        Rung("parameter", "package p\nfunc f(", ") {}\n"),
        Rung("type", "package p\ntype T ", "\n"),
    ),
    containers=frozenset({"source_file", "statement_list"}),
    strings=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    stand_ins={
        "{": ("case NAME:", "NAME T"),
        "(": ('"NAME"', "NAME T", "NAME T;", "NAME = 0;"),
        "[]": ("NAME T",),
        "last word": ('"NAME"',),
    },
)

PROFILES = {"go": _GO}
