"""Java."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

_JAVA = Profile(
    rungs=(
        Rung("statement", "class A { void f() {", "\n} }\n"),
        Rung("statement", "class A { void f() {", ";\n} }\n"),
        Rung("statement", "class A { A() {", "\n} }\n"),
        Rung("statement", "class A { A() {", ";\n} }\n"),
        Rung("expression", "class A { Object x = (", "); }\n"),
        Rung("class member", "class A {", "\n}\n"),
        Rung("class member", "class A {", ";\n}\n"),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("catch", "class A { void f() { try {} ", "\n} }\n"),
        Rung("else", "class A { void f() { if (x) {} ", "\n} }\n"),
        Rung("case", "class A { void f() { switch (x) {", "\n} } }\n"),
        Rung("case", "class A { void f() { switch (x) {", ";\n} } }\n"),
        Rung("argument", "class A { Object x = f(", "); }\n"),
        Rung("parameter", "class A { void f(", ") {} }\n"),
        Rung("attribute", "", "\nclass A {}\n"),
        Rung("type", "class A { ", " x; }\n"),
    ),
    of_members=frozenset({"private", "protected", "public", "static", "abstract", "@Override"}),
    reserved=RESERVED,
    containers=frozenset({"program", "variable_declarator"}),
    strings=frozenset({"string_literal", "character_literal"}),
    stand_ins={"(": ("T NAME",), "{": ("NAME;", "T NAME;", "case NAME:"), "": ("NAME;",)},
)

PROFILES = {"java": _JAVA}
