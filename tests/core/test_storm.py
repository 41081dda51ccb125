"""200 calls at once, of mixed tiers, cancelled at random: no lock stays held, no task and no process stays alive."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import pytest
from toolpost import Change, Result, Tier, allow_all, digest
from toolpost.testing import open_run, plugin, tool

ROUNDS = 20 if os.environ.get("TOOLPOST_FULL") == "1" else 3


def tools(processes: list[int]) -> list[Any]:
    async def read(params: Any, call: Any) -> str:
        await asyncio.sleep(random.random() / 100)
        return "read"

    async def write(params: Any, call: Any) -> str:
        path = f"{random.randrange(4)}.txt"
        data = call.scope.files.read(path)
        await call.apply([Change(path=path, seen=digest(data), after=data + b"x")], label="grow")
        return "written"

    async def exclusive(params: Any, call: Any) -> str:
        await asyncio.sleep(random.random() / 200)
        return (await call.call("read", {})).text

    async def spawn(params: Any, call: Any) -> str:
        process = await call.scope.processes.spawn(["sleep", "60"])
        processes.append(process.pid)
        await asyncio.sleep(random.random() / 50)
        await process.kill()
        return "killed"

    async def stage(params: Any, call: Any) -> str:
        data = call.scope.files.read("0.txt")
        return call.stage_edit([Change(path="0.txt", seen=digest(data), after=data + b"y")], label="stage")

    async def raises(params: Any, call: Any) -> str:
        await asyncio.sleep(0)
        raise RuntimeError("a tool that breaks")

    return [
        tool("read", read),
        tool("write", write, tier=Tier.WRITE),
        tool("exclusive", exclusive, tier=Tier.EXEC, exclusive=True),
        tool("spawn", spawn, tier=Tier.EXEC),
        tool("stage", stage, tier=Tier.WRITE, stages=True),
        tool("raises", raises),
    ]


@pytest.mark.requirement("core:cancel", "core:parallel", "core:processes")
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_storm_of_calls_leaves_nothing_held_and_nothing_alive(
    workspace: Path, seed: int, caplog: pytest.LogCaptureFixture
):
    random.seed(seed)
    for number in range(4):
        (workspace / f"{number}.txt").write_text("")
    processes: list[int] = []

    async def main() -> None:
        names = ["read", "write", "exclusive", "spawn", "stage", "raises", "resolve"]
        async with (
            asyncio.timeout(60),
            open_run(workspace, [plugin("storm", *tools(processes))], approver=allow_all) as run,
        ):
            surface = run.surface(Tier.EXEC)

            def start() -> asyncio.Task[Result]:
                name = random.choice(names)
                return asyncio.create_task(surface.call(name, {"action": "discard"} if name == "resolve" else {}))

            calls = [start() for _ in range(200)]
            while any(not call.done() for call in calls):
                await asyncio.sleep(random.random() / 200)
                if random.random() < 0.7:
                    random.choice(calls).cancel()
            assert list(run.calls) == []
            # Every lock is free: each kind of call answers at once.
            for name in ("read", "write", "exclusive", "spawn", "stage"):
                async with asyncio.timeout(10):
                    answer = await surface.call(name, {})
                assert answer.failure in (None, "tool"), answer.text
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    for pid in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    for number in range(4):
        content = (workspace / f"{number}.txt").read_text()
        assert set(content) <= {"x"}, "only accepted writes may be there"
    assert sorted(path.name for path in workspace.iterdir()) == [f"{number}.txt" for number in range(4)]
