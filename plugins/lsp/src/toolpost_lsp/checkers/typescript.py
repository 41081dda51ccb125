"""TypeScript and JavaScript: the compiler, in JavaScript or native, for each configuration of a project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from posixpath import join, normpath
from typing import Any
from urllib.parse import quote

import attrs

from toolpost_lsp.checkers.checker import Checker, Invocation, Item, Parsed, Project, lines
from toolpost_lsp.registry import typescript as servers

_MARKERS = ("tsconfig.json", "jsconfig.json")
_MOST = 20
_LIMIT = 1024 * 1024
_PLACED = re.compile(
    r"(?P<path>.+?)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>\w+) (?P<code>TS\d+): (?P<message>.*)"
)
_GENERAL = re.compile(r"error TS\d+: .*")
_LIBRARY = re.compile(r"/(?:typescript|native-preview[^/]*)/lib/lib\.[^/]*\.d\.ts$")
_TEXT_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TEXT_OR_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def _invocations(project: Project) -> Sequence[Invocation]:
    """One for each configuration that the project's one refers to, and one for itself.

    A configuration may hold nothing but references: alone it would be found to be free of problems, whatever they hold.
    """
    return tuple(
        Invocation(
            (
                *("--noEmit", "--pretty", "false", "--listFiles"),
                # What an incremental build keeps goes outside the checkout, as do measurements that the configuration wants.
                *("--incremental", "--tsBuildInfoFile", f"{project.cache}/{quote(path, safe='')}.tsbuildinfo"),
                *("--generateTrace", "null", "--generateCpuProfile", "null"),
                *("--project", f"./{path}"),
            )
        )
        for path in _configurations(project)
    )


def _configurations(project: Project) -> Iterator[str]:
    """Paths relative to the project."""
    found = [project.folders.marker(project.root, _MARKERS) or _MARKERS[0]]
    for path in found:  # grows
        content = _read(project, path)
        references = content.get("references")
        for each in references if isinstance(references, list) else ():
            named = each.get("path") if isinstance(each, dict) else None
            if isinstance(named, str) and len(found) < _MOST:
                other = normpath(join(path.rpartition("/")[0], named))
                own = other.endswith(".json") and not other.endswith(_MARKERS) and not other.startswith(("/", ".."))
                if own and other not in found:  # what lies in a folder with a marker is found as another project
                    found.append(other)
        if not (content.get("files") == [] and "include" not in content and references):
            yield path


def _read(project: Project, path: str) -> dict[str, Any]:
    """JSON with comments and trailing commas; nothing where it cannot be read: the compiler says why."""
    try:
        text = project.folders.files.read(f"{project.root}/{path}", limit=_LIMIT).decode("utf-8-sig")
        text = _TEXT_OR_COMMENT.sub(lambda match: match[1] or " ", text)
        content = json.loads(_TEXT_OR_COMMA.sub(lambda match: match[1] or "", text))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _parse(output: str, _errors: str) -> Parsed:
    items: list[Item] = []
    failures, checked = [], 0
    for line in lines(output):
        if match := _PLACED.fullmatch(line):
            item = Item.at(
                match["path"],
                int(match["line"]),
                int(match["column"]),
                match["message"],
                severity=match["severity"],
                code=match["code"],
            )
            items.append(item)
        elif _GENERAL.fullmatch(line):
            failures.append(line)
        elif line.startswith("  ") and items:  # a message goes on
            last = items[-1].diagnostic
            items[-1] = Item(
                path=items[-1].path, diagnostic=attrs.evolve(last, message=f"{last.message} {line.strip()}")
            )
        elif line.startswith("/") and not _LIBRARY.search(line):
            checked += "/node_modules/" not in line
    return Parsed(items=tuple(items), checked=checked, failures=tuple(failures))


TSC = Checker(
    id="tsc",
    language="TypeScript and JavaScript",
    endings=(".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"),
    program="tsc",
    invocations=_invocations,
    parse=_parse,
    root_markers=_MARKERS,
    excluded_by=servers.DENO,
    found=frozenset({1, 2}),
    encoding="utf-16",
    install="npm install -g typescript@5.9",
)
TSGO = attrs.evolve(TSC, id="tsgo", program="tsgo", install=servers.TSGO.install)

CHECKERS = (TSGO, TSC)
