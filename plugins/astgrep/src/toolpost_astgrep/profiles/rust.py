"""Rust."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_RUST = Profile(
    rungs=(
        Rung("statement", "fn f() {", "\n}\n"),
        Rung("statement", "fn f() {", ";\n}\n"),
        Rung("expression", "fn f() { let x = (", "); }\n"),
        Rung("class member", "impl T {", "\n}\n"),
        Rung("class member", "impl T {", ";\n}\n"),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("match arm", "fn f() { match x {", "\n} }\n"),
        Rung("field", "struct S {", "\n}\n"),
        Rung("pair", "fn f() { let x = S {", "\n}; }\n"),
        Rung("argument", "fn f() { g(", "); }\n"),
        Rung("parameter", "fn f(", ") {}\n"),
        Rung("type parameter", "fn f<", ">() {}\n"),
        Rung("type", "type T = ", ";\n"),
        Rung("pattern", "fn f() { let ", " = x; }\n"),
        Rung("attribute", "", "\nfn f() {}\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    reserved=frozenset({"if", "else", "for", "while", "loop", "match", "return", "break", "continue"}),
    containers=frozenset({"source_file"}),
    tokens=frozenset({"token_tree"}),
    separated=frozenset({"token_tree", "array_expression"}),
    strings=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    stand_ins={
        "{": ("NAME;", "fn NAME();", "NAME: T", "NAME => {}", "NAME => x,", "(NAME) => {}"),
        "()": ("NAME,",),
        "": ("NAME;",),
        "where": ("NAME: T",),
    },
)

PROFILES = {"rust": _RUST}
