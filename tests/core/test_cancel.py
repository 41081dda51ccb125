"""Cancelling, closing and releasing: who is ended, who lives on, and that the run stays usable."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from core.processes.bounded import bounded
from core.test_parallel import Stage
from toolpost import Call, Result, Subject, Tier, allow_all
from toolpost.testing import RecordingApprover, open_run, plugin, tool


def waiting(started: asyncio.Event, *, ended: list[str] | None = None) -> Any:
    async def handler(params: Any, call: Call[Any]) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if ended is not None:
                ended.append(call.tool.name)
            raise
        return "never"

    return handler


async def cancelled(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()


# ---- the harness cancels ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:cancel")
@pytest.mark.parametrize("step", ["gate", "approver", "queue", "lock", "handler", "inner"])
def test_cancelling_in_any_step_leaves_the_run_usable(workspace: Path, step: str):
    @bounded
    async def test() -> None:
        there, never = asyncio.Event(), asyncio.Event()
        hang = {step}

        async def block(where: str) -> None:
            if where in hang:
                there.set()
                await never.wait()

        async def gate(call: Call[Any]) -> None:
            await block("gate")

        async def approver(call: Call[Any]) -> Any:
            await block("approver")
            return await allow_all(call)

        async def handler(params: Any, call: Call[Any]) -> str:
            await block("handler")
            return (await call.call("inner", {})).text

        async def inner(params: Any, call: Call[Any]) -> str:
            await block("inner")
            return "done"

        module = plugin("p", tool("t", handler, tier=Tier.WRITE, exclusive=True), tool("inner", inner), gate=gate)
        async with open_run(workspace, [module], approver=approver) as run:
            surface = run.surface(Tier.WRITE)
            if step in ("queue", "lock"):
                hang |= {"approver" if step == "queue" else "handler"}
                holder = asyncio.create_task(surface.call("t", {}))
                await there.wait()
            call = asyncio.create_task(surface.call("t", {}))
            if step in ("queue", "lock"):
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            else:
                await there.wait()
            await cancelled(call)
            if step in ("queue", "lock"):
                hang.clear()
                never.set()
                assert (await holder).text == "done"
            hang.clear()
            assert list(run.calls) == []
            assert (await surface.call("t", {})).text == "done"

    test()


@pytest.mark.requirement("core:cancel")
@bounded
async def test_cancelling_a_call_cancels_the_calls_that_it_made(workspace: Path):
    started, ended = asyncio.Event(), []

    async def outer(params: Any, call: Call[Any]) -> str:
        await asyncio.gather(call.call("inner", {}), call.call("inner", {}))
        return "never"

    module = plugin("p", tool("outer", outer), tool("inner", waiting(started, ended=ended)))
    async with open_run(workspace, [module]) as run:
        call = asyncio.create_task(run.surface(Tier.READ).call("outer", {}))
        await started.wait()
        await asyncio.sleep(0)
        await cancelled(call)
        assert ended == ["inner", "inner"]
        assert list(run.calls) == []


@bounded
async def test_a_call_may_have_a_time_limit_of_the_harnesss_own(workspace: Path):
    async with open_run(workspace, [plugin("p", tool("t", waiting(asyncio.Event())), tool("ok"))]) as run:
        surface = run.surface(Tier.READ)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await surface.call("t", {})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(surface.call("t", {}), 0.02)
        assert (await surface.call("ok", {})).text == "done"
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0


# ---- a parent ends ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:cancel")
@bounded
async def test_a_long_lived_task_that_makes_calls_for_a_parent_survives_the_parents_end(workspace: Path):
    """As a kernel's reader does: it serves the calls of one cell after another."""
    orders: asyncio.Queue[tuple[Call[Any], str]] = asyncio.Queue()
    answers: asyncio.Queue[Result] = asyncio.Queue()
    started, ended = asyncio.Event(), []

    @asynccontextmanager
    async def resource() -> Any:
        async def read() -> None:
            while True:
                call, name = await orders.get()
                await answers.put(await call.call(name, {}))

        reader = asyncio.create_task(read())
        yield reader
        assert not reader.done()
        reader.cancel()

    async def cell(params: Any, call: Call[Any]) -> str:
        await orders.put((call, "see"))
        seen = await answers.get()
        await orders.put((call, "slow"))
        await started.wait()
        return seen.text  # while the slow one is under way

    module = plugin(
        "p",
        tool("cell", cell, exclusive=True),
        tool("see"),
        tool("slow", waiting(started, ended=ended)),
        resource=resource,
    )
    async with open_run(workspace, [module]) as run:
        surface = run.surface(Tier.READ)
        for _ in range(3):
            started.clear()
            assert (await surface.call("cell", {})).text == "done"
            late = await answers.get()
            assert (late.failure, late.text) == ("closed", "slow: cell, which called it, has ended.")
        assert ended == ["slow"] * 3
        reader = run.bindings["p"].handle
        assert not reader.done()
        assert reader.cancelling() == 0


