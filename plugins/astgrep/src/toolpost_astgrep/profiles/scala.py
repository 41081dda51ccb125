"""Scala."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_ASCRIPTION = frozenset({"ascription_expression"})  # `name: T` is a parameter
_GUARD = frozenset({"guard"})  # `if (x)` without what is to be done

_SCALA = Profile(
    rungs=(
        Rung("statement", "def f() = {", "\n}\n", refuses=_ASCRIPTION),
        Rung("expression", "val x = ", "\n", refuses=_ASCRIPTION),
        Rung("class member", "class C {", "\n}\n", refuses=_ASCRIPTION),
        Rung("declaration", "", "\n", refuses=_ASCRIPTION),
        Rung("catch", "def f() = { try {} ", "\n}\n"),
        Rung("else", "def f() = { if (x) {} ", "\n}\n"),
        Rung("case", "def f() = x match {", "\n}\n"),
        Rung("enum case", "enum E {", "\n}\n", refuses=_ASCRIPTION),
        Rung("parameter", "def f(", ") = x\n"),
        Rung("class parameter", "class C(", ")\n"),
        Rung("argument", "val x = f(", ")\n"),
        Rung("generator", "val x = for {", "\n} yield x\n", refuses=_GUARD),
        Rung("annotation", "def f(", " x: T) = y\n"),
        Rung("type", "val x: ", " = y\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    reserved=frozenset(
        {
            "if",
            "else",
            "for",
            "while",
            "do",
            "case",
            "return",
            "throw",
            "try",
            "catch",
            "finally",
            "new",
            "match",
            "yield",
        }
        | {"import", "package", "def", "val", "var", "class", "object", "trait"}
    ),
    containers=frozenset({"compilation_unit", "enumerators", "indented_block", "indented_cases"}),
    flat=True,
    strings=frozenset({"string", "interpolated_string", "character_literal"}),
    stand_ins={
        "(": ("NAME: T", "NAME <- x"),
        "{": ("case NAME => x", "NAME <- x", "case NAME"),
        "": ("case NAME => x",),
    },
)

PROFILES = {"scala": _SCALA}
