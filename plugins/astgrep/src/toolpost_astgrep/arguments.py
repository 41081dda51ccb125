"""The arguments of `ast_grep` and `ast_edit` (contracts §5)."""

from __future__ import annotations

from typing import Annotated

import attrs
from attrs.validators import ge, le, min_len

_PATTERN = (
    "Code to look for. $NAME stands for one node, $$$NAME for any number of siblings, $_ and $$$ for the same without a name; "
    "a name used twice must be the same text. \\$NAME is a literal one."
)
_REWRITE = "What to put in its place, with the pattern's metavariables; empty deletes."
_PATH = "A file or folder, relative to the workspace (default: all of it)."
_LANGUAGE = "A language id such as python; needed for a folder, told by the ending for a file."
_GLOBS = "Only files that match one of these, such as *.py or src/**; ! excludes."
_CONTEXT = "Read the pattern as this, such as expression or class member; the answer to a search names them."
_INSIDE = "Only matches inside a match of this pattern, such as class $C: $$$; a name in both must be the same text."
_NOT_INSIDE = "Only matches inside no match of this pattern."


@attrs.frozen(kw_only=True)
class AstGrep:
    """Search code by its shape: the pattern is code, matched by the language's own grammar.

    It matches however the code is spaced, wrapped or commented, and never inside a string or a comment:
    `if ($X != null) $X.dispose()` finds the guard that frees what it tested. Code that the pattern does not mention
    (an else, a decorator, a return type) must not be there. Write `$$$BODY` for a whole body.
    """

    pattern: Annotated[str, _PATTERN] = attrs.field(validator=min_len(1))
    path: Annotated[str, _PATH] = "."
    language: Annotated[str | None, _LANGUAGE] = None
    max_results: Annotated[int, "How many matches to show; all are counted."] = attrs.field(
        default=50, validator=[ge(1), le(1000)]
    )
    inside: Annotated[str | None, _INSIDE] = None
    not_inside: Annotated[str | None, _NOT_INSIDE] = None
    globs: Annotated[list[str], _GLOBS] = attrs.field(factory=list)
    context: Annotated[str | None, _CONTEXT] = None
    explain: Annotated[
        bool, "Also show the pattern as a tree, and with a path such as src/a.py:12 the code there and where they part."
    ] = False


@attrs.frozen(kw_only=True)
class RewriteRule:
    """A pattern and its rewrite."""

    pattern: Annotated[str, "As above."] = attrs.field(validator=min_len(1))
    rewrite: Annotated[str, "As above."]


@attrs.frozen(kw_only=True)
class AstEdit:
    """Rewrite code by its shape. Nothing is written: the change is staged and shown, and resolve accepts it.

    The rewrite is literal text with the pattern's metavariables. Files keep their encoding, line ends and indentation, and a
    change that would not parse is not staged. Give pattern and rewrite, or several of both as rules.
    """

    pattern: Annotated[str | None, _PATTERN] = attrs.field(
        default=None, validator=attrs.validators.optional(min_len(1))
    )
    rewrite: Annotated[str | None, _REWRITE] = None
    rules: Annotated[
        list[RewriteRule], "Instead of pattern and rewrite: several, applied in this order as one edit."
    ] = attrs.field(factory=list)
    path: Annotated[str, _PATH] = "."
    language: Annotated[str | None, _LANGUAGE] = None
    inside: Annotated[str | None, _INSIDE] = None
    not_inside: Annotated[str | None, _NOT_INSIDE] = None
    globs: Annotated[list[str], _GLOBS] = attrs.field(factory=list)
    context: Annotated[str | None, _CONTEXT] = None
