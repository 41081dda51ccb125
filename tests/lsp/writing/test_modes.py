"""What is told: nothing, errors, warnings too, or all of it at the end of a turn."""

from __future__ import annotations

import asyncio

import pytest
from lsp.fakes import NONE, Fakes, error, missing, warning
from toolpost_lsp.turn import end_of_turn

pytestmark = pytest.mark.requirement("write:modes")

BOTH = "ERROR:one\nWARNING:two\n"


def test_off_tells_nothing_and_asks_nobody(fakes: Fakes) -> None:
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(diagnostics="off") as agent:
            assert await agent.write("a.fake", BOTH) == ""
            assert await end_of_turn(agent.run) is None
            assert "1 error, 1 warning" in (await agent.call("lsp", action="diagnostics", file="a.fake")).text

    asyncio.run(main())
    assert len(log.heard("textDocument/diagnostic")) == 1, "for the question alone"


@pytest.mark.requirement("write:fixed")
def test_errors_tells_of_errors_only(fakes: Fakes) -> None:
    async def main() -> None:
        async with fakes.open(diagnostics="errors") as agent:
            assert await agent.write("a.fake", BOTH) == f"1 new\n{error('a.fake', 1, 'one')}"
            assert await agent.write("a.fake", "ERROR:one\nWARNING:two\nWARNING:two\n") == NONE
            assert await agent.write("a.fake", "\n") == f"{NONE}\nfixed: 1", "mended warnings are not told either"

    asyncio.run(main())


def test_warnings_tells_of_both_and_is_the_default(fakes: Fakes) -> None:
    async def main() -> None:
        async with fakes.open() as agent:
            assert (
                await agent.write("a.fake", BOTH)
                == f"2 new\n{error('a.fake', 1, 'one')}\n{warning('a.fake', 2, 'two')}"
            )
            assert await agent.write("a.fake", "\n") == f"{NONE}\nfixed: 2"

    asyncio.run(main())


@pytest.mark.requirement("write:new-only", "write:elsewhere", "write:fixed")
def test_the_end_of_a_turn_tells_what_all_its_writes_broke(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\ndef core MAKES:core\n", "b.fake": "core NEEDS:core\n", "c.fake": "", "e.fake": ""})

    async def main() -> None:
        async with fakes.open(diagnostics="end_of_turn") as agent:
            assert await end_of_turn(agent.run) is None, "nothing was written"
            assert await agent.write("a.fake", "ERROR:old\nERROR:between\ndef core MAKES:core\n") == ""
            assert await agent.write("c.fake", "WARNING:two\n") == ""
            assert await agent.write("a.fake", "ERROR:one\ndef core\n") == ""
            assert await agent.write("d.fake", "ERROR:gone\n") == ""
            assert await agent.patch("*** Delete File: d.fake") == ""
            assert await agent.write("e.fake", "ERROR:x\n") == ""
            assert await agent.write("e.fake", "") == ""

            news = await end_of_turn(agent.run)
            assert news is not None
            assert news.text.splitlines() == [
                "2 new",
                error("a.fake", 1, "one"),
                warning("c.fake", 1, "two"),
                "1 new error in other files",
                missing("b.fake", 1, "core", column=6),
                "fixed: 1",
            ]
            assert news.data()["fixed"] == 1
            assert await end_of_turn(agent.run) is None, "the next turn begins"

            await agent.write("a.fake", "ERROR:one\n\ndef core\n")
            news = await end_of_turn(agent.run)
            assert news is not None and news.text == NONE

    asyncio.run(main())


def test_the_end_of_a_turn_moves_files_along(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n1\n2\n"})

    async def main() -> None:
        async with fakes.open(diagnostics="end_of_turn") as agent:
            assert await agent.patch("*** Update File: a.fake", "*** Move to: b.fake") == ""
            assert await agent.write("b.fake", "ERROR:old\n1\n2\nERROR:one\n") == ""
            news = await end_of_turn(agent.run)
            assert news is not None and news.text == f"1 new\n{error('b.fake', 4, 'one')}"

    asyncio.run(main())


def test_the_end_of_a_turn_of_a_run_without_the_plugin(fakes: Fakes) -> None:
    async def main() -> None:
        async with fakes.open(plugins=["files"]) as agent:
            assert await end_of_turn(agent.run) is None

    asyncio.run(main())
