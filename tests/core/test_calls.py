"""One call: its steps in their order, what it answers whatever happens, and the calls inside it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from core.processes.bounded import bounded
from toolpost import Allow, Call, Image, Note, Result, Subject, Text, Tier, ToolError, allow_all
from toolpost.testing import RecordingApprover, open_run, plugin, tool


@attrs.frozen(kw_only=True)
class Word:
    """Say a word."""

    word: Annotated[str, "What."] = "x"


@bounded
async def test_the_steps_come_in_the_order_of_the_contract(workspace: Path):
    steps: list[str] = []

    async def handler(params: Word, call: Call[Any]) -> str:
        steps.append("handler")
        call.note("noted")
        return "done"

    def subject(params: Word, call: Call[Any]) -> Subject:
        steps.append("subject")
        return Subject(summary="it")

    async def approver(call: Call[Any]) -> Allow:
        steps.append("approver")
        return Allow()

    module = plugin(
        "p",
        tool("t", handler, tier=Tier.WRITE, params=Word, subject=subject),
        gate=lambda call: steps.append("gate"),
        called=lambda result: steps.append(f"observer: {result.text}"),
    )
    async with open_run(workspace, [module], approver=approver) as run:
        surface = run.surface(Tier.WRITE)
        assert (await surface.call("t", {"wrd": 1})).failure == "arguments"
        assert steps == []
        await surface.call("t", {})
        assert steps == ["subject", "gate", "approver", "handler", "observer: done\nnoted"]


@pytest.mark.requirement("core:args-strict")
@bounded
async def test_arguments_that_do_not_fit_never_reach_the_handler(workspace: Path):
    entered: list[Any] = []

    async def handler(params: Word, call: Call[Any]) -> str:
        entered.append(params)
        return params.word

    async with open_run(workspace, [plugin("p", tool("t", handler, params=Word))]) as run:
        surface = run.surface(Tier.READ)
        for arguments in ({"word": 1}, {"wrd": "x"}, "nonsense", [], None, 3):
            result = await surface.call("t", arguments)  # type: ignore[arg-type]
            assert result.failure == "arguments"
            assert result.text.startswith("t: ")
        assert entered == []
        hidden = await surface.call("t", {"word\u202e": 1})
        assert "\u202e" not in hidden.text
        assert (await surface.call("t", '{"word": "hello"}')).text == "hello"


@pytest.mark.requirement("core:data")
@bounded
async def test_a_handler_gives_text_or_a_result(workspace: Path):
    async def result(params: Any, call: Call[Any]) -> Result:
        return Result.of("seen", data={"exact": "\x1b"}, images=(Image(data=b"png"),))

    async def nothing(params: Any, call: Call[Any]) -> Any:
        return None

    async with open_run(workspace, [plugin("p", tool("a"), tool("b", result), tool("c", nothing))]) as run:
        surface = run.surface(Tier.READ)
        assert (await surface.call("a", {})).content == (Text(text="done"),)
        rich = await surface.call("b", {})
        assert (rich.text, rich.data, len(rich.images)) == ("seen", {"exact": "\x1b"}, 1)
        odd = await surface.call("c", {})
        assert (odd.failure, odd.text) == (
            "crash",
            "c failed: TypeError: its handler gave NoneType, not a Result or text",
        )


@bounded
async def test_what_a_handler_raises_is_an_answer(workspace: Path, caplog: pytest.LogCaptureFixture):
    def raising(error: BaseException) -> Any:
        async def handler(params: Any, call: Call[Any]) -> str:
            raise error

        return handler

    async def exits(params: Any, call: Call[Any]) -> str:
        sys.exit("bye")

    async def waits_for_what_is_cancelled(params: Any, call: Call[Any]) -> str:
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await task
        return "never"

    module = plugin(
        "p",
        tool("expected", raising(ToolError("no such row; ask for one of 1, 2", data={"rows": [1, 2]}))),
        tool("unexpected", raising(KeyError("x"))),
        tool("exits", exits),
        tool("cancelled", waits_for_what_is_cancelled),
    )
    async with open_run(workspace, [module]) as run:
        surface = run.surface(Tier.READ)
        expected = await surface.call("expected", {})
        assert (expected.failure, expected.text) == ("tool", "no such row; ask for one of 1, 2")
        assert expected.data == {"rows": [1, 2]}
        assert not caplog.records
        unexpected = await surface.call("unexpected", {})
        assert (unexpected.failure, unexpected.text) == ("crash", "unexpected failed: KeyError: 'x'")
        assert caplog.records[-1].exc_info is not None
        assert (await surface.call("exits", {})).text == "exits failed: SystemExit: bye"
        assert (await surface.call("cancelled", {})).failure == "crash"


@pytest.mark.requirement("core:bounded")
@bounded
async def test_a_result_is_bounded_and_what_is_left_out_is_counted(workspace: Path):
    async def floods(params: Any, call: Call[Any]) -> Result:
        for number in range(100):
            call.note(f"note {number} " + "n" * 10_000)
        blocks = (Text(text="a" * 40_000), Text(text="b" * 40_000), Text(text="c" * 40_000))
        return Result(content=(*blocks, *[Image(data=b"x")] * 20), data={"text": "\x1b"})

    async with open_run(workspace, [plugin("p", tool("floods", floods))]) as run:
        result = await run.surface(Tier.READ).call("floods", {})
        text = "".join(block.text for block in result.content if isinstance(block, Text))
        assert 50_000 <= len(text) < 51_000
        assert "b" * 7_500 + "\n… 30000 characters in 1 lines left out …\n" + "b" * 2_500 in text
        assert "… 40000 characters left out …" in text
        assert len(result.images) == 16
        assert "… 4 images left out …" in text
        assert len(result.notes) == 65
        assert all(len(note.text) < 4_200 for note in result.notes)
        assert "36 notes left out" in result.notes[-1].text
        assert result.data == {"text": "\x1b"}


@pytest.mark.requirement("core:bounded")
@bounded
async def test_control_characters_are_shown_in_text_and_exact_in_data(workspace: Path):
    async def handler(params: Any, call: Call[Any]) -> Result:
        call.note("n\u202e")
        return Result.of("a\x1b[2J", data="a\x1b[2J")

    async def raises(params: Any, call: Call[Any]) -> Result:
        raise ToolError("file \u202e is odd")

    async with open_run(workspace, [plugin("p", tool("t", handler), tool("e", raises))]) as run:
        result = await run.surface(Tier.READ).call("t", {})
        assert (result.text, result.data) == ("a\\x1b[2J\nn\\u202e", "a\x1b[2J")
        assert (await run.surface(Tier.READ).call("e", {})).text == "file \\u202e is odd"


# ---- calls inside calls -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:tier-call-time")
@bounded
async def test_an_inner_call_starts_at_its_callers_surface(workspace: Path):
    async def outer(params: Word, call: Call[Any]) -> Result:
        return await call.call(params.word, {})

    module = plugin("p", tool("outer", outer, params=Word), tool("see"), tool("change", tier=Tier.WRITE))
    approver = RecordingApprover()
    async with open_run(workspace, [module], approver=approver) as run:
        read, write = run.surface(Tier.READ), run.surface(Tier.WRITE)
        assert (await read.call("outer", {"word": "see"})).text == "done"
        assert (await read.call("outer", {"word": "change"})).failure == "unknown"
        assert (await read.call("outer", {"word": "change"})).text == (await read.call("change", {})).text
        assert approver.asked == []
        assert (await write.call("outer", {"word": "change"})).text == "done"
        [asked] = approver.asked
        assert asked.tool.name == "change"
        assert asked.parent is not None
        assert asked.parent.tool.name == "outer"


@bounded
async def test_an_inner_call_after_its_caller_has_answered_is_refused(workspace: Path):
    kept: list[Call[Any]] = []

    async def outer(params: Any, call: Call[Any]) -> str:
        kept.append(call)
        return "done"

    async with open_run(workspace, [plugin("p", tool("outer", outer), tool("see"))]) as run:
        await run.surface(Tier.READ).call("outer", {})
        late = await kept[0].call("see", {})
        assert (late.failure, late.text) == ("closed", "see: the call that makes this one has already answered")


@bounded
async def test_progress_reaches_whoever_made_the_outermost_call(workspace: Path):
    heard: list[str] = []

    async def outer(params: Any, call: Call[Any]) -> str:
        call.progress("begun")
        return (await call.call("inner", {})).text

    async def inner(params: Any, call: Call[Any]) -> str:
        call.progress("half")
        return "done"

    async with open_run(workspace, [plugin("p", tool("outer", outer), tool("inner", inner))]) as run:
        await run.surface(Tier.READ).call("outer", {}, progress=heard.append)
        await run.surface(Tier.READ).call("outer", {})
        assert heard == ["begun", "half"]


@bounded
async def test_the_harness_answers_inner_calls_of_names_that_the_surface_lacks(workspace: Path):
    async def dispatch(name: str, arguments: Any, calling: Call[Any]) -> Result | None:
        match name:
            case "own":
                return Result.of(f"own {arguments} for {calling.tool.name} up to {calling.surface.ceiling.value}")
            case "expected":
                raise ToolError("no")
            case "broken":
                raise KeyError("x")
        return None

    async def outer(params: Word, call: Call[Any]) -> Result:
        return await call.call(params.word, {"a": 1})

    async with open_run(workspace, [plugin("p", tool("outer", outer, params=Word))], dispatch=dispatch) as run:
        surface = run.surface(Tier.READ)

        async def inner(name: str) -> Result:
            return await surface.call("outer", {"word": name})

        assert (await inner("own")).text == "own {'a': 1} for outer up to read"
        assert (await inner("expected")).failure == "tool"
        assert (await inner("broken")).failure == "crash"
        assert await inner("nosuch") == await surface.call("nosuch", {})
        assert (await surface.call("own", {})).failure == "unknown"


@bounded
async def test_the_harnesss_own_tools_are_called_like_any_other(workspace: Path):
    async def own(params: Word, call: Call[Any]) -> Result:
        return Result(content=(Text(text=params.word),), notes=(Note(source="own", text="behind"),))

    approver = RecordingApprover()
    async with open_run(
        workspace, [plugin("p", tool("t"))], tools=[tool("own", own, params=Word, tier=Tier.WRITE)], approver=approver
    ) as run:
        result = await run.surface(Tier.WRITE).call("own", {"word": "hello"})
        assert result.text == "hello\nbehind"
        assert [call.tool.name for call in approver.asked] == ["own"]
    for own_tools, says in (([tool("t")], "the plugin 'p' declares it too"), ([tool("a"), tool("a")], "two of them")):
        with pytest.raises(ValueError, match=says):
            async with open_run(workspace, [plugin("p", tool("t"))], tools=own_tools):
                pass


@bounded
async def test_observers_hear_of_each_finished_call_with_its_time(workspace: Path):
    heard: list[tuple[str, str | None, bool]] = []

    async def raises(params: Any, call: Call[Any]) -> str:
        raise KeyError

    def called(run: Any, handle: Any, call: Any, result: Any, seconds: float) -> None:
        heard.append((call.tool.name, result.failure, 0 <= seconds < 10 and handle == "handle" and run is not None))

    module = plugin(
        "p", tool("t"), tool("raises", raises), tool("w", tier=Tier.WRITE), resource=lambda: "handle", called=called
    )
    async with open_run(workspace, [module]) as run:
        for name in ("t", "raises", "w"):
            await run.surface(Tier.EXEC).call(name, {})
    assert heard == [("t", None, True), ("raises", "crash", True), ("w", "refused", True)]


@bounded
async def test_two_hundred_calls_at_once(workspace: Path):
    gathered = asyncio.Event()
    waiting = 0

    async def waits(params: Word, call: Call[Any]) -> str:
        nonlocal waiting
        waiting += 1
        if waiting == 200:
            gathered.set()
        await gathered.wait()
        return (await call.call("see", {"word": params.word})).text

    async def see(params: Word, call: Call[Any]) -> str:
        await asyncio.sleep(0)
        return params.word

    module = plugin("p", tool("waits", waits, params=Word), tool("see", see, params=Word, exclusive=True))
    async with open_run(workspace, [module], approver=allow_all) as run:
        surface = run.surface(Tier.READ)
        results = await asyncio.gather(*(surface.call("waits", {"word": str(n)}) for n in range(200)))
        assert [result.text for result in results] == [str(n) for n in range(200)]
        ids = [call.id for call in run.calls]
        assert ids == []
