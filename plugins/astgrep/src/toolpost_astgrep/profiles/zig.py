"""Zig."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import STATEMENTS

# A function with its body would be a type with a list of values; and a type is no statement.
_SELDOM = frozenset({"AssignExpr > FnProto", "FnProto …", "AssignExpr > PrefixTypeOp", "AssignExpr > InitList"})

_ZIG = Profile(
    rungs=(
        Rung("pair", "const x = T{.a = b, ", "};\n"),  # `.a = b` would be an assignment in a statement
        Rung("statement", "fn f() void {", "\n}\n", refuses=_SELDOM),
        Rung("statement", "fn f() void {", ";\n}\n", refuses=_SELDOM),
        Rung("expression", "const x = (", ");\n", refuses=_SELDOM),
        Rung("class member", "const S = struct {", "\n};\n"),
        Rung("class member", "const S = struct {", ";\n};\n"),
        Rung("declaration", "", "\n"),
        Rung("declaration", "", ";\n"),
        Rung("case", "const x = switch (y) {", "\n};\n"),
        Rung("else", "fn f() void { if (x) {} ", "\n}\n", refuses=_SELDOM),
        Rung("else", "fn f() void { if (x) {} ", ";\n}\n", refuses=_SELDOM),
        Rung("argument", "const x = f(", ");\n"),
        Rung("parameter", "fn f(", ") void {}\n"),
        Rung("type", "const x: ", " = y;\n"),
    ),
    reserved=STATEMENTS | {"fn", "pub", "const", "var", "try", "catch", "orelse", "defer", "errdefer", "test"},
    closing=frozenset({"else", "break", "return", "continue"}),
    block_comment=None,
    containers=frozenset({"source_file"}),
    chain=frozenset({"FieldOrFnCall", "FnCallArguments", "SuffixOp", "InitList"}),
    prefixes=frozenset({"PrefixTypeOp"}),
    wrappers=frozenset({"ErrorUnionExpr", "SuffixExpr"}),
    strings=frozenset({"STRINGLITERALSINGLE", "LINESTRING", "CHAR_LITERAL"}),
    stand_ins={"{": ("NAME;", "NAME: T", ".NAME = x", "x => NAME"), "(": ("NAME: T",), "": ("NAME;",)},
)

PROFILES = {"zig": _ZIG}
