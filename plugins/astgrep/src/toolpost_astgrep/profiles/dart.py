"""Dart."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

_DART = Profile(
    rungs=(
        Rung("statement", "void f() {", "\n}\n"),
        Rung("statement", "void f() {", ";\n}\n"),
        Rung("expression", "var x = ", ";\n"),
        Rung("class member", "class C {", "\n}\n"),
        Rung("class member", "class C {", ";\n}\n"),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("catch", "void f() { try {} ", "\n}\n"),
        Rung("else", "void f() { if (x) {} ", "\n}\n"),
        Rung("case", "void f() { switch (x) {", "\n} }\n"),
        Rung("case", "void f() { switch (x) {", ";\n} }\n"),
        Rung("case", "var x = switch (x) {", "\n};\n"),
        Rung("pair", "var x = {", "};\n"),
        Rung("argument", "var x = f(", ");\n"),
        Rung("parameter", "void f(", ") {}\n"),
        Rung("parameter", "void f({", "}) {}\n"),
        Rung("parameter", "void f([", "]) {}\n"),
        Rung("attribute", "", "\nclass C {}\n"),
        Rung("type", "", " x;\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    of_members=frozenset({"static", "external", "factory", "abstract", "@override"}),
    reserved=RESERVED | {"import", "export", "library", "typedef"},
    containers=frozenset({"program", "initialized_identifier_list", "static_final_declaration_list"}),
    chain=frozenset({"selector", "cascade_section", "type_arguments", "nullable_type"}),
    wrappers=frozenset({"lambda_expression", "method_signature"}),
    loose=True,
    strings=frozenset({"string_literal"}),
    stand_ins={
        "{": ("NAME;", "T NAME;", "case NAME:", "NAME: 0", "NAME => 0"),
        "": ("NAME;",),
        **dict.fromkeys(("import", "export", "part", "of"), ("'NAME'",)),
    },
)

PROFILES = {"dart": _DART}
