"""Which other files a write may break: those that name a symbol whose definition it changed (write:elsewhere).

No parser is asked: a definition is told by the words of its line, and what encloses a line by its indentation. What is
looked at needlessly costs time, and time is bounded; what is overlooked is found when its own file is asked about.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from toolpost_lsp.writing.touched import Touched

_MOST_NAMES = 40
_MOST_ABOVE = 5_000
_LONGEST_LINE = 1_000

_WORD = re.compile(r"[^\W\d]\w*")
_IMPORT = re.compile(
    r"\s*#?\s*(?:from|import|include|use|using|require|package|export(?=\s*(?:type\s*)?[{*]))\b|.*\b(?:require|import)\s*\("
)
_COMMENT = re.compile(r"\s*(?://|/\*|\*|#(?!\s*define\b|\[))")
_ADORNS = re.compile(r"\s*(?:@|#\[)")  # what is said of a definition stands on the lines above it
_HEADER = re.compile(
    r"\b(?:def|class|function|func|fn|type|interface|trait|impl|module|namespace|macro|record|object|mod|define|macro_rules!)"
    r"(?:<[^>]*>)?\s+(?:\([^)]*\)\s*)?(\w+)"
    r"|\b(?:struct|enum|union)\s+(\w++)(?!\s*\*|\s+\w+\s*[(;=,\[])"  # not `struct point *make(`
)
_TYPE = re.compile(r"\b(?:class|struct|enum|union|interface|trait|impl|module|namespace|record|object|mod)\b")
_GROUP = re.compile(r"(?:const|var|type)\s*\($")
_LABEL = re.compile(r"\s*(?:public|protected|private|signals)\b[\w ]*:\s*$")
_DECLARED = re.compile(r"(\w+)[?!]?\s*(?:\[[^\]]*\]|<[^>]*>)?\s*(:=|:(?!:)|[=(;,]|$)")
_QUOTED = re.compile(r"`[^`]*`")
_NO_NAMES = frozenset(
    _WORD.findall("""
    and any as assert async await bool boolean break case catch char class const continue def default delete do
    double elif else enum except export extends extern false final finally float fn for from func function if impl
    implements import in include instanceof int interface is lambda let long match mod module mut namespace new nil none
    not null number object of or package pass print private protected pub public raise readonly record ref require
    return self short static str string struct super switch this throw throws trait true try type typedef typeof
    union unsigned use using val var virtual void volatile where while with yield
    """)
)


def changed_names(file: Touched) -> tuple[str, ...]:
    """The names whose definitions a write changed in one file; that of the file too, where it came or went."""
    names: dict[str, None] = {}
    if file.kind != "changed" or file.origin is not None:
        stem = os.path.basename(file.old.path).partition(".")[0]
        folder = os.path.basename(os.path.dirname(file.old.path))
        names[folder if stem in ("__init__", "index", "mod") else stem] = None
    start, end, piece = file.change
    sides = (file.old_text or "", end), (file.new_text or "", start + len(piece))
    whole_lines = all(_begins_line(text, at) for text, stop in sides for at in (start, stop))
    for text, stop in sides:
        if whole_lines:
            if start == stop:
                continue  # the lines stand in the other text
            stop -= 1
        for name in _defined(text, start, stop):
            names[name] = None
            if len(names) >= _MOST_NAMES:
                return tuple(names)
    return tuple(names)


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def _defined(text: str, start: int, stop: int) -> Iterator[str]:
    """The names that the lines of a piece define, and those of the definitions that it is part of."""
    first = text.rfind("\n", 0, start) + 1
    lines = [line for line in _lines(text, first, stop) if line.strip()]
    enclosing = _enclosing(text, first, min(map(_indent, lines), default=0))
    members = bool(enclosing) and (_TYPE.search(enclosing[0]) or _GROUP.match(enclosing[0])) is not None
    deepest = 0 if not enclosing else min(map(_indent, lines), default=0) if members else -1
    for line in (*(each for each in lines if _indent(each) <= deepest), *enclosing):
        yield from filter(_is_name, _named(line))


def _lines(text: str, first: int, stop: int) -> Iterator[str]:
    """The lines from one that begins at *first* up to that of *stop*, and the definition that the last ones adorn."""
    at = first
    while at < len(text):
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        line = text[at : min(end, at + _LONGEST_LINE)]
        yield line
        at = end + 1
        if at > stop and not _ADORNS.match(line):
            return


def _named(line: str) -> Iterator[str]:
    """The words of a line that it defines, or takes from elsewhere."""
    if _IMPORT.match(line):
        yield from _WORD.findall(line)
    elif _COMMENT.match(line) or _ADORNS.match(line):
        return
    elif header := _HEADER.search(line):
        yield from filter(None, header.groups())
        body = line.partition("{")[2] if _TYPE.search(line) else ""
        for part in re.split(r"[,;}]", body):  # `enum color { RED, GREEN };`
            yield from _declared(part)
    else:
        yield from _declared(line)


def _declared(line: str) -> Iterator[str]:
    """`a` and `b` of `a, b = 1, 2`, of `int a, b;`, and of `a, b int`."""
    at, line = 0, _QUOTED.sub("", line)
    for found in _DECLARED.finditer(line):
        name = found[1]
        if not found[2]:  # the type stands behind the name
            name = next(filter(_is_name, _WORD.findall(line[at:])), name)
        if _is_name(name):
            yield name
            if found[2] != ",":
                return
            at = found.end()


def _enclosing(text: str, at: int, indent: int) -> list[str]:
    """The lines above a place that are indented less than it, the nearest first, each less than the one before."""
    found: list[str] = []
    for _ in range(_MOST_ABOVE):
        if indent == 0 or at == 0:
            break
        begin = text.rfind("\n", 0, at - 1) + 1
        line = text[begin : min(at - 1, begin + _LONGEST_LINE)]
        at = begin
        if not line.strip() or _indent(line) >= indent or _LABEL.match(line):
            continue
        if not line.lstrip().startswith((")", "]", "}", "{")):
            indent = _indent(line)
            found.append(line)
    return found


def _is_name(word: str) -> bool:
    return not word.isdigit() and word.lower() not in _NO_NAMES


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
