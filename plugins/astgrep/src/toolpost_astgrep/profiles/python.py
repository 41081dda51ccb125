"""Python."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_PYTHON = Profile(
    rungs=(
        Rung("statement", "", "\n"),
        Rung("expression", "(", ")\n"),
        Rung("class member", "class C:\n ", "\n", " "),
        Rung("except", "try:\n pass\n", "\n"),
        Rung("else", "if x:\n pass\n", "\n"),
        Rung("case", "match x:\n ", "\n", " "),
        Rung("pair", "{", "}\n"),
        Rung("argument", "f(", ")\n"),
        Rung("parameter", "def f(", "):\n pass\n"),
        Rung("decorator", "", "\ndef f():\n pass\n"),
        Rung("with item", "with ", ":\n pass\n"),
        Rung("type", "def f() -> ", ":\n pass\n"),
    ),
    line_comment="#",
    block_comment=None,
    containers=frozenset({"module", "block", "with_clause", "lambda_parameters"}),
    stand_ins={"": ("case NAME: pass",), "()": ("NAME,",), "{}": ("NAME: 0",), "{": ("NAME: 0",)},
    strings=frozenset({"string"}),
    indented=True,
)

PROFILES = {"python": _PYTHON}
