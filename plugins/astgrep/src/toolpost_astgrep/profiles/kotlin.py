"""Kotlin."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

_ANNOTATED = frozenset({"prefix_expression > annotation"})  # an expression with an annotation before it

_KOTLIN = Profile(
    rungs=(
        Rung("statement", "fun f() {", "\n}\n", refuses=_ANNOTATED),
        Rung("expression", "val x = (", ")\n", refuses=_ANNOTATED),
        Rung("class member", "class C {", "\n}\n"),
        Rung("declaration", "", "\n", refuses=_ANNOTATED),
        Rung("catch", "fun f() { try {}\n", "\n}\n", refuses=_ANNOTATED),
        Rung("else", "fun f() { if (x) {}\n", "\n}\n", refuses=_ANNOTATED),
        Rung("when entry", "fun f() { when (x) {", "\n} }\n"),
        Rung("argument", "val x = f(", ")\n", refuses=_ANNOTATED),
        Rung("parameter", "fun f(", ") {}\n"),
        Rung("class parameter", "class C(", ")\n"),
        Rung("accessor", "class C { val x: T\n", "\n}\n"),
        Rung("annotation", "class C {", "\nfun f() {}\n}\n"),
        Rung("type", "val x: ", "\n"),
        Rung("enum entry", "enum class E {", "\n}\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    loose=True,
    greedy=frozenset({"prefix_expression"}),
    of_members=frozenset(
        {"private", "protected", "public", "internal", "override", "companion", "constructor", "init {"}
    ),
    reserved=RESERVED - {"new", "switch", "case", "default"}
    | {"when", "is", "in", "import", "package", "fun", "val", "var", "class", "interface", "object"},
    containers=frozenset({"source_file", "statements", "import_list"}),
    strings=frozenset({"string_literal", "character_literal"}),
    stand_ins={"(": ("NAME: T",), "{": ("fun NAME();", "NAME -> x"), "": ("NAME -> x",)},
)

PROFILES = {"kotlin": _KOTLIN}
