"""Haskell."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

# What a class or a do-block has of these looks as it does at the top.
_DECLARATIONS = frozenset({"signature", "function", "bind > match", "data_type", "newtype", "type_instance"})

_HASKELL = Profile(
    rungs=(
        Rung("statement", "f = do\n  ", "\n", "  ", refuses=_DECLARATIONS),
        Rung("expression", "x = (", ")\n", "  ", refuses=_DECLARATIONS),
        Rung("class member", "class C a where\n  ", "\n", "  ", refuses=_DECLARATIONS),
        Rung("class member", "instance C T where\n  ", "\n", "  ", refuses=_DECLARATIONS),
        Rung("declaration", "", "\n"),
        Rung("file", "module M where\n", "\n"),
        Rung("alternative", "f = case x of\n  ", "\n", "  "),
        Rung("guard", "f x\n  ", "\n", "  "),
        Rung("where", "f = x\n ", "\n", " "),
        Rung("pair", "x = R {", "}\n", "  "),
        Rung("field", "data R = R {", "}\n", "  "),
        Rung("constructor", "data T = ", "\n", "  "),
        Rung("import item", "import M (", ")\n", "  "),
        Rung("pattern", "f (", ") = x\n", "  "),
        Rung("type", "type T = ", "\n", "  "),
        Rung("deriving", "data T = T {x :: A}\n ", "\n", " "),
    ),
    spellings=("NAME", "Name"),
    mixed=True,
    line_comment="--",
    block_comment=("{-", "-}"),
    unclear=(b"{-", *(b"--" + bytes([symbol]) for symbol in b"!#$%&*+./:<=>?@\\^|~")),  # nested comments; `-->` is none
    containers=frozenset({"haskell", "declarations", "imports", "patterns", "alternatives", "local_binds"}),
    reserved=frozenset(
        {"class", "instance", "import", "module", "where", "deriving", "data", "newtype", "type", "foreign"}
    ),
    strings=frozenset({"string", "char"}),
    stand_ins={"": ("NAME = x", "NAME -> x"), "{": ("NAME :: T", "NAME = x")},
    indented=True,
    flat=True,
)

PROFILES = {"haskell": _HASKELL}
