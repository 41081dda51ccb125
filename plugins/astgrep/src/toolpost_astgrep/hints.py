"""What a pattern looks like that is none."""

from __future__ import annotations

import re

_REGEX = re.compile(r"\.\*|\.\+|\\[bswdSWD]|\[\^|\(\?[:=!]|^\^|\\\(|\\\.")


def looks_like_regex(fragment: str) -> str | None:
    """What to write instead of a regular expression; None for a fragment that does not look like one."""
    if not _REGEX.search(fragment):
        return None
    return (
        "The pattern looks like a regular expression. A pattern is code: write $NAME for one node and $$$ for any number "
        "of them, such as foo($$$ARGS) for foo\\(.*\\)."
    )
