"""`toolpost plugins`: what is installed, from metadata alone; nothing is imported."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

from toolpost import discovery
from toolpost.cli import output


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "plugins",
        help="list the installed plugins, from their metadata",
        description="List the installed plugins by entry point, from their metadata: nothing is imported.",
    )
    parser.add_argument("--json", action="store_true", help="as JSON, a line each")
    parser.set_defaults(run=_plugins)


def _plugins(given: argparse.Namespace) -> int:
    found = discovery.installed()
    counts = Counter(each.name for each in found)
    rows = []
    for each in found:
        where = discovery.origin(each.distribution)
        conflict = f"conflict: name {each.qualified!r} to choose this one" if counts[each.name] > 1 else ""
        if given.json:
            print(json.dumps({"name": each.name, "distribution": each.distribution, "version": each.version,
                              "module": each.value, "origin": where, "conflict": bool(conflict)}))  # fmt: skip
        rows.append(
            (each.name, f"{each.distribution} {each.version}", each.value, " ".join(filter(None, (where, conflict))))
        )
    if not given.json:
        print(output.table(rows))
    return 1 if any(count > 1 for count in counts.values()) else 0
