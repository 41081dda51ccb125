"""The scripted peer, met through the run's own processes as a language server or a debug adapter is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from toolpost.processes import Decoder, Process, encode
from toolpost.testing import ScriptedPeer, open_run


def meet(workspace: Path, peer: ScriptedPeer, work: Callable[[Process], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with asyncio.timeout(30), open_run(workspace) as run:
            return await work(await run.scope.processes.spawn(peer.argv))

    return asyncio.run(main())


async def ask(process: Process, message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(encode(json.dumps(message).encode()))
    await process.stdin.drain()


async def hear(process: Process, count: int) -> list[dict[str, Any]]:
    assert process.stdout is not None
    decoder, heard = Decoder(), []
    while len(heard) < count:
        data = await process.stdout.read(1 << 16)
        assert data, "the peer is gone"
        heard += [json.loads(each) for each in decoder.feed(data)]
    return heard


def test_it_answers_by_the_protocols_own_numbers_and_keeps_what_it_heard(toolpost_workspace: Path, tmp_path: Path):
    peer = ScriptedPeer.write(
        tmp_path,
        [
            {"expect": {"method": "initialize", "params": {"rootUri": None}}, "reply": {"result": {}}},
            {
                "expect": {"command": "launch"},
                "reply": {"type": "response", "success": True},
                "send": [{"event": "a"}, {"event": "b"}],
            },
            {"exit": 7},
        ],
    )

    async def work(process: Process) -> int:
        await ask(process, {"id": 5, "method": "initialize", "params": {"rootUri": None, "more": 1}})
        assert await hear(process, 1) == [{"id": 5, "result": {}}]
        await ask(process, {"seq": 2, "command": "launch"})
        assert await hear(process, 3) == [
            {"request_seq": 2, "type": "response", "success": True},
            {"event": "a"},
            {"event": "b"},
        ]
        return await process.wait()

    assert meet(toolpost_workspace, peer, work) == 7
    assert [message.get("method") or message["command"] for message in peer.received()] == ["initialize", "launch"]


def test_what_it_does_not_expect_ends_it_and_is_told(toolpost_workspace: Path, tmp_path: Path):
    peer = ScriptedPeer.write(tmp_path, [{"expect": {"method": "initialize"}}])

    async def work(process: Process) -> tuple[int, str]:
        await ask(process, {"id": 1, "method": "shutdown"})
        return await process.wait(), process.stderr_tail()

    code, told = meet(toolpost_workspace, peer, work)
    assert code == 4
    assert "expects {'method': 'initialize'}" in told


@pytest.mark.requirement("core:processes")
def test_one_that_hangs_ends_with_its_run(toolpost_workspace: Path, tmp_path: Path):
    peer = ScriptedPeer.write(tmp_path, [{"expect": {}, "hang": True}])

    async def work(process: Process) -> Process:
        await ask(process, {"id": 1})
        return process

    assert meet(toolpost_workspace, peer, work).returncode == -9


def test_it_can_send_what_is_no_frame(toolpost_workspace: Path, tmp_path: Path):
    peer = ScriptedPeer.write(tmp_path, [{"raw": "HTTP/1.1 200 OK\r\n\r\n", "exit": 0}])

    async def work(process: Process) -> bytes:
        assert process.stdout is not None
        return await process.stdout.read()

    assert meet(toolpost_workspace, peer, work) == b"HTTP/1.1 200 OK\r\n\r\n"


def test_a_misspelt_step_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="there is no 'expct'"):
        ScriptedPeer.write(tmp_path, [{"expct": {}}])
