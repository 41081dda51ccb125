"""What the fake server knows of its texts, by its own reckoning: positions, words, and the problems written in them.

`ERROR:code` in a line is an error with that code and `WARNING:code` a warning; `NEEDS:name` is an error, "missing", for as
long as no text of the root has `MAKES:name`. A word is defined where `def` stands before it. So every answer can
be checked by looking at the text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

import attrs

WORD = re.compile(r"\w+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_MARK = re.compile(r"\b(ERROR|WARNING|NEEDS):(\w+)")
_MADE = re.compile(r"\bMAKES:(\w+)")
_SEVERITIES = {"ERROR": 1, "WARNING": 2, "NEEDS": 1}
_BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def uri_of(path: str) -> str:
    return "file://" + quote(path)


def path_of(uri: str) -> str:
    return unquote(uri.removeprefix("file://"))


@attrs.frozen
class Text:
    """A text, and its positions in one encoding."""

    text: str
    encoding: str

    def offset(self, position: Mapping[str, int]) -> int:
        """Strict: a position that is not in the text is the client's fault."""
        starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
        start = starts[position["line"]]
        line = _LINE_END.split(self.text[start:], maxsplit=1)[0]
        name, width = _BYTES[self.encoding]
        data = line.encode(name)
        units = position["character"] * width
        if units > len(data):
            raise ValueError(f"{position} is behind the end of {line!r}")
        return start + len(data[:units].decode(name))

    def position(self, offset: int) -> dict[str, int]:
        before = _LINE_END.split(self.text[:offset])
        name, width = _BYTES[self.encoding]
        return {"line": len(before) - 1, "character": len(before[-1].encode(name)) // width}

    def range(self, start: int, end: int) -> dict[str, Any]:
        return {"start": self.position(start), "end": self.position(end)}

    def changed(self, change: Mapping[str, Any]) -> Text:
        """After one item of `contentChanges`."""
        if "range" not in change:
            return Text(change["text"], self.encoding)
        start, end = self.offset(change["range"]["start"]), self.offset(change["range"]["end"])
        return Text(self.text[:start] + change["text"] + self.text[end:], self.encoding)

    def word_at(self, position: Mapping[str, int]) -> tuple[str, int, int] | None:
        at = self.offset(position)
        for word in WORD.finditer(self.text):
            if word.start() <= at <= word.end():
                return word[0], word.start(), word.end()
        return None

    def uses(self, word: str) -> Iterator[dict[str, Any]]:
        """The ranges of a whole word."""
        for found in re.finditer(rf"\b{re.escape(word)}\b", self.text):
            yield self.range(found.start(), found.end())

    def definitions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for found in re.finditer(r"\bdef (\w+)", self.text):
            yield found[1], self.range(found.start(1), found.end(1))

    def problems(self, made: set[str], finds: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        for found in _MARK.finditer(self.text):
            kind, code = found[1], found[2]
            if kind not in finds or (kind == "NEEDS" and code in made):
                continue
            yield {
                "range": self.range(found.start(), found.end()),
                "severity": _SEVERITIES[kind],
                "code": "missing" if kind == "NEEDS" else code,
                "source": "fake",
                "message": f"{code} is missing" if kind == "NEEDS" else f"it says {code}",
            }

    def makes(self) -> set[str]:
        return set(_MADE.findall(self.text))


@attrs.define(eq=False)
class Texts:
    """What the server was shown, and what it read of the other files when it began or was told that they changed."""

    root: str
    encoding: str
    endings: tuple[str, ...]
    finds: tuple[str, ...] = ("ERROR", "WARNING", "NEEDS")
    open: dict[str, tuple[int, Text]] = attrs.field(factory=dict, init=False)  # by path, with the version
    _closed: dict[str, Text] = attrs.field(factory=dict, init=False)

    def read_all(self) -> None:
        for folder, below, names in os.walk(self.root):
            below[:] = [name for name in below if not name.startswith(".")]
            for name in names:
                self.read(os.path.join(folder, name))

    def read(self, path: str) -> None:
        """Take the text that is on disk, or forget it."""
        self._closed.pop(path, None)
        if path.endswith(self.endings) and os.path.isfile(path):
            with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
                self._closed[path] = Text(file.read(), self.encoding)

    def close(self, path: str) -> None:
        del self.open[path]
        self.read(path)

    def all(self) -> dict[str, Text]:
        """Every text, the shown one before that on disk, in the order of the paths."""
        shown = {path: text for path, (_, text) in self.open.items()}
        return dict(sorted({**self._closed, **shown}.items()))

    def problems(self, path: str) -> list[dict[str, Any]]:
        made = set().union(*(text.makes() for text in self.all().values()))
        return list(self.all()[path].problems(made, self.finds))
