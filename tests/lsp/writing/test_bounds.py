"""A write waits 1.5 s for warm servers and 5 s in any case, whatever is wrong; a file of no server costs nothing."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from lsp.fake.modes import Modes
from lsp.fakes import NONE, Agent, Fakes, error, stopped, told
from toolpost_lsp.server.documents import MOST_BYTES

pytestmark = pytest.mark.requirement("write:bounded")

WARM, COLD = 1.5, 5.0
SLACK = 0.3
"""Real seconds that this machine may take on top."""


@asynccontextmanager
async def within(seconds: float, agent: Agent, speed: float) -> AsyncIterator[None]:
    """The block takes so many seconds of the run's clock at most."""
    clock = agent.run.scope.clock
    began = clock.monotonic()
    yield
    assert clock.monotonic() - began < seconds + SLACK * speed


@pytest.mark.requirement("write:three-answers")
def test_a_server_that_hangs_blocks_no_write_and_is_left_alone_for_a_while(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x\n"})
    log, speed = fakes.install(), 4.0

    async def main() -> None:
        async with fakes.open(speed=speed) as agent:
            assert await agent.write("a.fake", "0\n") == NONE
            with stopped(log):
                for number in range(2):
                    async with within(WARM, agent, speed):
                        said = await agent.write("a.fake", f"ERROR:n{number}\n")
                    assert re.fullmatch(r"diagnostics not known yet \(waited \d\.\d s\)", said)
                async with within(0.1, agent, speed):
                    said = await agent.write("a.fake", "ERROR:three\n")
                assert said == "diagnostics not available (see lsp status)", "twice in a row is enough"

    asyncio.run(main())


def test_two_servers_that_do_not_answer_cost_one_wait(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x\n"})
    logs = [fakes.install(), fakes.install(id="lint", role="lint")]
    speed = 3.0

    async def main() -> None:
        async with fakes.open(speed=speed) as agent:
            assert await agent.write("a.fake", "0\n") == NONE
            with stopped(logs[0]), stopped(logs[1]):
                async with within(WARM, agent, speed):
                    said = await agent.write("a.fake", "1\n")
            lines = [re.sub(r"\d\.\d", "N", line) for line in said.splitlines()]
            assert lines == [f"{name}: diagnostics not known yet (waited N s)" for name in ("fake", "lint")]

    asyncio.run(main())


@pytest.mark.parametrize(
    "modes",
    [Modes(hangs_on="initialize"), Modes(mute=("textDocument/diagnostic",)), Modes(starts_after=600.0)],
    ids=["hangs at its start", "is mute", "starts too slowly"],
)
def test_a_cold_server_is_waited_for_once(modes: Modes, fakes: Fakes) -> None:
    fakes.install(modes)
    speed = 10.0

    async def main() -> None:
        async with fakes.open(speed=speed) as agent:
            for bound in (COLD, WARM):
                async with within(bound, agent, speed):
                    said = await agent.write("a.fake", f"ERROR:one{bound}\n")
                assert re.fullmatch(r"diagnostics not known yet \(waited \d\.\d s\)", said), said

    asyncio.run(main())


def test_many_files_of_one_write_share_one_wait_and_those_beyond_forty_are_named(fakes: Fakes) -> None:
    paths = [f"{number:02}.fake" for number in range(60)]
    fakes.put(dict.fromkeys(paths, "x\n"))
    speed = 2.0

    async def main() -> None:
        async with fakes.open(speed=speed) as agent:
            assert await agent.write("a.fake", "0\n") == NONE
            async with within(WARM, agent, speed):
                said = await agent.patch(
                    *(line for path in paths for line in (f"*** Update File: {path}", "@@", "-x", "+ERROR:one"))
                )
            lines = said.splitlines()
            assert lines[:2] == ["40 new", f"40 × {error('00.fake', 1, 'one')}"]
            assert re.fullmatch(
                r"fake: diagnostics not known for 40\.fake, .*44\.fake and 15 more: too many files for one write",
                lines[2],
            )

    asyncio.run(main())
    opened = fakes.logs["fake"].heard("textDocument/didOpen")
    assert len({each["textDocument"]["uri"] for each in opened}) <= 41


@pytest.mark.requirement("write:three-answers")
def test_files_that_no_server_can_be_shown_are_told_at_once(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x\n"})
    texts: dict[str, bytes] = {
        "large.fake": b"ERROR:one\n" * (10_000_000 // 10),
        "binary.fake": b"ERROR:one\0\n",
        "latin.fake": "ERROR:one é\n".encode("latin-1"),
    }
    reasons = {"large.fake": f"{MOST_BYTES} at most", "binary.fake": "it is binary", "latin.fake": "it is not UTF-8"}

    async def main() -> None:
        async with fakes.open() as agent:

            async def write(path: str, data: bytes) -> str:
                (fakes.workspace / path).write_bytes(data)
                return ""

            wrapped = agent.run.wrap_write(
                write, paths=lambda path, data: [path], merge=lambda _, notes: "\n".join(each.text for each in notes)
            )
            assert await agent.write("a.fake", "0\n") == NONE
            for path, data in texts.items():
                for _ in range(2):  # a new file, and one that was there before
                    async with within(1.0, agent, 1.0):
                        said = await wrapped(path, data)
                    assert said.startswith(f"diagnostics not available: {path}: ") and reasons[path] in said, said
                # What was unreadable is not known to have been wrong before.
                assert "not known yet" in await wrapped(path, b"ERROR:one\n")
                assert await wrapped(path, b"ERROR:one\n\n") == NONE

    asyncio.run(main())


@pytest.mark.requirement("write:no-server-no-cost")
def test_a_file_of_no_server_has_no_note_and_costs_nothing(fakes: Fakes) -> None:
    log = fakes.install(Modes(watches=("**/*",)))

    async def times(agent: Agent) -> list[float]:
        async def write(path: str) -> None:
            took.append(-time.perf_counter())
            (fakes.workspace / path).write_bytes(os.urandom(8))

        took: list[float] = []
        notes: list[Any] = []
        wrapped = agent.run.wrap_write(write, paths=lambda path: [path], merge=lambda _, found: notes.extend(found))
        for number in range(100):
            began = time.perf_counter()
            await wrapped(f"{number % 7}.nobody")
            took[-1] = time.perf_counter() - began
        assert notes == []
        return sorted(took)

    async def main() -> None:
        async with fakes.open(plugins=["files"]) as without:
            plain = await times(without)
        async with fakes.open() as agent:
            idle = await times(agent)
            assert log.starts() == []
            assert told(await agent.call("write", path="a.nobody", content="ERROR:one\n")) == ""
            assert await agent.write("a.fake", "0\n") == NONE
            beside = await times(agent)
            # The servers that run hear of such files all the same, before their next question.
            await agent.write("a.fake", "1\n")
        for found in (idle, beside):
            assert found[50] - plain[50] < 0.001

    asyncio.run(main())
    changed = {
        each["uri"].rpartition("/")[2]
        for told in log.heard("workspace/didChangeWatchedFiles")
        for each in told["changes"]
    }
    assert "0.nobody" in changed
