"""Telling a server of files that changed: those that it asked to hear of (`workspace/didChangeWatchedFiles`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal

import attrs

from toolpost_lsp.protocol.uris import path_of, uri_of

Kind = Literal["created", "changed", "deleted"]

_NUMBERS: Mapping[Kind, int] = {"created": 1, "changed": 2, "deleted": 3}
_EVERY_KIND = 7
_PARTS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]|\{|\}|,|[^*?\[{},]+|.", re.DOTALL)


@attrs.frozen
class Watch:
    """One glob that a server registered. `base` is the folder that it is relative to, or None: anywhere."""

    pattern: re.Pattern[str]
    kinds: int
    base: str | None

    def wants(self, path: str, kind: Kind) -> bool:
        """Whether it asks for that event of an absolute path."""
        if not self.kinds & 1 << _NUMBERS[kind] - 1:
            return False
        if self.base is None:
            return bool(self.pattern.fullmatch(path))
        prefix = self.base.rstrip("/") + "/"
        return path.startswith(prefix) and bool(self.pattern.fullmatch(path[len(prefix) :]))


def watches(registrations: Iterable[Any], root: str) -> Iterator[Watch]:
    """The globs of the server's registrations; what is malformed is passed over."""
    for options in registrations:
        watchers = options.get("watchers") if isinstance(options, Mapping) else None
        for watcher in watchers if isinstance(watchers, list) else ():
            if isinstance(watcher, Mapping) and (watch := _watch(watcher, root)):
                yield watch


def _watch(watcher: Mapping[str, Any], root: str) -> Watch | None:
    glob, kinds = watcher.get("globPattern"), watcher.get("kind")
    kinds = kinds if isinstance(kinds, int) else _EVERY_KIND
    if isinstance(glob, str):
        # A plain glob is relative to the workspace folders, or absolute.
        return Watch(compiled(glob), kinds, None if glob.startswith(("/", "**")) else root)
    if not isinstance(glob, Mapping) or not isinstance(glob.get("pattern"), str):
        return None
    base = glob.get("baseUri")
    base = base.get("uri") if isinstance(base, Mapping) else base  # a workspace folder, or a URI
    folder = path_of(base) if isinstance(base, str) else None
    return Watch(compiled(glob["pattern"]), kinds, folder) if folder else None


@lru_cache(maxsize=512)
def compiled(glob: str) -> re.Pattern[str]:
    """A glob of the protocol as a regular expression: `*`, `?`, `**`, `{a,b}`, `[a-z]`, `[!a-z]`."""
    written, depth = [], 0
    for part in _PARTS.findall(glob):
        if part == "**/":
            written.append("(?:.*/)?")
        elif part == "**":
            written.append(".*")
        elif part == "*":
            written.append("[^/]*")
        elif part == "?":
            written.append("[^/]")
        elif part == "{":
            depth += 1
            written.append("(?:")
        elif part == "}" and depth:
            depth -= 1
            written.append(")")
        elif part == "," and depth:
            written.append("|")
        elif part.startswith("[") and len(part) > 1:
            inner = part[1:-1].replace("\\", r"\\").replace("[", r"\[")
            written.append(f"[{'^' + inner[1:] if inner.startswith('!') else inner}]")
        else:
            written.append(re.escape(part))
    try:
        return re.compile("".join(written) + ")" * depth, re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))


def events(changes: Mapping[str, Kind], watched: Iterable[Watch]) -> list[dict[str, Any]]:
    """The events of a `didChangeWatchedFiles`, by absolute path.

    A server that registered nothing is told of everything: some watch for themselves and take the events none the less.
    Names that are no UTF-8 cannot be told.
    """
    globs = tuple(watched)
    found = []
    for path, kind in changes.items():
        if not globs or any(watch.wants(path, kind) for watch in globs):
            with suppress(ValueError):  # such a name
                found.append({"uri": uri_of(path), "type": _NUMBERS[kind]})
    return found
