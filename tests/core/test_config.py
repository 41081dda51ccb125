"""Configuration: the harness sets it, the workspace may only lower it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest
from attrs.validators import ge
from core.processes.bounded import bounded
from toolpost import Tier, lowerable
from toolpost.testing import open_run, plugin, tool


@attrs.frozen(kw_only=True)
class Settings:
    workers: int = lowerable("less", default=4, validator=ge(1))
    seconds: float = lowerable("less", default=2.5)
    network: bool = lowerable("off", default=True)
    languages: tuple[str, ...] = lowerable("fewer", default=("python", "javascript"))
    command: str = "server"


def configured(seen: list[Any], **hooks: Any) -> Any:
    def resource(run: Any, config: Any) -> object:
        seen.append(config)
        return object()

    return plugin("p", tool("t"), config=lambda: Settings, resource=resource, **hooks)


async def settled(workspace: Path, text: str, given: Any = None) -> tuple[Settings, list[str]]:
    """The configuration that the plugin got, and what was refused."""
    (workspace / "toolpost.toml").write_text(text)
    seen: list[Any] = []
    async with open_run(workspace, [configured(seen)], config={"p": given} if given is not None else {}) as run:
        return seen[0], [problem.error for problem in run.problems]


@bounded
async def test_the_harness_sets_a_plugins_section(workspace: Path):
    assert await settled(workspace, "", {"workers": 2, "command": "mine"}) == (
        Settings(workers=2, command="mine"),
        [],
    )
    assert (await settled(workspace, "", Settings(workers=3)))[0].workers == 3


@bounded
async def test_a_section_that_does_not_fit_takes_the_plugin_away_and_says_what_is_wrong(workspace: Path):
    async with open_run(workspace, [configured([])], strict=False, config={"p": {"worker": 2}}) as run:
        absent = run.surface(Tier.EXEC).explain("t")
        assert absent is not None
        assert absent.layer == "configuration"
        assert 'unknown argument "worker" (did you mean "workers"?)' in absent.reason


@bounded
async def test_the_workspace_may_lower(workspace: Path):
    text = '[p]\nworkers = 2\nseconds = 1\nnetwork = false\nlanguages = ["python"]\n'
    assert await settled(workspace, text) == (
        Settings(workers=2, seconds=1.0, network=False, languages=("python",)),
        [],
    )


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("workers = 5", "workers = 5 would not lower 4"),
        ("workers = 0", "would not lower"),
        ("workers = -1", "would not lower"),
        ("workers = 0.5", "would not lower"),
        ("workers = true", "would not lower"),
        ('workers = "2"', "would not lower"),
        ("seconds = inf", "would not lower"),
        ("seconds = nan", "would not lower"),
        ("network = true", "would not lower"),
        ("network = 0", "would not lower"),
        ('languages = ["ruby"]', "would not lower"),
        ('languages = "python"', "would not lower"),
        ('command = "evil"', "'command' may not be set there"),
        ("nosuch = 1", "there is no setting 'nosuch'"),
    ],
)
def test_the_workspace_may_do_nothing_else(workspace: Path, line: str, says: str):
    @bounded
    async def test() -> None:
        config, refused = await settled(workspace, f"[p]\n{line}\n")
        assert config == Settings()
        assert [says in text and "it is ignored" in text for text in refused] == [True]

    test()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("= broken", "is ignored: TOMLDecodeError"),
        ('plugins = ["evil"]', "may not set 'plugins'"),
        ('trust = "full"', "may not set 'trust'"),
        ("disable = 3", "disable must be a list"),
        ("x = 1\n" * 1, "may not set 'x'"),
        ("# " + "x" * 70_000, "65536"),
        ("# " + "x" * 2_000_000, "is ignored"),
    ],
)
def test_a_file_that_asks_for_more_is_told_and_changes_nothing(workspace: Path, text: str, says: str):
    @bounded
    async def test() -> None:
        config, refused = await settled(workspace, text)
        assert config == Settings()
        assert [says in told for told in refused] == [True]

    test()


@bounded
async def test_a_file_that_leads_out_of_the_workspace_is_not_read(workspace: Path):
    (workspace.parent / "outside.toml").write_text('disable = ["p"]')
    (workspace / "toolpost.toml").symlink_to("../outside.toml")
    async with open_run(workspace, [configured([])]) as run:
        assert run.surface(Tier.READ).has("t")
        assert "is ignored" in run.problems[0].error


@bounded
async def test_the_workspace_may_switch_a_plugin_off_also_when_it_would_open_later(workspace: Path):
    (workspace / "toolpost.toml").write_text('disable = ["p"]')
    for held in ((), ("p",)):
        async with open_run(workspace, [configured([])], held=held) as run:
            if held:
                await run.bind("p")
            absent = run.surface(Tier.EXEC).explain("t")
            assert absent is not None
            assert absent.layer == "configuration"
            assert "switches it off" in absent.reason


@bounded
async def test_the_workspaces_lower_section_holds_also_for_a_plugin_that_opens_later(workspace: Path):
    (workspace / "toolpost.toml").write_text("[p]\nworkers = 1\n")
    seen: list[Any] = []
    async with open_run(workspace, [configured(seen)], held=["p"]) as run:
        await run.bind("p")
        assert seen == [Settings(workers=1)]


@bounded
async def test_a_value_that_the_plugins_own_rule_refuses_is_told(workspace: Path):
    @attrs.frozen(kw_only=True)
    class Even:
        workers: int = lowerable("less", default=4, validator=attrs.validators.in_([2, 4]))

    (workspace / "toolpost.toml").write_text("[p]\nworkers = 3\n")
    seen: list[Any] = []
    module = plugin("p", tool("t"), config=lambda: Even, resource=lambda config: seen.append(config) or object())
    async with open_run(workspace, [module]) as run:
        assert seen == [Even()]
        assert "is ignored" in run.problems[0].error


@bounded
async def test_a_section_for_a_plugin_without_configuration_is_told(workspace: Path):
    (workspace / "toolpost.toml").write_text("[p]\nworkers = 3\n")
    async with open_run(workspace, [plugin("p", tool("t"))]) as run:
        assert run.surface(Tier.READ).has("t")
        assert "has no configuration" in run.problems[0].error
    async with open_run(workspace, [plugin("p", tool("t"))], strict=False, config={"p": {"a": 1}}) as run:
        assert not run.surface(Tier.READ).has("t")