@bounded
async def test_nested_calls_of_one_task_end_together_and_the_task_lives_on(workspace: Path):
    started = asyncio.Event()
    answered: list[Result] = []

    async def nests(params: Any, call: Call[Any]) -> Result:
        return await call.call("slow", {})

    async def outer(params: Any, call: Call[Any]) -> str:
        async def beside() -> None:
            answered.append(await call.call("nests", {}))
            answered.append(await surface.call("see", {}))

        tasks.append(asyncio.create_task(beside()))
        await started.wait()
        return "done"

    tasks: list[asyncio.Task[None]] = []
    module = plugin("p", tool("outer", outer), tool("nests", nests), tool("slow", waiting(started)), tool("see"))
    async with open_run(workspace, [module]) as run:
        surface = run.surface(Tier.READ)
        assert (await surface.call("outer", {})).text == "done"
        await tasks[0]
        assert [result.text for result in answered] == ["nests: outer, which called it, has ended.", "done"]


# ---- the run closes -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:cancel")
@bounded
async def test_closing_ends_the_calls_in_flight_and_their_tasks_live_on(workspace: Path):
    started = asyncio.Event()
    after: list[str] = []

    async def harness(surface: Any) -> Result:
        result: Result = await surface.call("outer", {})
        await asyncio.sleep(0)
        after.append("lives")
        return result

    async def outer(params: Any, call: Call[Any]) -> Result:
        return await call.call("slow", {})

    module = plugin("p", tool("outer", outer), tool("slow", waiting(started)))
    async with open_run(workspace, [module]) as run:
        surface = run.surface(Tier.READ)
        task = asyncio.create_task(harness(surface))
        await started.wait()
    result = await task
    assert (result.failure, result.text) == ("closed", "outer: the run is closed.")
    assert after == ["lives"]
    assert task.cancelling() == 0
    again = await surface.call("outer", {})
    assert (again.failure, again.text) == ("closed", "outer: the run is closed")


@bounded
async def test_a_task_that_the_harness_cancels_while_the_run_closes_is_cancelled(workspace: Path):
    started = asyncio.Event()
    async with open_run(workspace, [plugin("p", tool("slow", waiting(started)))]) as run:
        task = asyncio.create_task(run.surface(Tier.READ).call("slow", {}))
        await started.wait()
        closing = asyncio.create_task(run.close())
        await asyncio.sleep(0)
        task.cancel()
        await closing
        with pytest.raises(asyncio.CancelledError):
            await task


@bounded
async def test_a_handler_that_swallows_its_cancellation_answers_what_it_likes(workspace: Path):
    started = asyncio.Event()

    async def stubborn(params: Any, call: Call[Any]) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "done after all"
        return "never"

    async with open_run(workspace, [plugin("p", tool("t", stubborn))]) as run:
        task = asyncio.create_task(run.surface(Tier.READ).call("t", {}))
        await started.wait()
    assert (await task).text == "done after all"
    assert task.cancelling() == 0


@bounded
async def test_a_call_that_does_not_end_is_told_and_closing_goes_on(workspace: Path):
    started, free = asyncio.Event(), asyncio.Event()
    closed: list[bool] = []

    async def deaf(params: Any, call: Call[Any]) -> str:
        while not free.is_set():
            started.set()
            try:
                await free.wait()
            except asyncio.CancelledError:
                continue
        return "done"

    @asynccontextmanager
    async def resource() -> Any:
        yield 1
        closed.append(True)

    async with open_run(workspace, [plugin("p", tool("t", deaf), resource=resource)]) as run:
        run.calls.seconds = 0.05
        task = asyncio.create_task(run.surface(Tier.READ).call("t", {}))
        await started.wait()
    assert closed == [True]
    assert [problem.error for problem in run.problems] == ["calls did not end when they were cancelled: t"]
    free.set()
    await task


