"""Write wrapping, as the mechanism it is: scripted plugins see each write before and after it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from core.processes.bounded import bounded
from core.test_edits import REWRITE, call, contents
from core.test_pending import resolve
from toolpost import Call, Change, Note, Tier, Write, allow_all
from toolpost.testing import open_run, plugin, tool


def wrapper(name: str, around: Any) -> Any:
    """A plugin whose hook is a context manager around the write."""
    return plugin(name, around_write=asynccontextmanager(around))


def recorder(seen: list[tuple[str, list[str], list[str], dict[str, str]]], workspace: Path) -> Any:
    async def around(write: Write) -> AsyncIterator[None]:
        seen.append(("before", list(write.paths), list(write.late), contents(workspace)))
        yield
        seen.append(("after", list(write.paths), list(write.late), contents(workspace)))

    return wrapper("recorder", around)


@pytest.mark.requirement("write:first-line")
@bounded
async def test_a_wrapper_sees_the_write_before_and_after_and_its_note_comes_behind_the_tools_own_line(workspace: Path):
    (workspace / "a").write_text("old")
    seen: list[Any] = []

    async def around(write: Write) -> AsyncIterator[None]:
        yield
        write.note("2 new", data={"new": 2})

    async with open_run(
        workspace, [REWRITE, recorder(seen, workspace), wrapper("lsp", around)], approver=allow_all
    ) as run:
        result = await call(run, {"a": "new", "b": "new"})
        assert seen == [
            ("before", ["a", "b"], [], {"a": "old"}),
            ("after", ["a", "b"], [], {"a": "new", "b": "new"}),
        ]
        assert result.text.splitlines()[:2] == ["rewritten", "2 new"]
        assert Note(source="lsp", text="2 new", data={"new": 2}) in result.notes


@pytest.mark.requirement("write:wraps", "resolve:diagnostics")
@bounded
async def test_every_way_to_change_files_is_wrapped(workspace: Path):
    seen: list[list[str]] = []

    async def around(write: Write) -> AsyncIterator[None]:
        yield
        seen.append(list(write.paths))
        write.note("checked")

    async def own_means(params: Any, call: Call[Any]) -> str:
        async with call.writing("./own"):
            (workspace / "own").write_text("x")
        return "done"

    async def harness_write(path: str, text: str) -> str:
        (workspace / path).write_text(text)
        return "harness done"

    def merge(answer: str, notes: Sequence[Note]) -> str:
        return "\n".join([answer, *(note.text for note in notes)])

    module = plugin("p", tool("own_means", own_means, tier=Tier.WRITE))
    async with open_run(workspace, ["files", REWRITE, module, wrapper("lsp", around)], approver=allow_all) as run:
        surface = run.surface(Tier.WRITE)
        patch = "--- /dev/null\n+++ b/patched\n@@ -0,0 +1 @@\n+x\n"
        for name, arguments in (
            ("write", {"path": "written", "content": "x\n"}),
            ("edit", {"path": "written", "old": "x", "new": "y"}),
            ("apply_patch", {"patch": patch}),
            ("own_means", {}),
            ("rewrite", {"files": {"staged": "x"}, "stage": True}),
            ("resolve", {"action": "accept"}),
            ("resolve", {"action": "undo", "edit_id": "undo_4"}),
        ):
            result = await surface.call(name, arguments)
            assert not result.is_error, result.text
            assert ("checked" in result.text) is (name != "rewrite"), result.text
        assert seen == [["written"], ["written"], ["patched"], ["own"], ["staged"], ["staged"]]
        wrapped = run.wrap_write(harness_write, paths=lambda path, text: [path, "/etc/outside"], merge=merge)
        assert await wrapped("./harness", text="x") == "harness done\nchecked"
        assert seen[-1] == ["harness"]


@pytest.mark.requirement("files:opt-in")
@bounded
async def test_a_harnesss_own_function_is_wrapped_and_not_approved(workspace: Path):
    async def harness_write(path: str) -> str:
        (workspace / path).write_text("x")
        return "done"

    async with open_run(workspace, []) as run:
        wrapped = run.wrap_write(harness_write, paths=lambda path: [path], merge=lambda answer, notes: f"{answer}!")
        assert await wrapped("a") == "done"  # no notes: nothing to merge
        assert wrapped.__name__ == "harness_write"
        assert run.surface(Tier.EXEC).tools == ()


@pytest.mark.requirement("write:three-answers")
@bounded
async def test_clean_not_known_and_not_available_are_three_different_answers(workspace: Path):
    async def clean(write: Write) -> AsyncIterator[None]:
        yield
        write.note("no new problems")

    async def hangs(write: Write) -> AsyncIterator[None]:
        yield
        await asyncio.Event().wait()

    async def fails(write: Write) -> AsyncIterator[None]:
        yield
        raise OSError("the server is gone")

    for around, says in (
        (clean, "no new problems"),
        (hangs, "w: not known yet (waited 0.05 s)"),
        (fails, "w: not available (its write wrapper failed; see doctor)"),
    ):
        async with open_run(workspace, [REWRITE, wrapper("w", around)], approver=allow_all) as run:
            run.writes.after = 0.05
            result = await call(run, {"a": "x"})
            assert not result.is_error
            assert result.text.splitlines()[1] == says
            assert [problem.error for problem in run.problems] == (
                ["after the write: OSError: the server is gone"] if around is fails else []
            )


@pytest.mark.requirement("write:bounded")
@pytest.mark.parametrize("half", ["first", "second", "both"])
def test_a_hung_wrapper_never_blocks_a_write_and_costs_the_others_nothing(workspace: Path, half: str):
    async def hangs(write: Write) -> AsyncIterator[None]:
        if half != "second":
            await asyncio.Event().wait()
        yield
        if half != "first":
            await asyncio.Event().wait()

    async def good(write: Write) -> AsyncIterator[None]:
        yield
        write.note("checked")

    @bounded
    async def test() -> None:
        modules = [REWRITE, *(wrapper(f"hung{n}", hangs) for n in range(5)), wrapper("good", good)]
        async with open_run(workspace, modules, approver=allow_all) as run:
            run.writes.before, run.writes.after = 0.1, 0.2
            started = time.monotonic()
            result = await call(run, {f"f{n}": "x" for n in range(20)})
            assert time.monotonic() - started < 0.3 + 0.7  # one budget for all, whatever their number; and the write
            assert not result.is_error
            assert len(contents(workspace)) == 20
            assert "checked" in result.text
            assert result.text.count("not known yet (waited 0.2 s)") == 5

    test()


@pytest.mark.requirement("write:bounded")
@bounded
async def test_the_budgets_are_those_of_the_contract(workspace: Path):
    async with open_run(workspace) as run:
        assert (run.writes.before, run.writes.after) == (0.3, 5.0)


@pytest.mark.requirement("write:three-answers")
@bounded
async def test_a_wrapper_whose_first_half_came_too_late_knows_that_it_has_no_baseline(workspace: Path):
    go_on = asyncio.Event()
    late: list[list[str]] = []

    async def slow(write: Write) -> AsyncIterator[None]:
        await go_on.wait()
        late.append(list(write.late))
        yield

    async def opens(write: Write) -> AsyncIterator[None]:
        yield
        go_on.set()

    async with open_run(
        workspace, [REWRITE, wrapper("slow", slow), wrapper("opens", opens)], approver=allow_all
    ) as run:
        run.writes.before = 0.02
        await call(run, {"a": "x", "b": "x"})
        assert late == [["a", "b"]]


@pytest.mark.requirement("write:no-server-no-cost")
@bounded
async def test_a_write_that_nobody_wraps_costs_next_to_nothing(workspace: Path):
    async with open_run(workspace, [plugin("w", around_write=lambda write: None)]) as run:

        async def one() -> float:
            started = time.perf_counter()
            async with run.writes.writing("a") as notes:
                pass
            assert notes == []
            return time.perf_counter() - started

        assert sorted([await one() for _ in range(51)])[25] < 0.001


@bounded
async def test_a_wrapper_can_neither_swallow_nor_replace_the_writes_own_error(workspace: Path):
    seen: list[BaseException | None] = []

    async def swallows(write: Write) -> AsyncIterator[None]:
        try:
            yield
            seen.append(None)
        except BaseException as error:
            seen.append(error)

    async def replaces(write: Write) -> AsyncIterator[None]:
        try:
            yield
        except BaseException as error:
            raise KeyError("another") from error

    async def cleans_up(write: Write) -> AsyncIterator[None]:
        try:
            yield
        finally:
            write.note("cleaned up")

    async def fails(params: Any, call: Call[Any]) -> str:
        async with call.writing("a"):
            raise RuntimeError("mine")
        return "never"

    modules = [
        plugin("p", tool("fails", fails, tier=Tier.WRITE)),
        wrapper("swallows", swallows),
        wrapper("replaces", replaces),
        wrapper("cleans", cleans_up),
    ]
    async with open_run(workspace, modules, approver=allow_all) as run:
        result = await run.surface(Tier.WRITE).call("fails", {})
        assert result.text.splitlines()[0] == "fails failed: RuntimeError: mine"
        assert [str(error) for error in seen] == ["mine"]
        assert [problem.plugin for problem in run.problems] == ["replaces"]


@pytest.mark.requirement("core:cancel")
@bounded
async def test_a_cancelled_write_leaves_its_wrappers_and_its_locks(workspace: Path):
    left: list[str] = []
    inside = asyncio.Event()

    async def around(write: Write) -> AsyncIterator[None]:
        try:
            yield
        except asyncio.CancelledError:
            left.append("cancelled")
            raise
        finally:
            left.append("left")

    async def hangs(params: Any, call: Call[Any]) -> str:
        async with call.writing("a"):
            inside.set()
            await asyncio.Event().wait()
        return "never"

    modules = [plugin("p", tool("hangs", hangs, tier=Tier.WRITE)), REWRITE, wrapper("w", around)]
    async with open_run(workspace, modules, approver=allow_all) as run:
        task = asyncio.create_task(run.surface(Tier.WRITE).call("hangs", {}))
        await inside.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert left == ["cancelled", "left"]
        assert not (await call(run, {"a": "x"})).is_error
        assert run.problems == []


@bounded
async def test_what_enters_in_a_task_leaves_in_it(workspace: Path):
    tasks: list[Any] = []

    async def around(write: Write) -> AsyncIterator[None]:
        tasks.append(asyncio.current_task())
        async with asyncio.timeout(60):  # would refuse to be left by another task
            yield
        tasks.append(asyncio.current_task())

    async with open_run(workspace, [REWRITE, wrapper("w", around)], approver=allow_all) as run:
        assert not (await call(run, {"a": "x"})).is_error
        assert tasks[0] is tasks[1]
        assert run.problems == []


# ---- writes beside and inside each other --------------------------------------------------------------------------------


@bounded
async def test_writes_of_one_path_wait_for_each_other_and_of_others_do_not(workspace: Path):
    inside, go_on = asyncio.Queue[str](), asyncio.Event()

    async def holds(params: Any, call: Call[Any]) -> str:
        async with call.writing("shared", "a"):
            await inside.put("holder")
            await go_on.wait()
        return "done"

    modules = [plugin("p", tool("holds", holds, tier=Tier.WRITE)), REWRITE]
    async with open_run(workspace, modules, approver=allow_all) as run:
        holder = asyncio.create_task(run.surface(Tier.WRITE).call("holds", {}))
        await inside.get()
        waiter = asyncio.create_task(call(run, {"shared": "x", "other": "x"}))
        assert not (await call(run, {"free": "x"})).is_error
        assert not waiter.done()
        go_on.set()
        await holder
        assert not (await waiter).is_error


@bounded
async def test_writes_of_the_same_paths_in_any_order_never_wait_for_each_other_without_end(workspace: Path):
    async def both(first: str, second: str) -> None:
        async with run.writes.writing(first, second):
            await asyncio.sleep(0)

    async with open_run(workspace) as run:
        await asyncio.gather(*(both(*pair) for pair in [("a", "b"), ("b", "a")] * 20))


@bounded
async def test_a_write_inside_a_write_joins_it(workspace: Path):
    seen: list[Any] = []

    async def outer(params: Any, call: Call[Any]) -> str:
        async with call.writing("a"):
            await call.apply([Change(path="a", seen=None, after=b"x")], label="same path")
            inner = await call.call("rewrite", {"files": {"b": "y"}})
            assert not inner.is_error, inner.text
        return "done"

    modules = [plugin("p", tool("outer", outer, tier=Tier.WRITE)), REWRITE, recorder(seen, workspace)]
    async with open_run(workspace, modules, approver=allow_all) as run:
        result = await run.surface(Tier.WRITE).call("outer", {})
        assert not result.is_error, result.text
        assert seen == [("before", ["a"], [], {}), ("after", ["a", "b"], ["b"], {"a": "x", "b": "y"})]


@bounded
async def test_writes_of_one_call_at_once_are_one_write_that_ends_with_the_last(workspace: Path):
    seen: list[Any] = []
    go_on = asyncio.Event()

    async def parallel(params: Any, call: Call[Any]) -> str:
        async def slow() -> None:
            async with call.writing("slow"):
                await go_on.wait()
                (workspace / "slow").write_text("x")

        async def quick() -> None:
            async with call.writing("quick"):
                await asyncio.sleep(0)
            go_on.set()

        async def first() -> None:
            async with call.writing("first"):
                beside.append(asyncio.create_task(slow()))
                beside.append(asyncio.create_task(quick()))
                await asyncio.sleep(0)
                await asyncio.sleep(0)

        beside: list[asyncio.Task[None]] = []
        await first()
        await asyncio.gather(*beside)
        return "done"

    modules = [plugin("p", tool("parallel", parallel, tier=Tier.WRITE)), recorder(seen, workspace)]
    async with open_run(workspace, modules, approver=allow_all) as run:
        result = await run.surface(Tier.WRITE).call("parallel", {})
        assert result.text == "done"
        assert seen == [
            ("before", ["first"], [], {}),
            ("after", ["first", "slow", "quick"], ["slow", "quick"], {"slow": "x"}),
        ]


@bounded
async def test_a_write_inside_a_write_never_waits_for_a_strangers_path(workspace: Path):
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def holds(params: Any, call: Call[Any]) -> str:
        async with call.writing("b"):
            inside.set()
            await go_on.wait()
        return "done"

    async def joins(params: Any, call: Call[Any]) -> str:
        async with call.writing("a"):
            await call.apply([Change(path="b", seen=None, after=b"x")], label="b too")
        return "never"

    module = plugin("p", tool("holds", holds, tier=Tier.WRITE), tool("joins", joins, tier=Tier.WRITE))
    async with open_run(workspace, [module], approver=allow_all) as run:
        surface = run.surface(Tier.WRITE)
        holder = asyncio.create_task(surface.call("holds", {}))
        await inside.wait()
        result = await surface.call("joins", {})
        assert result.text == "b is being written by another call; try again when that has answered"
        go_on.set()
        assert (await holder).text == "done"


@bounded
async def test_a_write_waits_for_a_path_within_a_bound(workspace: Path):
    async with open_run(workspace) as run:
        run.writes.locked = 0.02
        async with run.writes.writing("a"):
            with pytest.raises(Exception, match=r"a has been written by another call for 0\.02 s"):
                async with run.writes.writing("a"):
                    pass
        async with run.writes.writing("a"):
            pass


@bounded
async def test_accepting_a_staged_edit_is_one_wrapped_write(workspace: Path):
    seen: list[Any] = []
    async with open_run(workspace, [REWRITE, recorder(seen, workspace)], approver=allow_all) as run:
        await call(run, {"a": "x", "b": "y"}, stage=True)
        assert seen == []
        await resolve(run)
        assert [(when, paths) for when, paths, *_ in seen] == [("before", ["a", "b"]), ("after", ["a", "b"])]
