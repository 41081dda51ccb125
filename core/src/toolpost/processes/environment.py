"""What a child gets to know: an allow-list of variables, and texts with the secrets taken out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

_ALLOWED = frozenset(
    "PATH HOME LANG LANGUAGE TZ TERM TMPDIR USER LOGNAME SHELL XDG_RUNTIME_DIR".split()  # noqa: SIM905 (one line, one list)
)
_SHORTEST_SECRET = 8  # a shorter value is likely to be an ordinary word of the text


def child_environment(
    extra: Mapping[str, str] | None = None, *, keep: Iterable[str] = (), base: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Build a child's environment from an allow-list, so that the harness's keys and tokens do not reach it.

    Passed on: PATH, HOME, LANG, LANGUAGE, LC_*, TZ, TERM, TMPDIR, USER, LOGNAME, SHELL, XDG_RUNTIME_DIR.

    Args:
        extra: variables to set; they win.
        keep: names of more variables to pass on, such as the one key that this program needs.
        base: where they come from; the harness's environment unless given.
    """
    source = os.environ if base is None else base
    names = _ALLOWED.union(keep)
    chosen = {name: value for name, value in source.items() if name in names or name.startswith("LC_")}
    return {**chosen, **(extra or {})}


def redact(text: str, secrets: Iterable[str]) -> str:
    """Replace each secret in a text by a marker that shows that something stood there.

    Args:
        text: what is about to be shown, logged or stored.
        secrets: the values to hide. Values under 8 characters are left, as they would hit ordinary words.
    """
    for secret in sorted(set(secrets), key=len, reverse=True):  # a secret may be part of a longer one
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "[redacted]")
    return text
