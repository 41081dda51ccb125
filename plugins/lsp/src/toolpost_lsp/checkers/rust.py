"""Rust: `cargo check`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolpost_lsp.checkers.checker import Checker, Invocation, Item, Parsed, Project, lines
from toolpost_lsp.registry.rust import RUST_ANALYZER


def _invocations(project: Project) -> Sequence[Invocation]:
    # Without --locked it would write Cargo.lock.
    arguments = ("check", "--workspace", "--all-targets", "--keep-going", "--locked", "--quiet")
    return (Invocation((*arguments, "--message-format=json", "--target-dir", project.cache)),)


def _parse(output: str, errors: str) -> Parsed:
    items: dict[Item, None] = {}  # a file that is part of several targets is told once for each
    failures: list[str] = []
    finished = False
    for line in lines(output):
        said = json.loads(line)
        finished = finished or said["reason"] == "build-finished"
        message = said["message"] if said["reason"] == "compiler-message" else None
        if message is None or message["level"] == "failure-note":
            continue
        span = next((each for each in message["spans"] if each["is_primary"]), None)
        if span is None:
            if message["level"].startswith("error") and not message["message"].startswith("aborting due to"):
                failures.append(message["message"])
            continue
        while span["file_name"].startswith("<") and span["expansion"]:  # inside a macro: where that is used
            span = span["expansion"]["span"]
        label = f": {span['label']}" if span.get("label") else ""
        item = Item.at(
            span["file_name"],
            span["line_start"],
            span["column_start"],
            message["message"] + label,
            severity=message["level"].partition(":")[0],
            code=(message["code"] or {}).get("code"),
            end=(span["line_end"], span["column_end"]),
        )
        items[item] = None
    if "--locked was passed" in errors:
        failures.append("Cargo.lock is missing or out of date, and a check writes none: run cargo generate-lockfile")
    elif not finished:
        failures += list(lines(errors))[:1] or ["it did not say that it finished"]
    return Parsed(items=tuple(items), failures=tuple(failures))


CARGO_CHECK = Checker(
    id="cargo check",
    language="Rust",
    endings=(".rs",),
    program="cargo",
    invocations=_invocations,
    parse=_parse,
    root_markers=("Cargo.toml",),
    workspace_markers=RUST_ANALYZER.workspace_markers,
    found=frozenset({101}),
    install="see rustup",
    runs_project_code=True,  # build scripts and procedural macros
)

CHECKERS = (CARGO_CHECK,)
