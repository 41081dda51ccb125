"""JavaScript, TypeScript, TSX."""

from __future__ import annotations

import attrs

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

_SCRIPT = (
    # `a: b` is a pair more often than a statement with a label.
    Rung("statement", "", "\n", refuses=frozenset({"labeled_statement > expression_statement"})),
    Rung("expression", "(", ");\n"),
    Rung("class member", "class C {", "\n}\n"),
    Rung("catch", "try {} ", "\n"),
    Rung("else", "if (x) {} ", "\n"),
    Rung("case", "switch (x) {", "\n}\n"),
    Rung("pair", "({", "\n});\n"),
    Rung("argument", "f(", ");\n"),
    Rung("parameter", "function f(", ") {}\n"),
    Rung("attribute", "@x ", "\nclass C {}\n"),
)
_JSX = Rung("attribute", "(<a ", "/>);\n")
_TYPED = (
    Rung("type", "type T = ", ";\n"),
    Rung("type", "function f(x): ", " {}\n"),
    Rung("type member", "interface I {", "\n}\n"),
)

_JAVASCRIPT = Profile(
    rungs=(*_SCRIPT, _JSX),
    containers=frozenset({"program", "variable_declarator", "import_clause"}),
    strings=frozenset({"string", "template_string", "regex"}),
    stand_ins={"{": ("case NAME:", "NAME;"), "last word": ("'NAME'",)},
    unclear=(b"<!--", b"-->"),  # comments of the first browsers
    reserved=RESERVED,
)
# A name with type arguments is a type more often than a function that is not called; `(x: T)` is no expression at all.
_OF_TYPES = frozenset({"instantiation_expression", "type_annotation > :", "parenthesized_expression > type_annotation"})
_TYPESCRIPT = attrs.evolve(
    _JAVASCRIPT,
    rungs=(*(attrs.evolve(rung, refuses=rung.refuses | _OF_TYPES) for rung in _SCRIPT), *_TYPED),
)
_TSX = attrs.evolve(_TYPESCRIPT, rungs=(*_TYPESCRIPT.rungs, _JSX))

PROFILES = {"javascript": _JAVASCRIPT, "typescript": _TYPESCRIPT, "tsx": _TSX}
