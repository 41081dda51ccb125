"""Ruby."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_PAIR = frozenset({"match_pattern"})  # `key => value` may be a match of its own, and hardly ever is

_RUBY = Profile(
    rungs=(
        Rung("statement", "", "\n", refuses=_PAIR),
        Rung("expression", "(", ")\n", refuses=_PAIR),
        Rung("class member", "class C\n", "\nend\n", refuses=_PAIR | {"rescue", "ensure", "else"}),
        Rung("rescue", "begin\n", "\nend\n", refuses=_PAIR | {"else"}),
        Rung("else", "if x\n", "\nend\n", refuses=_PAIR),
        Rung("when", "case x\n", "\nend\n", refuses=_PAIR),
        Rung("pair", "x = {", "}\n"),
        Rung("argument", "f(", ")\n"),
        Rung("parameter", "def f(", ")\nend\n"),
        Rung("block", "f ", "\n"),
    ),
    # With a capital first: in `A::B` a small letter would make a method of B.
    spellings=("Name", "NAME"),
    mixed=True,
    stand_ins={"": ("when NAME",), "{": ("NAME => 0",)},
    line_comment="#",
    block_comment=None,
    unclear=(b"=begin", b"__END__"),
    containers=frozenset(
        {"program", "body_statement", "block_body", "then", "do", "begin_block", "argument_list", "exceptions"}
        | {"left_assignment_list", "right_assignment_list", "block_parameters"}
    ),
    clauses=frozenset({"rescue", "ensure"}),
    strings=frozenset(
        {"string", "bare_string", "bare_symbol", "delimited_symbol", "regex", "subshell", "heredoc_body", "character"}
    ),
    reserved=frozenset(
        {"if", "unless", "while", "until", "for", "case", "when", "in", "def", "class", "module", "begin", "rescue"}
    )
    | {
        "ensure",
        "else",
        "elsif",
        "end",
        "do",
        "then",
        "return",
        "break",
        "next",
        "redo",
        "retry",
        "yield",
        "alias",
        "undef",
    },
)

PROFILES = {"ruby": _RUBY}
