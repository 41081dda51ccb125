"""A regular expression where a pattern should be, and the pattern that it means (ast:zero-explained)."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

_LOOKS = re.compile(r"\.[*+]|\\[bswdSWD]|\[\^|\(\?[:=!]|^\^|\\[().\[\]{}]|\w\|\w")
_GROUPS = re.compile(r"(?<!\\)\((?:\?:)?|(?<!\\)\)[?*+]?")
_TOKEN = re.compile(
    r"""(?P<nothing>\\b|\\s\*\??|\^|\$$|(?<=\w)\?)
      | (?P<blank>\\s\+?\??)
      | (?P<name>(?:\\[wd]|\[[\w\-$]+\](?:\\w)?)(?:[+*]\??|\{[\d,]+\})?)
      | (?P<any>(?:\.|\[\^[^\]]*\])[+*]\??)
      | \\(?P<escaped>[^\w\s])""",
    re.VERBOSE,
)
_ALTERNATIVES = re.compile(r"(?<!\\)\((?:\?:)?([^()\\]*\|[^()\\]*)\)")
_MOST = 4
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_IN_A_WORD = re.compile(r"\w\$|\$[A-Z]+[a-z0-9_]|\$[A-Z]\$")


def looks_like_regex(fragment: str) -> bool:
    """Whether a fragment was probably meant as a regular expression."""
    return _LOOKS.search(fragment) is not None


def as_patterns(expression: str) -> list[str]:
    """The patterns that a regular expression means, one for each of its alternatives; none if it is not so simple.

    Whether they are code of the language is for the caller to see.
    """
    alternatives = _ALTERNATIVES.search(expression)
    if alternatives is not None:
        before, after = expression[: alternatives.start()], expression[alternatives.end() :]
        each = alternatives[1].split("|")[:_MOST]
        return [pattern for choice in each for pattern in as_patterns(before + choice + after)]
    if re.search(r"(?<!\\)\|", expression):
        return []
    pattern = _as_pattern(_GROUPS.sub("", expression) if "\\(" in expression else expression)
    return [pattern] if pattern is not None else []


def what_to_write(patterns: Sequence[str]) -> str:
    """What an answer says of a regular expression, with the patterns that it means if there are any."""
    if patterns:
        return f"The pattern looks like a regular expression. A pattern is code; try {' or '.join(patterns)}"
    return (
        "The pattern looks like a regular expression. A pattern is code: write $NAME for one node and $$$ for any number "
        "of them, such as foo($$$ARGS) for foo\\(.*\\). A part of a name has no pattern."
    )


def _as_pattern(expression: str) -> str | None:
    names = iter(string.ascii_uppercase * 9)

    def put(match: re.Match[str]) -> str:
        kind = match.lastgroup
        if kind in ("nothing", "blank"):
            return " " if kind == "blank" else ""
        if kind == "escaped":
            return match["escaped"]
        before = expression[: match.start()].replace("\\", "")
        if kind != "any" or not _unclosed(before):
            return f"${next(names)}"
        apart = ", " if before[-1:].isalnum() else ""
        return f"{apart}$$${next(names)}"

    text = _TOKEN.sub(put, expression).strip()
    if text.endswith(":"):
        text += " $$$BODY"
    missing = _unclosed(text)
    if missing:
        text += ("" if text[-1].isalnum() else "$$$BODY") + "".join(missing)
    # A metavariable is no part of a word: `get_\\w+` has no pattern.
    return None if _IN_A_WORD.search(text) else text


def _unclosed(text: str) -> list[str]:
    """What would close the brackets that a text leaves open."""
    opened: list[str] = []
    for character in text:
        if character in _CLOSERS:
            opened.append(_CLOSERS[character])
        elif opened and character == opened[-1]:
            opened.pop()
    return opened[::-1]
