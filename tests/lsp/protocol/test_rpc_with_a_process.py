"""JSON-RPC with a real process at the far end of real pipes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsp.protocol.far_end import unknown
from toolpost.processes import Process
from toolpost.testing import ScriptedPeer, open_run
from toolpost_lsp.protocol.errors import ConnectionLost
from toolpost_lsp.protocol.rpc import Connection


def meet(
    workspace: Path, peer: ScriptedPeer, work: Callable[[Connection, Process], Awaitable[Any]], **handlers: Any
) -> Any:
    handlers = {"on_request": unknown, "on_notification": lambda method, params: None, **handlers}

    async def main() -> Any:
        async with asyncio.timeout(30), open_run(workspace) as run:
            process = await run.scope.processes.spawn(peer.argv)
            assert process.stdout is not None and process.stdin is not None
            before = asyncio.all_tasks()
            connection = Connection(process.stdout, process.stdin, clock=run.scope.clock, **handlers)
            try:
                return await work(connection, process)
            finally:
                await connection.close()
                assert asyncio.all_tasks() <= before

    return asyncio.run(main())


def test_a_conversation(toolpost_workspace: Path, tmp_path: Path) -> None:
    peer = ScriptedPeer.write(
        tmp_path,
        [
            {"raw": "a greeting on standard output\n"},
            {"send": {"id": "c1", "method": "workspace/configuration", "params": {"items": [{}]}}},
            {"expect": {"method": "initialize"}, "reply": {"result": {"capabilities": {}}}},
            {"expect": {"id": "c1", "result": [None]}, "send": {"method": "window/logMessage", "params": {"n": 1}}},
            {"expect": {"method": "textDocument/hover"}, "reply": {"error": {"code": -32603, "message": "no"}}},
        ],
    )
    told: list[Any] = []

    async def on_request(method: str, params: Any) -> Any:
        return [None for _ in params["items"]]

    async def work(connection: Connection, process: Process) -> None:
        assert await connection.request("initialize", {"processId": None}) == {"capabilities": {}}
        with pytest.raises(Exception, match="no \\(-32603\\)"):
            await connection.request("textDocument/hover", {})
        assert connection.noise == "a greeting on standard output"
        await connection.close()  # which closes its input: it ends
        assert await process.wait() == 0

    meet(
        toolpost_workspace,
        peer,
        work,
        on_request=on_request,
        on_notification=lambda method, params: told.append((method, params)),
    )
    assert told == [("window/logMessage", {"n": 1})]


@pytest.mark.requirement("lsp:crash")
def test_death_in_the_middle_of_an_answer(toolpost_workspace: Path, tmp_path: Path) -> None:
    peer = ScriptedPeer.write(
        tmp_path, [{"expect": {}}, {"expect": {}}, {"raw": "Content-Length: 50\r\n\r\n{", "exit": 3}]
    )

    async def work(connection: Connection, process: Process) -> list[BaseException]:
        asked = (connection.request(name, {}, timeout=20) for name in "abc")
        return await asyncio.gather(*asked, return_exceptions=True)

    errors = meet(toolpost_workspace, peer, work)
    assert [type(each) for each in errors] == [ConnectionLost] * 3
    assert {str(each) for each in errors} == {
        "the server's output broke: the stream ended after 1 of 50 bytes of a message"
    }


@pytest.mark.requirement("lsp:crash")
def test_one_that_hangs_is_told_to_stop_and_can_still_be_left(toolpost_workspace: Path, tmp_path: Path) -> None:
    peer = ScriptedPeer.write(tmp_path, [{"expect": {"method": "slow"}}, {"expect": {}, "hang": True}])

    async def work(connection: Connection, process: Process) -> None:
        with pytest.raises(TimeoutError):
            await connection.request("slow", timeout=0.01)
        await connection.flush()
        while len(peer.received()) < 2:
            await asyncio.sleep(0)
        connection.notify("flood", "x" * 1_000_000)  # more than its pipe holds
        await process.kill()
        with pytest.raises(ConnectionLost):
            await connection.request("more")

    meet(toolpost_workspace, peer, work)
    slow, cancel = peer.received()
    assert (cancel["method"], cancel["params"]) == ("$/cancelRequest", {"id": slow["id"]})