@bounded
async def test_whoever_is_cancelled_while_it_closes_a_run_waits_for_the_whole_of_it(workspace: Path):
    closing, go_on = asyncio.Event(), asyncio.Event()
    closed: list[str] = []

    def module(name: str, wait: bool) -> Any:
        @asynccontextmanager
        async def resource() -> Any:
            yield 1
            if wait:
                closing.set()
                await go_on.wait()
            closed.append(name)

        return plugin(name, tool(name), resource=resource)

    async def harness() -> None:
        async with open_run(workspace, [module("first", False), module("last", True)]):
            pass

    task = asyncio.create_task(harness())
    await closing.wait()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed == ["last", "first"]


@bounded
async def test_a_run_may_be_closed_from_within_a_call_of_its_own(workspace: Path):

    async def approver(call: Call[Any]) -> Any:
        await run.close()
        return await allow_all(call)

    done: list[Any] = []

    async def handler(params: Any, call: Call[Any]) -> str:
        done.append(1)
        return "done"

    async with open_run(workspace, [plugin("p", tool("w", handler, tier=Tier.WRITE))], approver=approver) as run:
        run.calls.seconds = 0.05
        result = await run.surface(Tier.WRITE).call("w", {})
        assert result.failure == "closed"
        assert done == []


@bounded
async def test_opening_that_is_cancelled_leaves_nothing_open(workspace: Path):
    opening, left = asyncio.Event(), []

    @asynccontextmanager
    async def first() -> Any:
        try:
            yield 1
        finally:
            left.append("first")

    @asynccontextmanager
    async def hangs() -> Any:
        opening.set()
        try:
            await asyncio.Event().wait()
        finally:
            left.append("hangs")
        yield 1

    async def harness() -> None:
        modules = [plugin("first", tool("a"), resource=first), plugin("hangs", tool("b"), resource=hangs)]
        async with open_run(workspace, modules):
            raise AssertionError("it never opens")

    task = asyncio.create_task(harness())
    await opening.wait()
    await cancelled(task)
    assert left == ["hangs", "first"]


# ---- a plugin is released -------------------------------------------------------------------------------------------------


@bounded
async def test_releasing_ends_the_plugins_calls_before_its_handle_and_nobody_elses(workspace: Path):
    order: list[str] = []
    started = asyncio.Event()
    other = Stage()

    @asynccontextmanager
    async def resource() -> Any:
        yield 1
        order.append("closed")

    async def slow(params: Any, call: Call[Any]) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            order.append("ended")
        return "never"

    modules = [plugin("vibe", tool("slow", slow), resource=resource), plugin("other", tool("other", other.handler))]
    async with open_run(workspace, modules, held=()) as run:
        surface = run.surface(Tier.READ)
        call = asyncio.create_task(surface.call("slow", {}))
        beside = asyncio.create_task(surface.call("other", {}))
        await started.wait()
        await run.release("vibe", "the mode is over")
        assert order == ["ended", "closed"]
        result = await call
        assert (result.failure, result.text) == ("closed", "slow: vibe was released: the mode is over.")
        other.go_on.set()
        assert (await beside).text == "done"
        gone, never = await surface.call("slow", {}), await surface.call("nosuch", {})
        assert gone.text == never.text.replace("nosuch", "slow")


@bounded
async def test_a_call_whose_plugin_is_released_while_it_is_asked_about_does_not_run(workspace: Path):
    done: list[Any] = []

    async def handler(params: Any, call: Call[Any]) -> str:
        done.append(1)
        return "done"

    async def approver(call: Call[Any]) -> Any:
        await run.release("p", "enough")
        return await allow_all(call)

    async with open_run(workspace, [plugin("p", tool("w", handler, tier=Tier.WRITE))], approver=approver) as run:
        result = await run.surface(Tier.WRITE).call("w", {})
        assert result.failure == "unknown"
        assert done == []


@bounded
async def test_an_approver_that_hangs_is_ended_with_the_run(workspace: Path):
    asked = asyncio.Event()

    async def approver(call: Call[Any]) -> Any:
        asked.set()
        await asyncio.Event().wait()

    recording = RecordingApprover([approver])
    module = plugin("p", tool("w", tier=Tier.WRITE, subject=lambda params, call: Subject(summary="it")))
    async with open_run(workspace, [module], approver=recording) as run:
        call = asyncio.create_task(run.surface(Tier.WRITE).call("w", {}))
        await asked.wait()
    assert (await call).failure == "closed"
