"""`toolpost new NAME`: a plugin of one's own that passes the conformance suite from the start (contract cli:new)."""

from __future__ import annotations

import argparse
import keyword
import re
from pathlib import Path
from typing import Any

from toolpost.cli import UsageError
from toolpost.cli.scaffold import FILES


def add(parsers: Any) -> None:
    parser = parsers.add_parser(
        "new",
        help="scaffold a plugin",
        description="Make a folder toolpost-NAME with a plugin that works: one module, one entry point, one tool, and the "
        "conformance suite as its tests.",
    )
    parser.add_argument(
        "name", metavar="NAME", help="the plugin's name, such as weather: lower-case letters, digits and _"
    )
    parser.set_defaults(run=_new)


def _new(given: argparse.Namespace) -> int:
    name: str = given.name
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is no name for a plugin: a lower-case letter, then letters, digits and _")
    folder = Path(f"toolpost-{name}")
    if folder.exists():
        raise UsageError(f"{folder} is there already; nothing was written")
    for path, text in FILES.items():
        file = folder / path.replace("NAME", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("NAME", name).replace("TITLE", name.title().replace("_", "")), encoding="utf-8")
    print(
        f"{folder}: edit src/toolpost_{name}/__init__.py, then\n  pip install -e {folder} pytest hypothesis && pytest {folder}"
    )
    return 0
