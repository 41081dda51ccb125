"""The stack of pending actions, through the calls that push and the one that resolves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from core.processes.bounded import bounded
from toolpost import Call, Deny, Image, PendingAction, PendingEvent, Result, Run, Tier, ToolError, allow_all
from toolpost.pending import PendingActions
from toolpost.testing import RecordingApprover, open_run, plugin, tool

NO_STORE = "Pending action store unavailable for custom tools in this runtime."
NOTHING = "No pending action to resolve. Nothing to apply or discard."


async def nothing(reason: str) -> None: ...


def action(label: str = "do it", **more: Any) -> PendingAction:
    return PendingAction(**({"label": label, "apply": nothing} | more))


def store(**more: Any) -> tuple[PendingActions, list[PendingEvent], list[str]]:
    events: list[PendingEvent] = []
    notices: list[str] = []
    return PendingActions(events.append, notices.append, **more), events, notices


# ---- the store --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("pending:stack")
def test_the_store_is_a_stack_whose_ids_are_never_used_again():
    stack, _, _ = store()
    assert (stack.has_pending, stack.peek(), stack.pop()) == (False, None, None)
    assert [stack.push(action(str(n))) for n in range(3)] == ["edit_1", "edit_2", "edit_3"]
    assert stack.has_pending
    top = stack.peek()
    assert top is not None
    assert (top.id, top.label) == ("edit_3", "2")
    assert stack.pop() is top
    taken = stack.take("edit_1")
    assert taken is not None
    assert taken.id == "edit_1"
    assert stack.take("edit_1") is None
    assert stack.take("nosuch") is None
    assert stack.push(action()) == "edit_4"
    assert [stack.pop() and 1, stack.pop() and 1, stack.pop()] == [1, 1, None]
    assert stack.push(action()) == "edit_5"


@pytest.mark.requirement("pending:action")
def test_an_action_needs_a_label_and_coroutines():
    assert action().source_tool == "custom_tool"
    for label in ("", "  ", None, 3):
        with pytest.raises(ValueError, match=r"PendingAction\.label must be a short human-readable text"):
            action(label)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"PendingAction\.apply must be an async function of the reason"):
        action(apply=lambda reason: None)
    with pytest.raises(TypeError, match=r"PendingAction\.reject must be an async function"):
        action(reject=lambda reason: None)
    with pytest.raises(TypeError):
        PendingAction(label="x")  # type: ignore[call-arg]


@pytest.mark.requirement("pending:guide")
def test_the_docstring_says_how_to_use_one():
    words = " ".join((PendingAction.__doc__ or "").split())
    for rule in (
        "only for destructive or high-impact work",
        "Keep the label brief, since resolve shows it",
        "deterministic and fit to run once",
        "the reason it is given informs and must not change what it does",
        "`reject` when discarding needs cleaning up",
        "the last one pushed is resolved first",
    ):
        assert rule in words


@pytest.mark.requirement("pending:bounded")
def test_the_store_is_bounded_in_count_and_bytes_and_tells_what_goes():
    stack, events, notices = store(most=2)
    for n in range(3):
        stack.push(action(f"a{n}"))
    assert [each.id for each in stack.visible(Tier.EXEC)] == ["edit_2", "edit_3"]
    assert [(event.kind, event.id) for event in events if event.kind == "evicted"] == [("evicted", "edit_1")]
    assert notices == ["edit_1 (a0; from custom_tool) was dropped: the store holds 2 actions and 67108864 bytes."]
    stack, _, notices = store(most_bytes=100)
    stack.push(action("small", size=60))
    stack.push(action("other", size=60))
    assert [each.label for each in stack.visible(Tier.EXEC)] == ["other"]
    stack.push(action("huge", size=1_000))  # the newest stays, whatever its size
    assert [each.label for each in stack.visible(Tier.EXEC)] == ["huge"]
    assert len(notices) == 2


# ---- through calls ------------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Stage:
    """Stage an action."""

    label: Annotated[str, "Its label."] = "do it"


def stager(log: list[str] | None = None, *, tier: Tier = Tier.WRITE, name: str = "stage", **more: Any) -> Any:
    """A plugin whose tool stages one action; *log* hears what becomes of it."""
    heard: list[str] = log if log is not None else []

    async def handler(params: Stage, call: Call[Any]) -> str:
        async def apply(reason: str) -> Result:
            heard.append(f"applied {params.label} {reason!r}")
            return Result.of(f"{params.label}: done", data={"done": params.label}, images=(Image(data=b"png"),))

        async def reject(reason: str) -> None:
            heard.append(f"rejected {params.label} {reason!r}")

        given = {"label": params.label, "apply": apply, "reject": reject, "source_tool": name} | more
        return call.stage(PendingAction(**given))

    return plugin(name, tool(name, handler, params=Stage, tier=tier, stages=True))


async def staged(run: Run, *labels: str, name: str = "stage") -> None:
    for label in labels:
        result = await run.surface(Tier.EXEC).call(name, {"label": label})
        assert not result.is_error, result.text


async def resolve(run: Run, action: str = "accept", *, ceiling: Tier = Tier.WRITE, **arguments: Any) -> Result:
    return await run.surface(ceiling).call("resolve", {"action": action, **arguments})


@pytest.mark.requirement("pending:custom", "resolve:args")
@pytest.mark.parametrize("word", ["accept", "apply"])
def test_a_tool_of_any_plugin_takes_part_in_resolve(workspace: Path, word: str):
    @bounded
    async def test() -> None:
        log: list[str] = []
        async with open_run(workspace, [stager(log)], approver=allow_all) as run:
            await staged(run, "a", "b")
            assert (await resolve(run, word, reason="it is right")).data == {"done": "b"}
            assert (await resolve(run, word)).data == {"done": "a"}
            assert log == ["applied b 'it is right'", "applied a ''"]
            assert (await resolve(run, word)).text == NOTHING

    test()


@pytest.mark.requirement("pending:custom")
@bounded
async def test_where_resolve_is_not_on_the_callers_surface_pushing_is_refused(workspace: Path):
    async with open_run(workspace, [stager()], approver=allow_all) as run:
        blind = run.surface(Tier.EXEC, where=lambda tool: tool.name != "resolve")
        result = await blind.call("stage", {})
        assert (result.failure, result.text) == ("tool", NO_STORE)
        assert not run.pending.has_pending


@pytest.mark.requirement("pending:custom")
@bounded
async def test_a_tool_that_did_not_declare_it_may_not_stage(workspace: Path):
    async def sly(params: Any, call: Call[Any]) -> str:
        return call.stage(action())

    modules = [plugin("p", tool("sly", sly, tier=Tier.WRITE)), stager()]
    async with open_run(workspace, modules, approver=allow_all) as run:
        assert "does not declare stages=True" in (await run.surface(Tier.WRITE).call("sly", {})).text


@pytest.mark.requirement("pending:stack")
@bounded
async def test_a_push_lands_in_its_own_run(workspace: Path):
    module = stager()
    async with (
        open_run(workspace, [module], approver=allow_all) as one,
        open_run(workspace, [module], approver=allow_all) as two,
    ):
        await staged(one, "a")
        assert (one.pending.has_pending, two.pending.has_pending) == (True, False)
        assert (await resolve(two)).text == NOTHING


@pytest.mark.requirement("resolve:top")
@bounded
async def test_without_an_id_the_newest_is_taken_and_with_one_that_one(workspace: Path):
    log: list[str] = []
    async with open_run(workspace, [stager(log)], approver=allow_all) as run:
        await staged(run, "a", "b", "c", "d")
        await resolve(run, edit_id="edit_2")
        await resolve(run)
        await resolve(run, "discard")
        assert log == ["applied b ''", "applied d ''", "rejected c ''"]
        assert [each.label for each in run.pending.visible(Tier.EXEC)] == ["a"]


@pytest.mark.requirement("resolve:none")
@bounded
async def test_nothing_pending_and_an_unknown_id_are_errors_that_help(workspace: Path):
    async with open_run(workspace, [stager()], approver=allow_all) as run:
        for word in ("accept", "apply", "discard"):
            result = await resolve(run, word)
            assert (result.failure, result.text) == ("tool", NOTHING)
            assert (await resolve(run, word, edit_id="edit_9")).text == NOTHING
        await staged(run, "a", "b")
        unknown = await resolve(run, edit_id="edit_9")
        assert unknown.text.startswith(
            "'edit_9' is not pending. Pending: edit_2 (b; from stage), edit_1 (a; from stage)."
        )


@pytest.mark.requirement("resolve:args")
@bounded
async def test_an_action_word_must_be_one_of_the_four(workspace: Path):
    async with open_run(workspace, [stager()], approver=allow_all) as run:
        await staged(run, "a")
        result = await resolve(run, "accpt")
        assert result.failure == "arguments"
        assert '(did you mean "accept"?)' in result.text
        assert run.pending.has_pending


@pytest.mark.requirement("resolve:apply", "resolve:label")
@bounded
async def test_what_apply_answers_is_resolves_answer_with_its_label_and_what_is_left(workspace: Path):
    async with open_run(workspace, [stager()], approver=allow_all) as run:
        await staged(run, "a", "b")
        result = await resolve(run)
        assert result.text.splitlines() == [
            "b: done",
            "edit_2 accepted: b (from stage). Still pending: edit_1 (a; from stage).",
        ]
        assert result.data == {"done": "b"}
        assert result.images == (Image(data=b"png"),)
        assert (await resolve(run)).text.splitlines()[1] == "edit_1 accepted: a (from stage). Nothing else is pending."


@pytest.mark.requirement("resolve:apply")
@pytest.mark.parametrize(("answer", "text"), [(None, "Applied do it."), ("all well", "all well")])
def test_apply_may_answer_nothing_or_text(workspace: Path, answer: Any, text: str):
    async def apply(reason: str) -> Any:
        return answer

    @bounded
    async def test() -> None:
        async with open_run(workspace, [stager(apply=apply)], approver=allow_all) as run:
            await staged(run, "do it")
            assert (await resolve(run)).text.splitlines()[0] == text

    test()


@pytest.mark.requirement("resolve:discard", "resolve:label")
@bounded
async def test_discarding_calls_reject_and_the_action_is_gone_even_if_that_fails(workspace: Path):
    async def fails(reason: str) -> None:
        raise OSError("disk on fire")

    async def exits(reason: str) -> None:
        raise SystemExit("bye")

    async def answers(reason: str) -> str:
        return f"Kept it: {reason}"

    for reject, text in (
        (None, "Discarded a."),
        (answers, "Kept it: not now"),
        (fails, "Discarded a. Its clean-up failed: OSError: disk on fire"),
        (exits, "Discarded a. Its clean-up failed: SystemExit: bye"),
    ):
        async with open_run(workspace, [stager(reject=reject)], approver=allow_all) as run:
            await staged(run, "a")
            result = await resolve(run, "discard", reason="not now")
            assert not result.is_error
            assert result.text.splitlines() == [text, "edit_1 discarded: a (from stage). Nothing else is pending."]
            assert not run.pending.has_pending


@pytest.mark.requirement("resolve:label", "core:approval-pinned")
@bounded
async def test_the_approval_card_shows_the_action_and_pins_it(workspace: Path):
    log: list[str] = []
    approver = RecordingApprover()
    async with open_run(workspace, [stager(log, details="a diff", paths=("x.py",))], approver=approver) as run:
        await staged(run, "a", "b")

        async def push_one_more(call: Call[Any]) -> Any:
            run.pending.push(action("sneaked in"))
            return await allow_all(call)

        asking = RecordingApprover([push_one_more, Deny("no")])
        run.approvals.approver = asking
        await resolve(run)
        assert log == ["applied b ''"]
        subject = asking.asked[0].subject
        assert subject is not None
        assert subject.summary == "accept edit_2: b (from stage). Still pending: edit_1 (a; from stage)."
        assert (subject.paths, subject.preview) == (("x.py",), "a diff")
        denied = await resolve(run, "discard", edit_id="edit_1")
        assert denied.failure == "refused"
        assert "discard edit_1: a (from stage)" in denied.text
        assert [each.label for each in run.pending.visible(Tier.EXEC)] == ["a", "sneaked in"]


@pytest.mark.requirement("core:tier-call-time")
@bounded
async def test_an_action_above_a_callers_ceiling_does_not_exist_for_him(workspace: Path):
    approver = RecordingApprover()
    log: list[str] = []
    modules = [stager(log, name="drive", tier=Tier.EXEC), stager(log)]
    async with open_run(workspace, modules, approver=approver) as run:
        await staged(run, "high", name="drive")
        assert (await resolve(run)).text == NOTHING
        assert (await resolve(run, edit_id="edit_1")).text == NOTHING
        assert run.surface(Tier.WRITE).advice is None
        await staged(run, "low")
        assert "high" not in (await resolve(run, edit_id="edit_1")).text
        assert "high" not in (await resolve(run)).text
        accepted = await resolve(run, ceiling=Tier.EXEC)
        assert accepted.data == {"done": "high"}
        assert (approver.asked[-1].tool.name, approver.asked[-1].tier) == ("resolve", Tier.EXEC)


# ---- once -------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("resolve:once")
@bounded
async def test_two_resolves_at_once_apply_an_action_once(workspace: Path):
    entered, go_on = asyncio.Event(), asyncio.Event()
    applied: list[str] = []

    async def apply(reason: str) -> None:
        applied.append(reason)
        entered.set()
        await go_on.wait()

    async with open_run(workspace, [stager(apply=apply)], approver=allow_all) as run:
        await staged(run, "a")
        first = asyncio.create_task(resolve(run, reason="first"))
        await entered.wait()
        for word in ("accept", "discard"):
            second = await resolve(run, word, edit_id="edit_1")
            assert second.failure == "tool"
            assert "edit_1 is being resolved by another call" in second.text
        assert run.surface(Tier.WRITE).advice is None
        go_on.set()
        assert not (await first).is_error
        assert applied == ["first"]


@pytest.mark.requirement("resolve:once")
@pytest.mark.parametrize(
    ("error", "stays", "says"),
    [
        (ToolError("the index moved", retry=True), True, "was not applied and stays pending: the index moved."),
        (ToolError("no way"), False, "failed and is no longer pending: no way."),
        (KeyError("x"), False, "failed and is no longer pending: KeyError: 'x'."),
        (SystemExit("bye"), False, "failed and is no longer pending: SystemExit: bye."),
    ],
    ids=str,
)
def test_a_failure_ends_an_action_unless_nothing_was_done(
    workspace: Path, error: BaseException, stays: bool, says: str
):
    async def apply(reason: str) -> None:
        raise error

    @bounded
    async def test() -> None:
        async with open_run(workspace, [stager(apply=apply)], approver=allow_all) as run:
            await staged(run, "a")
            result = await resolve(run)
            assert result.failure == "tool"
            assert result.text.startswith(f"edit_1 (a; from stage) {says}")
            assert run.pending.has_pending is stays
            assert (await resolve(run)).text.startswith("edit_1" if stays else NOTHING)

    test()


@pytest.mark.requirement("resolve:once")
@bounded
async def test_an_action_that_is_cancelled_half_way_is_gone_and_told(workspace: Path):
    entered = asyncio.Event()

    async def apply(reason: str) -> None:
        entered.set()
        await asyncio.Event().wait()

    async with open_run(workspace, [stager(apply=apply)], approver=allow_all) as run:
        await staged(run, "a")
        call = asyncio.create_task(resolve(run))
        await entered.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert not run.pending.has_pending
        result = await run.surface(Tier.WRITE).call("stage", {"label": "b"})
        assert "edit_1 (a; from stage) was cancelled while it was applied and is no longer pending" in result.text


@bounded
async def test_two_actions_of_one_call_may_be_resolved_at_once_and_each_answers_for_itself(workspace: Path):
    both, go_on = asyncio.Event(), asyncio.Event()
    begun: list[str] = []

    async def handler(params: Any, call: Call[Any]) -> str:
        def one(label: str) -> PendingAction:
            async def apply(reason: str) -> str:
                begun.append(label)
                both.set()
                await go_on.wait()
                call.note(f"note of {label}")
                return (await call.call("see", {})).text

            return action(label, apply=apply)

        return f"{call.stage(one('a'))} {call.stage(one('b'))}"

    module = plugin("p", tool("stage", handler, tier=Tier.WRITE, stages=True), tool("see"))
    async with open_run(workspace, [module], approver=allow_all) as run:
        await run.surface(Tier.WRITE).call("stage", {})
        calls = [asyncio.create_task(resolve(run, edit_id=f"edit_{n}")) for n in (1, 2)]
        await both.wait()
        await asyncio.sleep(0)
        go_on.set()
        first, second = await asyncio.gather(*calls)
        assert first.text.splitlines()[0] == second.text.splitlines()[0] == "done"
        assert ("note of a" in first.text, "note of b" in first.text) == (True, False)
        assert ("note of a" in second.text, "note of b" in second.text) == (False, True)


@bounded
async def test_an_action_may_resolve_another_one_of_the_same_call(workspace: Path):
    async def handler(params: Any, call: Call[Any]) -> str:
        async def inner(reason: str) -> str:
            call.note("inner")
            return "inner done"

        async def outer(reason: str) -> str:
            answer = await call.call("resolve", {"action": "accept", "edit_id": "edit_1"})
            call.note("outer")
            return answer.text.splitlines()[0]

        call.stage(action("inner", apply=inner))
        return call.stage(action("outer", apply=outer))

    module = plugin("p", tool("stage", handler, tier=Tier.WRITE, stages=True))
    async with open_run(workspace, [module], approver=allow_all) as run:
        await run.surface(Tier.WRITE).call("stage", {})
        result = await resolve(run, edit_id="edit_2")
        assert not result.is_error, result.text
        assert result.text.splitlines()[0] == "inner done"
        assert [note.text for note in result.notes] == ["outer"]
        assert not run.pending.has_pending


# ---- preference, events, the end ------------------------------------------------------------------------------------------


@pytest.mark.requirement("pending:preference")
@bounded
async def test_while_something_is_pending_the_runtime_prefers_resolve(workspace: Path):
    async with open_run(workspace, [stager(), plugin("p", tool("see"))], approver=allow_all) as run:
        read, write = run.surface(Tier.READ), run.surface(Tier.WRITE)
        tools = write.tools
        assert write.advice is None
        assert (await write.call("see", {})).notes == ()
        staging = await write.call("stage", {"label": "a"})
        assert staging.notes == ()  # its own answer says it
        advice = write.advice
        assert advice is not None
        assert (advice.tool, advice.edit_id, advice.label) == ("resolve", "edit_1", "a")
        seen = await write.call("see", {})
        assert seen.text.splitlines() == ["done", "Pending: edit_1 (a). Call resolve to accept or discard it."]
        assert read.advice is None
        assert (await read.call("see", {})).notes == ()
        assert "Pending:" not in (await write.call("resolve", {"action": "undo"})).text
        await resolve(run)
        assert write.advice is None
        assert write.tools is tools


@bounded
async def test_plugins_hear_what_becomes_of_actions(workspace: Path):
    events: list[tuple[str, str]] = []

    def pending(event: PendingEvent) -> None:
        events.append((event.kind, event.label))

    async def fails(reason: str) -> None:
        raise KeyError

    modules = [stager(), stager(name="failing", apply=fails), plugin("preview", pending=pending)]
    async with open_run(workspace, modules, approver=allow_all) as run:
        await staged(run, "a", "b")
        await resolve(run)
        await resolve(run, "discard")
        await staged(run, "c", name="failing")
        await resolve(run)
    assert events == [
        ("pushed", "a"),
        ("pushed", "b"),
        ("accepted", "b"),
        ("discarded", "a"),
        ("pushed", "c"),
        ("failed", "c"),
    ]


@pytest.mark.requirement("pending:bounded")
@bounded
async def test_what_was_evicted_is_told_on_the_next_call(workspace: Path):
    async with open_run(workspace, [stager(), plugin("p", tool("see"))], approver=allow_all) as run:
        run.pending.most = 2
        await staged(run, "a", "b")
        result = await run.surface(Tier.WRITE).call("stage", {"label": "c"})
        assert "edit_1 (a; from stage) was dropped" in result.text
        assert "dropped" not in (await run.surface(Tier.WRITE).call("see", {})).text


@pytest.mark.requirement("pending:bounded")
@bounded
async def test_closing_a_run_rejects_what_is_left_newest_first_whatever_a_callback_does(workspace: Path):
    log: list[str] = []

    async def hangs(reason: str) -> None:
        log.append("hangs")
        await asyncio.Event().wait()

    async def raises(reason: str) -> None:
        log.append("raises")
        raise OSError("stuck")

    async def exits(reason: str) -> None:
        log.append("exits")
        raise SystemExit("bye")

    async def cancels(reason: str) -> None:
        log.append("cancels")
        raise asyncio.CancelledError

    modules = [
        stager(log),
        *(stager(name=each.__name__, reject=each) for each in (hangs, raises, exits, cancels)),
    ]
    async with open_run(workspace, modules, approver=allow_all) as run:
        run.calls.seconds = 0.2
        await staged(run, "a")
        for name in ("hangs", "raises", "exits", "cancels"):
            await staged(run, name, name=name)
        await staged(run, "z")
    assert log == [
        "rejected z 'the run is closing'",
        "cancels",
        "exits",
        "raises",
        "hangs",
        "rejected a 'the run is closing'",
    ]
    assert [problem.error for problem in run.problems] == [
        "rejecting edit_5 (cancels; from cancels) failed: it was cancelled",
        "rejecting edit_4 (exits; from exits) failed: SystemExit: bye",
        "rejecting edit_3 (raises; from raises) failed: OSError: stuck",
        "rejecting edit_2 (hangs; from hangs) took too long and was cancelled",
    ]
