"""Any order of staging, accepting, discarding, undoing, outside edits, cancelling and closing keeps bytes and ids right."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from toolpost import Change, PendingAction, Result, Tier, allow_all, digest
from toolpost.testing import open_run, plugin, tool

FILES = ("a.txt", "b.txt", "sub/c.txt")
PATHS = st.lists(st.sampled_from(FILES), min_size=1, max_size=3, unique=True)
CONTENT = st.sampled_from([b"", b"one\n", b"two\r\n", b"\xff\x00three"])
AFTER = st.none() | CONTENT


@attrs.frozen
class Staged:
    """A staged edit as the model knows it: what each file was, and is to be. A custom action has no files."""

    before: dict[str, bytes | None]
    after: dict[str, bytes | None]


class PendingMachine(RuleBasedStateMachine):
    """A run beside a model of its files, its stack and its undos."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="toolpost-machine-"))
        os.environ["TOOLPOST_STATE_HOME"] = str(self.folder / "state")
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir()
        self.loop = asyncio.new_event_loop()
        self.files: dict[str, bytes | None] = dict.fromkeys(FILES)
        self.stack: dict[str, Staged | None] = {}
        self.undos: dict[str, Staged] = {}
        self.pushed = 0
        self.applied = 0
        self.next: Any = None
        self.opening = open_run(
            self.workspace, [plugin("p", tool("stage", self._stage, tier=Tier.WRITE, stages=True))], approver=allow_all
        )
        self.run = self.loop.run_until_complete(self.opening.__aenter__())
        self.surface = self.run.surface(Tier.WRITE)

    async def _stage(self, params: Any, call: Any) -> str:
        what = self.next
        if isinstance(what, PendingAction):
            return call.stage(what)
        return call.stage_edit(
            [
                Change(path=path, seen=None if old is None else digest(old), after=what.after[path])
                for path, old in what.before.items()
            ],
            label="edit",
        )

    def call(self, name: str, **arguments: Any) -> Result:
        async def bounded() -> Result:
            async with asyncio.timeout(30):
                return await self.surface.call(name, arguments)

        return self.loop.run_until_complete(bounded())

    # ---- what may happen ----

    @rule(paths=PATHS, contents=st.lists(AFTER, min_size=3, max_size=3))
    def stage(self, paths: list[str], contents: list[bytes | None]) -> None:
        before = {path: self.files[path] for path in paths}
        after = dict(zip(paths, contents, strict=False))
        wanted = [path for path in paths if not (before[path] is None and after[path] is None)]
        if not wanted:
            return
        self.next = Staged({path: before[path] for path in wanted}, {path: after[path] for path in wanted})
        result = self.call("stage")
        assert not result.is_error, result.text
        self.pushed += 1
        assert result.text.splitlines()[0] == f"edit_{self.pushed}"
        self.stack[f"edit_{self.pushed}"] = self.next

    @rule(fails=st.sampled_from(["no", "raises", "retries"]))
    def push_custom(self, fails: str) -> None:
        from toolpost import ToolError

        async def apply(reason: str) -> str:
            if fails != "no":
                raise ToolError("it failed", retry=fails == "retries")
            return "done"

        self.next = PendingAction(label=fails, apply=apply)
        assert not self.call("stage").is_error
        self.pushed += 1
        self.stack[f"edit_{self.pushed}"] = None

    @rule(which=st.integers(0, 5), named=st.booleans())
    def accept(self, which: int, named: bool) -> None:
        chosen = self._chosen(which, named)
        if chosen is None:
            assert self.call("resolve", action="accept").text.startswith("No pending action to resolve.")
            return
        staged = self.stack[chosen]
        label = (
            None if staged else next(each.label for each in self.run.pending.visible(Tier.EXEC) if each.id == chosen)
        )
        result = self.call("resolve", action="accept", **({"edit_id": chosen} if named else {}))
        if staged is None:
            assert result.is_error == (label != "no")
            if label != "retries":
                del self.stack[chosen]
            return
        if any(self.files[path] != old for path, old in staged.before.items()):
            assert result.is_error
            return
        assert not result.is_error, result.text
        del self.stack[chosen]
        self._took_effect(staged)

    @rule(which=st.integers(0, 5), named=st.booleans())
    def discard(self, which: int, named: bool) -> None:
        chosen = self._chosen(which, named)
        if chosen is not None:
            assert not self.call("resolve", action="discard", **({"edit_id": chosen} if named else {})).is_error
            del self.stack[chosen]

    @rule(which=st.integers(0, 5))
    def undo(self, which: int) -> None:
        if not self.undos:
            assert self.call("resolve", action="undo", edit_id="undo_999").is_error
            return
        chosen = list(self.undos)[which % len(self.undos)]
        staged = self.undos[chosen]
        result = self.call("resolve", action="undo", edit_id=chosen)
        if any(self.files[path] != new for path, new in staged.after.items()):
            assert result.is_error
            return
        assert not result.is_error, result.text
        del self.undos[chosen]
        self._took_effect(Staged(staged.after, staged.before))

    @rule(path=st.sampled_from(FILES), content=AFTER)
    def somebody_else_edits(self, path: str, content: bytes | None) -> None:
        file = self.workspace / path
        if content is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
        self.files[path] = content

    @rule(turns=st.integers(0, 30))
    def accept_and_cancel(self, turns: int) -> None:
        chosen = self._chosen(0, named=False)
        if chosen is None or self.stack[chosen] is None:
            return
        staged = self.stack[chosen]
        assert staged is not None

        async def cancelled() -> None:
            call = asyncio.create_task(self.surface.call("resolve", {"action": "accept"}))
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
            await asyncio.wait([call], timeout=30)
            assert call.done()

        self.loop.run_until_complete(cancelled())
        if self.run.pending.visible(Tier.EXEC) and any(
            each.id == chosen for each in self.run.pending.visible(Tier.EXEC)
        ):
            return  # nothing was written: the invariant checks it
        del self.stack[chosen]
        self._took_effect(staged)

    # ---- what always holds ----

    @invariant()
    def the_files_are_as_the_model_says(self) -> None:
        if not hasattr(self, "run"):
            return
        for path, content in self.files.items():
            file = self.workspace / path
            assert (file.read_bytes() if file.exists() else None) == content, path
        names = {str(path.relative_to(self.workspace)) for path in self.workspace.rglob("*") if path.is_file()}
        assert names == {path for path, content in self.files.items() if content is not None}

    @invariant()
    def the_stack_and_the_undos_are_as_the_model_says(self) -> None:
        if not hasattr(self, "run"):
            return
        assert [each.id for each in self.run.pending.visible(Tier.EXEC)] == list(self.stack)
        assert [undo.id for undo in self.run.edits.undos(Tier.EXEC)] == list(self.undos)
        top = self.run.pending.peek()
        assert (top.id if top else None) == (list(self.stack)[-1] if self.stack else None)

    def teardown(self) -> None:
        if not hasattr(self, "run"):
            return
        before = dict(self.files)
        self.loop.run_until_complete(self.opening.__aexit__(None, None, None))
        assert asyncio.all_tasks(self.loop) == set()
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        for path, content in before.items():
            file = self.workspace / path
            assert (file.read_bytes() if file.exists() else None) == content, "closing wrote something"
        shutil.rmtree(self.folder)

    # ---- inside ----

    def _chosen(self, which: int, named: bool) -> str | None:
        ids = list(self.stack)
        return None if not ids else ids[which % len(ids)] if named else ids[-1]

    def _took_effect(self, staged: Staged) -> None:
        self.files |= staged.after
        self.applied += 1
        self.undos[f"undo_{self.applied}"] = staged


FULL = os.environ.get("TOOLPOST_FULL") == "1"
TestPending = pytest.mark.requirement(
    "resolve:exact-bytes", "resolve:once", "resolve:undo", "resolve:stale", "pending:stack"
)(PendingMachine.TestCase)
TestPending.settings = settings(
    max_examples=100 if FULL else 25,
    stateful_step_count=40 if FULL else 25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
