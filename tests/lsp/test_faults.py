"""What a language server can do wrong, through the real plugin: no false "clean", no half rename, no process left, no hang.

Each row of the table is one script of the fake server. It is asked everything: diagnostics, a write that breaks something,
one that repairs it, references, a definition, a rename. Whatever it does meanwhile, an answer is right or says that it is not known, and
files are as they were or all renamed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.fake.clock import FastClock
from lsp.fake.installed import installed
from lsp.fake.log import Log, runs
from lsp.fake.modes import Modes
from toolpost import Result, Run, Tier, allow_all
from toolpost.testing import open_run

FILES = {
    "one.fake": "def go\nERROR:one\n😀é go NEEDS:made\n",
    "two.fake": "go 😀 go\n",
    "below/three.fake": "go\r\n",
    "fake.toml": "",
}
PROBLEMS = ["one", "missing"]
PLACES = 5
OUTSIDE = "nobody's\n"
SECONDS = 60
SLACK = 3.0
START, SHORT, LONG = 45.0, 15.0, 30.0
BOUNDS = {
    "write": 5.0,
    "lsp diagnostics": START + SHORT,
    "lsp definition": START + 2 * SHORT,
    "lsp references": START + 2 * LONG,
    "lsp_rename": START + 4 * LONG,
}
"""Seconds of the run's clock that a call may take, with all its servers' faults."""

PUSH: Mapping[str, Any] = {"diagnostics": "push", "publishes_after": 0.02}


@attrs.frozen(kw_only=True)
class Fault:
    """What the server does, and what is still known then.

    Attributes:
        known: whether its diagnostics can be known: always, never, or as it comes.
        renames: whether the rename can be done; None: as it comes.
        speed: how fast the run's clock goes: for servers that make it wait.
    """

    modes: Modes
    known: bool | None = True
    renames: bool | None = True
    speed: float = 1.0


def fault(*, known: bool | None = True, renames: bool | None = True, speed: float = 1.0, **modes: Any) -> Fault:
    return Fault(modes=Modes(**modes), known=known, renames=renames, speed=speed)


FAULTS = {
    "none": fault(),
    "publishes": fault(**PUSH),
    "publishes an empty list first": fault(**PUSH, publishes_first="empty"),
    "publishes half of it first": fault(**PUSH, publishes_first="half"),
    "publishes what the text before said": fault(**PUSH, publishes_first="older"),
    "publishes without a version": fault(**PUSH, version="missing"),
    "publishes null as the version": fault(**PUSH, version="null"),
    "publishes zero as the version": fault(**PUSH, version="zero"),
    "publishes without a version what the text before said": fault(**PUSH, version="missing", publishes_first="older"),
    "publishes without a version an empty list first": fault(**PUSH, version="missing", publishes_first="empty"),
    "publishes nothing when nothing changed": fault(**PUSH, version="missing", repeats=False),
    "publishes a version, and nothing when nothing changed": fault(**PUSH, repeats=False, known=None),
    "publishes late": fault(**{**PUSH, "publishes_after": 1.0}, known=None),
    "publishes later than anybody waits": fault(**{**PUSH, "publishes_after": 100.0}, known=None, speed=5),
    "answers a command": fault(diagnostics="command"),
    "registers after 900 ms": fault(registers_after=0.9),
    "cancels a question": fault(cancels=3),
    "cancels every question": fault(cancels=1_000_000, known=False, renames=None, speed=30),
    "answers late": fault(delays={"textDocument/diagnostic": 1.0}, known=None),
    "fails": fault(fails_on=("textDocument/diagnostic",), known=False, renames=None),
    "is mute": fault(mute=("textDocument/diagnostic",), known=False, renames=None, speed=30),
    "is mute about references": fault(mute=("textDocument/references",), renames=None, speed=20),
    "is mute about renames": fault(mute=("textDocument/rename",), renames=False, speed=20),
    "floods standard error": fault(floods=3_000_000),
    "prints between its messages": fault(garbage="Welcome!\n"),
    "numbers its requests with texts": fault(ids="strings", watches=("**/*.fake",), registers_after=0.0),
    "dies in an answer": fault(dies_on="textDocument/diagnostic", known=False, renames=None),
    "dies in its first answer": fault(dies_on="textDocument/diagnostic", faulty_starts=1, known=None),
    "dies in a rename": fault(dies_on="textDocument/rename", renames=False),
    "dies in its first rename": fault(dies_on="textDocument/rename", faulty_starts=1, renames=None),
    "ends at once": fault(exits=3, known=False, renames=False),
    "hangs at its start": fault(hangs_on="initialize", known=False, renames=False, speed=30),
    "hangs later": fault(hangs_on="textDocument/diagnostic", known=False, renames=False, speed=40),
    "hangs in a rename": fault(hangs_on="textDocument/rename", renames=False, speed=20),
    "starts slowly": fault(starts_after=2.0, known=None),
    "ignores SIGTERM": fault(stubborn=True),
    "leaves children": fault(children=2),
    "applies edits by itself": fault(applies_edit=True),
    "counts UTF-8": fault(encoding="utf-8"),
    "counts UTF-16": fault(encoding="utf-16"),
    "counts UTF-32, unasked": fault(encoding="utf-32"),
    "takes whole texts": fault(sync=1, save=False),
    "edits as changes": fault(edit_form="changes"),
    "edits outside the root": fault(edits="outside", renames=False),
    "edits with overlaps": fault(edits="overlapping", renames=False),
    "edits a part": fault(edits="partial", renames=False),
    "edits the wrong place": fault(edits="shifted", renames=False),
    "edits in a malformed way": fault(edits="malformed", renames=False),
    "edits version zero": fault(edit_version="zero"),
    "edits version null": fault(edit_version="null"),
    "edits without a version": fault(edit_version="missing"),
    "edits an older version": fault(edit_version="older", renames=False),
    "knows a part while it works": fault(indexes=1.0),
    "knows a part while it works in silence": fault(indexes=1.0, says_progress=False),
    "works longer than anybody waits": fault(indexes=1000.0, renames=False, speed=20),
}


@attrs.define
class Agent:
    """Asks, and holds each answer to its bound."""

    run: Run
    fault: Fault

    async def __call__(self, tool: str, **arguments: Any) -> Result:
        clock = self.run.scope.clock
        begun = clock.monotonic()
        result = await self.run.surface(Tier.EXEC).call(tool, arguments)
        what = f"{tool} {arguments['action']}" if "action" in arguments else tool
        assert clock.monotonic() - begun < BOUNDS[what] + SLACK * self.fault.speed, what
        return result

    def holds(self, result: Result, known: bool, truth: str) -> None:
        """An answer about problems: either it says so, or that it does not know; never that there are none."""
        if known:
            assert truth in result.text, result.text
            assert "not known" not in result.text and "not available" not in result.text, result.text
        else:
            assert "not known" in result.text or "not available" in result.text, result.text
            for word in ("no problems", "no new problems", "fixed"):
                assert word not in result.text, result.text

    def judge(self, result: Result, truth: str) -> None:
        unknown = "not known" in result.text or "not available" in result.text or result.is_error
        self.holds(result, not unknown if self.fault.known is None else self.fault.known, truth)


def contents(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_bytes().decode() for name in FILES}


async def everything(run: Run, fault: Fault) -> None:
    """Ask everything once; the files hold what they held in the end, or all of the rename."""
    ask, folder = Agent(run, fault), Path(run.scope.workspace)
    found = await ask("lsp", action="diagnostics", file="one.fake")
    ask.judge(found, "2 errors")
    if not found.is_error and "not known" not in found.text:
        assert sorted(each["code"] for each in found.data["problems"]) == sorted(PROBLEMS)

    broken = await ask("write", path="one.fake", content=FILES["one.fake"] + "ERROR:fresh\n")
    assert not broken.is_error, broken.text
    ask.judge(broken, "1 new")
    repaired = await ask("write", path="one.fake", content=FILES["one.fake"])
    assert not repaired.is_error and "1 new" not in repaired.text, repaired.text
    assert contents(folder) == FILES

    defined = await ask("lsp", action="definition", file="two.fake", line=1, symbol="go#2")
    assert defined.is_error or "one.fake:1" in defined.text, defined.text
    uses = await ask("lsp", action="references", file="one.fake", line=3, symbol="go")
    if not uses.is_error and uses.data["ready"]:
        assert uses.data["total"] == PLACES, uses.text
    else:
        assert "0 references" not in uses.text
    assert contents(folder) == FILES

    renamed = await ask("lsp_rename", file="one.fake", line=3, symbol="go", new_name="run")
    if renamed.is_error:
        assert contents(folder) == FILES, renamed.text
    else:
        assert contents(folder) == {name: text.replace("go", "run") for name, text in FILES.items()}, renamed.text
    if fault.renames is not None:
        assert renamed.is_error != fault.renames, renamed.text


@pytest.mark.requirement(
    "write:three-answers",
    "write:bounded",
    "lsp:crash",
    "lsp:untrusted",
    "lsp:readiness",
    "lsp:encoding",
    "rename:project-wide",
)
@pytest.mark.parametrize("name", FAULTS)
def test_a_server_that(name: str, toolpost_workspace: Path, tmp_path: Path) -> None:
    fault, log = FAULTS[name], tmp_path / "fake.log"
    for path, text in FILES.items():
        (toolpost_workspace / path).parent.mkdir(exist_ok=True)
        (toolpost_workspace / path).write_bytes(text.encode())
    outside = tmp_path / "outside.txt"
    outside.write_text(OUTSIDE)

    async def main() -> None:
        clock = FastClock(fault.speed) if fault.speed != 1 else None
        async with (
            asyncio.timeout(SECONDS),
            open_run(toolpost_workspace, ["files", "lsp"], approver=allow_all, clock=clock) as run,
        ):
            await everything(run, fault)

    with installed(tmp_path / "installed", attrs.evolve(fault.modes, log=str(log))):
        asyncio.run(main())
    assert outside.read_text() == OUTSIDE
    assert Log(log).starts(), "the fake server was never started"
    assert Log(log).faults() == []
    assert [pid for pid in (*Log(log).starts(), *Log(log).children()) if runs(pid)] == []
