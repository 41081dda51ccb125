"""Python: six type checkers, of which a project uses one, and ruff beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import attrs

from toolpost_lsp.checkers.checker import Checker, Invocation, Item, Parsed, Project, always, lines
from toolpost_lsp.registry import python as servers
from toolpost_lsp.server.definition import ServerDefinition

_ENDINGS = (".py", ".pyi")
_NO_FILES = re.compile(r"no (?:\.py\[i\]|python|source) files", re.IGNORECASE)
_ZUBAN = re.compile(r"(?P<path>[^:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<severity>\w+): (?P<message>.*)")
_CODE = re.compile(r"  \[([\w-]+)\]$")
_COUNTED = re.compile(r"\(checked (\d+) source files?\)|no issues found in (\d+) source files?")
_MYPY_INI = ("mypy.ini", ".mypy.ini", "setup.cfg")


# ---- how they are started ----


def _pyright(project: Project) -> Sequence[Invocation]:
    own = ("--pythonpath", project.interpreter) if project.interpreter else ()
    return (Invocation(("--outputjson", *own)),)


def _ty(project: Project) -> Sequence[Invocation]:
    own = ("--python", project.interpreter) if project.interpreter else ()
    return (Invocation(("check", "--output-format", "gitlab", *own)),)


def _mypy(project: Project) -> Sequence[Invocation]:
    """All of the project, unless its configuration names what is checked."""
    named = [f"{file}#mypy.{key}" for file in _MYPY_INI for key in ("files", "packages", "modules")]
    named += [f"pyproject.toml#tool.mypy.{key}" for key in ("files", "packages", "modules")]
    own = ("--python-executable", project.interpreter) if project.interpreter else ()
    what = () if project.has(*named) else (".",)
    return (Invocation(("--output", "json", "--no-install-types", "--cache-dir", project.cache, *own, *what)),)


# ---- what they print ----


def _parse_pyright(output: str, _errors: str) -> Parsed:
    said = _object(output)
    items = []
    for each in said["generalDiagnostics"]:
        start, end = each["range"]["start"], each["range"]["end"]
        item = Item.at(
            str(each["file"]),
            start["line"] + 1,
            start["character"] + 1,
            str(each["message"]),
            severity=str(each["severity"]),
            code=each.get("rule"),
            end=(end["line"] + 1, end["character"] + 1),
        )
        items.append(item)
    return Parsed(items=tuple(items), checked=said["summary"]["filesAnalyzed"])


def _parse_ty(output: str, errors: str) -> Parsed:
    items = []
    for each in _array(output):
        code, place = str(each["check_name"]), each["location"]
        begin, end = place["positions"]["begin"], place["positions"]["end"]
        item = Item.at(
            str(place["path"]),
            begin["line"],
            begin["column"],
            str(each["description"]).removeprefix(f"{code}: "),
            severity=str(each["severity"]),
            code=code,
            end=(end["line"], end["column"]),
        )
        items.append(item)
    return Parsed(items=tuple(items), checked=_checked(errors))


def _parse_ruff(output: str, errors: str) -> Parsed:
    items = []
    for each in _array(output):
        start, end = each["location"], each["end_location"]
        item = Item.at(
            str(each["filename"]),
            start["row"],
            start["column"],
            str(each["message"]),
            severity=str(each.get("severity", "error")),
            code=each["code"],
            end=(end["row"], end["column"]),
        )
        items.append(item)
    return Parsed(items=tuple(items), checked=_checked(errors))


def _parse_pyrefly(output: str, errors: str) -> Parsed:
    if not output.strip() and _NO_FILES.search(errors):
        return Parsed(checked=0)
    items = [
        Item.at(
            str(each["path"]),
            each["line"],
            each["column"],
            str(each["description"]),
            severity=str(each.get("severity", "error")),
            code=each["name"],
            end=(each["stop_line"], each["stop_column"]),
        )
        for each in _object(output)["errors"]
    ]
    remark = "it is not configured, and finds little then: its preset basic" if "preset `basic`" in errors else ""
    return Parsed(items=tuple(items), checked=_checked(errors), remark=remark)


def _parse_zuban(output: str, errors: str) -> Parsed:
    items, counted = [], None
    for line in lines(output):
        if match := _ZUBAN.fullmatch(line):
            code = _CODE.search(match["message"])
            item = Item.at(
                match["path"],
                int(match["line"]),
                int(match["column"] or 1),
                _CODE.sub("", match["message"]),
                severity=match["severity"],
                code=code[1] if code else None,
            )
            items.append(item)
        elif numbers := _COUNTED.search(line):
            counted = int(numbers[1] or numbers[2])
    if counted is None and _checked(errors) is None:
        raise ValueError("its last line, with the number of files, is missing")
    return Parsed(items=tuple(items), checked=counted or 0)


def _parse_mypy(output: str, errors: str) -> Parsed:
    items = [
        Item.at(
            str(each["file"]),
            each["line"],
            each["column"] + 1,
            " ".join(str(part) for part in (each["message"], each.get("hint")) if part),
            severity=str(each["severity"]),
            code=each.get("code"),
        )
        for each in map(_object, lines(output))
    ]
    return Parsed(items=tuple(items), checked=_checked(errors))


def _object(text: str) -> dict[str, Any]:
    said = json.loads(text)
    if not isinstance(said, dict):
        raise TypeError("it is no object")
    return said


def _array(text: str) -> list[Any]:
    said = json.loads(text)
    if not isinstance(said, list):
        raise TypeError("it is no array")
    return said


def _checked(errors: str) -> int | None:
    return 0 if _NO_FILES.search(errors) else None


# ---- all of them; a checker of a server's family bears the server's markers ----


def _of(server: ServerDefinition, **fields: Any) -> Checker:
    return Checker(
        id=server.id,
        language="Python",
        endings=_ENDINGS,
        program=server.id,
        root_markers=servers.MARKERS,
        chosen_by=server.chosen_by,
        reaches_inner=True,
        role=server.role,
        install=server.install,
        runs_project_code=server.runs_project_code,
        **fields,
    )


_NO_WARNINGS = {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}

PYRIGHT = _of(servers.PYRIGHT, invocations=_pyright, parse=_parse_pyright, encoding="utf-16", env=_NO_WARNINGS)
BASEDPYRIGHT = _of(servers.BASEDPYRIGHT, invocations=_pyright, parse=_parse_pyright, encoding="utf-16")
TY = _of(servers.TY, invocations=_ty, parse=_parse_ty)
PYREFLY = _of(servers.PYREFLY, invocations=always("check", "--output-format", "json"), parse=_parse_pyrefly)
ZUBAN = _of(servers.ZUBAN, invocations=always("check", "--show-column-numbers", "--no-pretty"), parse=_parse_zuban)
MYPY = Checker(
    id="mypy",
    language="Python",
    endings=_ENDINGS,
    program="mypy",
    invocations=_mypy,
    parse=_parse_mypy,
    root_markers=servers.MARKERS,
    chosen_by=("mypy.ini", ".mypy.ini", "pyproject.toml#tool.mypy", "setup.cfg#mypy"),
    reaches_inner=True,
    stopped=frozenset({2}),
    env={"PYTHONDONTWRITEBYTECODE": "1"},
    install="uv tool install mypy",
    runs_project_code=True,  # its plugins
)
RUFF = attrs.evolve(
    _of(
        servers.RUFF,
        invocations=always("check", "--no-fix", "--no-cache", "--output-format", "json"),
        parse=_parse_ruff,
    ),
    chosen_by=("ruff.toml", ".ruff.toml", "pyproject.toml#tool.ruff"),
)

CHECKERS = (PYRIGHT, BASEDPYRIGHT, TY, PYREFLY, ZUBAN, MYPY, RUFF)
