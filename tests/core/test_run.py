"""One run: what opens it, what it shares with no other, and what its end takes with it."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from core.processes.bounded import bounded
from toolpost import Call, Host, Result, Run, SystemClock, Tier, Unavailable, allow_all
from toolpost.testing import FakeClock, open_run, plugin, tool

# ---- resources ------------------------------------------------------------------------------------------------------

FAMILIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "lsp": (("supervisor",), ("lsp", "lsp_rename", "lsp_fix", "lsp_move")),
    "astgrep": (("parser",), ("ast_grep", "ast_edit")),
    "debug": (("debug_supervisor", "conversation"), ("debug",)),
    "eval": (("kernels",), ("eval",)),
    "ask": (("question", "target"), ("ask_user",)),
    "vibe": (("roster",), ("vibe_spawn", "vibe_list")),
}


class Port:
    """Everything that a harness may connect, by name."""

    def __init__(self, names: set[str]) -> None:
        self.names = names


def family(name: str) -> Any:
    needs, tools = FAMILIES[name]

    def resource(run: Any) -> Any:
        port = run.port(Port)
        there = {
            *(port.names if port else ()),
            *(["conversation"] if run.conversation else []),
            *(["target"] if run.target else []),
        }
        missing = [need for need in needs if need not in there]
        return Unavailable(f"no {missing[0]}", f"connect {missing[0]}") if missing else object()

    return plugin(name, *(tool(each) for each in tools), resource=resource)


CONDITIONS = sorted({need for needs, _ in FAMILIES.values() for need in needs} | {"vibe mode"})


@pytest.mark.requirement("core:resources", "core:live-handle")
@pytest.mark.parametrize("missing", [None, *CONDITIONS])
def test_each_condition_missing_alone_removes_exactly_its_tools(workspace: Path, missing: str | None):
    @bounded
    async def test() -> None:
        names = set(CONDITIONS) - {missing, "conversation", "target", "vibe mode"}
        terms = {
            "ports": {Port: Port(names)},
            "conversation": None if missing == "conversation" else "c",
            "target": None if missing == "target" else "channel",
            "held": ["vibe"] if missing == "vibe mode" else [],
        }
        async with open_run(workspace, [family(name) for name in FAMILIES], **terms) as run:
            surface = run.surface(Tier.EXEC)
            gone = {name for name, (needs, _) in FAMILIES.items() if missing in needs}
            gone |= {"vibe"} if missing == "vibe mode" else set()
            assert [each.name for each in surface.tools] == [
                each for name, (_, tools) in FAMILIES.items() if name not in gone for each in tools
            ]
            for name in gone:
                for each in FAMILIES[name][1]:
                    absent = surface.explain(each)
                    assert absent is not None
                    assert missing is not None
                    assert (absent.layer, missing in f"{absent.reason} {name} mode") == (
                        "mode" if missing == "vibe mode" else "resource",
                        True,
                    )
                    assert (await surface.call(each, {})).failure == "unknown"

    test()


@pytest.mark.requirement("core:live-handle")
@pytest.mark.parametrize("nothing", [None, Unavailable("not here")], ids=repr)
def test_no_handle_means_none_of_its_tools_in_any_listing_or_call(workspace: Path, nothing: Any):
    @asynccontextmanager
    async def managed() -> Any:
        yield nothing

    @bounded
    async def test() -> None:
        for resource in (lambda: nothing, managed):
            module = plugin("p", tool("a"), tool("b", tier=Tier.WRITE, stages=True), resource=resource)
            async with open_run(workspace, [module], approver=allow_all) as run:
                surface = run.surface(Tier.EXEC)
                assert surface.tools == ()
                assert (await surface.call("a", {})).failure == "unknown"

    test()


@pytest.mark.requirement("core:live-handle")
@bounded
async def test_a_plugin_without_a_resource_is_alive_in_every_run(workspace: Path):
    async with open_run(workspace, [plugin("p", tool("t"))]) as run:
        assert run.bindings["p"].handle is None
        assert run.surface(Tier.READ).has("t")


# ---- opening --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:open-starts-nothing")
@bounded
async def test_opening_starts_no_process_and_opens_no_port_and_leaves_nothing_behind(workspace: Path, state_home: Path):
    def children() -> list[str]:
        return [
            child
            for task in os.listdir("/proc/self/task")
            for child in Path(f"/proc/self/task/{task}/children").read_text().split()
        ]

    def descriptors() -> list[str]:
        found = []
        for each in os.listdir("/proc/self/fd"):
            try:
                found.append(os.readlink(f"/proc/self/fd/{each}"))
            except OSError:
                continue
        return sorted(found)

    before, threads = (children(), descriptors()), set(os.listdir("/proc/self/task"))
    async with open_run(workspace, ["files", plugin("p", tool("t"), resource=lambda run: run.processes)]) as run:
        assert run.surface(Tier.READ).has("t")
        assert (await run.surface(Tier.READ).call("t", {})).text == "done"
        assert children() == before[0]
        assert [each for each in descriptors() if each.startswith("socket:")] == [
            each for each in before[1] if each.startswith("socket:")
        ]
        assert set(os.listdir("/proc/self/task")) == threads
    assert (children(), descriptors()) == before
    assert list(workspace.iterdir()) == []
    assert [path for path in state_home.rglob("*") if path.is_file()] == []


@bounded
async def test_a_run_that_cannot_open_says_why_and_leaves_nothing_open(workspace: Path):
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(FileNotFoundError):
        async with open_run(workspace / "nosuch"):
            pass
    with pytest.raises(FileNotFoundError):
        async with open_run(workspace, roots=["/nosuch"]):
            pass
    assert len(os.listdir("/proc/self/fd")) == before
    Host().open(workspace)  # never entered: holds nothing
    assert len(os.listdir("/proc/self/fd")) == before


@bounded
async def test_a_run_is_opened_once(workspace: Path):
    run = Host().open(workspace)
    await run.close()  # before it is open: nothing to do
    run = Host().open(workspace)
    async with run:
        with pytest.raises(RuntimeError, match="opened once"):
            await run.__aenter__()
    await run.close()
    with pytest.raises(RuntimeError, match="opened once"):
        await run.__aenter__()


@pytest.mark.requirement("core:trust")
@bounded
async def test_what_the_harness_gave_reaches_the_plugins(workspace: Path, tmp_path: Path):
    seen: list[Any] = []
    port, sandbox, clock = Port(set()), object(), FakeClock()
    module = plugin("p", tool("t"), resource=lambda run: seen.append(run) or object())
    async with open_run(
        workspace,
        [module],
        ports={Port: port},
        conversation="c",
        target="channel",
        roots=[tmp_path],
        trust="interpreter",
        sandbox=sandbox,
        clock=clock,
    ):
        [scope] = seen
        assert (scope.port(Port), scope.port(dict)) == (port, None)
        assert (scope.conversation, scope.target, scope.trust) == ("c", "channel", "interpreter")
        assert (scope.workspace, scope.roots) == (str(workspace), (str(tmp_path),))
        assert (scope.sandbox, scope.clock) == (sandbox, clock)
        assert not any(isinstance(getattr(scope, name, None), Run) for name in dir(scope))
    async with open_run(workspace, [module]):
        assert (seen[1].trust, seen[1].sandbox, seen[1].conversation) == ("none", None, None)
        assert isinstance(seen[1].clock, SystemClock)
        assert seen[1].id != seen[0].id


# ---- two runs -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:run-bound")
@bounded
async def test_two_runs_of_one_host_share_no_handle_no_stack_and_no_lock(workspace: Path):
    async def handle_of(params: Any, call: Call[Any]) -> Result:
        return Result.of("it", data=call.handle)

    module = plugin("p", tool("t", handle_of, exclusive=True), resource=lambda: object())
    host = Host([module], strict=True)
    async with host.open(workspace, conversation="a") as one, host.open(workspace, conversation="b") as two:
        results = await asyncio.gather(one.surface(Tier.READ).call("t", {}), two.surface(Tier.READ).call("t", {}))
        assert results[0].data is not results[1].data
        assert one.pending is not two.pending
        assert one.scope.id != two.scope.id


@pytest.mark.requirement("core:run-bound")
@bounded
async def test_a_second_run_of_a_live_conversation_is_refused(workspace: Path):
    host = Host([plugin("p", tool("t"))], strict=True)
    async with host.open(workspace, conversation="c") as run:
        with pytest.raises(ValueError, match="'c' has a live run already; close that one first"):
            async with host.open(workspace, conversation="c"):
                pass
        assert (await run.surface(Tier.READ).call("t", {})).text == "done"
        async with host.open(workspace), host.open(workspace):  # without an id they are nobody's conversation
            pass
        with pytest.raises(ValueError, match="live run"):
            async with host.open(workspace, conversation="c"):
                pass
        async with Host().open(workspace, conversation="c"):  # another host is another harness
            pass
    async with host.open(workspace, conversation="c"):
        pass


@pytest.mark.requirement("core:run-bound")
@bounded
async def test_closing_a_run_ends_every_process_that_it_started(workspace: Path):
    async def starts(params: Any, call: Call[Any]) -> Result:
        process = await call.scope.processes.spawn([sys.executable, "-c", "import time; time.sleep(60)"])
        return Result.of("started", data=process.pid)

    async with open_run(workspace, [plugin("p", tool("t", starts, tier=Tier.EXEC))], approver=allow_all) as run:
        pid = (await run.surface(Tier.EXEC).call("t", {})).data
        assert Path(f"/proc/{pid}").exists()
    stat = Path(f"/proc/{pid}/stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


# ---- the end --------------------------------------------------------------------------------------------------------


@bounded
async def test_handles_close_in_reverse_order_each_in_the_task_that_opened_it(workspace: Path):
    order: list[tuple[str, bool]] = []

    def module(name: str) -> Any:
        @asynccontextmanager
        async def resource() -> Any:
            task = asyncio.current_task()
            yield name
            order.append((name, asyncio.current_task() is task))

        return plugin(name, tool(name), resource=resource)

    run = Host([module("a"), module("b"), module("c")], strict=True).open(workspace)
    await asyncio.create_task(run.__aenter__())
    await asyncio.gather(*(asyncio.create_task(run.close()) for _ in range(3)))
    assert order == [("c", True), ("b", True), ("a", True)]


@bounded
async def test_a_handle_that_hangs_is_cancelled_and_told(workspace: Path):
    left: list[str] = []

    @asynccontextmanager
    async def hangs() -> Any:
        yield 1
        try:
            await asyncio.Event().wait()
        finally:
            left.append("hangs")

    @asynccontextmanager
    async def good() -> Any:
        yield 1
        left.append("good")

    modules = [plugin("good", tool("a"), resource=good), plugin("hangs", tool("b"), resource=hangs)]
    async with open_run(workspace, modules) as run:
        run.plugins.seconds = 0.05
    assert left == ["hangs", "good"]
    assert [problem.error for problem in run.problems] == ["closing took more than 0.05 s and was cancelled"]


# ---- modes ----------------------------------------------------------------------------------------------------------


@bounded
async def test_a_held_plugin_opens_by_bind_and_only_later_surfaces_show_it(workspace: Path):
    opened: list[int] = []

    def resource() -> Any:
        opened.append(1)
        return object()

    modules = [plugin("first", tool("a")), plugin("vibe", tool("b"), resource=resource), plugin("last", tool("c"))]
    async with open_run(workspace, modules) as run:
        before = run.surface(Tier.READ)
        assert opened == []
        results = await asyncio.gather(*(run.bind("vibe") for _ in range(5)))
        assert (results, opened) == ([None] * 5, [1])
        assert [each.name for each in before.tools] == ["a", "c"]
        assert [each.name for each in run.surface(Tier.READ).tools] == ["a", "b", "c"]
        await run.release("vibe", "enough")
        await run.release("vibe", "twice is nothing")
        assert [each.name for each in run.surface(Tier.READ).tools] == ["a", "c"]
        assert await run.bind("vibe") is None
        assert opened == [1, 1]
        with pytest.raises(ValueError, match="no plugin 'vib'; it has first, vibe, last"):
            await run.bind("vib")
    with pytest.raises(RuntimeError, match="closed"):
        await run.bind("vibe")


@bounded
async def test_a_plugin_that_binds_while_the_run_closes_is_closed_with_it(workspace: Path):
    opening, go_on, left = asyncio.Event(), asyncio.Event(), []

    @asynccontextmanager
    async def resource() -> Any:
        opening.set()
        await go_on.wait()
        yield 1
        left.append(True)

    async with open_run(workspace, [plugin("vibe", tool("a"), resource=resource)]) as run:
        binding = asyncio.create_task(run.bind("vibe"))
        await opening.wait()
        closing = asyncio.create_task(run.close())
        await asyncio.sleep(0)
        go_on.set()
        await closing
        await binding
    assert left == [True]


@bounded
async def test_a_plugin_that_hangs_while_it_opens_holds_up_no_close(workspace: Path):
    opening = asyncio.Event()

    @asynccontextmanager
    async def resource() -> Any:
        opening.set()
        await asyncio.Event().wait()
        yield 1

    async with open_run(workspace, [plugin("vibe", tool("a"), resource=resource)]) as run:
        run.plugins.seconds = 0.05
        binding = asyncio.create_task(run.bind("vibe"))
        await opening.wait()
    absent = await binding
    assert absent is not None
    assert absent.reason == "opening it was cancelled"


@bounded
async def test_bind_says_why_a_plugin_did_not_open(workspace: Path):
    module = plugin("vibe", tool("a"), resource=lambda: Unavailable("no roster", "connect one"))
    async with open_run(workspace, [module]) as run:
        absent = await run.bind("vibe")
        assert absent is not None
        assert (absent.layer, absent.reason) == ("resource", "no roster")


@bounded
async def test_gates_and_observers_of_a_released_plugin_are_silent(workspace: Path):
    heard: list[str] = []
    watcher = plugin("watch", gate=lambda call: heard.append("gate"), called=lambda call: heard.append("called"))
    async with open_run(workspace, [watcher, plugin("p", tool("t"))]) as run:
        surface = run.surface(Tier.READ)
        await surface.call("t", {})
        await run.release("watch", "enough")
        await surface.call("t", {})
        assert heard == ["gate", "called"]


# ---- notices --------------------------------------------------------------------------------------------------------


def test_what_a_plugin_comes_to_know_late_stands_behind_the_next_result_of_any_tool(workspace: Path):
    @bounded
    async def test() -> None:
        async with open_run(workspace, [plugin("p", tool("t"))]) as run:
            surface = run.surface(Tier.EXEC)
            run.scope.notice("late", "at once")
            run.scope.notice("late", lambda: "when it is delivered")
            run.scope.notice("late", lambda: None)
            first, second = await surface.call("t", {}), await surface.call("t", {})
        assert [(note.source, note.text) for note in first.notes] == [
            ("late", "at once"),
            ("late", "when it is delivered"),
        ]
        assert second.notes == ()

    test()


def test_a_notice_that_raises_costs_the_result_nothing(workspace: Path):
    def broken() -> str:
        raise RuntimeError("no words")

    @bounded
    async def test() -> None:
        async with open_run(workspace, [plugin("p", tool("t"))], strict=False) as run:
            run.scope.notice("p", broken)
            run.scope.notice("p", "the other one")
            result = await run.surface(Tier.EXEC).call("t", {})
            assert not result.is_error and [note.text for note in result.notes] == ["the other one"]
            assert [(each.plugin, each.phase) for each in run.problems] == [("p", "notice")]

    test()
