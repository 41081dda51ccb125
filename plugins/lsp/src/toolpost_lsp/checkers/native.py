"""C and C++: clang-tidy, of the files that a compilation database names."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence

from toolpost_lsp.checkers.checker import Checker, Invocation, Item, Parsed, Project, lines
from toolpost_lsp.registry.native import CLANGD

_DATABASES = ("compile_commands.json", "build/compile_commands.json")
_LIMIT = 32 * 1024 * 1024
_PLACED = re.compile(
    r"(?P<path>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>warning|error|fatal error): (?P<message>.*)"
)
_CODE = re.compile(r" \[([\w.,*+-]+)\]$")
_GENERAL = re.compile(r"(?:fatal )?error: .*")


def _invocations(project: Project) -> Sequence[Invocation]:
    """One for each folder that files are compiled in: what is printed is relative to that."""
    database = project.folders.marker(project.root, _DATABASES)
    if database is None:
        return ()
    entries = json.loads(project.folders.files.read(f"{project.root}/{database}", limit=_LIMIT))
    where = os.path.dirname(f"{project.root}/{database}")
    files: dict[str, dict[str, None]] = {}
    for entry in entries:
        folder = os.path.normpath(os.path.join(where, entry["directory"]))
        path = os.path.normpath(os.path.join(folder, entry["file"]))
        if path.startswith(f"{project.root}/"):
            files.setdefault(folder, {})[path] = None
    arguments = ["-p", where, "--quiet"]
    # What it would keep of modules goes outside the checkout.
    arguments += ["--extra-arg=-Wno-unused-command-line-argument", f"--extra-arg=-fmodules-cache-path={project.cache}"]
    if not project.has(".clang-tidy"):
        arguments.append("--checks=clang-diagnostic-*,clang-analyzer-*")
    return tuple(Invocation((*arguments, *paths), base=folder) for folder, paths in files.items())


def _parse(output: str, errors: str) -> Parsed:
    items: dict[Item, None] = {}  # what is in a header is told for each file that includes it
    failures: list[str] = []
    for line in lines(output):
        if match := _PLACED.fullmatch(line):
            code = _CODE.search(match["message"])
            item = Item.at(
                match["path"],
                int(match["line"]),
                int(match["column"]),
                _CODE.sub("", match["message"]),
                severity=match["severity"].removeprefix("fatal "),
                code=code[1] if code else None,
            )
            items[item] = None
        elif _GENERAL.fullmatch(line):
            failures.append(line)
    failures += [line for line in lines(errors) if line.startswith("Error: ")]
    return Parsed(items=tuple(items), failures=tuple(failures))


CLANG_TIDY = Checker(
    id="clang-tidy",
    language="C and C++",
    endings=tuple(CLANGD.languages),
    program="clang-tidy",
    invocations=_invocations,
    parse=_parse,
    root_markers=_DATABASES,
    chosen_by=(".clang-tidy",),
    encoding="utf-8",
    install="uv tool install clang-tidy",
)

CHECKERS = (CLANG_TIDY,)
