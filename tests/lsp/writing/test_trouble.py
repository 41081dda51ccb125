"""Writes with several servers, with servers that die, several at once, and cancelled ones."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest
from lsp.fake.modes import Modes
from lsp.fakes import NONE, Fakes, error, stopped, told, warning
from toolpost import Tier

UNAVAILABLE = "diagnostics not available (see lsp status)"


@pytest.mark.requirement("write:first-line", "write:new-only", "write:ledger")
def test_two_servers_of_one_file_are_merged_and_named(fakes: Fakes) -> None:
    fakes.install()
    fakes.install(Modes(finds=("WARNING",)), id="lint", role="lint")

    async def main() -> None:
        async with fakes.open() as agent:
            said = await agent.write("a.fake", "ERROR:one\nWARNING:two\n")
            assert said == f"2 new\n{error('a.fake', 1, 'one')}\n{warning('a.fake', 2, 'two', 'fake, lint')}"
            assert await agent.write("a.fake", "\nERROR:one\nWARNING:two\n") == NONE

    asyncio.run(main())


@pytest.mark.requirement("write:three-answers", "write:ledger")
def test_of_two_servers_one_answers(fakes: Fakes) -> None:
    fakes.put({"a.fake": "\n"})
    fakes.install(Modes(finds=("ERROR",)))
    lint = fakes.install(Modes(finds=("WARNING",)), id="lint", role="lint")

    async def main() -> None:
        async with fakes.open(speed=3.0) as agent:
            assert await agent.write("a.fake", "0\n") == NONE
            with stopped(lint):
                lines = (await agent.write("a.fake", "ERROR:one\nWARNING:two\n")).splitlines()
                assert lines[:2] == ["1 new", error("a.fake", 1, "one")]
                assert lines[2].startswith("lint: diagnostics not known yet (waited ")
            await agent.late()
            assert warning("a.fake", 2, "two", "lint") in told(await agent.call("read", path="a.fake"))
            os.kill(lint.starts()[-1], signal.SIGKILL)
            fixed = await agent.write("a.fake", "WARNING:two\n")
            assert "1 new" not in fixed and "fixed: 1" in fixed

    asyncio.run(main())


@pytest.mark.requirement("write:three-answers")
def test_a_server_that_dies_during_a_write_is_started_anew_for_the_next(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n"})
    log = fakes.install(Modes(dies_on="textDocument/diagnostic", faulty_starts=1))

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("a.fake", "ERROR:old\nERROR:one\n") == UNAVAILABLE
            # What was there before is known to the new one too: it is shown that first.
            said = await agent.write("a.fake", "ERROR:old\nERROR:one\nERROR:two\n")
            assert said == f"1 new\n{error('a.fake', 3, 'two')}"

    asyncio.run(main())
    assert len(log.starts()) == 2


@pytest.mark.requirement("write:ledger", "write:three-answers")
def test_a_server_that_is_killed_takes_no_ledger_along(fakes: Fakes) -> None:
    fakes.put({"a.fake": "\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("a.fake", "ERROR:one\n") == f"1 new\n{error('a.fake', 1, 'one')}"
            os.kill(log.starts()[-1], signal.SIGKILL)
            assert "1 new" not in await agent.write("a.fake", "\nERROR:one\n")
            assert await agent.write("a.fake", "\n\nERROR:one\n") == NONE

    asyncio.run(main())


@pytest.mark.requirement("write:three-answers", "write:first-line")
def test_a_server_that_does_not_start_is_not_available(fakes: Fakes) -> None:
    fakes.install(Modes(exits=3))

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("a.fake", "ERROR:one\n") == UNAVAILABLE
            status = (await agent.call("lsp", action="status")).text
            assert "the fake server does not want to" in status, "server trouble stands there"

    asyncio.run(main())


@pytest.mark.requirement("write:wraps", "write:bounded")
def test_a_cancelled_write_leaves_a_run_that_can_be_used(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n"})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("a.fake", "ERROR:old\n\n") == NONE
            with stopped(log):
                call = asyncio.create_task(agent.call("write", path="a.fake", content="ERROR:old\nERROR:one\n"))
                while "ERROR:one" not in (fakes.workspace / "a.fake").read_text():
                    await asyncio.sleep(0)
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
            # Nobody was told of the first error, so the next write tells both.
            said = await agent.write("a.fake", "ERROR:old\nERROR:one\nERROR:two\n")
            rest = told(await agent.call("read", path="a.fake"))
            assert error("a.fake", 3, "two") in said
            assert f"{said}\n{rest}".count("says one") == 1

    asyncio.run(main())


@pytest.mark.requirement("write:new-only", "write:wraps")
def test_a_write_that_fails_tells_nothing_and_changes_nothing(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("a.fake", "ERROR:old\n\n") == NONE
            failed = await agent.run.surface(Tier.EXEC).call("edit", {"path": "a.fake", "old": "nowhere", "new": "x"})
            assert failed.is_error and told(failed) == ""
            assert await agent.write("a.fake", "ERROR:old\nERROR:one\n") == f"1 new\n{error('a.fake', 2, 'one')}"

    asyncio.run(main())


@pytest.mark.requirement("write:new-only", "write:ledger")
@pytest.mark.parametrize(
    "modes",
    [Modes(delays={"textDocument/diagnostic": 0.05}), Modes(diagnostics="push", publishes_after=0.02)],
    ids=["pull", "push"],
)
def test_writes_to_different_files_at_once(modes: Modes, fakes: Fakes) -> None:
    paths = [f"{number}.fake" for number in range(5)]
    fakes.put(dict.fromkeys(paths, "ERROR:old\n"))
    fakes.install(modes)

    async def main() -> None:
        async with fakes.open() as agent:
            for code in ("cold", "warm"):
                said = await asyncio.gather(
                    *(agent.write(path, f"ERROR:old\nERROR:{code}{number}\n") for number, path in enumerate(paths))
                )
                for number, path in enumerate(paths):
                    assert said[number].splitlines()[:2] == ["1 new", error(path, 2, f"{code}{number}")], said

    asyncio.run(main())


@pytest.mark.requirement("write:sync", "write:new-only")
def test_texts_with_other_line_ends_byte_order_marks_and_wide_characters(fakes: Fakes) -> None:
    before = "\ufeffERROR:old\r\n😀é ERROR:odd\r\n"
    fakes.put({"a.fake": before})
    expected: list[tuple[str, str]] = [
        ("\ufeffERROR:old\r\n\r\n😀é ERROR:odd\r\n", NONE),
        ("ERROR:old\r\n\r\n😀é ERROR:odd\r\n", NONE),
        ("ERROR:old\n\n😀é ERROR:odd\n", NONE),
        ("ERROR:old\r\r😀é ERROR:odd ERROR:one", f"1 new\n{error('a.fake', 3, 'one', column=14)}"),
        ("ERROR:old\r\n😀é ERROR:odd ERROR:one\r\n", NONE),
    ]

    async def main() -> None:
        async with fakes.open() as agent:

            async def write(path: str, text: str) -> str:
                (fakes.workspace / path).write_bytes(text.encode())
                return ""

            wrapped: Any = agent.run.wrap_write(
                write, paths=lambda path, text: [path], merge=lambda _, notes: "\n".join(each.text for each in notes)
            )
            for text, answer in expected:
                assert await wrapped("a.fake", text) == answer, text

    asyncio.run(main())
    assert fakes.logs["fake"].heard("textDocument/didSave")[-1]["text"] == expected[-1][0]
