"""C and C++."""

from __future__ import annotations

import attrs

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import STATEMENTS

_C = Profile(
    rungs=(
        Rung("statement", "void f() {", "\n}\n"),
        Rung("statement", "void f() {", ";\n}\n"),
        Rung("expression", "int x = (", ");\n"),
        Rung("class member", "struct S {", "\n};\n"),
        Rung("class member", "struct S {", ";\n};\n"),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("case", "void f() { switch (x) {", "\n} }\n"),
        Rung("case", "void f() { switch (x) {", ";\n} }\n"),
        Rung("else", "void f() { if (x) {} ", "\n}\n"),
        Rung("pair", "struct S x = {", "};\n"),
        Rung("argument", "int x = f(", ");\n"),
        Rung("parameter", "void f(", ") {}\n"),
        Rung("type", "int x = sizeof(", ");\n"),
    ),
    reserved=STATEMENTS,
    containers=frozenset({"translation_unit"}),
    strings=frozenset({"string_literal", "char_literal", "system_lib_string"}),
    stand_ins={"(": ("T NAME",), "{": ("NAME;", "T NAME;", "case NAME:"), "": ("NAME;",)},
    unclear=(b"\\\n", b"\\\r\n"),  # a backslash takes a comment on to the next line
)
_CPP = attrs.evolve(
    _C,
    rungs=(*_C.rungs[:-1], Rung("type", "using T = ", ";\n")),
    strings=_C.strings | {"raw_string_literal"},
)

PROFILES = {"c": _C, "cpp": _CPP}
