"""What a server says of a write after it was waited for: behind the next result, once, and only if it still holds."""

from __future__ import annotations

import asyncio
import re

import pytest
from lsp.fakes import NONE, Agent, Fakes, error, stopped, told, warning

pytestmark = pytest.mark.requirement("write:bounded", "write:three-answers")

UNKNOWN = re.compile(r"diagnostics not known yet \(waited \d\.\d s\)")
SPEED = 3.0


async def read(agent: Agent) -> str:
    """What stands behind the result of a tool that has nothing to do with it."""
    return told(await agent.call("read", path="a.fake"))


@pytest.mark.requirement("write:ledger")
def test_it_stands_behind_the_next_result_with_its_version(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert await agent.write("a.fake", "ERROR:old\n\n") == NONE
            with stopped(log):
                assert UNKNOWN.fullmatch(await agent.write("a.fake", "ERROR:old\nERROR:one\nWARNING:two\n"))
                assert await read(agent) == "", "it is not known yet"
            await agent.late()
            version = agent.supervisor.running[0].documents.get("a.fake").version
            assert await read(agent) == (
                f"late, of a.fake (version {version}): 2 new\n{error('a.fake', 2, 'one')}\n{warning('a.fake', 3, 'two')}"
            )
            assert await read(agent) == "", "once"
            assert await agent.write("a.fake", "ERROR:one\n\nWARNING:two\n") == f"{NONE}\nfixed: 1", "it is reported"

    asyncio.run(main())


def test_that_there_is_nothing_new_is_told_late_too(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert await agent.write("a.fake", "ERROR:old\n\n") == NONE
            with stopped(log):
                assert UNKNOWN.fullmatch(await agent.write("a.fake", "\n"))
            await agent.late()
            assert re.fullmatch(r"late, of a.fake \(version \d+\): no new problems\nfixed: 1", await read(agent))

    asyncio.run(main())


def test_it_is_dropped_if_the_file_changed_since(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert await agent.write("a.fake", "\n") == NONE
            with stopped(log):
                assert UNKNOWN.fullmatch(await agent.write("a.fake", "ERROR:one\n"))
            await agent.late()
            fakes.put({"a.fake": "mended by a person\n"})
            assert await read(agent) == ""

    asyncio.run(main())


@pytest.mark.requirement("write:new-only", "write:ledger")
@pytest.mark.parametrize("answered", [False, True], ids=["while it is looked at", "before it is told"])
def test_of_two_writes_nothing_is_lost_and_nothing_told_twice(answered: bool, fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n", "b.fake": ""})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert await agent.write("a.fake", "ERROR:old\n\n") == NONE
            assert await agent.write("b.fake", "\n") == NONE
            with stopped(log):
                first = await agent.patch(
                    *("*** Update File: a.fake", "@@", " ERROR:old", "-", "+ERROR:one"),
                    *("*** Update File: b.fake", "@@", "-", "+WARNING:b"),
                )
                assert UNKNOWN.match(first) and first.endswith(" for a.fake, b.fake")
            if answered:
                await agent.late()
                # It is not told yet: the second write comes first.
            second = await agent.write("a.fake", "ERROR:old\nERROR:one\nERROR:two\n")
            rest = await read(agent)
            lines = sorted(line for line in f"{second}\n{rest}".splitlines() if ":" in line and "late" not in line)
            assert lines == [error("a.fake", 2, "one"), error("a.fake", 3, "two"), warning("b.fake", 1, "b")]
            assert await agent.write("a.fake", "ERROR:old\nERROR:one\nERROR:two\n\n") == NONE
            assert await agent.write("b.fake", "WARNING:b\n\n") == NONE

    asyncio.run(main())


@pytest.mark.requirement("write:ledger")
def test_two_writes_that_both_came_late(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert await agent.write("a.fake", "ERROR:old\n\n") == NONE
            with stopped(log):
                assert UNKNOWN.fullmatch(await agent.write("a.fake", "ERROR:old\nERROR:one\n"))
                assert UNKNOWN.fullmatch(await agent.write("a.fake", "ERROR:old\nERROR:one\nERROR:two\n"))
            await agent.late()
            late = await read(agent)
            assert late.splitlines()[1:] == [error("a.fake", 2, "one"), error("a.fake", 3, "two")]
            assert await read(agent) == ""

    asyncio.run(main())


@pytest.mark.requirement("write:ledger")
def test_a_verdict_that_never_comes_changes_nothing(fakes: Fakes) -> None:
    fakes.put({"a.fake": "\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert "1 new" in await agent.write("a.fake", "ERROR:one\n")
            with stopped(log):
                assert UNKNOWN.fullmatch(await agent.write("a.fake", "\n\n"))
            await agent.late()
            # What came late was not delivered, so it is not known to anybody that the error was mended.
            fakes.put({"a.fake": "\n\n\n"})
            assert await read(agent) == ""
            assert await agent.write("a.fake", "ERROR:one\n") == NONE
            second = await agent.write("a.fake", "ERROR:one\nERROR:one\n")
            assert second == f"1 new\n{error('a.fake', 2, 'one')}"

    asyncio.run(main())


def test_a_run_ends_with_what_is_looked_at(fakes: Fakes) -> None:
    fakes.put({"a.fake": "\n", "b.fake": "\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=SPEED) as agent:
            assert await agent.write("a.fake", "x\n") == NONE
            with stopped(log):
                said = await asyncio.gather(agent.write("a.fake", "1\n"), agent.write("b.fake", "2\n"))
                assert all(map(UNKNOWN.fullmatch, said)), said

    asyncio.run(main())
