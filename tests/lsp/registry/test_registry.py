"""The records of the servers: those that are shipped are sound, and another's that are not cost nobody anything."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest
from toolpost import Extension
from toolpost_lsp.checkers.known import CHECKERS
from toolpost_lsp.registry import compose, shipped
from toolpost_lsp.server.definition import ServerDefinition

EVERY = pytest.mark.parametrize("definition", shipped(), ids=lambda each: each.id)
GOOD: dict[str, Any] = {
    "id": "loxd",
    "languages": {".lox": "lox"},
    "command": ("loxd", "--stdio"),
    "root_markers": ("lox.toml",),
}


def record(**fields: Any) -> Extension:
    return Extension(name="lox", distribution="lox-server", value=ServerDefinition(**{**GOOD, **fields}))


# ---- those that are shipped -----------------------------------------------------------------------------------------


def test_no_two_have_one_id() -> None:
    ids = [each.id for each in shipped()]
    assert len(ids) == len(set(ids))


@EVERY
def test_each_would_be_taken_from_a_third_party_too(definition: ServerDefinition) -> None:
    whole = compose((), [Extension(name="x", distribution="d", value=definition)])
    assert (list(whole.definitions), whole.problems) == ([definition.id], ())


@EVERY
def test_each_says_how_it_is_installed(definition: ServerDefinition) -> None:
    assert definition.install and not definition.install.endswith(".")


@EVERY
def test_each_ending_is_one(definition: ServerDefinition) -> None:
    for ending in definition.languages:
        assert ending.startswith(".") or "." in ending, "a whole name has an ending too"
        assert ending == ending.lower() and "/" not in ending and "*" not in ending
        assert definition.language_of(f"in/a{ending}" if ending.startswith(".") else f"in/{ending}")


@EVERY
def test_each_command_is_a_name_that_path_answers(definition: ServerDefinition) -> None:
    for program, *_ in (definition.command, *definition.alternatives):
        assert "/" not in program and not program.startswith(".")


@EVERY
def test_each_marker_can_be_looked_up(definition: ServerDefinition) -> None:
    markers = (definition.root_markers, definition.workspace_markers, definition.excluded_by, definition.chosen_by)
    for marker in (each for group in markers for each in group):
        file, _, key = marker.partition("#")
        assert not file.startswith("/") and ".." not in file.split("/") and file.count("/") <= 1
        assert not key or file.endswith((".toml", ".json", ".ini", ".cfg")), "only these are read"
        assert not ("*" in file and "/" in file), "a path is no glob"


@EVERY
def test_each_number_is_in_bounds(definition: ServerDefinition) -> None:
    assert 0 < definition.settle <= 1
    assert 0 <= definition.reconfigures <= 5
    assert definition.ready_log is None or re.compile(definition.ready_log)


@EVERY
def test_each_checker_that_repeats_it_is_known(definition: ServerDefinition) -> None:
    assert set(definition.checkers) <= {each.id for each in CHECKERS}


def test_of_one_language_the_order_is_settled() -> None:
    seen: dict[tuple[str, int], str] = {}
    for definition in (each for each in shipped() if each.role == "types"):
        for ending in definition.languages:
            other = seen.setdefault((ending, definition.priority), definition.id)
            assert other == definition.id, f"{other} and {definition.id} are of one rank for {ending}"


@pytest.mark.requirement("lsp:untrusted")
@pytest.mark.parametrize(
    "server", ["rust-analyzer", "jdtls", "eslint", "pyrefly", "zls", "dart", "lua-language-server"]
)
def test_one_that_runs_the_projects_code_says_so(server: str) -> None:
    assert compose(shipped()).definitions[server].runs_project_code


# ---- names of files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.ts", "typescript"),
        ("a.d.ts", "typescript"),
        ("in/deep.er/a.tsx", "typescriptreact"),
        ("go.mod", "go.mod"),
        ("in/go.mod", "go.mod"),
        ("x.go.mod", None),
        ("a.TS", None),
        ("ts", None),
        ("a.ts/b", None),
        ("", None),
    ],
)
def test_the_language_of_a_file_follows_from_its_name(path: str, language: str | None) -> None:
    takers = compose(shipped()).takers(path)
    found = {each.language_of(path) for each in takers}
    assert found == ({language} if language else set())


def test_the_longest_ending_counts() -> None:
    both = record(languages={".lox": "lox", ".d.lox": "declaration"})
    whole = compose((), [both])
    assert [each.language_of("a.d.lox") for each in whole.takers("a.d.lox")] == ["declaration"]


# ---- those of third parties -----------------------------------------------------------------------------------------


@pytest.mark.requirement("core:third-party")
def test_another_distributions_record_is_one_more() -> None:
    whole = compose(shipped(), [record()])
    assert whole.problems == ()
    assert whole.origins == {"loxd": "lox-server"}
    assert [each.id for each in whole.takers("a.lox")] == ["loxd"]


@pytest.mark.requirement("core:third-party")
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"id": ""}, "its id"),
        ({"id": "lox\nd"}, "its id"),
        ({"id": 3}, "its id"),
        ({"languages": {}}, "languages"),
        ({"languages": ".lox"}, "languages"),
        ({"languages": [".lox"]}, "languages"),
        ({"languages": {".lox": None}}, "languages"),
        ({"languages": {1: "lox"}}, "languages"),
        ({"command": "loxd"}, "command is not a tuple"),
        ({"command": ()}, "no command"),
        ({"command": ("",)}, "no command"),
        ({"command": ("loxd", 9)}, "command is not a tuple"),
        ({"alternatives": ("loxd-2",)}, "alternatives"),
        ({"alternatives": (("loxd", 2),)}, "alternatives"),
        ({"alternatives": 7}, "alternatives"),
        ({"root_markers": ()}, "no root_markers"),
        ({"root_markers": "lox.toml"}, "root_markers is not a tuple"),
        ({"workspace_markers": "lox.toml"}, "workspace_markers is not a tuple"),
        ({"excluded_by": "lox.toml"}, "excluded_by is not a tuple"),
        ({"chosen_by": None}, "chosen_by is not a tuple"),
        ({"version_probe": "--version"}, "version_probe is not a tuple"),
        ({"env": ["A=1"]}, "env"),
        ({"env": {"A": 1}}, "env"),
        ({"settings": [1]}, "settings"),
        ({"role": "linter"}, "'linter'"),
    ],
)
def test_a_bad_record_is_told_with_what_is_wrong_and_not_used(fields: dict[str, Any], says: str) -> None:
    whole = compose(shipped(), [record(**fields), record(id="other")])
    assert set(whole.definitions) == {each.id for each in shipped()} | {"other"}
    (problem,) = whole.problems
    assert says in problem and "lox-server is not used" in problem and "\n" not in problem


@pytest.mark.requirement("core:third-party")
def test_an_id_that_is_taken_stays_with_who_has_it() -> None:
    first, second = record(), attrs.evolve(record(command=("other",)), distribution="other-lox")
    whole = compose(shipped(), [first, second, record(id="ruff")])
    assert whole.definitions["loxd"].command == ("loxd", "--stdio")
    assert whole.definitions["ruff"].command[0] == "ruff"
    assert whole.problems == (
        "server 'loxd' of other-lox is not used: lox-server has one of that id",
        "server 'ruff' of lox-server is not used: toolpost-lsp has one of that id",
    )


@pytest.mark.requirement("core:third-party")
def test_a_record_that_cannot_be_had_is_told() -> None:
    broken = Extension(name="lox", distribution="lox-server", error="lox of lox-server: ImportError: no such module")
    whole = compose(shipped(), [broken, record()])
    assert whole.problems == ("lox of lox-server: ImportError: no such module",)
    assert "loxd" in whole.definitions
