"""Who says yes: gates, the approver, grants, deferral, and what was shown is what is done."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from core.processes.bounded import bounded
from toolpost import Allow, ApprovalPending, Call, Defer, Deny, PluginError, Subject, Tier, Unavailable, allow_all
from toolpost.testing import RecordingApprover, open_run, plugin, tool


@attrs.frozen(kw_only=True)
class Command:
    """Run a command."""

    command: Annotated[str, "What."] = "ls"


def writer(done: list[Any] | None = None, **more: Any) -> Any:
    async def handler(params: Any, call: Call[Any]) -> str:
        if done is not None:
            done.append(params)
        return "done"

    return plugin(
        "p",
        tool("see"),
        tool("w", handler, tier=Tier.WRITE, params=Command, **more),
        tool("x", handler, tier=Tier.EXEC, params=Command),
    )


@pytest.mark.requirement("core:approval")
@bounded
async def test_without_an_approver_write_and_exec_are_refused_at_once_and_read_is_not(workspace: Path):
    done: list[Any] = []
    async with open_run(workspace, [writer(done)]) as run:
        surface = run.surface(Tier.EXEC)
        for name in ("w", "x"):
            result = await surface.call(name, {})
            assert result.failure == "refused"
            assert result.text == f"{name} was refused: it needs approval, and this run has no approver"
        assert (await surface.call("see", {})).text == "done"
        assert done == []


@pytest.mark.requirement("core:approval")
@bounded
async def test_the_approver_is_asked_about_write_and_exec_and_never_about_read(workspace: Path):
    approver = RecordingApprover([Deny("not on a Friday"), Allow()])
    done: list[Any] = []
    async with open_run(workspace, [writer(done)], approver=approver) as run:
        surface = run.surface(Tier.EXEC)
        await surface.call("see", {})
        denied = await surface.call("w", {})
        assert (denied.failure, denied.text) == ("refused", "w was refused: not on a Friday")
        assert done == []
        assert (await surface.call("x", {})).text == "done"
        assert [(call.tool.name, call.tier) for call in approver.asked] == [("w", Tier.WRITE), ("x", Tier.EXEC)]


@pytest.mark.requirement("core:approval")
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (ValueError("oh"), "the approver failed: ValueError: oh"),
        (SystemExit("bye"), "the approver failed: SystemExit: bye"),
        (None, "the approver gave None, which is no Allow, Deny or Defer"),
        (True, "the approver gave True"),
        (Allow, "which is no Allow, Deny or Defer"),
    ],
    ids=repr,
)
def test_an_approver_that_gives_no_clean_yes_refuses_and_raises_nothing(workspace: Path, answer: Any, says: str):
    @bounded
    async def test() -> None:
        done: list[Any] = []

        async def approver(call: Any) -> Any:
            if isinstance(answer, BaseException):
                raise answer
            return answer

        async with open_run(workspace, [writer(done)], approver=approver) as run:
            result = await run.surface(Tier.WRITE).call("w", {})
            assert result.failure == "refused"
            assert says in result.text
            assert done == []

    test()


@pytest.mark.requirement("core:approval")
@bounded
async def test_questions_queue_and_each_is_checked_against_what_was_granted_meanwhile(workspace: Path):
    shown, answer = 0, asyncio.Event()
    most = 0

    async def approver(call: Any) -> Allow:
        nonlocal shown, most
        shown += 1
        most = max(most, shown)
        await answer.wait()
        shown -= 1
        return Allow("run")

    asked = RecordingApprover(iter(lambda: approver, None))
    async with open_run(workspace, [writer()], approver=asked) as run:
        surface = run.surface(Tier.EXEC)
        calls = [asyncio.create_task(surface.call(name, {})) for name in ("w", "w", "x", "w")]
        await asyncio.sleep(0)
        answer.set()
        assert [result.text for result in await asyncio.gather(*calls)] == ["done"] * 4
        assert most == 1
        assert [call.tool.name for call in asked.asked] == ["w", "x"]


@pytest.mark.requirement("core:approval")
@bounded
async def test_a_grant_for_the_run_holds_for_that_tool_tier_and_command_only(workspace: Path):
    def subject(params: Command, call: Any) -> Subject:
        tier = Tier.EXEC if params.command == "raise" else None
        return Subject(summary=params.command, command=params.command, tier=tier)

    approver = RecordingApprover([Allow("run"), Allow("run"), Deny("no"), Deny("no")])
    async with open_run(workspace, [writer(subject=subject)], approver=approver) as run:
        surface = run.surface(Tier.EXEC)
        for command, ok in (("ls", True), ("ls", True), ("rm", True), ("rm", True), ("raise", False)):
            assert (await surface.call("w", {"command": command})).is_error is not ok
        assert (await surface.call("x", {})).failure == "refused"
        assert [call.subject.command if call.subject else None for call in approver.asked] == [
            "ls",
            "rm",
            "raise",
            None,
        ]


@pytest.mark.requirement("core:approval")
@bounded
async def test_an_approver_that_calls_what_it_would_be_asked_about_is_refused_and_never_hangs(workspace: Path):
    inner: list[Any] = []

    async def approver(call: Call[Any]) -> Allow:
        inner.append(await surface.call("see", {}))
        inner.append(await surface.call("x", {}))
        return Allow()

    async with open_run(workspace, [writer()], approver=approver) as run:
        surface = run.surface(Tier.EXEC)
        assert (await surface.call("w", {})).text == "done"
        assert inner[0].text == "done"
        assert inner[1].failure == "refused"
        assert "the approver itself makes this call" in inner[1].text


@pytest.mark.requirement("core:approval-pinned")
@bounded
async def test_what_the_approver_was_shown_is_what_is_done(workspace: Path):
    world = {"target": "old"}
    done: list[str] = []

    async def handler(params: Any, call: Call[Any]) -> str:
        assert call.subject is not None
        done.append(call.subject.pinned)
        return "done"

    async def approver(call: Call[Any]) -> Allow:
        assert call.subject is not None
        assert call.subject.summary == "delete old"
        world["target"] = "new"
        return Allow()

    def subject(params: Any, call: Any) -> Subject:
        return Subject(summary=f"delete {world['target']}", paths=(world["target"],), pinned=world["target"])

    module = plugin("p", tool("w", handler, tier=Tier.WRITE, subject=subject))
    async with open_run(workspace, [module], approver=approver) as run:
        await run.surface(Tier.WRITE).call("w", {})
        assert done == ["old"]


@bounded
async def test_a_refusal_says_what_was_asked_for(workspace: Path):
    module = writer(subject=lambda params, call: Subject(summary=f"run {params.command}"))
    async with open_run(workspace, [module], approver=RecordingApprover([Deny("no")])) as run:
        result = await run.surface(Tier.WRITE).call("w", {"command": "rm"})
        assert result.text == "w was refused: no (asked for: run rm)"


# ---- deferral ---------------------------------------------------------------------------------------------------------


async def deferred(surface: Any, name: str = "w", arguments: Any = ()) -> ApprovalPending:
    with pytest.raises(ApprovalPending) as caught:
        await surface.call(name, dict(arguments))
    return caught.value


@bounded
async def test_a_deferred_call_goes_on_when_the_answer_comes(workspace: Path):
    done: list[Any] = []
    heard: list[str] = []
    module = writer(done)
    observer = plugin("log", called=lambda call: heard.append(call.id))
    async with open_run(workspace, [module, observer], approver=RecordingApprover([Defer()] * 3)) as run:
        surface = run.surface(Tier.EXEC)
        waiting = await deferred(surface, arguments={"command": "make"})
        assert waiting.call.params.command == "make"
        assert "waits for approval" in str(waiting)
        assert (done, heard) == ([], [])
        assert (await waiting.resume(Allow())).text == "done"
        assert [params.command for params in done] == ["make"]
        assert heard == [waiting.call.id]
        with pytest.raises(RuntimeError, match="resumed already"):
            await waiting.resume(Allow())
        assert len(done) == 1
        assert (await (await deferred(surface)).resume(Deny("too late"))).text == "w was refused: too late"
        odd = await (await deferred(surface)).resume(Defer())  # type: ignore[arg-type]
        assert odd.failure == "refused"
        assert len(done) == 1


@bounded
async def test_a_deferred_call_may_be_granted_for_the_run(workspace: Path):
    approver = RecordingApprover([Defer()])
    async with open_run(workspace, [writer()], approver=approver) as run:
        surface = run.surface(Tier.WRITE)
        await (await deferred(surface)).resume(Allow("run"))
        assert (await surface.call("w", {})).text == "done"
        assert len(approver.asked) == 1


@bounded
async def test_a_deferred_call_that_is_resumed_too_late_says_so(workspace: Path):
    done: list[Any] = []
    async with open_run(workspace, [writer(done)], approver=RecordingApprover([Defer()] * 2)) as run:
        surface = run.surface(Tier.WRITE)
        first, second = await deferred(surface), await deferred(surface)
        await run.release("p", "not needed")
        assert (await first.resume(Allow())).failure == "unknown"
    assert (await second.resume(Allow())).failure == "closed"
    assert done == []


@bounded
async def test_a_call_that_another_call_waits_for_cannot_be_deferred(workspace: Path):
    async def outer(params: Any, call: Call[Any]) -> str:
        return (await call.call("w", {})).text

    async with open_run(
        workspace, [writer(), plugin("o", tool("outer", outer))], approver=RecordingApprover([Defer()])
    ) as run:
        result = await run.surface(Tier.WRITE).call("outer", {})
        assert "cannot be deferred" in result.text


# ---- gates ------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:gate")
@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (lambda: Deny("not here"), "not here"),
        (lambda: True, "the gate policy gave True, which is no pass"),
        (lambda: False, "the gate policy gave False"),
        (lambda: Allow(), "which is no pass"),
        (lambda: 1 / 0, "the gate policy failed, and a gate that fails refuses"),
        (lambda: exit("bye"), "the gate policy failed"),
    ],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_anything_but_a_clean_pass_refuses(workspace: Path, verdict: Any, says: str, is_async: bool):
    async def later() -> Any:
        await asyncio.sleep(0)
        return verdict()

    @bounded
    async def test() -> None:
        approver = RecordingApprover()
        gate = (lambda call: later()) if is_async else (lambda call: verdict())
        done: list[Any] = []
        async with open_run(workspace, [writer(done), plugin("policy", gate=gate)], approver=approver) as run:
            for name in ("see", "w"):
                result = await run.surface(Tier.WRITE).call(name, {})
                assert result.failure == "refused"
                assert says in result.text
            assert (done, approver.asked) == ([], [])

    test()


@pytest.mark.requirement("core:gate")
@bounded
async def test_a_gate_sees_its_run_its_handle_and_the_call_and_every_gate_is_asked(workspace: Path):
    seen: list[Any] = []

    async def slow(call: Call[Any]) -> None:
        seen.append(("slow", call.tool.name))

    def full(run: Any, handle: Any, call: Call[Any]) -> None:
        seen.append(("full", run.workspace, handle, call.subject))

    modules = [
        writer(subject=lambda params, call: Subject(summary="it")),
        plugin("full", resource=lambda: "handle", gate=full),
        plugin("slow", gate=slow),
        plugin("absent", resource=lambda: Unavailable("no"), gate=lambda: Deny("a dead plugin judges nothing")),
    ]
    async with open_run(workspace, modules, approver=allow_all) as run:
        assert not (await run.surface(Tier.WRITE).call("w", {})).is_error
        assert seen == [("full", str(workspace), "handle", Subject(summary="it")), ("slow", "w")]


@pytest.mark.requirement("core:gate")
@bounded
async def test_a_required_policy_that_is_not_alive_stops_the_run_from_opening(workspace: Path):
    from toolpost import Host

    closed: list[bool] = []

    def failing() -> Any:
        raise OSError("no policy file")

    for resource in (lambda: Unavailable("no policy file"), failing):
        before = plugin("before", tool("t"), resource=lambda: object())
        host = Host([before, plugin("policy", gate=lambda: None, resource=resource)], require=["policy"])
        with pytest.raises(PluginError, match=r"it is required, and.*no policy file"):
            async with host.open(workspace, conversation="c"):
                closed.append(True)
        with pytest.raises(PluginError):
            async with host.open(workspace, conversation="c"):  # the failed opening has let go of the conversation
                closed.append(True)
    held = Host([plugin("policy", gate=lambda: None)], require=["policy"])
    with pytest.raises(PluginError, match="mode is off"):
        async with held.open(workspace, held=["policy"]):
            closed.append(True)
    assert closed == []
