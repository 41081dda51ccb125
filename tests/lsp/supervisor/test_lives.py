"""When a server is started anew, when it is left alone, and when it makes room for another (lsp:crash)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import attrs
import pytest
from lsp.fake.definition import definition
from lsp.fake.modes import Modes
from toolpost import Run
from toolpost.testing import FakeClock, open_run
from toolpost_lsp.config import LspConfig
from toolpost_lsp.detection.detect import Usable
from toolpost_lsp.lives import PATIENCE, PAUSES, REST, WITHIN, Life, Lives
from toolpost_lsp.server.server import Server

CRASHES = len(PAUSES)


def usable(root: str, name: str = "fake") -> Usable:
    known = definition(Modes(), id=name)
    return Usable(definition=known, command=known.command, root=root, marker="fake.toml")


def play(
    workspace: Path, work: Callable[[Lives, FakeClock, Run], Awaitable[None]], config: LspConfig | None = None
) -> None:
    """Servers that nobody starts, under a clock that stands still."""

    async def main() -> None:
        clock = FakeClock()
        async with open_run(workspace, [], clock=clock) as run:
            lives = Lives(scope=run.scope, config=config or LspConfig())
            await work(lives, clock, run)
            await lives.close()

    asyncio.run(main())


def life_of(lives: Lives, server: Server) -> Life:
    life = lives.find(server)
    assert life is not None
    return life


def crash(server: Server) -> None:
    server.state = "crashed"


@pytest.mark.requirement("lsp:crash")
def test_the_same_server_is_given_as_long_as_it_lives(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        server = lives.of(usable("/a"))
        assert lives.of(usable("/a")) is server
        assert lives.of(usable("/b")) is not server
        assert lives.of(usable("/a", "other")) is not server

    play(toolpost_workspace, work)


@pytest.mark.requirement("lsp:crash")
def test_one_that_crashed_is_started_anew_after_ever_longer_pauses_and_not_for_ever(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        server = lives.of(usable("/a"))
        for pause in PAUSES:
            crash(server)
            if pause:
                assert lives.of(usable("/a")) is server, "it is given as it is, so that it says why"
                await clock.advance(pause)
            fresh = lives.of(usable("/a"))
            assert fresh is not server and fresh.state == "starting"
            server = fresh
        crash(server)
        await clock.advance(2 * max(PAUSES))
        assert lives.of(usable("/a")) is server
        assert life_of(lives, server).restarts == CRASHES
        await clock.advance(WITHIN)
        assert lives.of(usable("/a")) is not server

    play(toolpost_workspace, work)


@pytest.mark.requirement("lsp:crash")
def test_one_that_does_not_answer_rests_then_is_asked_once_more_then_is_started_anew(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        server = lives.of(usable("/a"))
        server.state = "running"
        life = life_of(lives, server)
        for _ in range(PATIENCE):
            assert life.state == "running" and life.rest == 0
            life.timed_out()
        assert life.state == "resting" and life.rest == REST
        assert lives.of(usable("/a")) is server
        await clock.advance(REST)
        assert life.state == "running" and lives.of(usable("/a")) is server
        life.timed_out()
        assert lives.of(usable("/a")) is not server

    play(toolpost_workspace, work)


def test_an_answer_forgives_what_came_before(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        server = lives.of(usable("/a"))
        server.state = "running"
        life = life_of(lives, server)
        for _ in range(3):
            life.timed_out()
            life.answered()
        assert life.state == "running"
        life.timed_out()
        life.timed_out()
        life.answered()
        assert life.rest == 0 and lives.of(usable("/a")) is server

    play(toolpost_workspace, work)


def test_the_one_that_was_used_least_recently_makes_room(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        first, second = lives.of(usable("/1")), lives.of(usable("/2"))
        await clock.advance(10)
        assert lives.of(usable("/1")) is first
        await clock.advance(10)
        third = lives.of(usable("/3"))
        assert {each.server for each in lives} == {first, third}
        await asyncio.sleep(0)
        assert second.state == "closed"

    play(toolpost_workspace, work, LspConfig(servers=2))


def test_servers_of_one_call_do_not_make_room_for_each_other(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        both = {lives.of(usable("/1", "types")), lives.of(usable("/1", "lint"))}
        assert {each.server for each in lives} == both

    play(toolpost_workspace, work, LspConfig(servers=1))


def test_what_nobody_uses_for_ten_minutes_ends(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        old = lives.of(usable("/old"))
        await asyncio.sleep(0)
        await clock.advance(400)
        used = lives.of(usable("/used"))
        await clock.advance(201)
        await asyncio.sleep(0)
        assert [each.server for each in lives] == [used]
        assert old.state == "closed" and used.state == "starting"

    play(toolpost_workspace, work)


def test_one_that_is_asked_something_neither_makes_room_nor_ends(
    toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Server, "busy", property(lambda self: self.root == "/busy"))

    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        busy = lives.of(usable("/busy"))
        await clock.advance(10)
        lives.of(usable("/idle"))
        await clock.advance(10)
        fresh = lives.of(usable("/fresh"))
        assert {each.server for each in lives} == {busy, fresh}
        await asyncio.sleep(0)
        await clock.advance(601)
        await asyncio.sleep(0)
        assert [each.server for each in lives] == [busy]

    play(toolpost_workspace, work, LspConfig(servers=2))


@pytest.mark.requirement("lsp:crash")
def test_one_that_is_started_anew_makes_room_for_itself(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        crash(lives.of(usable("/1")))
        await clock.advance(10)
        lives.of(usable("/2"))
        await clock.advance(10)
        third = lives.of(usable("/3"))
        await clock.advance(10)
        again = lives.of(usable("/1"))
        assert {each.server for each in lives} == {again, third}

    play(toolpost_workspace, work, LspConfig(servers=2))


@pytest.mark.requirement("lsp:crash")
def test_one_that_is_started_anew_is_started_as_it_is_found_now(toolpost_workspace: Path) -> None:
    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        crash(lives.of(usable("/a")))
        found = attrs.evolve(usable("/a"), command=("/another",), settings={"interpreter": "/a/.venv"})
        server = lives.of(found)
        assert (server.command, server.settings) == (("/another",), {"interpreter": "/a/.venv"})
        assert life_of(lives, server).usable is found

    play(toolpost_workspace, work)


def test_closing_ends_all(toolpost_workspace: Path) -> None:
    made: list[Server] = []

    async def work(lives: Lives, clock: FakeClock, run: Run) -> None:
        made.extend(lives.of(usable(f"/{number}")) for number in range(3))

    play(toolpost_workspace, work)
    assert [each.state for each in made] == ["closed"] * 3
