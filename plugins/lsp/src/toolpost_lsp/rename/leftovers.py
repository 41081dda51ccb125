"""Where an old name is still written after a rename: in comments, texts, other languages, and where a server did not look.

It is the other half of the coverage check: a server that does not know of a use leaves it out of its references too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs
from toolpost import Confinement

from toolpost_lsp.project_files import project_files
from toolpost_lsp.words import clean, counted

_SHOWN = 20
_FILES = 10
_SECONDS = 2.0
_MOST_BYTES = 1024 * 1024
_LINE = 160


@attrs.frozen(kw_only=True)
class Mention:
    """A line that holds the name; *ours*: of a file of the language that was renamed in."""

    path: str
    line: int
    text: str
    ours: bool

    def __str__(self) -> str:
        return f"  {clean(self.path, 1000)}:{self.line}  {clean(self.text, _LINE)}"


@attrs.frozen(kw_only=True)
class Leftovers:
    """The mentions that are left.

    Attributes:
        name: what is mentioned.
        shown: the first of them, those in files of the language before others.
        counts: how many lines of each file mention it, in the same order.
        whole: whether every file was looked at.
    """

    name: str
    shown: tuple[Mention, ...]
    counts: Mapping[str, int]
    whole: bool

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def lines(self) -> Iterator[str]:
        """For an answer; a single line where there are none."""
        part = "" if self.whole else " (not every file was looked at: it took too long)"
        if not self.counts:
            yield f"No mention of {self.name} is left{part}."
            return
        lines, files = counted(self.total, "line"), counted(len(self.counts), "file")
        yield f"Still mentioned, in {lines} of {files}{part}; look whether these should change too:"
        yield from map(str, self.shown)
        left = dict(self.counts)
        for mention in self.shown:
            left[mention.path] -= 1
        rest = [f"{clean(path, 1000)} {count}" for path, count in left.items() if count]
        if rest:
            more = f" and {counted(len(rest) - _FILES, 'further file')}" if len(rest) > _FILES else ""
            yield f"  … and {counted(self.total - len(self.shown), 'more line')}: {', '.join(rest[:_FILES])}{more}"

    def data(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "whole": self.whole,
            "files": dict(self.counts),
            "places": [{"path": each.path, "line": each.line, "text": clean(each.text, _LINE)} for each in self.shown],
        }


def leftovers(
    files: Confinement,
    names: Iterable[str],
    *,
    ours: Callable[[str], bool],
    written: Mapping[str, bytes | None],
) -> Leftovers:
    """The lines of a workspace that hold one of some names as a word. Safe in a thread; looks for two seconds at most.

    Args:
        files: what confines the workspace.
        names: the first is what the answer calls it.
        ours: which file names are of the language.
        written: what files will hold, by relative path: of a change that is not on the disk yet. None: nothing.
    """
    wanted = [name for name in dict.fromkeys(names) if name]
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, wanted))})(?!\w)")
    parts = [name.encode() for name in wanted]
    until = time.monotonic() + _SECONDS
    found: dict[bool, dict[str, list[Mention]]] = {True: {}, False: {}}
    whole = True
    for path, data in _texts(files, written):
        if time.monotonic() > until:
            whole = False
            break
        if not any(part in data for part in parts) or b"\0" in data:
            continue
        mine = ours(path.rpartition("/")[2])
        lines = (line.decode("utf-8-sig", errors="replace") for line in data.splitlines())
        if mentions := [
            Mention(path=path, line=number, text=line, ours=mine)
            for number, line in enumerate(lines, 1)
            if pattern.search(line)
        ]:
            found[mine][path] = mentions
    by_file = {path: each for ours_first in (True, False) for path, each in sorted(found[ours_first].items())}
    return Leftovers(
        name=wanted[0] if wanted else "",
        shown=tuple(mention for each in by_file.values() for mention in each)[:_SHOWN],
        counts={path: len(each) for path, each in by_file.items()},
        whole=whole,
    )


def _texts(files: Confinement, written: Mapping[str, bytes | None]) -> Iterator[tuple[str, bytes]]:
    root = files.workspace.rstrip("/") + "/"
    for path, data in written.items():
        if data is not None:
            yield path, data
    for entry in project_files(files.workspace, lambda _: True):
        path = entry.path.removeprefix(root)
        if path in written:
            continue
        try:
            yield path, files.read(path, limit=_MOST_BYTES)
        except OSError:  # gone meanwhile, not ours to read, or no text that anybody wrote
            continue
