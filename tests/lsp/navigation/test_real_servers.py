"""The same answers from real servers: they count columns in their own ways, and offer different things."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.navigation.doubles import in_run
from lsp.servers import program
from toolpost import Result
from toolpost_lsp.diagnostics.of_file import diagnostics
from toolpost_lsp.navigation.actions import code_actions, lsp_fix
from toolpost_lsp.navigation.goto import definition, implementation, type_definition
from toolpost_lsp.navigation.hover import hover
from toolpost_lsp.navigation.references import references
from toolpost_lsp.navigation.symbols import symbols
from toolpost_lsp.server.definition import ServerDefinition
from toolpost_lsp.server.server import Server

HANDLERS = {
    each.__name__: each
    for each in (
        definition,
        type_definition,
        implementation,
        references,
        hover,
        symbols,
        code_actions,
        lsp_fix,
        diagnostics,
    )
}
PYTHON = {".py": "python"}
DEFINITIONS = {
    "ty": ServerDefinition(id="ty", languages=PYTHON, command=("ty", "server"), root_markers=(".git",)),
    "ruff": ServerDefinition(
        id="ruff", languages=PYTHON, command=("ruff", "server"), root_markers=(".git",), role="lint"
    ),
    "pyright": ServerDefinition(
        id="pyright",
        languages=PYTHON,
        command=("pyright-langserver", "--stdio"),
        root_markers=(".git",),
        ready_log=r"Found \d+ source file|No source files found",
    ),
    "clangd": ServerDefinition(
        id="clangd", languages={".c": "c", ".h": "c"}, command=("clangd",), root_markers=(".git",), indexes=True
    ),
}

CORE = '''\
import os


class Store:
    """A store of `things`."""

    def load(self, name: str) -> int:
        """Load it."""
        return len(name)


def make() -> Store:
    return Store()


bad: int = "😀"; x = undefined
'''
USE = 'from core import Store, make\n\n"😀é"; make().load("é") + Store().load("b")\n'


@attrs.frozen
class Asked:
    """The answers of one run, by the question's name."""

    answers: Mapping[str, Result]

    def text(self, name: str) -> str:
        return self.answers[name].text


def ask(folder: Path, names: tuple[str, ...], questions: Mapping[str, tuple[str, dict[str, Any]]]) -> Asked:
    programs = {name: program(DEFINITIONS[name].command[0]) for name in names}

    def start(supervisor: Any) -> list[Any]:
        return [
            Server(
                definition=DEFINITIONS[name],
                command=(found, *DEFINITIONS[name].command[1:]),
                root=supervisor.scope.workspace,
                scope=supervisor.scope,
                env={"PATH": os.environ["PATH"]},
            )
            for name, found in programs.items()
        ]

    async def work(run: Any, surface: Any, supervisor: Any) -> Asked:
        try:
            return Asked({name: await surface.call(*question) for name, question in questions.items()})
        finally:
            for server in supervisor.servers:
                await server.close()

    return in_run(folder, HANDLERS, start, work)


def at(file: str, line: int, symbol: str, **more: Any) -> dict[str, Any]:
    return {"file": file, "line": line, "symbol": symbol, **more}


@pytest.fixture(scope="module", params=[("ty", "ruff"), ("pyright", "ruff")], ids=lambda names: names[0])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("python")
    (folder / "core.py").write_text(CORE)
    for number in range(3):
        (folder / f"use{number}.py").write_text(USE)
    remove = "Ruff (F401): Remove unused import: `os`"
    return ask(
        folder,
        request.param,
        {
            "references": ("references", at("core.py", 7, "load")),
            "definition": ("definition", at("use0.py", 3, "make")),
            "last": ("definition", at("use0.py", 3, "Store().load(")),
            "same": ("definition", at("use0.py", 3, "load")),
            "builtin": ("definition", at("core.py", 9, "len")),
            "hover": ("hover", at("use0.py", 3, "make().load")),
            "query": ("symbols", {"query": "load"}),
            "outline": ("symbols", {"file": "core.py"}),
            "diagnostics": ("diagnostics", {"file": "core.py"}),
            "fixes": ("code_actions", at("core.py", 1, "os")),
            "fix": ("lsp_fix", at("core.py", 1, "os", title=remove)),
        },
    )


