"""What an audience sees: tiers, ceilings, filters, and the one answer for everything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from core.processes.bounded import bounded
from toolpost import Run, Subject, Tier, allow_all
from toolpost.testing import open_run, plugin, tool


def tiers() -> Any:
    return plugin(
        "p", tool("see"), tool("look", tier=Tier.READ), tool("change", tier=Tier.WRITE), tool("drive", tier=Tier.EXEC)
    )


@pytest.mark.requirement("core:tier-visibility")
@pytest.mark.parametrize(
    ("ceiling", "names"),
    [
        (Tier.READ, ["see", "look"]),
        (Tier.WRITE, ["see", "look", "change"]),
        (Tier.EXEC, ["see", "look", "change", "drive"]),
    ],
)
def test_a_surface_holds_the_tools_up_to_its_ceiling(workspace: Path, ceiling: Tier, names: list[str]):
    @bounded
    async def test() -> None:
        async with open_run(workspace, [tiers()], approver=allow_all) as run:
            surface = run.surface(ceiling)
            assert [each.name for each in surface.tools] == names
            assert [surface.has(name) for name in ("see", "look", "change", "drive")] == [
                name in names for name in ("see", "look", "change", "drive")
            ]

    test()


@pytest.mark.requirement("core:tier-visibility")
@bounded
async def test_a_ceiling_must_be_named(workspace: Path):
    async with open_run(workspace, [tiers()]) as run:
        with pytest.raises(TypeError):
            run.surface()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="needs a Tier"):
            run.surface("read")  # type: ignore[arg-type]


@pytest.mark.requirement("core:tier-call-time")
@pytest.mark.parametrize("name", ["change", "drive"])
def test_a_hidden_tool_and_one_that_does_not_exist_answer_word_for_word_the_same(workspace: Path, name: str):
    async def answer(run: Run, arguments: Any) -> Any:
        return await run.surface(Tier.READ).call(name, arguments)

    @bounded
    async def test() -> None:
        async with (
            open_run(workspace, [tiers()], approver=allow_all) as there,
            open_run(workspace, [plugin("p", tool("see"), tool("look"))], approver=allow_all) as never,
        ):
            for arguments in ({}, {"x": 1}, "not json", None):
                hidden, unknown = await answer(there, arguments), await answer(never, arguments)
                assert hidden == unknown
                assert hidden.failure == "unknown"
                assert "change" not in hidden.text.replace(f"'{name}'", "")
                assert "drive" not in hidden.text.replace(f"'{name}'", "")

    test()


@pytest.mark.requirement("core:tier-call-time")
@bounded
async def test_suggestions_come_from_the_visible_tools_only(workspace: Path):
    async with open_run(workspace, [tiers()]) as run:
        assert (await run.surface(Tier.READ).call("chang", {})).text == ("No tool named 'chang'. Available: see, look.")
        assert (await run.surface(Tier.EXEC).call("chang", {})).text == (
            "No tool named 'chang' (did you mean \"change\"?). Available: see, look, change, drive."
        )


@pytest.mark.requirement("core:bounded")
@bounded
async def test_a_name_without_end_is_quoted_short_and_shown(workspace: Path):
    async with open_run(workspace, [tiers()]) as run:
        for name in ("x" * 1_000_000, "\u202e\x1b[31m", "a\nb"):
            text = (await run.surface(Tier.READ).call(name, {})).text
            assert len(text) < 300
            assert "\u202e" not in text
            assert "\x1b" not in text
            assert "\n" not in text


@pytest.mark.requirement("core:tier-raise")
@bounded
async def test_a_harness_and_a_plugin_may_raise_a_tier_and_never_lower_one(workspace: Path):
    def raised(tool: Any) -> Any:
        return {"look": Tier.WRITE, "drive": Tier.READ}.get(tool.name)

    module = plugin(
        "p",
        tool("see"),
        tool("look"),
        tool("change", tier=Tier.WRITE),
        tool("drive", tier=Tier.EXEC),
        tier=raised,
    )
    own = [tool("mine")]
    async with open_run(
        workspace,
        [module],
        tools=own,
        raise_tiers={"see": Tier.EXEC, "change": Tier.READ, "mine": Tier.WRITE},
    ) as run:
        assert [each.name for each in run.surface(Tier.READ).tools] == []
        assert [each.name for each in run.surface(Tier.WRITE).tools] == ["mine", "look", "change"]
        assert [each.name for each in run.surface(Tier.EXEC).tools] == ["mine", "see", "look", "change", "drive"]
        refused = await run.surface(Tier.EXEC).call("see", {})
        assert refused.failure == "refused"  # as an exec call it asks, and there is nobody to ask


@pytest.mark.requirement("core:tier-raise")
@pytest.mark.parametrize("answer", [ValueError("oh"), "exec", 3])
def test_a_tier_hook_that_fails_makes_the_tool_exec(workspace: Path, answer: Any):
    def raised() -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    @bounded
    async def test() -> None:
        async with open_run(workspace, [plugin("p", tool("see"), tier=raised)]) as run:
            assert run.surface(Tier.WRITE).tools == ()
            assert run.surface(Tier.EXEC).has("see")
            assert [(problem.plugin, problem.phase) for problem in run.problems] == [("p", "tier")]

    test()


@pytest.mark.requirement("core:tier-raise")
@bounded
async def test_a_single_call_may_raise_its_own_tier(workspace: Path):
    def subject(higher: Tier) -> Any:
        return lambda params, call: Subject(summary="it", tier=higher)

    asked: list[tuple[str, Tier]] = []

    async def approver(call: Any) -> Any:
        asked.append((call.tool.name, call.tier))
        return await allow_all(call)

    module = plugin(
        "p",
        tool("up", subject=subject(Tier.WRITE)),
        tool("high", subject=subject(Tier.EXEC)),
        tool("down", tier=Tier.WRITE, subject=subject(Tier.READ)),
    )
    async with open_run(workspace, [module], approver=approver) as run:
        surface = run.surface(Tier.WRITE)
        assert (await surface.call("up", {})).text == "done"
        assert (await surface.call("down", {})).text == "done"
        assert asked == [("up", Tier.WRITE), ("down", Tier.WRITE)]
        above = await surface.call("high", {})
        assert above.failure == "refused"
        assert "with these arguments it is of tier exec, above write" in above.text
        assert len(asked) == 2


@bounded
async def test_a_filter_leaves_tools_out(workspace: Path):
    async with open_run(workspace, [tiers()]) as run:
        surface = run.surface(Tier.EXEC, where=lambda tool: tool.name != "look")
        assert [each.name for each in surface.tools] == ["see", "change", "drive"]
        assert (await surface.call("look", {})).failure == "unknown"


@pytest.mark.requirement("resolve:tier")
@bounded
async def test_resolve_comes_by_itself_last_and_only_where_something_stages(workspace: Path):
    stager = plugin("stager", tool("stage", tier=Tier.WRITE, stages=True))
    async with open_run(workspace, [stager, tiers()]) as run:
        assert [each.name for each in run.surface(Tier.WRITE).tools] == ["stage", "see", "look", "change", "resolve"]
        assert [each.name for each in run.surface(Tier.READ).tools] == ["see", "look"]
        [resolve] = [each for each in run.surface(Tier.WRITE).tools if each.name == "resolve"]
        assert (resolve.tier, resolve.listed) == (Tier.WRITE, False)
    async with open_run(workspace, [tiers(), "resolve"]) as run:
        assert not run.surface(Tier.EXEC).has("resolve")
    async with open_run(workspace, ["resolve", stager]) as run:
        assert [each.name for each in run.surface(Tier.WRITE).tools] == ["stage", "resolve"]
    async with open_run(workspace, [], tools=[tool("own", tier=Tier.WRITE, stages=True)]) as run:
        assert [each.name for each in run.surface(Tier.WRITE).tools] == ["own", "resolve"]


@pytest.mark.requirement("core:no-shared-registry")
@bounded
async def test_what_one_run_has_no_other_run_and_no_host_sees(workspace: Path):
    async with open_run(workspace, [tiers()], tools=[tool("mine")]) as first, open_run(workspace, [tiers()]) as second:
        assert first.surface(Tier.READ).has("mine")
        assert (await second.surface(Tier.READ).call("mine", {})).failure == "unknown"
        surface = first.surface(Tier.READ)
        assert first.host.owner("mine") is None
    assert (await surface.call("mine", {})).failure == "closed"
