"""A unified diff of what is proposed, bounded: what was left out is counted (edit:staged, core:bounded)."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence

import attrs

_LINES = 120
_FILE_LINES = 40
_LINE = 200
_CONTEXT = 1
_COMPARED = 1_000  # lines of each side; difflib is quadratic in what differs
_NO_LINE_END = "\n\\ No newline at end of file"


@attrs.frozen(kw_only=True)
class Diff:
    """A diff as text.

    Attributes:
        lines_left_out: how many lines it would have more, in the files that it shows; where they are very many, at least.
        files_left_out: how many files it does not show at all.
    """

    text: str
    lines_left_out: int = 0
    files_left_out: int = 0

    @classmethod
    def of(cls, files: Sequence[tuple[str, bytes, bytes]]) -> Diff:
        """The diff of several files, each a path and its bytes before and after.

        Line ends are not shown where all of a side's are alike, nor a byte-order mark. Long lines are cut.

        Args:
            files: sorted by path.
        """
        shown: list[str] = []
        left = 0
        for number, (path, before, after) in enumerate(files):
            room = min(_FILE_LINES, _LINES - len(shown)) - 2
            if room <= 0:
                hidden = len(files) - number
                shown.append(f"… and {hidden} more file{'s' if hidden != 1 else ''}")
                return cls(text="\n".join(shown), lines_left_out=left, files_left_out=hidden)
            lines, more = _hunks(before, after)
            more += len(lines) - len(lines[:room])
            left += more
            shown += [f"--- {path}", f"+++ {path}", *lines[:room]]
            if more:
                shown.append(f"… {more} more line{'s' if more != 1 else ''} of {path}")
        return cls(text="\n".join(shown), lines_left_out=left)


def _hunks(before: bytes, after: bytes) -> tuple[list[str], int]:
    """A file's hunks, and how many lines of them were not even looked for."""
    start, behind = _differing(before, after)
    line = before.count(b"\n", 0, start)
    old, new = (_lines(side, start, len(side) - behind) for side in (before, after))
    one, other = Counter(old[_COMPARED:]), Counter(new[_COMPARED:])
    unlooked = ((one - other) + (other - one)).total()
    found = list(difflib.unified_diff(old[:_COMPARED], new[:_COMPARED], lineterm="", n=_CONTEXT))[2:]
    hunks = [_moved(each, line) if each.startswith("@@") else _cut(each) for each in found]
    return [part for each in hunks for part in each.split("\n")], unlooked


def _differing(before: bytes, after: bytes) -> tuple[int, int]:
    """Where the lines begin that differ, with some before them, and how many bytes at the end are the same."""
    same = _common(before, after)
    start = same
    for _ in range(_CONTEXT + 1):
        start = before.rfind(b"\n", 0, start) if start > 0 else -1
    start += 1
    most = min(len(before), len(after)) - same
    behind = _common(before[len(before) - most :][::-1], after[len(after) - most :][::-1])
    end = len(before) - behind
    for _ in range(_CONTEXT + 1):
        end = before.find(b"\n", end) + 1 or len(before)
    return start, len(before) - end


def _common(one: bytes, other: bytes) -> int:
    """How many bytes at the beginning are the same, by halves: comparing slices is what bytes are fast at."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _lines(data: bytes, start: int, end: int) -> list[str]:
    """Some lines of a file as text, for reading only."""
    crlf = data.count(b"\r\n")
    uniform = crlf == data.count(b"\n")
    part = data[start:end].removeprefix(b"\xef\xbb\xbf") if start == 0 else data[start:end]
    try:
        text = part.decode()
    except UnicodeDecodeError:
        text = part.decode("latin-1")
    lines = text.split("\n")
    last = lines.pop()
    shown = [line.removesuffix("\r") if uniform else line.replace("\r", "\\r") for line in lines]
    return [*shown, last + _NO_LINE_END] if last else shown


def _moved(header: str, by: int) -> str:
    """A hunk's header with its line numbers as they are in the whole file."""
    parts = header.split(" ")
    for index in (1, 2):
        sign, rest = parts[index][0], parts[index][1:].split(",")
        parts[index] = sign + ",".join([str(int(rest[0]) + by), *rest[1:]])
    return " ".join(parts)


def _cut(line: str) -> str:
    bare = line.removesuffix(_NO_LINE_END)
    if len(bare) <= _LINE:
        return line
    return f"{bare[:_LINE]}… ({len(bare) - _LINE} more characters){line[len(bare) :]}"