class TestPython:
    @pytest.mark.requirement("lsp:encoding", "lsp:line-symbol")
    def test_symbols_behind_emoji_are_found_in_any_encoding(self, python: Asked):
        assert python.text("definition").splitlines()[1] == "core.py:12  def make() -> Store:"
        assert python.text("last").splitlines()[1] == "core.py:7  def load(self, name: str) -> int:"

    @pytest.mark.requirement("lsp:symbol-ambiguous")
    def test_a_symbol_twice_on_a_line_with_one_meaning_is_no_question(self, python: Asked):
        assert python.text("same").splitlines()[1] == "core.py:7  def load(self, name: str) -> int:"

    @pytest.mark.requirement("lsp:readiness")
    def test_the_very_first_references_are_whole(self, python: Asked):
        text = python.text("references")
        assert text.splitlines()[:2] == [
            "7 references to load in 4 files; the first is its definition",
            "core.py:7  def load(self, name: str) -> int:",
        ]
        ranges = [each["range"]["start"]["character"] for each in python.answers["references"].data["places"]]
        assert ranges == [8, *[13, 33] * 3]

    def test_what_is_outside_is_named_as_such(self, python: Asked):
        assert python.text("builtin").endswith("(outside the workspace)")

    def test_hover_gives_signature_and_documentation(self, python: Asked):
        assert "load(name: str) -> int" in python.text("hover")
        assert "Load it." in python.text("hover")

    def test_symbols_are_found_by_name_and_by_file(self, python: Asked):
        assert "core.py:7  method load" in python.text("query")
        assert "4-9  class Store\n  7-9  method load" in python.text("outline")

    @pytest.mark.requirement("lsp:multi-server")
    def test_diagnostics_of_two_servers_are_merged_and_named(self, python: Asked):
        lines = python.text("diagnostics").splitlines()
        assert lines[0].startswith("core.py: 3 errors")
        assert [line.split(":")[1:3] for line in lines[1:4]] == [["16", "12"], ["16", "21"], ["16", "21"]]
        assert any(line.endswith("(ruff)") for line in lines[1:])

    @pytest.mark.requirement("lsp:fix")
    def test_a_quick_fix_is_listed_and_staged(self, python: Asked):
        assert "Ruff (F401): Remove unused import: `os` (ruff)" in python.text("fixes")
        assert "-import os" in python.text("fix")
        assert python.answers["fix"].data["edit_id"] == "edit_1"


class TestClangd:
    @pytest.mark.requirement("lsp:fix", "lsp:line-symbol")
    def test_a_symbol_of_an_included_file_is_found_and_an_error_fixed(self, tmp_path: Path):
        (tmp_path / "a.h").write_text("int add(int a, int b);\n")
        (tmp_path / "a.c").write_text('#include "a.h"\nint f(void) { char *s = "é😀"; return add(1, s[0]) }\n')
        asked = ask(
            tmp_path,
            ("clangd",),
            {
                "definition": ("definition", at("a.c", 2, "add")),
                "hover": ("hover", at("a.c", 2, "add")),
                "diagnostics": ("diagnostics", {"file": "a.c"}),
                "fix": ("lsp_fix", at("a.c", 2, "s#2", title="insert ';'")),
            },
        )
        assert asked.text("definition").splitlines()[1] == "a.h:1  int add(int a, int b);"
        assert "int add(int a, int b)" in asked.text("hover")
        assert "expected_semi_after_stmt" in asked.text("diagnostics")
        assert asked.answers["fix"].data["edits"] == 1
