"""The guide for plugin authors does what it says: its examples are taken from the page and run."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from core.processes.bounded import bounded
from core.test_edits import contents
from core.test_pending import resolve
from toolpost import Tier, allow_all
from toolpost.hookspecs import hookspec
from toolpost.plugin import Manager
from toolpost.testing import open_run

GUIDE = Path(__file__).parents[2] / "docs" / "writing-a-plugin.md"


def example(name: str) -> ModuleType:
    """The guide's example of that name, as the module that a reader would write."""
    found = re.search(rf"<!-- example: {name} -->\n```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert found, f"the guide has no example {name!r}"
    module = ModuleType(name)
    exec(compile(found[1], f"{GUIDE.name}: {name}", "exec", dont_inherit=True), vars(module))
    return module


@pytest.mark.requirement("core:third-party")
@bounded
async def test_the_whole_plugin_of_the_guide_works_and_explains_its_absence(workspace: Path):
    notes = example("notes")
    notebook = notes.Notebook()
    notebook.lines += ["buy milk", "buy bread", "sleep"]
    async with open_run(workspace, [notes], ports={notes.Notebook: notebook}) as run:
        result = await run.surface(Tier.READ).call("find_note", {"text": "buy", "most": 1})
        assert (result.text, result.data) == ("buy milk", {"total": 2, "notes": ["buy milk"]})
        assert (
            "most: must be at least 1"
            in (await run.surface(Tier.READ).call("find_note", {"text": "x", "most": 0})).text
        )
    async with open_run(workspace, [notes]) as run:
        absent = run.surface(Tier.READ).explain("find_note")
        assert absent is not None
        assert (absent.layer, absent.reason) == ("resource", "no notebook is connected")


@pytest.mark.requirement("pending:guide", "pending:custom")
@bounded
async def test_the_batch_rename_of_the_guide_previews_and_then_renames(workspace: Path):
    for name in ("one.py", "two.py", "LICENSE"):
        (workspace / name).write_text(name)
    async with open_run(workspace, [example("batch_rename")], approver=allow_all) as run:
        surface = run.surface(Tier.WRITE)

        async def stage(*paths: str) -> str:
            return (await surface.call("batch_rename", {"paths": list(paths), "suffix": "_old"})).text

        assert await stage("one.py", "two.py", "LICENSE") == (
            '(proposed) rename 3 files; call resolve with edit_id "edit_1"\n'
            "one.py -> one_old.py\ntwo.py -> two_old.py\nLICENSE -> LICENSE_old"
        )
        assert set(contents(workspace)) == {"one.py", "two.py", "LICENSE"}
        discarded = await resolve(run, "discard")
        assert discarded.text.splitlines()[0] == "Kept the names of 3 files."
        await stage("one.py", "two.py", "LICENSE")
        applied = await resolve(run, reason="as agreed")
        assert applied.text.splitlines()[0] == "Renamed 3 files."
        assert applied.data == {"renamed": ["one.py -> one_old.py", "two.py -> two_old.py", "LICENSE -> LICENSE_old"]}
        assert contents(workspace) == {"one_old.py": "one.py", "two_old.py": "two.py", "LICENSE_old": "LICENSE"}
        assert "undo_1 takes this back" in applied.text
        assert not (await resolve(run, "undo", edit_id="undo_1")).is_error
        assert set(contents(workspace)) == {"one.py", "two.py", "LICENSE"}
        assert "nothing was staged" in await stage("nosuch.py")


@pytest.mark.requirement("pending:guide")
def test_the_guide_gives_the_rules_of_pending_actions():
    words = " ".join(GUIDE.read_text().split())
    for rule in (
        "only for destructive or high-impact work",
        "the label is brief, since `resolve` and its approval card show it",
        "`apply` is deterministic and fit to run once",
        "the reason it is given informs, and must not change what it does",
        "give a `reject` when discarding needs cleaning up",
        "with several pending, the last one pushed is resolved first",
    ):
        assert rule in words


def test_the_guide_lists_every_hook_with_the_arguments_that_it_has():
    listed = dict(re.findall(r"^\| `(toolpost_\w+)\((.*?)\)` \|", GUIDE.read_text(), re.MULTILINE))
    hooks = {
        name: ", ".join(getattr(Manager().hook, name).spec.argnames)
        for name in vars(Manager().hook)
        if name.startswith("toolpost_")
    }
    assert listed == hooks
    assert hookspec.project_name == "toolpost"


def test_every_hook_is_documented():
    for name, caller in vars(Manager().hook).items():
        if name.startswith("toolpost_"):
            assert caller.spec.function.__doc__, name
