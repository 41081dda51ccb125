"""Bash."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_BASH = Profile(
    rungs=(
        Rung("statement", "", "\n"),
        Rung("expression", "x=", "\n"),
        Rung("else", "if x; then\n:\n", "\nfi\n"),
        Rung("case", "case x in\n", "\nesac\n"),
        Rung("case", "case x in\n", ";;\nesac\n"),
        Rung("argument", "f ", "\n"),
        Rung("test", "[[ ", " ]]\n"),
        Rung("arithmetic", "((", "))\n"),
    ),
    spellings=("NAME",),
    stand_ins={"": ("NAME;", "NAME) :;;"), "{": ("NAME;",)},
    # Whether a `#` begins a comment depends on what is before it.
    line_comment=None,
    block_comment=None,
    containers=frozenset({"program"}),
    clauses=frozenset({"elif_clause", "else_clause"}),
    strings=frozenset({"string", "raw_string", "ansi_c_string", "translated_string", "heredoc_body", "regex"}),
    parentheses=None,
    closing=frozenset({"fi", "done", "esac", "else", "elif"}),
    reserved=frozenset(
        {"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "function"}
    ),
)

PROFILES = {"bash": _BASH}
