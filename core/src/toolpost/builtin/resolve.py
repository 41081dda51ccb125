"""`resolve`: accept or discard what is pending, or take an applied change back (contracts §2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import attrs

from toolpost import Call, Edited, Pending, Result, Subject, Text, Tier, Tool, ToolError, hookimpl
from toolpost.edits import Undo
from toolpost.pending import NOTHING_PENDING


@attrs.frozen(kw_only=True)
class Resolve:
    """Finish what another tool prepared: accept (or apply) a pending action, discard it, or undo an applied change.

    Without edit_id the newest pending action is taken; undo always needs the id that the change was answered with.
    """

    action: Annotated[Literal["accept", "apply", "discard", "undo"], "accept and apply are the same."]
    edit_id: Annotated[str | None, "Which one, such as edit_1; for undo such as undo_1."] = None
    reason: Annotated[str, "Why, for the record."] = ""


def _subject(params: Resolve, call: Call[Any]) -> Subject:
    """Pin the action before anybody is asked: what the approver saw is what is resolved."""
    if params.action == "undo":
        undo = _undo(params, call)
        return Subject(summary=f"undo {undo.id}: {undo.label}", paths=undo.paths, tier=undo.tier, pinned=undo)
    pending = _pending(params, call)
    verb = "discard" if params.action == "discard" else "accept"
    return Subject(
        summary=f"{verb} {pending.id}: {pending.label} (from {pending.source_tool}).{_still(call, pending)}",
        paths=pending.action.paths,
        tier=pending.tier,
        preview=pending.action.details,
        pinned=pending,
    )


async def resolve(params: Resolve, call: Call[Any]) -> Result:
    assert call.subject is not None
    pinned = call.subject.pinned
    if isinstance(pinned, Undo):
        edited: Edited = await call.edits.undo(pinned, call)
        return Result.of(
            f"Undone {pinned.id}: {pinned.label}; {len(edited.paths)} files are as they were.{_still(call)}",
            data={"undone": pinned.id, "label": pinned.label, "paths": list(edited.paths), "undo_id": edited.undo_id},
        )
    settle = call.pending.discard if params.action == "discard" else call.pending.accept
    try:
        answer = await settle(pinned, params.reason, call)
    except ToolError as error:
        raise ToolError(f"{error}.{_still(call, pinned)}".replace("..", "."), data=error.data) from error
    done = "discarded" if params.action == "discard" else "accepted"
    line = f"{pinned.id} {done}: {pinned.label} (from {pinned.source_tool}).{_still(call)}"
    return attrs.evolve(answer, content=(*answer.content, Text(text=line)))


def _pending(params: Resolve, call: Call[Any]) -> Pending:
    visible = call.pending.visible(call.surface.ceiling)
    if not visible:
        raise ToolError(NOTHING_PENDING)
    if params.edit_id is None:
        return next((each for each in reversed(visible) if not each.claimed), visible[-1])
    for pending in visible:
        if pending.id == params.edit_id:
            return pending
    raise ToolError(f"{params.edit_id!r} is not pending. Pending: {_listed(visible)}.")


def _undo(params: Resolve, call: Call[Any]) -> Undo:
    undos = call.edits.undos(call.surface.ceiling)
    known = ", ".join(str(undo) for undo in reversed(undos)) or "none"
    if params.edit_id is None:
        raise ToolError(f"undo needs edit_id, the id that the change was answered with. It can be: {known}.")
    for undo in undos:
        if undo.id == params.edit_id:
            return undo
    raise ToolError(f"{params.edit_id!r} is no change that can be undone. It can be: {known}.")


def _still(call: Call[Any], apart: Pending | None = None) -> str:
    """What else is pending, as a sentence behind an answer."""
    left = [each for each in call.pending.visible(call.surface.ceiling) if each is not apart]
    return f" Still pending: {_listed(left)}." if left else " Nothing else is pending."


def _listed(visible: list[Pending]) -> str:
    return ", ".join(str(pending) for pending in reversed(visible))


@hookimpl
def toolpost_tools() -> list[Tool[Any, Any]]:
    return [Tool(name="resolve", params=Resolve, handler=resolve, tier=Tier.WRITE, subject=_subject, listed=False)]
