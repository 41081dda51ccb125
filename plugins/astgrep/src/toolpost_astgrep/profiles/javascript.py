"""JavaScript, TypeScript, TSX."""

from __future__ import annotations

import attrs

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

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
    stand_ins={"{": ("case NAME:",), "last word": ("'NAME'",)},
    unclear=(b"<!--", b"-->"),  # comments of the first browsers
    reserved=RESERVED,
)
_TYPESCRIPT = attrs.evolve(_JAVASCRIPT, rungs=(*_SCRIPT, *_TYPED))
_TSX = attrs.evolve(_JAVASCRIPT, rungs=(*_SCRIPT, *_TYPED, _JSX))

PROFILES = {"javascript": _JAVASCRIPT, "typescript": _TYPESCRIPT, "tsx": _TSX}
