"""What a server says while it takes in a new configuration is not believed, nor what one says that cannot check."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsp.fake.installed import installed
from lsp.fake.modes import Modes
from toolpost import Result, Tier, allow_all
from toolpost.testing import open_run
from toolpost_lsp.registry import shipped

ESLINT = next(each for each in shipped() if each.id == "eslint")
URI = "file:///project/a.js"
SECONDS = 30

Ask = Callable[..., Awaitable[Result]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "fake.toml").write_text("")
    (folder / "one.fake").write_text("ERROR:one\n")
    return folder


def ask_in(folder: Path, main: Callable[[Ask], Awaitable[None]], **fields: Any) -> None:
    async def run_it() -> None:
        async with asyncio.timeout(SECONDS), open_run(folder, ["files", "lsp"], approver=allow_all) as run:

            async def ask(tool: str, **arguments: Any) -> Result:
                return await run.surface(Tier.WRITE).call(tool, arguments)

            await main(ask)

    with installed(folder.parent / "packages", Modes(), **fields):
        asyncio.run(run_it())


@pytest.mark.requirement("lsp:fresh", "write:three-answers")
def test_nothing_is_known_while_a_server_takes_in_its_configuration(folder: Path) -> None:
    async def main(ask: Ask) -> None:
        assert "1 error" in (await ask("lsp", action="diagnostics", file="one.fake")).text
        await ask("write", path="fake.toml", content="new = 1\n")
        assert "diagnostics not known yet" in (await ask("write", path="one.fake", content="ERROR:one\n\n")).text

    ask_in(folder, main, reconfigures=100.0)


@pytest.mark.requirement("lsp:fresh")
def test_it_is_asked_as_soon_as_it_has_had_the_time_that_it_needs(folder: Path) -> None:
    async def main(ask: Ask) -> None:
        assert "1 error" in (await ask("lsp", action="diagnostics", file="one.fake")).text
        (folder / "fake.toml").write_text("new = 1\n")
        assert "1 error" in (await ask("lsp", action="diagnostics", file="one.fake")).text

    ask_in(folder, main, reconfigures=0.1)


@pytest.mark.requirement("write:three-answers")
def test_a_server_without_the_program_that_finds_problems_calls_nothing_clean(folder: Path) -> None:
    async def main(ask: Ask) -> None:
        told = await ask("lsp", action="diagnostics", file="one.fake")
        assert told.is_error and "not available" in told.text, told.text
        assert "not available" in (await ask("write", path="one.fake", content="\n")).text
        assert "finds no problems: no-such-program is not on PATH" in (await ask("lsp", action="status")).text

    ask_in(folder, main, finds_with="no-such-program")


@pytest.mark.requirement("write:three-answers")
def test_a_server_that_finds_some_problems_only_says_which(folder: Path) -> None:
    async def main(ask: Ask) -> None:
        told = await ask("lsp", action="diagnostics", file="one.fake")
        assert told.text.splitlines()[0] == "one.fake: 1 error (fake: finds typing errors only)"
        assert "finds typing errors only" in (await ask("lsp", action="status")).text

    ask_in(folder, main, finds="typing errors only")


@pytest.mark.requirement("lsp:readiness")
def test_a_server_whose_references_do_not_reach_everywhere_says_how_far(folder: Path) -> None:
    (folder / "one.fake").write_text("def go\n")

    async def main(ask: Ask) -> None:
        told = await ask("lsp", action="references", file="one.fake", line=1, symbol="go")
        assert told.text.splitlines()[0].endswith("; fake looks at this file only")

    ask_in(folder, main, reach="this file only")


@pytest.mark.requirement("write:three-answers")
@pytest.mark.parametrize(
    ("method", "params", "able"),
    [
        ("eslint/noLibrary", {"source": {"uri": URI}}, False),
        ("eslint/noConfig", {"message": "none", "document": {"uri": URI}}, False),
        ("eslint/status", {"uri": URI, "state": 3}, False),
        ("eslint/status", {"uri": URI, "state": 1, "validationTime": 5}, True),
    ],
)
def test_eslint_says_whether_it_could_check(method: str, params: dict[str, Any], able: bool) -> None:
    assert ESLINT.unable is not None
    said = ESLINT.unable(method, params)
    assert said is not None and said[0] == URI and bool(said[1]) is not able


@pytest.mark.parametrize("params", [None, [], {}, {"source": None}, {"source": {"uri": 1}}])
def test_malformed_messages_of_eslint_say_nothing(params: Any) -> None:
    assert ESLINT.unable is not None
    assert ESLINT.unable("eslint/noLibrary", params) is None
    assert ESLINT.unable("window/logMessage", params) is None
