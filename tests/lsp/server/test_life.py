"""A server's life: it starts once, says in one line why it did not, and leaves nothing behind when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from lsp.fake.log import runs
from lsp.fake.modes import Modes
from lsp.server.serving import Serving, codes, serve
from toolpost_lsp.protocol.errors import ConnectionLost
from toolpost_lsp.server.errors import Unavailable

SYMBOLS = "workspace/symbol"
QUERY = {"query": ""}


def one_line(reason: str) -> bool:
    return bool(reason) and "\n" not in reason and len(reason) <= 500


def nothing_runs(peer: Serving) -> bool:
    return not any(map(runs, (*peer.log.starts(), *peer.log.children())))


def test_it_starts_with_the_first_question_and_once(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        server = peer.server
        assert server.state == "starting" and server.pid is None
        await asyncio.gather(server.started(), server.request(SYMBOLS, QUERY), server.started())
        assert server.state == "running" and server.reason == ""
        assert peer.log.starts() == [server.pid]

    serve(folder, work)


def test_it_is_introduced_to_its_project(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.server.started()
        (said,) = await peer.heard("initialize")
        assert said["processId"] == os.getpid()
        assert said["rootUri"] == folder.as_uri() and said["workspaceFolders"] == [
            {"uri": folder.as_uri(), "name": "project"}
        ]
        assert said["initializationOptions"] == {"own": 1}
        (configured,) = await peer.heard("workspace/didChangeConfiguration")
        assert configured == {"settings": {"a": {"b": 1}}}

    serve(folder, work, initialization_options={"own": 1}, settings={"a.b": 1})


def test_who_stops_waiting_for_a_start_does_not_stop_it(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        waiting = asyncio.create_task(peer.server.started())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        await peer.server.started()
        assert len(peer.log.starts()) == 1

    serve(folder, work)


@pytest.mark.requirement("lsp:crash")
def test_one_that_ends_at_once_says_why(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(Unavailable, match="exit code 3.*the fake server does not want to"):
            await peer.server.started()
        assert peer.server.state == "crashed" and one_line(peer.server.reason)
        with pytest.raises(Unavailable):
            await peer.server.request(SYMBOLS, QUERY)

    serve(folder, work, Modes(exits=3))


@pytest.mark.parametrize("command", [("/no/such/program",), ("/",), ("/etc/hostname",)])
def test_one_that_cannot_be_started_says_why(folder: Path, command: tuple[str, ...]) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(Unavailable, match=command[0]):
            await peer.server.started()
        assert one_line(peer.server.reason)

    serve(folder, work, command=command)


def test_one_with_an_impossible_command_says_why(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(Unavailable):
            await peer.server.started()
        assert one_line(peer.server.reason)

    serve(folder, work, command=("/bin/true", "a\0b"))


@pytest.mark.parametrize(
    ("said", "expected"),
    [("echo not a server", "not a server"), ("echo oh no >&2", "oh no"), ("exit 0", "exit code 0")],
)
def test_a_program_that_is_no_language_server_says_what_it_printed(folder: Path, said: str, expected: str) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(Unavailable, match=expected):
            await peer.server.started()
        assert one_line(peer.server.reason)

    serve(folder, work, command=("/bin/sh", "-c", said))


@pytest.mark.requirement("lsp:crash")
def test_one_that_hangs_at_its_start_is_given_up_and_dies(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(TimeoutError):
            await peer.server.request(SYMBOLS, QUERY, timeout=10)
        with pytest.raises(Unavailable, match="45 s"):
            await peer.server.started()
        await peer.server.close()
        assert nothing_runs(peer)

    serve(folder, work, Modes(hangs_on="initialize"), speed=60)


@pytest.mark.requirement("lsp:crash")
def test_a_crash_fails_every_question_that_waits(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake", "def go\n")
        place = {"textDocument": {"uri": document.uri}, "position": {"line": 0, "character": 4}}
        mute = [asyncio.create_task(peer.server.request("textDocument/references", place)) for _ in range(3)]
        await peer.heard("textDocument/references", 3)
        with pytest.raises(ConnectionLost, match="exit code 7; its last words: fatal: the fake server is out of ideas"):
            await peer.server.request("textDocument/hover", place)
        for failed in await asyncio.gather(*mute, return_exceptions=True):
            assert isinstance(failed, ConnectionLost)
        assert peer.server.state == "crashed" and one_line(peer.server.reason)
        assert "out of ideas" in peer.server.stderr_tail()
        with pytest.raises(Unavailable):
            await peer.server.request(SYMBOLS, QUERY)
        assert (await peer.server.diagnose(document, until=peer.server.clock.monotonic() + 1)).state == "crashed"

    serve(folder, work, Modes(dies_on="textDocument/hover", mute=("textDocument/references",)))


@pytest.mark.requirement("lsp:crash")
def test_one_that_is_killed_says_by_which_signal(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.server.started()
        os.kill(peer.log.starts()[0], signal.SIGKILL)
        await peer.until(lambda: peer.server.state == "crashed")
        assert f"signal {signal.SIGKILL:d}" in peer.server.reason

    serve(folder, work)


def test_it_ends_politely(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.server.started()
        await asyncio.gather(peer.server.close(), peer.server.close())
        assert peer.server.state == "closed" and peer.server.pid is None
        assert len(peer.log.heard("shutdown")) == len(peer.log.heard("exit")) == 1
        assert nothing_runs(peer)
        with pytest.raises(Unavailable):
            await peer.server.started()

    serve(folder, work)


@pytest.mark.requirement("lsp:crash")
@pytest.mark.parametrize(
    "modes",
    [
        pytest.param(Modes(stubborn=True, mute=("shutdown",)), marks=pytest.mark.slow),
        Modes(children=2),
        Modes(hangs_on="shutdown"),
        Modes(fails_on=("shutdown",)),
        Modes(dies_on="shutdown"),
    ],
)
def test_however_it_behaves_it_is_dead_after_its_end(folder: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        await peer.server.started()
        async with asyncio.timeout(8):
            await peer.server.close()
        assert nothing_runs(peer)

    serve(folder, work, modes, speed=10)


@pytest.mark.parametrize("modes", [Modes(), Modes(starts_after=60.0), Modes(hangs_on="initialize"), Modes(exits=1)])
def test_it_can_be_ended_at_any_moment_of_its_start(folder: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        waiting = asyncio.create_task(peer.server.started())
        for _ in range(20):
            await asyncio.sleep(0)
        await peer.server.close()
        with pytest.raises(Unavailable, match="closed"):
            await waiting
        assert nothing_runs(peer)

    for _ in range(3):
        serve(folder, work, modes)


def test_it_can_be_ended_once_its_program_runs(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        waiting = asyncio.create_task(peer.server.started())
        while peer.server.pid is None:
            await asyncio.sleep(0)
        await peer.server.close()
        await asyncio.wait({waiting})
        assert nothing_runs(peer)

    serve(folder, work, Modes(starts_after=60.0))


def test_one_that_was_never_asked_is_ended_without_a_start(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.server.close()
        with pytest.raises(Unavailable):
            await peer.server.started()
        assert peer.log.starts() == []

    serve(folder, work)


def test_what_it_prints_never_stops_it(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        assert codes(await peer.diagnose("a.fake", "ERROR:one\n")) == ["one"]
        assert 0 < len(peer.server.stderr_tail()) <= 64 * 1024

    serve(folder, work, Modes(floods=3_000_000, garbage="Welcome!\n"))


def test_an_answer_that_comes_too_late_is_not_waited_for_and_not_wanted(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake", "def go\n")
        place = {"textDocument": {"uri": document.uri}, "position": {"line": 0, "character": 4}}
        with pytest.raises(TimeoutError):
            await peer.server.request("textDocument/hover", place, timeout=0.05)
        assert len(await peer.heard("$/cancelRequest")) == 1
        assert not peer.server.busy

    serve(folder, work, Modes(mute=("textDocument/hover",)))
