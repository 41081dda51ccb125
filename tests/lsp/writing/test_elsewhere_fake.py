"""Errors that a write newly causes in other files, open or not, through the real plugin."""

from __future__ import annotations

import asyncio

import pytest
from lsp.fake.modes import Modes
from lsp.fakes import NONE, Fakes, error, missing, stopped, told

pytestmark = pytest.mark.requirement("write:elsewhere")

CORE, BROKEN = "def core MAKES:core\n", "def core\n"
PUSH = Modes(diagnostics="push", publishes_after=0.02)


@pytest.mark.requirement("write:fixed", "write:new-only")
@pytest.mark.parametrize("modes", [Modes(), Modes(diagnostics="command"), PUSH], ids=["pull", "command", "push"])
def test_a_closed_file_that_names_what_changed(modes: Modes, fakes: Fakes) -> None:
    fakes.install(modes)
    fakes.put(
        {
            "core.fake": CORE,
            "below/user.fake": "ERROR:old\n😀 core NEEDS:core WARNING:old\n",
            "stranger.fake": "ERROR:old\n",
        }
    )
    broken = f"1 new error in other files\n{missing('below/user.fake', 2, 'core', column=8)}"

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("core.fake", CORE + "\n") == NONE
            assert await agent.write("core.fake", BROKEN) == broken, "what was wrong there before is not told"
            assert await agent.write("core.fake", BROKEN + "\n") == NONE, "it is told already"
            assert await agent.write("core.fake", CORE) == f"{NONE}\nfixed: 1"
            assert await agent.write("core.fake", BROKEN) == broken, "it was mended, so it is new again"

    asyncio.run(main())


def test_what_another_file_breaks_in_the_writes_own_files_is_its_own(fakes: Fakes) -> None:
    fakes.put({"core.fake": CORE, "user.fake": "core NEEDS:core\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            said = await agent.patch(
                *("*** Update File: core.fake", "@@", f"-{CORE.strip()}", f"+{BROKEN.strip()}"),
                *("*** Update File: user.fake", "@@", "-core NEEDS:core", "+ core NEEDS:core"),
            )
            assert said == f"1 new\n{missing('user.fake', 1, 'core', column=7)}"
            both = await agent.patch(
                *("*** Update File: core.fake", "@@", f"-{BROKEN.strip()}", f"+{CORE.strip()}"),
                *("*** Update File: user.fake", "@@", "- core NEEDS:core", "+core NEEDS:core"),
            )
            assert both == f"{NONE}\nfixed: 1"

    asyncio.run(main())


def test_a_file_that_is_deleted_or_moved_breaks_its_users(fakes: Fakes) -> None:
    fakes.put({"core.fake": CORE, "user.fake": "core NEEDS:core\n"})
    broken = f"1 new error in other files\n{missing('user.fake', 1, 'core', column=6)}"

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("user.fake", "core NEEDS:core\n\n") == NONE
            assert await agent.patch("*** Delete File: core.fake") == broken
            assert await agent.write("core.fake", CORE) == f"{NONE}\nfixed: 1"

    asyncio.run(main())


def test_warnings_in_other_files_are_theirs(fakes: Fakes) -> None:
    fakes.put({"core.fake": CORE, "user.fake": "core WARNING:old ERROR:old\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("core.fake", BROKEN) == NONE

    asyncio.run(main())


def test_twenty_files_are_looked_at_and_ten_errors_shown(fakes: Fakes) -> None:
    fakes.put({"core.fake": CORE, **{f"user{number:02}.fake": "core NEEDS:core\n" for number in range(30)}})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open() as agent:
            lines = (await agent.write("core.fake", BROKEN)).splitlines()
            assert lines[0] == "20 new errors in other files"
            assert lines[1].startswith("20 × user")
            assert len(lines) == 2

    asyncio.run(main())
    opened = {each["textDocument"]["uri"] for each in log.heard("textDocument/didOpen")}
    assert len(opened) == 1 + 20


def test_a_server_that_publishes_is_shown_five(fakes: Fakes) -> None:
    fakes.put({"core.fake": CORE, **{f"user{number:02}.fake": "core NEEDS:core\n" for number in range(30)}})
    fakes.install(PUSH)

    async def main() -> None:
        async with fakes.open() as agent:
            assert (await agent.write("core.fake", BROKEN)).startswith("5 new errors in other files\n")

    asyncio.run(main())


@pytest.mark.requirement("write:ledger")
def test_what_a_server_publishes_of_files_that_are_not_open(fakes: Fakes) -> None:
    # No definition changes, so nobody looks for the users of it.
    fakes.put({"core.fake": "MAKES:core\n", "user.fake": "ERROR:old\n😀 NEEDS:core WARNING:old\n"})
    fakes.install(Modes(diagnostics="push", publishes_closed=True))
    broken = f"1 new error in other files\n{missing('user.fake', 2, 'core', column=3)}"

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("core.fake", "\nMAKES:core\n") == NONE
            assert await agent.write("core.fake", "") == broken
            assert await agent.write("core.fake", "\n") == NONE
            assert await agent.write("core.fake", "MAKES:core\n") == f"{NONE}\nfixed: 1"
            assert await agent.write("core.fake", "") == broken

    asyncio.run(main())


@pytest.mark.requirement("write:bounded")
def test_other_files_that_are_not_looked_at_in_time_are_counted_and_told_late(fakes: Fakes) -> None:
    users = {f"user{number}.fake": "core NEEDS:core\n" for number in range(3)}
    fakes.put({"core.fake": CORE, **users})
    log = fakes.install()

    async def main() -> None:
        async with fakes.open(speed=3.0) as agent:
            assert await agent.write("core.fake", CORE + "\n") == NONE
            with stopped(log):
                said = await agent.write("core.fake", BROKEN)
                assert said.splitlines()[0].startswith("diagnostics not known yet (waited ")
                assert said.splitlines()[1:] == ["3 other files not checked in time"]
            await agent.late()
            late = told(await agent.call("read", path="core.fake"))
            assert "3 new errors in other files" in late and missing("user2.fake", 1, "core", column=6) in late
            assert await agent.write("core.fake", BROKEN + "\n") == NONE

    asyncio.run(main())


def test_a_changed_body_is_no_reason_to_tell_of_what_was_wrong_before(fakes: Fakes) -> None:
    fakes.put({"core.fake": "def core(a):\n    x\n", "user.fake": "core ERROR:old\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("core.fake", "def core(a):\n    ERROR:y\n") == (
                f"1 new\n{error('core.fake', 2, 'y', column=5)}"
            )

    asyncio.run(main())
