"""OCaml."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_OCAML = Profile(
    rungs=(
        Rung("expression", "let x = ", "\n"),
        Rung("declaration", "module type S = sig ", " end\n", refuses=frozenset({"include_module_type"})),
        Rung("class member", "class c = object ", " end\n"),
        Rung("declaration", "", "\n"),
        Rung("case", "let x = function ", "\n"),
        Rung("field", "type t = {", "}\n"),
        Rung("pair", "let x = {", "}\n"),
        Rung("constructor", "type t = ", "\n"),
        Rung("argument", "let x = f ", "\n"),
        Rung("parameter", "let f ", " = x\n"),
        Rung("type", "type t = ", "\n"),
        Rung("pattern", "let (", ") = x\n"),
        Rung("module", "module M = ", "\n"),
    ),
    spellings=("NAME", "Name"),
    mixed=True,
    line_comment=None,
    block_comment=("(*", "*)"),
    unclear=(b"(*",),  # comments nest, and hold strings
    containers=frozenset({"compilation_unit"}),
    strings=frozenset({"string", "quoted_string", "character"}),
    stand_ins={
        "": ("let NAME = x", "val NAME : t", "method NAME = x", "NAME -> x"),
        "{": ("NAME : t", "NAME = x"),
        "with": ("NAME -> x",),
        "function": ("NAME -> x",),
        "|": ("NAME -> x",),
        "last word": ('"NAME"',),
    },
    closing=frozenset({"end", "done", "in", "then", "else", "do", "with"}),
    reserved=frozenset({"let", "open", "module", "type", "exception", "class", "val", "method", "external", "include"}),
)

PROFILES = {"ocaml": _OCAML}
