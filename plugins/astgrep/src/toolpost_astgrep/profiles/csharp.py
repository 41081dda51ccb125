"""C#."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

# `void F() {}` is a method, `name: x` an argument, and a new object an expression.
_SELDOM = frozenset({"local_function_statement", "labeled_statement"})
_STATEMENT = _SELDOM | {"object_creation_expression"}
_COLLECTION = frozenset({"collection_expression"})  # `[Obsolete]` is an attribute

_CSHARP = Profile(
    rungs=(
        Rung("statement", "class A { void f() {", "\n} }\n", refuses=_STATEMENT),
        Rung("statement", "class A { void f() {", ";\n} }\n", refuses=_STATEMENT),
        Rung("expression", "class A { object x = (", "); }\n", refuses=_COLLECTION),
        Rung("class member", "class A {", "\n}\n"),
        Rung("class member", "class A {", ";\n}\n"),
        Rung("declaration", "", "\n", refuses=_SELDOM),
        Rung("declaration", "", ";\n", refuses=_SELDOM),
        Rung("argument", "class A { object x = f(", "); }\n", refuses=_COLLECTION),
        Rung("local", "class A { void f() {", "\n} }\n"),
        Rung("local", "class A { void f() {", ";\n} }\n"),
        Rung("catch", "class A { void f() { try {} ", "\n} }\n"),
        Rung("else", "class A { void f() { if (x) {} ", "\n} }\n"),
        Rung("case", "class A { void f() { switch (x) {", "\n} } }\n"),
        Rung("case", "class A { void f() { switch (x) {", ";\n} } }\n"),
        Rung("switch arm", "class A { object x = y switch {", "\n}; }\n"),
        Rung("pair", "class A { object x = new T {", "\n}; }\n", refuses=_COLLECTION),
        Rung("parameter", "class A { void f(", ") {} }\n"),
        Rung("attribute", "", "\nclass A {}\n"),
        Rung("enum member", "enum E {", "\n}\n"),
        Rung("accessor", "class A { int P {", "\n} }\n"),
        Rung("accessor", "class A { int P {", ";\n} }\n"),
        Rung("constraint", "class A<T> ", " {}\n"),
        Rung("collection", "class A { object x = ", "; }\n"),
        Rung("type", "class A { ", " x; }\n"),
    ),
    line_comment=("//", "#"),  # `#region` and its like may stand anywhere too
    of_members=frozenset(
        {"private", "protected", "public", "internal", "static", "abstract", "virtual", "override", "sealed"}
    ),
    reserved=RESERVED | {"foreach", "lock", "using", "namespace", "class", "struct", "interface", "enum", "event"},
    containers=frozenset({"compilation_unit"}),
    strings=frozenset(
        {"string_literal", "raw_string_literal", "verbatim_string_literal", "interpolated_string_expression"}
    )
    | {"character_literal"},
    stand_ins={
        "(": ("T NAME",),
        "{": ("NAME++;", "T NAME;", "case NAME:", "NAME => x", "NAME;"),
        "": ("NAME++;",),
        "last word": ("NAME++;",),
    },
)

PROFILES = {"csharp": _CSHARP}
