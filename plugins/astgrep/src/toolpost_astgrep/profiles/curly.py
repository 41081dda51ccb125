"""The languages with braces and semicolons: JavaScript, TypeScript, TSX, Rust, Go, C, C++, Java, Dart."""

from __future__ import annotations

import attrs

from toolpost_astgrep.profiles.profile import Profile, Rung

_STATEMENTS = frozenset(
    {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue"}
)
_RESERVED = _STATEMENTS | {"throw", "try", "catch", "finally", "new"}

_SCRIPT = (
    Rung("statement", "", "\n"),
    Rung("expression", "(", ");\n"),
    Rung("class member", "class C {", "\n}\n"),
    Rung("catch", "try {} ", "\n"),
    Rung("else", "if (x) {} ", "\n"),
    Rung("case", "switch (x) {", "\n}\n"),
    Rung("pair", "({", "\n});\n"),
    Rung("argument", "f(", ");\n"),
    Rung("parameter", "function f(", ") {}\n"),
)
_JSX = Rung("attribute", "(<a ", "/>);\n")
_TYPED = (
    Rung("type", "type T = ", ";\n"),
    Rung("type member", "interface I {", "\n}\n"),
)

_JAVASCRIPT = Profile(
    rungs=(*_SCRIPT, _JSX),
    containers=frozenset({"program", "variable_declarator", "import_clause"}),
    strings=frozenset({"string", "template_string", "regex"}),
    stand_ins={"{": ("case $:",), "last word": ("'$'",)},
    unclear=(b"<!--", b"-->"),  # comments of the first browsers
    reserved=_RESERVED,
)
_TYPESCRIPT = attrs.evolve(_JAVASCRIPT, rungs=(*_SCRIPT, *_TYPED))
_TSX = attrs.evolve(_JAVASCRIPT, rungs=(*_SCRIPT, *_TYPED, _JSX))

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
        Rung("type", "type T = ", ";\n"),
        Rung("pattern", "fn f() { let ", " = x; }\n"),
        Rung("attribute", "", "\nfn f() {}\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    reserved=frozenset({"if", "else", "for", "while", "loop", "match", "return", "break", "continue"}),
    containers=frozenset({"source_file"}),
    strings=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    stand_ins={"{": ("$;", "fn $();", "$: T", "$ => {}", "$ => x,"), "()": ("$,",), "": ("$;",)},
)

_GO = Profile(
    rungs=(
        Rung("statement", "package p\nfunc f() {", "\n}\n"),
        Rung("expression", "package p\nvar x = (", ")\n"),
        Rung("class member", "package p\ntype T struct {", "\n}\n"),
        Rung("class member", "package p\ntype T interface {", "\n}\n"),
        Rung("declaration", "package p\n", "\n"),
        Rung("file", "", "\n"),
        Rung("case", "package p\nfunc f() { switch x {", "\n} }\n"),
        Rung("select case", "package p\nfunc f() { select {", "\n} }\n"),
        Rung("pair", "package p\nvar x = T{", "}\n"),
        Rung("argument", "package p\nvar x = f(", ")\n"),
        Rung("parameter", "package p\nfunc f(", ") {}\n"),
        Rung("type", "package p\ntype T ", "\n"),
    ),
    containers=frozenset({"source_file", "statement_list"}),
    strings=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    stand_ins={"{": ("case $:", "$ T"), "(": ('"$"', "$ T"), "last word": ('"$"',)},
)

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
    reserved=_STATEMENTS,
    containers=frozenset({"translation_unit"}),
    strings=frozenset({"string_literal", "char_literal", "system_lib_string"}),
    stand_ins={"(": ("T $",), "{": ("$;", "T $;", "case $:"), "": ("$;",)},
    unclear=(b"\\\n", b"\\\r\n"),  # a backslash takes a comment on to the next line
)
_CPP = attrs.evolve(
    _C,
    rungs=(*_C.rungs[:-1], Rung("type", "using T = ", ";\n")),
    strings=_C.strings | {"raw_string_literal"},
)

_JAVA = Profile(
    rungs=(
        Rung("statement", "class A { void f() {", "\n} }\n"),
        Rung("statement", "class A { void f() {", ";\n} }\n"),
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
    reserved=_RESERVED,
    containers=frozenset({"program", "variable_declarator"}),
    strings=frozenset({"string_literal", "character_literal"}),
    stand_ins={"(": ("T $",), "{": ("$;", "T $;", "case $:"), "": ("$;",)},
)

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
        Rung("pair", "var x = {", "};\n"),
        Rung("argument", "var x = f(", ");\n"),
        Rung("parameter", "void f(", ") {}\n"),
        Rung("attribute", "", "\nclass C {}\n"),
        Rung("type", "", " x;\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    of_members=frozenset({"static", "external", "factory", "abstract", "@override"}),
    reserved=_RESERVED | {"import", "export"},
    containers=frozenset({"program"}),
    chain="selector",
    loose=True,
    strings=frozenset({"string_literal"}),
    stand_ins={"{": ("$;", "T $;", "case $:", "$: 0"), "": ("$;",), "last word": ("'$'",)},
)

PROFILES = {
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": _TSX,
    "rust": _RUST,
    "go": _GO,
    "c": _C,
    "cpp": _CPP,
    "java": _JAVA,
    "dart": _DART,
}
