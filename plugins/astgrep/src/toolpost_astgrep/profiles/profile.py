"""The shape of a language's profile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import attrs

from toolpost_astgrep.matching.operations import Grouping

_TEXTUAL = re.compile("string|char_lit|regex|quote|heredoc")


@attrs.frozen
class Rung:
    """One context in which a fragment may stand: a skeleton around it.

    Attributes:
        context: what people call it; several rungs may share one (with and without a closing `;`).
        before, after: the skeleton's text.
        indent: put before every line of the fragment after the first, where layout is syntax.
        refuses: the kinds that it leaves to a later rung, since something else is meant nearly always: a function in a
            function of C# is written as a method is. `a` is that alone, `a …` one of several, `a > b` has a `b` right in it.
        closed: only for a fragment that ends in a `;` of its own, or (False) only for one that does not: `a * b` is a product
            in C, `a * b;` declares a pointer.
    """

    context: str
    before: str
    after: str
    indent: str = ""
    refuses: frozenset[str] = frozenset()
    closed: bool | None = None


def _marks(given: str | Iterable[str] | None) -> tuple[str, ...]:
    """One mark, several or none, as several."""
    return (given,) if isinstance(given, str) else tuple(given or ())


@attrs.frozen(kw_only=True)
class Profile:
    """A language, as far as its grammar does not say it.

    Attributes:
        rungs: the ladder of contexts, in the contract's order (ast:ladder).
        spellings: how a metavariable is written, so that the grammar takes it for a node: `NAME` is its own name, `Name` the
            same with a capital. All of a pattern are spelt alike, in one way after the other.
        mixed: they may also be spelt each in its own way: where a variable has a sigil, a constructor a capital, or a key quotes.
        stand_ins: further spellings of a metavariable that stands alone, by the bracket it stands in ("" for none, "()" and so on
            for a `$$$` that is all between two, "last word" for one that ends the fragment), or by the word before it, as
            "import" or "|": a name alone is no parameter in Java, no tuple in Python, and no member nor what to import in Dart.
        line_comment, block_comment: how comments begin (and end), for the gaps between tokens; several ways are a tuple.
        unclear: bytes with which a file's comments may end elsewhere than that says; there the prefilter keeps to
            single tokens.
        containers: kinds without tokens of their own that hold a list: a metavariable inside stands for an element.
        chain: the kinds of the siblings by which an expression goes on (Dart's selectors); a metavariable takes them along.
        prefixes: the kinds of the siblings by which one begins, as Zig's `*` before a type does; it takes them along as well.
        wrappers: kinds that are seen through where they hold one node, in the pattern as in the code: a method's signature
            in Dart is a function's with such a node around it, and `void $F() { }` is about both.
        bullet: the mark of a list's element, where it counts as indentation (YAML's `-`). A `$$$NAME` that is all behind one
            stands for any number of them.
        clauses: kinds that no `$$$NAME` takes along, as they are parts of what is around it: an `else` among the statements
            that it follows.
        tokens: kinds in which the grammar keeps tokens only (a Rust macro's arguments): a metavariable there takes all that is
            between two separators, or up to the token that comes next.
        separated: kinds in which a `;` says something else than a `,` does: `[x; n]` is no list.
        strings: kinds whose text must not be touched or compared loosely.
        hanging: those of them whose indentation is layout, as with YAML's block scalars: it goes along with the code around.
        parentheses: how an expression is kept together; empty where that is not possible.
        indented: layout is syntax.
        loose: the grammar gets the precedence of operators wrong, so its tree cannot tell what binds to what.
        flat: the grammar knows no precedence of operators (in Haskell it is declared), so an operation beside another operator
            may be anything.
        grouping: whether `a first b second c` is `(a first b) second c`, where a grammar groups all operators to the left.
        greedy: kinds that bind stronger than an operation and yet take all of one: `!a && b` is a `!` of both in Kotlin's grammar,
            `a + f(b)` a call of `a + f` in Swift's.
        of_members: words with which a member of a class begins and no statement nor expression, though a grammar may take it
            for one. `init {` is such a word where it is only before a brace.
        closing: words that close a block, or a part of one: what is before them stands alone.
        reserved: words that begin statements and clauses, and are no names, though a grammar may take them for one.
        paired: a name that is used twice is spelt the same in both places, since the grammar compares them (HTML's tags).
        caseless: how the kinds of words begin that are the same in upper and in lower case.
    """

    rungs: tuple[Rung, ...]
    spellings: tuple[str, ...] = ("NAME", "Name")
    mixed: bool = False
    stand_ins: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    line_comment: tuple[str, ...] = attrs.field(default="//", converter=_marks)
    block_comment: tuple[str, str] | None = ("/*", "*/")
    unclear: tuple[bytes, ...] = ()
    containers: frozenset[str] = frozenset(
        {"program", "source_file", "module", "translation_unit", "compilation_unit", "block"}
    )
    chain: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    tokens: frozenset[str] = frozenset()
    separated: frozenset[str] = frozenset()
    strings: frozenset[str] = frozenset(
        {"string", "string_literal", "template_string", "char_literal", "raw_string_literal"}
    )
    bullet: str | None = None
    hanging: frozenset[str] = frozenset()
    parentheses: tuple[str, str] | None = ("(", ")")
    indented: bool = False
    loose: bool = False
    flat: bool = False
    grouping: Grouping | None = None
    greedy: frozenset[str] = frozenset()
    of_members: frozenset[str] = frozenset()
    closing: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    paired: bool = False
    caseless: tuple[str, ...] = ()

    def is_string(self, kind: str) -> bool:
        """Whether every blank in a node of that kind counts."""
        return kind in self.strings


@attrs.frozen(kw_only=True)
class GenericProfile(Profile):
    """A language that nobody described: what its strings are is guessed by the names of their kinds."""

    def is_string(self, kind: str) -> bool:
        return super().is_string(kind) or _TEXTUAL.search(kind) is not None


GENERIC = GenericProfile(
    rungs=(
        Rung("file", "", ""),
        Rung("file", "", "\n"),
        Rung("file", "", ";\n"),
        Rung("expression", "(", ")"),
        Rung("block", "{", "}"),
    ),
    line_comment=None,
    block_comment=None,
)
"""For a language without a profile: the fragment as it stands, then in brackets. Without comment syntax there is no
gap between tokens to look for, so the prefilter keeps to single literals."""
