"""Scala."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_ASCRIPTION = frozenset({"ascription_expression"})  # `name: T` is a parameter
_GUARD = frozenset({"guard"})  # `if (x)` without what is to be done

_BY_FIRST_CHARACTER = ("|", "^", "&", "=!", "<>", ":", "+-", "*/%")


def _groups_left(first: str, second: str) -> bool:
    """As the language defines it: by an operator's first character, and to the right where it ends with a colon."""
    own, other = _strength(first), _strength(second)
    return own > other or (own == other and not first.endswith(":"))


def _strength(operator: str) -> int:
    """How strong an operator binds: an assignment least, then names."""
    if operator.endswith("=") and operator[0] != "=" and operator not in ("<=", ">=", "!="):
        return -1
    if operator[0].isalnum() or operator[0] in "_$`":
        return 0
    ranks = (rank for rank, begins in enumerate(_BY_FIRST_CHARACTER, 1) if operator[0] in begins)
    return next(ranks, len(_BY_FIRST_CHARACTER) + 1)


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
    grouping=_groups_left,
    strings=frozenset({"string", "interpolated_string", "character_literal"}),
    stand_ins={
        "(": ("NAME: T", "NAME <- x"),
        "{": ("case NAME => x", "NAME <- x", "case NAME"),
        "": ("case NAME => x",),
    },
)

PROFILES = {"scala": _SCALA}
