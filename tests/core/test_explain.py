"""Why a tool is not there: every layer that can remove one, and the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from core.distributions import Site
from core.processes.bounded import bounded
from core.test_composition import source
from toolpost import Absence, Surface, Tier, Unavailable
from toolpost.explain import declared
from toolpost.testing import open_run, plugin, tool


def absent(surface: Surface, name: str) -> Absence:
    found = surface.explain(name)
    assert found is not None
    assert not surface.has(name)
    return found


@pytest.mark.requirement("core:explain")
@bounded
async def test_every_layer_says_itself_and_the_remedy(site: Site, workspace: Path):
    site.install("toolpost-left", source("left"), name="left")
    site.install("toolpost-broken", "import nosuch", name="broken")
    site.install("toolpost-one", source("twin_tool"), name="twin")
    site.install("toolpost-two", source("twin_tool"), name="twin")
    site.install("toolpost-late", source("see", "late"), name="late")
    (workspace / "toolpost.toml").write_text('disable = ["off"]')
    composed = [
        plugin("p", tool("see"), tool("change", tier=Tier.WRITE)),
        plugin("off", tool("disabled")),
        plugin("dead", tool("dead"), resource=lambda: Unavailable("no socket", "start it")),
        plugin("vibe", tool("vibe_list")),
        "broken",
        "twin",
        "late",
    ]
    async with open_run(workspace, composed, strict=False) as run:
        surface = run.surface(Tier.READ, where=lambda tool: tool.name != "hidden")
        assert surface.explain("see") is None
        layers = {
            "nosuch": ("load", "no installed plugin declares it", "install"),
            "left": ("composition", "'left' declares it", "compose 'left'"),
            "broken": ("load", "No module named 'nosuch'", "mend"),
            "twin_tool": ("conflict", "toolpost-one 1.0 and toolpost-two 1.0", "'toolpost-one:twin'"),
            "late": ("conflict", "tool 'see' is declared by plugin 'p'", "compose one of 'p' and 'late'"),
            "disabled": ("configuration", "toolpost.toml in the workspace switches it off", "disable list"),
            "dead": ("resource", "no socket", "start it"),
            "vibe_list": ("mode", "vibe mode is off", 'run.bind("vibe")'),
            "change": ("ceiling", "of tier write, and this surface ends at read", "up to write"),
        }
        for name, (layer, reason, remedy) in layers.items():
            found = absent(surface, name)
            assert found.layer == layer, name
            assert reason in found.reason
            assert remedy in found.remedy
            assert str(found).startswith(f"{layer}: ")
        known = declared(surface)
        assert {"see", "change", "disabled", "dead", "vibe_list", "left", "late", "twin_tool"} <= set(known)


@pytest.mark.requirement("core:explain")
@bounded
async def test_a_tool_that_nothing_installed_declares_is_to_be_installed(workspace: Path):
    async with open_run(workspace, [plugin("p", tool("see"))]) as run:
        found = absent(run.surface(Tier.READ), "nosuch")
        assert (found.layer, found.remedy) == ("install", "install the package that has it")


@pytest.mark.requirement("core:explain")
@bounded
async def test_a_filter_and_a_missing_stager_are_told_apart(workspace: Path):
    stager = plugin("s", tool("stage", tier=Tier.WRITE, stages=True))
    async with open_run(workspace, [stager]) as run:
        assert absent(run.surface(Tier.EXEC, where=lambda tool: False), "stage").layer == "filter"
        assert absent(run.surface(Tier.EXEC, where=lambda tool: tool.name != "resolve"), "resolve").layer == "filter"
        assert absent(run.surface(Tier.READ), "resolve").layer == "ceiling"
    async with open_run(workspace, ["resolve"]) as run:
        found = absent(run.surface(Tier.EXEC), "resolve")
        assert (found.layer, found.reason) == ("composition", "no tool of this run stages actions")


@pytest.mark.requirement("core:explain")
@bounded
async def test_a_released_plugin_and_one_that_opened_later_are_told_apart(workspace: Path):
    def module(**hooks: Any) -> Any:
        return plugin("vibe", tool("vibe_list"), **hooks)

    async with open_run(workspace, [module()]) as run:
        before = run.surface(Tier.READ)
        await run.bind("vibe")
        assert absent(before, "vibe_list").reason == "the plugin 'vibe' was opened after this surface was made"
        during = run.surface(Tier.READ)
        assert during.explain("vibe_list") is None
        await run.release("vibe", "the user left vibe mode")
        for surface in (before, during, run.surface(Tier.READ)):
            found = absent(surface, "vibe_list")
            assert (found.layer, found.reason) == ("mode", "the user left vibe mode")
        await run.bind("vibe")
        assert absent(during, "vibe_list").remedy == "make a new surface"
