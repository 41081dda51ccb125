"""What errors say of a pattern."""

from __future__ import annotations

import re

_QUOTED = 200

_ESCAPED = re.compile(r"\\(\$\$\$|\$[A-Z_]).*->", re.DOTALL)
_FOR_HEAD = re.compile(r"\bfor\s*\(\s*\$\$\$\w*\s*\)")


def quoted(text: str) -> str:
    """A text as an error quotes it: cut, since it may be as long as its writer liked."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}… ({len(text)} characters)"


def looks_like_list(fragment: str) -> str | None:
    """What to write instead of `for ($$$)`; None for a fragment without it."""
    if not _FOR_HEAD.search(fragment):
        return None
    return (
        "The parts of a for statement are no list. Write for ($A; $B; $C) { $$$BODY }, or for ($X of $Y) and the like."
    )


def looks_like_lambda(fragment: str) -> str | None:
    """What to write instead of `\\$X -> …`; None for a fragment without a backslash before a metavariable."""
    if not _ESCAPED.search(fragment):
        return None
    return (
        "A backslash right before a metavariable makes text of it. Where it is code, put a blank between: \\ $X -> $Y."
    )
