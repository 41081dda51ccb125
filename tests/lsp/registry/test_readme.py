"""The README is true: its tables are what the code has, and its record is taken."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest
from toolpost import Extension
from toolpost_lsp.config import LspConfig
from toolpost_lsp.registry import GROUP, compose, shipped

README = (Path(__file__).resolve().parents[3] / "plugins/lsp/README.md").read_text()


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    section = README.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    return rows[2:]


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found, f"there is no block of {language}"
    return found[1]


def test_it_names_every_server_and_what_installs_it() -> None:
    assert table("Servers") == [
        [each.id, " ".join(f"`{ending}`" for ending in each.languages), each.install] for each in shipped()
    ]


def test_its_servers_stand_in_the_order_in_which_they_are_taken() -> None:
    known = compose(shipped()).definitions
    by_language: dict[str, list[int]] = {}
    for name, *_ in table("Servers"):
        for language in set(known[name].languages.values()) if known[name].role == "types" else ():
            by_language.setdefault(language, []).append(known[name].priority)
    assert all(priorities == sorted(priorities) for priorities in by_language.values())


def test_it_names_every_option_and_its_default() -> None:
    told = {name.strip("`"): default.strip("`") for name, default, _ in table("Configuration")}
    defaults: dict[str, Any] = attrs.asdict(LspConfig())
    assert told.keys() == defaults.keys()
    for name, value in defaults.items():
        assert told[name] == (f"{value:g}" if isinstance(value, (int, float)) else value or "none")


@pytest.mark.requirement("core:trust")
def test_it_names_every_server_that_needs_full_trust() -> None:
    [told] = [text for trust, text in table("Trust") if trust == "`full`"]
    assert told.rpartition(": ")[2].split(", ") == [each.id for each in shipped() if each.runs_project_code]


@pytest.mark.requirement("core:third-party")
def test_its_record_is_taken() -> None:
    [entry] = tomllib.loads(block("toml"))["project"]["entry-points"][GROUP].values()
    names: dict[str, Any] = {}
    exec(block("python"), names)
    record = Extension(name="lox", distribution="lox-server", value=names[entry.partition(":")[2]])
    whole = compose(shipped(), [record])
    assert whole.problems == () and "loxd" in whole.definitions
