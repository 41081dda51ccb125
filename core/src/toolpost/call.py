"""One call of one tool, as its handler sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from toolpost.tiers import Tier
from toolpost.tools import Note, Result, Subject, Tool, ToolError

if TYPE_CHECKING:
    from toolpost.binding import Binding
    from toolpost.edits import Edited, Edits
    from toolpost.pending import PendingAction, PendingActions
    from toolpost.scope import Scope
    from toolpost.surface import Surface
    from toolpost.turns import Turn
    from toolpost.workspace import Change
    from toolpost.writes import Writing

H = TypeVar("H")


@attrs.define(eq=False, kw_only=True)
class Call(Generic[H]):
    """What a handler gets beside its params: its handle, and the only way to other tools, files and the pending stack.

    The chain of calls is this object's `parent`, passed on explicitly: a context variable would not follow a handle
    whose own tasks outlive the call that started them (design.md, The objects).

    Attributes:
        id: unique in the run.
        tool: the tool that is called.
        params: its arguments, structured.
        handle: the plugin's live handle.
        scope: what the plugin gets of the run.
        surface: the caller's surface; inner calls start there, so no handler can widen what its caller sees.
        parent: the call that made this one, if any.
        subject: what this call is about to touch, fixed before anybody was asked.
        tier: the effective tier.
        notes: lines that others add to the result.
    """

    id: str
    tool: Tool[Any, H]
    params: Any
    handle: H
    scope: Scope
    surface: Surface
    parent: Call[Any] | None
    tier: Tier
    binding: Binding
    subject: Subject | None = None
    on_progress: Callable[[str], None] | None = None
    notes: list[Note] = attrs.field(factory=list)
    acting: Call[Any] | None = None
    acts: asyncio.Lock | None = None
    writing_now: Writing | None = None
    ended: bool = False
    has_called: bool = False
    waits_for: Turn | None = None
    over: asyncio.Event | None = None

    async def call(self, name: str, arguments: Mapping[str, Any] | str) -> Result:
        """Call another tool, exactly as the model would: same surface, checks, approvals and wrappers.

        It is cancelled with this call, and refused once this call has ended.
        """
        return await self.surface.call(name, arguments, parent=self.acting or self)

    def note(self, text: str, *, data: Any = None) -> None:
        """Add a line behind this call's result."""
        (self.acting or self).notes.append(Note(source=self.tool.name, text=text, data=data))

    def progress(self, text: str) -> None:
        """Tell whoever listens how long work goes on."""
        acting = self.acting or self
        if acting.on_progress is not None:
            acting.on_progress(text)

    # ---- files ----

    def resolve_path(self, path: str) -> str:
        """*path* with its links resolved, relative to the workspace: what an approver is shown and a handler uses.

        Raises:
            ToolError: it leaves the workspace; the text says how to mend it.
        """
        return self.edits.shown(path)

    async def apply(self, changes: Sequence[Change], *, label: str) -> Edited:
        """Change files now: confined, stale-checked, wrapped, journalled, all or nothing, undoable.

        Raises:
            ToolError: why nothing was written.
        """
        acting = self._alive()
        return await self.edits.apply(changes, label=label, call=acting, tier=max(self.tier, acting.tier))

    def writing(self, *paths: str) -> AbstractAsyncContextManager[list[Note]]:
        """For a handler that writes by its own means: wraps what the body writes like every other write.

        The wrappers' notes go behind this call's result.
        """
        return self.surface._run.writes.writing(*(self.resolve_path(path) for path in paths), call=self._alive())

    # ---- pending actions ----

    @property
    def pending(self) -> PendingActions:
        """The run's stack, for `resolve`."""
        return self.surface._run.pending

    @property
    def edits(self) -> Edits:
        """The run's applied changes, for `resolve`."""
        return self.surface._run.edits

    def stage(self, action: PendingAction) -> str:
        """Push a pending action; gives its id. `source_tool` is this tool unless the action says otherwise.

        Raises:
            ToolError: the caller has no `resolve`, so nobody could finish the action; or this tool did not declare
                `stages=True`.
        """
        from toolpost.pending import NO_STORE

        if not self.surface.has("resolve"):
            raise ToolError(NO_STORE)
        if not self.tool.stages:
            raise ToolError(f"{self.tool.name} does not declare stages=True, so it may not stage an action.")
        return self.pending.push(action, tier=self.tier, call=self)

    def stage_edit(self, changes: Sequence[Change], *, label: str, details: str | None = None) -> str:
        """Stage a change of files; gives its id. Accepting writes these bytes, or nothing (resolve:exact-bytes).

        A file that another pending action touches is told in a note: accepting one makes the other stale.
        """
        from toolpost.edits import size_of, was_applied
        from toolpost.pending import PendingAction, did_nothing

        paths = tuple(self.resolve_path(change.path) for change in changes)
        fixed = tuple(changes)

        async def apply(reason: str) -> Result:  # noqa: ARG001 - it informs, and must not change what is done
            edited = await self.apply(fixed, label=label)
            files = f"{len(edited.paths)} file{'s' if len(edited.paths) != 1 else ''}"
            return Result.of(
                f"Applied {label}: {files} written.", data={"paths": list(edited.paths), "undo_id": edited.undo_id}
            )

        def retriable(error: BaseException) -> bool:
            return did_nothing(error) or (isinstance(error, asyncio.CancelledError) and not was_applied(error))

        for other, shared in self.pending.touching(paths):
            self.note(f"{other} also touches {', '.join(shared[:5])}: accepting one of the two makes the other stale.")
        return self.stage(
            PendingAction(
                label=label,
                apply=apply,
                details=details,
                source_tool=self.tool.name,
                paths=paths,
                size=size_of(fixed),
                retriable=retriable,
            )
        )

    # ---- inside the house ----

    def _alive(self) -> Call[Any]:
        """The call in whose name this one acts now."""
        acting = self.acting or self
        if acting.ended:
            raise ToolError(f"{self.tool.name} has already answered, so it can no longer change files.")
        return acting
