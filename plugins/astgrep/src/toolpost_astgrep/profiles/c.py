"""C and C++."""

from __future__ import annotations

import attrs

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import STATEMENTS

# What is no declaration, where none can stand: `a * b` is a product, unless it is closed, or goes on with a value.
_NO_DECLARATION = Rung(
    "statement",
    "void f() { if (x) ",
    ";\n}\n",
    closed=False,
    refuses=frozenset({"binary_expression > assignment_expression"}),
)

_C = Profile(
    rungs=(
        _NO_DECLARATION,
        Rung("statement", "void f() {", ";\n}\n", closed=True),
        Rung("statement", "void f() {", "\n}\n"),
        Rung("statement", "void f() {", ";\n}\n"),
        Rung("expression", "int x = (", ");\n"),
        Rung("class member", "struct S {", ";\n};\n", closed=True),
        Rung("class member", "struct S {", "\n};\n"),
        Rung("class member", "struct S {", ";\n};\n"),
        Rung("declaration", "", ";\n", closed=True),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("case", "void f() { switch (x) {", "\n} }\n"),
        Rung("case", "void f() { switch (x) {", ";\n} }\n"),
        Rung("else", "void f() { if (x) {} ", "\n}\n"),
        Rung("else", "void f() { if (x) {} ", ";\n}\n"),
        Rung("pair", "struct S x = {", "};\n"),
        Rung("argument", "int x = f(", ");\n"),
        Rung("parameter", "void f(", ") {}\n"),
        Rung("type", "int x = sizeof(", ");\n"),
    ),
    reserved=STATEMENTS,
    closing=frozenset({"else", "while", "break", "return", "continue", "goto"}),
    containers=frozenset({"translation_unit"}),
    strings=frozenset({"string_literal", "char_literal", "system_lib_string"}),
    stand_ins={"(": ("T NAME",), "{": ("NAME;", "T NAME;", "case NAME:"), "": ("NAME;",)},
    unclear=(b"\\\n", b"\\\r\n"),  # a backslash takes a comment on to the next line
)

# A template with its arguments is a type more often than a function that is not called.
_TEMPLATES = frozenset({"template_function", "qualified_identifier > template_function"})


def _in_cpp(rung: Rung) -> Rung:
    return (
        attrs.evolve(rung, refuses=rung.refuses | _TEMPLATES) if rung.context in ("statement", "expression") else rung
    )


_CPP = attrs.evolve(
    _C,
    rungs=(
        *map(_in_cpp, _C.rungs[:-1]),
        Rung("catch", "void f() { try {} ", "\n}\n"),
        Rung("attribute", "", "\nvoid f() {}\n"),
        Rung("base", "class C : ", " {};\n"),
        Rung("type", "using T = ", ";\n"),
    ),
    reserved=STATEMENTS | {"try", "catch", "public", "private", "protected"},
    of_members=frozenset({"virtual", "explicit", "friend"}),
    closing=_C.closing | {"throw", "co_return"},
    strings=_C.strings | {"raw_string_literal"},
    stand_ins={**_C.stand_ins, ":": ("NAME()", "NAME;")},
)

PROFILES = {"c": _C, "cpp": _CPP}
