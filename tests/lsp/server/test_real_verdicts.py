"""Real servers find exactly the errors that a file has, after each of many edits (facts §2b, §4)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import pytest
from lsp.writing.projects import PROJECTS, put
from toolpost.testing import open_run
from toolpost_lsp.protocol.types import Severity
from toolpost_lsp.supervisor import Supervisor

SECONDS = 60
WAIT = 20.0
EDITS = 30
SEED = 11
MOST_LINES = 8  # some servers stop after ten errors, or twenty

Line = Callable[[int], str]


@attrs.frozen(kw_only=True)
class Language:
    """Lines of a file, each with a name of its own: a right one, a wrong one with one error, and one that says nothing."""

    right: Line
    wrong: Line
    comment: str
    head: str = ""


_PYTHON = Language(right=lambda n: f"a{n}: int = {n}", wrong=lambda n: f'a{n}: int = "😀"', comment="# é😀")
_UNDEFINED = Language(right=lambda n: f"a{n} = {n}", wrong=lambda n: f'"😀"; missing{n}', comment="# é😀")
LANGUAGES: Mapping[str, Language] = {
    "ty": _PYTHON,
    "pyright": _PYTHON,
    "pyrefly": _PYTHON,
    "zuban": _PYTHON,
    "ruff": _UNDEFINED,
    "typescript-language-server": Language(
        right=lambda n: f"export const a{n}: number = {n};",
        wrong=lambda n: f'export const a{n}: number = "😀";',
        comment="// é😀",
    ),
    "gopls": Language(
        right=lambda n: f"var a{n} int = {n}",
        wrong=lambda n: f'var a{n} int = "😀"',
        comment="// é😀",
        head="package main\n\nfunc main() {}\n",
    ),
    "clangd": Language(right=lambda n: f"int a{n} = {n};", wrong=lambda n: f"int a{n} = missing{n};", comment="// é😀"),
}
SLOW = ("clangd", "gopls", "pyrefly")  # each verdict of theirs waits for silence


def project_of(name: str) -> tuple[tuple[str, ...], str, Mapping[str, str]]:
    """What must be on PATH, the file that is edited, and the files that make it a project."""
    if name == "ruff":
        return ("ruff",), "core.py", {"ruff.toml": ""}
    project = PROJECTS[name]
    return project.programs, project.core, {each: text for each, text in project.files.items() if "." in each}


def edited(chance: random.Random, language: Language, lines: list[str], number: int) -> list[str]:
    """One line is put in, taken away or replaced; the line ends stay."""
    at = chance.randrange(len(lines) + 1)
    new = chance.choice([language.right(number), language.wrong(number), language.wrong(number), language.comment, ""])
    removed = 1 if len(lines) >= MOST_LINES else chance.randrange(2)
    return [*lines[:at], *([new] if chance.random() < 0.8 else []), *lines[at + removed :]]


def edits_of(name: str) -> list[object]:
    quick = 10 if name in SLOW else EDITS
    full = [pytest.param(name, EDITS, marks=pytest.mark.slow)] if quick < EDITS else []
    return [pytest.param(name, quick), *full]


@pytest.mark.requirement("write:three-answers", "lsp:fresh", "lsp:encoding")
@pytest.mark.parametrize(("name", "edits"), [each for name in LANGUAGES for each in edits_of(name)])
def test_every_verdict_has_exactly_the_errors_of_the_text(name: str, edits: int, tmp_path: Path, only: Path) -> None:
    language = LANGUAGES[name]
    programs, core, files = project_of(name)
    put(only, *programs)
    workspace = tmp_path / "project"
    workspace.mkdir()
    for each, text in files.items():
        (workspace / each).write_text(text.replace("{folder}", str(workspace)))

    async def main() -> None:
        chance = random.Random(SEED)
        lines = [language.right(1000), language.wrong(1001)]
        async with asyncio.timeout(SECONDS), open_run(workspace, ["files", "lsp"], trust="full") as run:
            supervisor: Supervisor = run.bindings["lsp"].handle
            for number in range(edits):
                lines = edited(chance, language, lines, number) if number else lines
                text = language.head + "".join(f"{line}\n" for line in lines)
                (workspace / core).write_text(text)
                (server,) = await supervisor.servers_for(core)
                assert server.definition.id == name
                document = await server.documents.open(core)
                verdict = await server.diagnose(document, until=server.clock.monotonic() + WAIT)
                errors = sorted(each.range.start.line for each in verdict.items if each.severity == Severity.ERROR)
                wrong = {language.wrong(n) for n in (*range(edits), 1001)}
                expected = [at for at, line in enumerate(text.split("\n")) if line in wrong]
                assert (verdict.known, errors) == (True, expected), (number, text, verdict)

    asyncio.run(main())
