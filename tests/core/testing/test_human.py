"""The scripted human: who is asked, what he is shown, and that only his yes grants."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from toolpost import Result, Subject, Tier
from toolpost.testing import ScriptedHuman, open_run, plugin, tool


@pytest.mark.requirement("core:approval")
def test_only_a_yes_grants_and_an_absent_human_never_does(toolpost_workspace: Path):
    human = ScriptedHuman(["yes", "maybe", "always"])
    acts = tool("act", tier=Tier.EXEC, subject=lambda params, call: Subject(summary="run the thing"))

    async def main() -> list[Result]:
        async with (
            asyncio.timeout(30),
            open_run(toolpost_workspace, [plugin("p", acts, tool("other", tier=Tier.WRITE))], approver=human) as run,
        ):
            surface = run.surface(Tier.EXEC)
            names = ["act", "act", "act", "act", "other"]
            return [await surface.call(name, {}) for name in names]

    first, refused, always, granted, nobody = asyncio.run(main())
    assert [each.failure for each in (first, refused, always, granted, nobody)] == [
        None,
        "refused",
        None,
        None,
        "refused",
    ]
    assert "the person said 'maybe'" in refused.text
    assert "no human is attached" in nobody.text
    assert human.cards == ["run the thing"] * 3 + ["other"]
