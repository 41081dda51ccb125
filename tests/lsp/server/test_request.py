"""A question and its answer: asked again where a change overtook it, and never longer than it may take."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsp.fake.modes import Modes
from lsp.server.serving import SECONDS, Serving, codes, serve
from toolpost.testing import FakeClock
from toolpost_lsp.protocol.errors import CONTENT_MODIFIED, METHOD_NOT_FOUND, ResponseError
from toolpost_lsp.server.bell import Bell

HOVER = "textDocument/hover"


async def at(peer: Serving, line: int, character: int) -> dict[str, Any]:
    document = await peer.open("a.fake")
    return {"textDocument": {"uri": document.uri}, "position": {"line": line, "character": character}}


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize("times", [1, 3])
def test_a_question_that_a_change_overtook_is_asked_again(folder: Path, times: int) -> None:
    (folder / "a.fake").write_text("def go\n")

    async def work(peer: Serving) -> None:
        said = await peer.server.request(HOVER, await at(peer, 0, 4))
        assert said["contents"]["value"] == "go: 1 uses"
        assert len(peer.log.heard(HOVER)) == times + 1

    serve(folder, work, Modes(modified=times))


def test_it_is_not_asked_again_for_ever(folder: Path) -> None:
    (folder / "a.fake").write_text("def go\n")

    async def work(peer: Serving) -> None:
        with pytest.raises(ResponseError) as refused:
            await peer.server.request(HOVER, await at(peer, 0, 4))
        assert refused.value.code == CONTENT_MODIFIED
        assert len(peer.log.heard(HOVER)) == 4

    serve(folder, work, Modes(modified=1000))


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize("times", [1, 5])
def test_problems_are_asked_for_until_no_change_overtakes_the_question(folder: Path, times: int) -> None:
    async def work(peer: Serving) -> None:
        assert codes(await peer.diagnose("a.fake", "ERROR:one\n")) == ["one"]

    serve(folder, work, Modes(modified=times), speed=3)


def test_another_error_is_an_answer(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(ResponseError) as refused:
            await peer.server.request("own/question", {})
        assert refused.value.code == METHOD_NOT_FOUND and "no own/question" in str(refused.value)
        assert len(peer.log.heard("own/question")) == 1

    serve(folder, work)


def test_the_time_for_a_question_counts_from_its_first_attempt(folder: Path) -> None:
    (folder / "a.fake").write_text("def go\n")

    async def work(peer: Serving) -> None:
        place, clock = await at(peer, 0, 4), peer.server.clock
        began = clock.monotonic()
        with pytest.raises((TimeoutError, ResponseError)):
            await peer.server.request(HOVER, place, timeout=0.08)
        assert clock.monotonic() - began < 1

    serve(folder, work, Modes(modified=1000))


def test_answers_come_to_those_who_asked(folder: Path) -> None:
    words = [f"word{number}" for number in range(50)]
    (folder / "a.fake").write_text("".join(f"{word}\n" * (number + 1) for number, word in enumerate(words)))

    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake")
        lines = [document.text.split("\n").index(word) for word in words]
        places = [await at(peer, line, 0) for line in lines]
        said = await asyncio.gather(*(peer.server.request(HOVER, each) for each in places))
        assert [each["contents"]["value"] for each in said] == [
            f"{word}: {number + 1} uses" for number, word in enumerate(words)
        ]

    serve(folder, work)


@pytest.mark.requirement("lsp:encoding")
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-16", "utf-32"])
def test_places_are_counted_as_the_server_counts(folder: Path, encoding: Any) -> None:
    (folder / "a.fake").write_text("😀é one e\u0301 two\n")

    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake")
        for word in ("one", "two"):
            position = document.index.position(document.text.index(word), peer.server.encoding)
            said = await peer.server.request(HOVER, await at(peer, position.line, position.character))
            assert said["contents"]["value"] == f"{word}: 1 uses"

    serve(folder, work, Modes(encoding=encoding))


# ---- the bell ----


async def settled() -> None:
    """Every task has come to where it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_who_waits_is_woken_by_the_bell_or_by_the_time() -> None:
    async def main() -> None:
        clock = FakeClock()
        bell = Bell(clock)
        waiting = [asyncio.create_task(bell.wait(clock.monotonic() + seconds)) for seconds in (1, 10, float("inf"))]
        await settled()
        await clock.advance(2)
        await asyncio.wait({waiting[0]})
        assert waiting[0].result() is False and not waiting[1].done()
        bell.ring()
        assert await asyncio.gather(*waiting[1:]) == [True, True]
        assert await bell.wait(clock.monotonic()) is False

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_a_condition_that_holds_is_not_waited_for() -> None:
    async def main() -> None:
        clock = FakeClock()
        bell = Bell(clock)
        assert await bell.wait_for(lambda: True, clock.monotonic() - 1)
        assert not await bell.wait_for(lambda: False, clock.monotonic())
        seen: list[int] = []
        waiting = asyncio.create_task(bell.wait_for(lambda: len(seen) > 1, float("inf")))
        for number in range(3):
            await settled()
            seen.append(number)
            bell.ring()
        assert await waiting

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_who_stops_waiting_leaves_the_others_waiting() -> None:
    async def main() -> None:
        bell = Bell(FakeClock())
        one, other = (asyncio.create_task(bell.wait(float("inf"))) for _ in range(2))
        await settled()
        one.cancel()
        await asyncio.wait({one})
        assert not other.done()
        bell.ring()
        assert await other

    asyncio.run(asyncio.wait_for(main(), SECONDS))
