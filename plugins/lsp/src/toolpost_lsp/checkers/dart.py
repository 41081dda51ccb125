"""Dart: `dart analyze`."""

from __future__ import annotations

import json

from toolpost_lsp.checkers.checker import Checker, Item, Parsed, always, lines
from toolpost_lsp.registry.others import DART


def _parse(output: str, _errors: str) -> Parsed:
    said = json.loads(next((line for line in lines(output) if line.startswith("{")), ""))
    items = []
    for each in said["diagnostics"]:
        place, notes = each["location"], (each["problemMessage"], each.get("correctionMessage"))
        start, end = place["range"]["start"], place["range"]["end"]
        item = Item.at(
            place["file"],
            start["line"],
            start["column"],
            " ".join(filter(None, notes)),
            severity=each["severity"],
            code=each["code"],
            end=(end["line"], end["column"]),
        )
        items.append(item)
    return Parsed(items=tuple(items))


DART_ANALYZE = Checker(
    id="dart analyze",
    language="Dart",
    endings=(".dart",),
    program="dart",
    invocations=always("analyze", "--format=json"),
    parse=_parse,
    root_markers=DART.root_markers,
    found=frozenset({1, 2, 3}),
    encoding="utf-16",
    install=DART.install,
    runs_project_code=DART.runs_project_code,
)

CHECKERS = (DART_ANALYZE,)
