"""Changing files through a call: all or nothing, staged or now, stale-checked, and taken back."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from core.processes.bounded import bounded
from core.test_pending import resolve
from toolpost import Call, Change, Deny, Result, Run, StaleEdit, Tier, ToolError, allow_all, digest
from toolpost.testing import RecordingApprover, open_run, plugin, tool
from toolpost.workspace import UnfinishedError


@attrs.frozen(kw_only=True)
class Rewrite:
    """Put new bytes into files; null deletes one."""

    files: Annotated[dict[str, Any], "Their new text, by path."]
    stage: Annotated[bool, "Leave it to resolve."] = False


def changes_of(call: Call[Any], files: dict[str, str | None]) -> list[Change]:
    changes = []
    for path, text in files.items():
        call.resolve_path(path)
        try:
            seen = digest(call.scope.files.read(path))
        except FileNotFoundError:
            seen = None
        changes.append(Change(path=path, seen=seen, after=None if text is None else text.encode()))
    return changes


async def rewrite(params: Rewrite, call: Call[Any]) -> Result:
    changes = changes_of(call, params.files)
    if params.stage:
        return Result.of(call.stage_edit(changes, label="rewrite", details="a diff"))
    edited = await call.apply(changes, label="rewrite")
    return Result.of("rewritten", data={"paths": list(edited.paths), "undo_id": edited.undo_id})


REWRITE = plugin("rewriter", tool("rewrite", rewrite, params=Rewrite, tier=Tier.WRITE, stages=True), tool("see"))


async def call(run: Run, files: dict[str, str | None], *, stage: bool = False) -> Result:
    return await run.surface(Tier.WRITE).call("rewrite", {"files": files, "stage": stage})


def contents(workspace: Path) -> dict[str, str]:
    return {str(path.relative_to(workspace)): path.read_text() for path in workspace.rglob("*") if path.is_file()}


@pytest.mark.requirement("core:atomic", "resolve:undo")
@bounded
async def test_a_change_of_many_files_ends_with_its_undo_id_which_restores_every_byte(workspace: Path):
    (workspace / "a").write_text("old a")
    (workspace / "b").write_text("old b")
    os.chmod(workspace / "b", 0o751)
    before = contents(workspace)
    async with open_run(workspace, [REWRITE], approver=allow_all) as run:
        result = await call(run, {"a": "new a", "b": None, "sub/c": "new c"})
        assert result.text.splitlines() == [
            "rewritten",
            'undo_1 takes this back: resolve with action "undo" and edit_id "undo_1".',
        ]
        assert result.data == {"paths": ["a", "b", "sub/c"], "undo_id": "undo_1"}
        assert contents(workspace) == {"a": "new a", "sub/c": "new c"}
        undone = await resolve(run, "undo", edit_id="undo_1")
        assert not undone.is_error, undone.text
        assert undone.data["undo_id"] == "undo_2"
        assert contents(workspace) == before
        assert (workspace / "b").stat().st_mode & 0o777 == 0o751
        assert not (workspace / "sub").exists()
        again = await resolve(run, "undo", edit_id="undo_1")
        assert again.text == "'undo_1' is no change that can be undone. It can be: undo_2 (undo of rewrite)."
        await resolve(run, "undo", edit_id="undo_2")
        assert contents(workspace) == {"a": "new a", "sub/c": "new c"}


@pytest.mark.requirement("resolve:undo")
@bounded
async def test_undoing_is_content_checked_all_or_nothing_and_never_what_a_bare_resolve_takes(workspace: Path):
    (workspace / "a").write_text("a")
    (workspace / "b").write_text("b")
    async with open_run(workspace, [REWRITE], approver=allow_all) as run:
        await call(run, {"a": "new", "b": "new"})
        for word in ("accept", "discard"):
            assert (await resolve(run, word)).text.startswith("No pending action")
        bare = await resolve(run, "undo")
        assert bare.text == "undo needs edit_id, the id that the change was answered with. It can be: undo_1 (rewrite)."
        (workspace / "a").write_text("a person's")
        refused = await resolve(run, "undo", edit_id="undo_1")
        assert refused.is_error
        assert "nothing was written" in refused.text
        assert "a (changed since)" in refused.text
        assert contents(workspace) == {"a": "a person's", "b": "new"}
        (workspace / "a").write_text("new")
        assert not (await resolve(run, "undo", edit_id="undo_1")).is_error
        assert contents(workspace) == {"a": "a", "b": "b"}


@pytest.mark.requirement("resolve:undo")
@bounded
async def test_an_undo_asks_like_a_write_and_is_bounded(workspace: Path):
    approver = RecordingApprover()
    async with open_run(workspace, [REWRITE], approver=approver) as run:
        run.edits.most = 1
        await call(run, {"a": "1"})
        second = await call(run, {"b": "2"})
        assert "undo_1 (rewrite) can no longer be undone" in second.text
        assert (await resolve(run, "undo", edit_id="undo_1")).is_error
        run.approvals.approver = RecordingApprover([Deny("leave it")])
        refused = await resolve(run, "undo", edit_id="undo_2")
        assert (refused.failure, "undo undo_2: rewrite" in refused.text) == ("refused", True)
        assert contents(workspace) == {"a": "1", "b": "2"}


@bounded
async def test_a_surface_without_resolve_gets_no_undo_id_that_it_could_not_use(workspace: Path):
    async with open_run(workspace, [REWRITE], approver=allow_all) as run:
        surface = run.surface(Tier.WRITE, where=lambda tool: tool.name != "resolve")
        result = await surface.call("rewrite", {"files": {"a": "x"}})
        assert result.text == "rewritten"


# ---- staged -----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("resolve:exact-bytes", "resolve:apply")
@bounded
async def test_accepting_writes_the_staged_bytes_and_nothing_before(workspace: Path):
    (workspace / "a").write_text("old")
    async with open_run(workspace, [REWRITE], approver=allow_all) as run:
        staged = await call(run, {"a": "exact\r\n\ufeffbytes", "b": "new"}, stage=True)
        assert staged.text == "edit_1"
        assert contents(workspace) == {"a": "old"}
        result = await resolve(run)
        assert result.text.splitlines()[:2] == [
            "Applied rewrite: 2 files written.",
            "edit_1 accepted: rewrite (from rewrite). Nothing else is pending.",
        ]
        assert result.data == {"paths": ["a", "b"], "undo_id": "undo_1"}
        assert "undo_1 takes this back" in result.text
        assert (workspace / "a").read_bytes() == "exact\r\n\ufeffbytes".encode()
        assert not (await resolve(run, "undo", edit_id="undo_1")).is_error
        assert contents(workspace) == {"a": "old"}


@pytest.mark.requirement("resolve:stale", "resolve:once")
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / "a").write_text("a person's"), "a (changed since)"),
        (lambda folder: (folder / "a").unlink(), "a (no longer there)"),
        (lambda folder: (folder / "new").write_text("a person's"), "new (there already)"),
    ],
)
def test_one_file_that_is_not_as_it_was_refuses_the_whole_change_which_stays_pending(
    workspace: Path, spoil: Any, says: str
):
    @bounded
    async def test() -> None:
        (workspace / "a").write_text("old a")
        (workspace / "z").write_text("old z")
        async with open_run(workspace, [REWRITE], approver=allow_all) as run:
            await call(run, {"z": "new z", "a": "new a", "new": "new"}, stage=True)
            spoil(workspace)
            before = contents(workspace)
            refused = await resolve(run)
            assert refused.is_error
            assert says in refused.text
            assert "stays pending" in refused.text
            assert "Read them again" in refused.text
            assert [each["path"] for each in refused.data["stale"]] == [says.split()[0]]
            assert contents(workspace) == before
            assert run.pending.has_pending
            assert not (await resolve(run, "discard")).is_error

    test()


@pytest.mark.requirement("resolve:stale")
@bounded
async def test_every_mismatch_is_named_and_staging_over_another_edit_says_so(workspace: Path):
    for name in "abc":
        (workspace / name).write_text("old")
    async with open_run(workspace, [REWRITE], approver=allow_all) as run:
        first = await call(run, {"a": "1", "b": "1", "c": "1"}, stage=True)
        assert first.notes == ()
        second = await call(run, {"b": "2", "d": "2"}, stage=True)
        assert second.text.splitlines()[1].startswith("edit_1 (rewrite; from rewrite) also touches b:")
        (workspace / "a").write_text("mine")
        await resolve(run)
        refused = await resolve(run)
        assert "a (changed since); b (changed since)" in refused.text
        assert "c (" not in refused.text
        assert contents(workspace) == {"a": "mine", "b": "2", "c": "old", "d": "2"}


@pytest.mark.requirement("core:confined", "core:approval-pinned")
@bounded
async def test_paths_are_confined_and_shown_with_their_links_resolved(workspace: Path):
    (workspace / "real").write_text("x")
    (workspace / "link").symlink_to("real")
    (workspace / "out").symlink_to(workspace.parent)

    async def shows(params: Rewrite, call: Call[Any]) -> str:
        return "; ".join(call.resolve_path(path) for path in params.files)

    module = plugin("p", tool("shows", shows, params=Rewrite))
    async with open_run(workspace, [REWRITE, module], approver=allow_all) as run:
        shown = await run.surface(Tier.READ).call(
            "shows", {"files": {"./link": 1, str(workspace / "real"): 1, "new/x": 1}}
        )
        assert shown.text == "real; real; new/x"
        for path in ("../escaped", "/etc/escaped", "out/escaped"):
            for stage in (False, True):
                refused = await call(run, {path: "x"}, stage=stage)
                assert refused.failure == "tool"
                assert "outside" in refused.text
        assert not (workspace.parent / "escaped").exists()
        assert not run.pending.has_pending


@pytest.mark.requirement("core:confined")
@bounded
async def test_further_roots_are_the_harnesss_to_name(workspace: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    async with open_run(workspace, [REWRITE], approver=allow_all, roots=[other]) as run:
        assert not (await call(run, {str(other / "x"): "there"})).is_error
        assert (other / "x").read_text() == "there"


@bounded
async def test_a_change_of_one_file_twice_is_an_error_for_the_model(workspace: Path):
    async def twice(params: Any, call: Call[Any]) -> str:
        await call.apply([Change(path=path, seen=None, after=b"x") for path in ("a", "./a")], label="twice")
        return "never"

    async with open_run(workspace, [plugin("p", tool("twice", twice, tier=Tier.WRITE))], approver=allow_all) as run:
        result = await run.surface(Tier.WRITE).call("twice", {})
        assert result.failure == "tool"
        assert "a is changed twice" in result.text
        assert contents(workspace) == {}


@pytest.mark.requirement("core:atomic")
def test_a_change_that_could_not_be_taken_back_does_not_claim_that_nothing_was_written(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    def breaks(*_: Any, **__: Any) -> Any:
        raise UnfinishedError(OSError(28, "No space left on device", "b"), OSError(5, "Input/output error", "a"))

    monkeypatch.setattr("toolpost.edits.apply_changes", breaks)

    async def test() -> Result:
        async with asyncio.timeout(30), open_run(workspace, [REWRITE], approver=allow_all) as run:
            return await call(run, {"a": "x"})

    result = asyncio.run(test())
    assert result.failure == "tool"
    assert result.text.startswith("a: Input/output error")
    assert "Some files may be changed" in result.text
    assert "nothing was written" not in result.text


@bounded
async def test_a_handler_can_tell_what_is_stale(workspace: Path):
    caught: list[Any] = []

    async def handler(params: Any, call: Call[Any]) -> str:
        try:
            await call.apply([Change(path="a", seen=digest(b"x"), after=b"y")], label="it")
        except StaleEdit as error:
            caught.extend(error.files)
            raise
        return "never"

    async with open_run(workspace, [plugin("p", tool("t", handler, tier=Tier.WRITE))], approver=allow_all) as run:
        assert (await run.surface(Tier.WRITE).call("t", {})).failure == "tool"
    assert [(each.path, each.why) for each in caught] == [("a", "missing")]
    assert issubclass(StaleEdit, ToolError)


@bounded
async def test_a_call_that_has_answered_can_change_nothing(workspace: Path):
    kept: list[Call[Any]] = []

    async def handler(params: Any, call: Call[Any]) -> str:
        kept.append(call)
        return "done"

    async with open_run(workspace, [plugin("p", tool("t", handler, tier=Tier.WRITE))], approver=allow_all) as run:
        await run.surface(Tier.WRITE).call("t", {})
        with pytest.raises(ToolError, match="has already answered"):
            await kept[0].apply([Change(path="a", seen=None, after=b"x")], label="late")
        with pytest.raises(ToolError, match="has already answered"):
            async with kept[0].writing("a"):
                pass
    assert contents(workspace) == {}


# ---- cancelled ----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:cancel")
@bounded
async def test_a_cancelled_change_is_either_there_with_its_undo_told_or_not_there(workspace: Path):
    """Cancelled at every step of the event loop that it takes."""
    outcomes = set()
    for steps in range(40):
        async with open_run(workspace, [REWRITE], approver=allow_all) as run:
            for name in ("a", "b"):
                (workspace / name).write_text("old")
            task = asyncio.create_task(call(run, {"a": "new", "b": "new"}))
            for _ in range(steps):
                await asyncio.sleep(0.0005)
            task.cancel()
            try:
                await task
                outcome = "finished"
            except asyncio.CancelledError:
                outcome = "cancelled"
            found = contents(workspace)
            assert found in ({"a": "old", "b": "old"}, {"a": "new", "b": "new"})
            if outcome == "cancelled" and found["a"] == "new":
                outcome = "applied"
                told = await run.surface(Tier.WRITE).call("see", {})
                assert "A cancelled call had applied 'rewrite' (a, b); undo_1 takes it back." in told.text
                assert not (await resolve(run, "undo", edit_id="undo_1")).is_error
                assert contents(workspace) == {"a": "old", "b": "old"}
            assert not (await call(run, {"a": "again"})).is_error
            outcomes.add(outcome)
            if outcome == "finished":
                break
    assert "cancelled" in outcomes
    assert outcomes & {"finished", "applied"}


@pytest.mark.requirement("core:cancel", "resolve:once")
@bounded
async def test_a_staged_edit_whose_resolve_is_cancelled_stays_pending_unless_it_was_applied(workspace: Path):
    hold = asyncio.Event()

    @asynccontextmanager
    async def after() -> Any:
        yield
        await hold.wait()

    @asynccontextmanager
    async def before() -> Any:
        await hold.wait()
        yield

    for wrapper, applied in ((before, False), (after, True)):
        (workspace / "a").write_text("old")
        async with open_run(workspace, [REWRITE, plugin("w", around_write=wrapper)], approver=allow_all) as run:
            run.writes.before = 5.0
            await call(run, {"a": "new"}, stage=True)
            task = asyncio.create_task(resolve(run))
            while applied and (workspace / "a").read_text() == "old":
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert contents(workspace) == {"a": "new" if applied else "old"}
            assert run.pending.has_pending is not applied
            told = await run.surface(Tier.WRITE).call("see", {})
            assert ("undo_1 takes it back" in told.text) is applied


# ---- recovery -----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("core:atomic")
@bounded
async def test_what_a_killed_run_left_half_way_is_made_whole_before_the_first_call(workspace: Path):
    for name in ("a", "b"):
        (workspace / name).write_text("old")
    script = (
        "import os, signal, sys\n"
        "from toolpost.workspace import Change, Confinement, Disk, StateFolder, apply, digest\n"
        "class Dies(Disk):\n"
        "    def exchange(self, *given):\n"
        "        super().exchange(*given)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "files = Confinement(sys.argv[1])\n"
        "changes = [Change(path=p, seen=digest(b'old'), after=b'new') for p in 'ab']\n"
        "apply(files, changes, state=StateFolder.of(sys.argv[1]), disk=Dies())\n"
    )
    died = subprocess.run([sys.executable, "-c", script, str(workspace)], timeout=30, check=False)
    assert died.returncode == -9
    assert contents(workspace)["a"] == "new"
    assert contents(workspace)["b"] == "old"
    async with open_run(workspace, ["files", REWRITE], approver=allow_all) as run:
        read = await run.surface(Tier.READ).call("read", {"path": "a"})
        assert read.text.splitlines()[0] == "old"
        assert "Recovered an interrupted change" in read.text
        assert contents(workspace) == {"a": "old", "b": "old"}
        assert "Recovered" not in (await run.surface(Tier.READ).call("read", {"path": "b"})).text
