"""Swift."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import STATEMENTS

_SWIFT = Profile(
    rungs=(
        Rung("statement", "func f() {", "\n}\n", refuses=frozenset({"statements"})),  # of `nil` and the like
        Rung("expression", "let x = ", "\n"),
        Rung("class member", "class C {", "\n}\n"),
        Rung("accessor", "class C { var x: T {", "\n} }\n"),
        Rung("declaration", "", "\n"),
        Rung("protocol member", "protocol P {", "\n}\n"),
        Rung("catch", "func f() { do {} ", "\n}\n"),
        Rung("else", "func f() { if x {} ", "\n}\n"),
        Rung("case", "func f() { switch x {", "\n} }\n"),
        Rung("enum case", "enum E {", "\n}\n"),
        Rung("attribute", "class C {", "\nvar x: T\n}\n"),
        Rung("argument", "let x = f(", ")\n"),
        Rung("pair", "let x = [", "]\n"),
        Rung("parameter", "func f(", ") {}\n"),
        Rung("condition", "func f() { if x, ", ", y {} }\n"),
        Rung("type", "let x: ", "\n"),
    ),
    unclear=(b"/*",),  # block comments nest
    loose=True,
    greedy=frozenset({"prefix_expression", "call_expression", "navigation_expression"}),
    of_members=frozenset(
        {"init", "deinit", "subscript", "convenience", "required", "get {", "set {", "willSet {", "didSet {"}
    ),
    reserved=STATEMENTS
    | {"catch", "guard", "repeat", "import", "func", "let", "var", "class", "struct", "enum", "protocol", "extension"},
    containers=frozenset({"source_file", "statements"}),
    strings=frozenset({"line_string_literal", "multi_line_string_literal", "raw_string_literal", "regex_literal"}),
    stand_ins={"(": ("NAME: T",), "{": ("var NAME: T", "func NAME()", "case NAME", "case NAME: x")},
)

PROFILES = {"swift": _SWIFT}
