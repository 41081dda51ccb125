"""Tools that run one call at a time per handle, and calls that would wait for themselves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from core.processes.bounded import bounded
from toolpost import Call, Result, Tier
from toolpost.testing import open_run, plugin, tool


@attrs.frozen(kw_only=True)
class Operation:
    """One operation."""

    action: Annotated[str, "What."] = "step"


@attrs.define
class Stage:
    """Handlers that wait until a test lets them go on, and tell how many are inside."""

    inside: int = 0
    most: int = 0
    entered: asyncio.Event = attrs.field(factory=asyncio.Event)
    go_on: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def handler(self, params: Any, call: Call[Any]) -> str:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.entered.set()
        try:
            await self.go_on.wait()
        finally:
            self.inside -= 1
        return "done"


@pytest.mark.requirement("core:parallel")
@bounded
async def test_exclusive_tools_of_one_handle_run_one_call_at_a_time(workspace: Path):
    stage = Stage()
    module = plugin(
        "p", tool("a", stage.handler, exclusive=True), tool("b", stage.handler, exclusive=True), tool("free")
    )
    async with open_run(workspace, [module]) as run:
        surface = run.surface(Tier.READ)
        calls = [asyncio.create_task(surface.call(name, {})) for name in ("a", "b", "a", "b")]
        await stage.entered.wait()
        assert (await surface.call("free", {})).text == "done"
        stage.go_on.set()
        assert [result.text for result in await asyncio.gather(*calls)] == ["done"] * 4
        assert stage.most == 1


@pytest.mark.requirement("core:parallel")
@bounded
async def test_tools_that_are_parallel_safe_and_other_handles_do_not_wait(workspace: Path):
    stage = Stage()
    modules = [
        plugin("p", tool("a", stage.handler, exclusive=True), tool("safe", stage.handler)),
        plugin("q", tool("b", stage.handler, exclusive=True)),
    ]
    async with open_run(workspace, modules) as run, open_run(workspace, modules) as other:
        calls = [
            asyncio.create_task(surface.call(name, {}))
            for surface in (run.surface(Tier.READ), other.surface(Tier.READ))
            for name in ("a", "safe", "b")
        ]
        while stage.inside < 6:
            await asyncio.sleep(0)
        stage.go_on.set()
        await asyncio.gather(*calls)


@pytest.mark.requirement("core:parallel")
@bounded
async def test_an_operation_that_must_pass_a_waiting_one_does(workspace: Path):
    stage = Stage()

    async def handler(params: Operation, call: Call[Any]) -> str:
        if params.action == "pause":
            stage.go_on.set()
            return "paused"
        return await stage.handler(params, call)

    debug = tool("debug", handler, params=Operation, exclusive=lambda params: params.action != "pause")
    async with open_run(workspace, [plugin("p", debug)]) as run:
        surface = run.surface(Tier.READ)
        step = asyncio.create_task(surface.call("debug", {}))
        await stage.entered.wait()
        assert (await surface.call("debug", {"action": "pause"})).text == "paused"
        assert (await step).text == "done"


def nesting(name: str, inner: str, **more: Any) -> Any:
    async def handler(params: Any, call: Call[Any]) -> Result:
        return await call.call(inner, {})

    return tool(name, handler, exclusive=True, **more)


@pytest.mark.requirement("core:parallel")
@bounded
async def test_a_call_that_would_wait_for_itself_is_refused(workspace: Path):
    modules = [
        plugin("p", nesting("direct", "direct"), nesting("far", "between"), tool("last", exclusive=True)),
        plugin("q", nesting("between", "last")),
    ]
    async with open_run(workspace, modules) as run:
        surface = run.surface(Tier.READ)
        result = await surface.call("direct", {})
        assert result.failure == "busy"
        assert result.text == "direct: it cannot run inside direct: it would wait for itself"
        assert (await surface.call("far", {})).text == "last: it cannot run inside far: it would wait for itself"
        assert (await surface.call("last", {})).text == "done"


@pytest.mark.requirement("core:parallel")
@bounded
async def test_two_calls_that_would_wait_for_each_other_do_not(workspace: Path):
    both = asyncio.Barrier(2)

    def crossing(name: str, inner: str) -> Any:
        async def handler(params: Any, call: Call[Any]) -> Result:
            await both.wait()
            return await call.call(inner, {})

        return tool(name, handler, exclusive=True)

    modules = [
        plugin("p", crossing("one", "other_last"), tool("one_last", exclusive=True)),
        plugin("q", crossing("other", "one_last"), tool("other_last", exclusive=True)),
    ]
    async with open_run(workspace, modules) as run:
        surface = run.surface(Tier.READ)
        results = await asyncio.gather(surface.call("one", {}), surface.call("other", {}))
        assert sorted(result.failure or "" for result in results) == ["", "busy"]


@pytest.mark.requirement("core:parallel")
@bounded
async def test_an_inner_call_may_wait_for_a_stranger(workspace: Path):
    stage = Stage()
    modules = [plugin("p", nesting("outer", "slow")), plugin("q", tool("slow", stage.handler, exclusive=True))]
    async with open_run(workspace, modules) as run:
        surface = run.surface(Tier.READ)
        stranger = asyncio.create_task(surface.call("slow", {}))
        await stage.entered.wait()
        outer = asyncio.create_task(surface.call("outer", {}))
        await asyncio.sleep(0)
        stage.go_on.set()
        assert [result.text for result in await asyncio.gather(stranger, outer)] == ["done", "done"]


@bounded
async def test_a_function_that_cannot_say_whether_a_call_is_exclusive_is_the_tools_own_failure(workspace: Path):
    async with open_run(workspace, [plugin("p", tool("t", exclusive=lambda params: params.nosuch))]) as run:
        result = await run.surface(Tier.READ).call("t", {})
        assert result.failure == "crash"
        assert "nosuch" in result.text
