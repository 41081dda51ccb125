"""Which other files a write may break: those that name a symbol whose definition it changed (write:elsewhere).

No parser is asked: a definition is told by the words of its line, and what encloses a line by its indentation. What is
looked at needlessly costs time, and time is bounded; what is overlooked is found when its own file is asked about.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from toolpost_lsp.writing.touched import Touched

MOST = 20
"""Other files that are looked at for one write."""
SECONDS = 0.2
"""For the search."""
_MOST_NAMES = 40
_MOST_BYTES = 1024 * 1024
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__"})

_WORD = re.compile(r"[^\W\d]\w*")
_IMPORT = re.compile(r"\s*#?\s*(?:from|import|export|include|use|using|require|package)\b|.*\b(?:require|import)\s*\(")
_HEADER = re.compile(
    r"\b(?:def|class|function|func|fn|type|struct|enum|union|interface|trait|impl|module|namespace|macro|record|object|mod)"
    r"\s+(?:\([^)]*\)\s*)?(\w+)"
)
_TYPE = re.compile(r"\b(?:class|struct|enum|union|interface|trait|impl|module|namespace|record|object|mod)\b")
_DECLARED = re.compile(r"(\w+)\s*(?:\[[^\]]*\]|<[^>]*>)?\s*(?::=|[:=(;,]|$)")
_NO_NAMES = frozenset(
    [
        "and",
        "any",
        "as",
        "assert",
        "async",
        "await",
        "bool",
        "boolean",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "def",
        "default",
        "delete",
        "do",
        "double",
        "elif",
        "else",
        "enum",
        "except",
        "export",
        "extends",
        "extern",
        "false",
        "final",
        "finally",
        "float",
        "fn",
        "for",
        "from",
        "func",
        "function",
        "if",
        "impl",
        "implements",
        "import",
        "in",
        "instanceof",
        "int",
        "interface",
        "is",
        "lambda",
        "let",
        "long",
        "match",
        "mod",
        "module",
        "mut",
        "namespace",
        "new",
        "nil",
        "none",
        "not",
        "null",
        "number",
        "object",
        "of",
        "or",
        "package",
        "pass",
        "print",
        "private",
        "protected",
        "pub",
        "public",
        "raise",
        "readonly",
        "record",
        "ref",
        "require",
        "return",
        "self",
        "short",
        "static",
        "str",
        "string",
        "struct",
        "super",
        "switch",
        "this",
        "throw",
        "throws",
        "trait",
        "true",
        "try",
        "type",
        "typedef",
        "typeof",
        "union",
        "unsigned",
        "use",
        "using",
        "val",
        "var",
        "virtual",
        "void",
        "volatile",
        "where",
        "while",
        "with",
        "yield",
    ]
)


def changed_names(file: Touched) -> tuple[str, ...]:
    """The names whose definitions a write changed in one file; that of the file too, where it came or went."""
    names: dict[str, None] = {}
    if file.kind != "changed" or file.origin is not None:
        stem = os.path.basename(file.old.path).partition(".")[0]
        folder = os.path.basename(os.path.dirname(file.old.path))
        names[folder if stem in ("__init__", "index", "mod") else stem] = None
    old, new = file.old_text or "", file.new_text or ""
    before, after = old.splitlines(), new.splitlines()
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    for lines, changed in ((before, gone), (after, come)):
        for number, line in enumerate(lines):
            if changed[line] > 0 and line.strip():
                changed[line] -= 1
                for name in _defined(lines, number):
                    names[name] = None
                    if len(names) >= _MOST_NAMES:
                        return tuple(names)
    return tuple(names)


def _defined(lines: list[str], number: int) -> Iterator[str]:
    """The names that a line defines, and those of the definitions that it is part of."""
    line = lines[number]
    indent = _indent(line)
    enclosing = [line] if indent == 0 else []
    inside_type = False
    for above in range(number - 1, max(number - 2_000, -1), -1):
        if indent == 0:
            break
        upper = lines[above]
        if upper.strip() and _indent(upper) < indent and not upper.lstrip().startswith((")", "]", "}", "{")):
            indent = _indent(upper)
            if not enclosing:
                inside_type = bool(_TYPE.search(upper))
            enclosing.append(upper)
    if inside_type:
        enclosing.insert(0, line)
    for each in enclosing:
        if _IMPORT.match(each):
            yield from filter(_is_name, _WORD.findall(each))
        elif header := _HEADER.search(each):
            yield from filter(_is_name, header.groups())
        else:
            yield from (name for name in _DECLARED.findall(each)[:1] if _is_name(name))


def _is_name(word: str) -> bool:
    return len(word) > 1 and not word.isdigit() and word.lower() not in _NO_NAMES


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def naming(root: str, names: Iterable[str], modules: Iterable[str], wanted: Callable[[str], bool]) -> list[str]:
    """Files below a folder that hold one of some names as a word, those that name one of the modules too first.

    Reads for 0.2 s at most, follows no links, and leaves out what is hidden or vendored. Safe in a thread.

    Args:
        root: absolute.
        modules: names of the files that changed.
        wanted: which file names count.
    """
    one_of = _words(names)
    module = _words(modules)
    if one_of is None:
        return []
    near: list[str] = []
    far: list[str] = []
    until = time.monotonic() + SECONDS
    for path in _files(root, wanted):
        if len(near) >= MOST or time.monotonic() > until:
            break
        try:
            with open(path, "rb") as file:
                data = file.read(_MOST_BYTES)
        except OSError:  # gone meanwhile, or not ours to read
            continue
        if one_of.search(data):
            (near if module and module.search(data) else far).append(path)
    return [*near, *far][:MOST]


def _words(names: Iterable[str]) -> re.Pattern[bytes] | None:
    escaped = [re.escape(name.encode()) for name in sorted(set(names)) if name]
    return re.compile(rb"(?<![\w\x80-\xff])(?:" + b"|".join(escaped) + rb")(?![\w\x80-\xff])") if escaped else None


def _files(root: str, wanted: Callable[[str], bool]) -> Iterator[str]:
    folders = [root]
    for folder in folders:  # breadth first, as it grows
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED and not entry.name.startswith("."):
                    folders.append(entry.path)
            elif wanted(entry.name) and entry.is_file(follow_symlinks=False):
                yield entry.path
