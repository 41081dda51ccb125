"""A unified diff of what is proposed, bounded: what was left out is counted."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

import attrs

_LINES = 120
_FILE_LINES = 40
_LINE = 200


@attrs.frozen(kw_only=True)
class Diff:
    """A diff as text, and how many lines of it were left out."""

    text: str
    left_out: int

    @classmethod
    def of(cls, files: Sequence[tuple[str, bytes, bytes]]) -> Diff:
        """The diff of several files, each a path and its bytes before and after.

        Args:
            files: sorted by path.
        """
        shown: list[str] = []
        left = hidden = 0
        for path, before, after in files:
            lines = list(_lines(path, before, after))
            room = min(_FILE_LINES, _LINES - len(shown))
            if room <= 2:
                hidden += 1
                continue
            shown += lines[:room]
            if len(lines) > room:
                left += len(lines) - room
                shown.append(f"… {len(lines) - room} more lines of {path}")
        if hidden:
            shown.append(f"… and {hidden} more file{'s' if hidden != 1 else ''}")
        return cls(text="\n".join(shown), left_out=left + hidden)


def _lines(path: str, before: bytes, after: bytes) -> Iterator[str]:
    old, new = (_split(each) for each in (before, after))
    # difflib is quadratic in what differs: what is the same at both ends need not be looked at.
    start = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    start = max(0, start - 3)
    yield f"--- {path}"
    yield f"+++ {path}"
    for line in list(difflib.unified_diff(old[start:], new[start:], lineterm="", n=1))[2:]:
        yield _moved(line, start) if line.startswith("@@") else line[:_LINE] + ("…" if len(line) > _LINE else "")


def _moved(header: str, by: int) -> str:
    """A hunk's header with its line numbers as they are in the whole file."""
    parts = header.split(" ")
    for index in (1, 2):
        sign, rest = parts[index][0], parts[index][1:].split(",")
        parts[index] = sign + ",".join([str(int(rest[0]) + by), *rest[1:]])
    return " ".join(parts)


def _split(data: bytes) -> list[str]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
