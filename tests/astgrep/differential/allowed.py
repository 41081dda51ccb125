"""The differences from ast-grep 0.51.1 that are understood: for each, who is right and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from astgrep.differential.comparing import Allowed, Difference
from toolpost_astgrep.rewriting.code import is_comment
from tree_sitter import Node

Check = Callable[[Difference], bool]


def part(*kinds: str, of: str | None = None, times: int = 1) -> Check:
    """Whether the match's node, or a node of another kind near its top, has that many children of these kinds."""

    def check(difference: Difference) -> bool:
        within = [difference.node] if of is None else [node for node in _near(difference) if node.type == of]
        return any(sum(child.type in kinds for child in each.children) >= times for each in within)

    return check


def any_of(*checks: Check) -> Check:
    return lambda difference: any(check(difference) for check in checks)


def _near(difference: Difference) -> Iterator[Node]:
    """The nodes of a match but for those far down, which no pattern here reaches."""
    for child in difference.node.children:
        yield child
        yield from child.children


def _is_commented(difference: Difference) -> bool:
    return any(is_comment(node) for node in _near(difference))


def _holds_an_error(difference: Difference) -> bool:
    return difference.node.has_error


def unmentioned(name: str, check: Check, *patterns: str) -> Allowed:
    """The peer's match has a part that the pattern leaves out."""
    return Allowed(
        name=name,
        side="peer",
        patterns=frozenset(patterns),
        check=check,
        reason="We are right: the pattern does not mention it, and a rewrite would drop it (ast:no-leftovers).",
    )


ALLOWED: tuple[Allowed, ...] = (
    Allowed(
        name="a syntax error inside",
        side="peer",
        check=_holds_an_error,
        reason="We are right: the parser guessed what this is, often thousands of bytes of it; the file is named as broken.",
    ),
    Allowed(
        name="a syntax error inside",
        side="ours",
        check=_holds_an_error,
        reason="Neither: the same place, of which each grammar's version guesses another end.",
    ),
    Allowed(
        name="a comment between",
        side="ours",
        check=_is_commented,
        reason="We are right: code matches however it is commented (ast:same-grammar).",
    ),
    Allowed(
        name="several ** arguments",
        side="ours",
        patterns=frozenset({"$F($$$A, **$K)"}),
        check=part("dictionary_splat", of="argument_list", times=2),
        reason="We are right: $$$A takes all but the last of them (ast:backtrack); the peer stops it at the first.",
    ),
    unmentioned("else, elif", part("else_clause", "elif_clause"), "if $A:\n    return $B"),
    unmentioned("a loop's else", part("else_clause"), "for $I in range(len($X)): $$$B"),
    unmentioned(
        "else, finally, a further except",
        any_of(part("else_clause", "finally_clause"), part("except_clause", times=2)),
        "try:\n    $$$A\nexcept $E:\n    $$$B",
    ),
    unmentioned("a further manager", part(",", of="with_clause"), "with open($$$A) as $F: $$$B"),
    unmentioned("a further parameter", part(",", of="lambda_parameters"), "lambda $X: $Y"),
    unmentioned("from", part("from"), "raise $E($$$A)"),
    unmentioned("async", part("async"), "def $F(self): $$$B", "with open($$$A) as $F: $$$B"),
    unmentioned("async", part("async", of="for_in_clause"), "[$X for $Y in $Z]"),
    unmentioned("a return type", part("type"), "def $F(self): $$$B"),
    unmentioned("a further name", part(","), "import $X", "from $M import $N", "global $X"),
    unmentioned("else", part("else_clause"), "if ($A) return $B"),
    unmentioned("await", part("await"), "for (const $X of $Y) { $$$B }"),
    unmentioned("finally", part("finally_clause"), "try { $$$A } catch ($E) { $$$B }"),
    unmentioned(
        "async, a return type, type parameters",
        part("async", "type_annotation", "type_predicate_annotation", "asserts_annotation", "type_parameters"),
        "function $F($$$A) { $$$B }",
        "($X) => $Y",
        "($$$A) => { $$$B }",
        "async () => { $$$B }",
        "$X => $Y",
    ),
    unmentioned("a further variable", part("variable_declarator", times=2), "var $X = require($Y)"),
    unmentioned("names in braces", part("named_imports", of="import_clause"), "import $X from $M"),
    unmentioned(
        "type arguments, type parameters, implements",
        any_of(
            part("type_parameters"),
            part("implements_clause", of="class_heritage"),
            part("type_arguments", of="extends_clause"),
        ),
        "class $C extends $D { $$$B }",
    ),
)
