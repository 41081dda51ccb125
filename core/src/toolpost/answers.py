"""A result as the model reads it: notes behind it, bounded, nothing hidden in it (contract core:bounded)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from toolpost.tools import Failure, Image, Note, Result, Text
from toolpost.visible import LIMIT, bound

if TYPE_CHECKING:
    from toolpost.call import Call
    from toolpost.run import Run

_BRIEF = 4_000
_IMAGES = 16
_NOTES = 64


def told_briefly(name: str, what: str, failure: Failure) -> Result:
    """An error that comes before there is a call: whose, and what."""
    return Result.error(bound(f"{brief(name)}: {what}", _BRIEF), failure)


def brief(name: object) -> str:
    """A tool's name as a model wrote it, cut to what a name may have."""
    text = str(name)
    return text if len(text) <= 64 else f"{text[:64]}…"


def finished(run: Run, call: Call[Any], result: Result) -> Result:
    """The result of one call, with what the call, the run and the pending stack have to say behind it."""
    notes = [*result.notes, *call.notes]
    if call.parent is None:
        notes += run.take_notices()
        if run.pending.has_pending:
            notes += _reminder(call)
    if not notes and len(result.content) == 1:
        block = result.content[0]
        if isinstance(block, Text) and bound(block.text) is block.text:
            return result
    return attrs.evolve(result, content=_content(result.content), notes=_bounded_notes(notes))


def _content(content: tuple[Text | Image, ...]) -> tuple[Text | Image, ...]:
    blocks: list[Text | Image] = []
    left, images, dropped = LIMIT, 0, 0
    for block in content:
        if isinstance(block, Text):
            if left <= 0:
                dropped += len(block.text)
                continue
            text = bound(block.text, left)
            left -= len(text)
            blocks.append(block if text is block.text else Text(text=text))
        else:
            images += 1
            if images <= _IMAGES:
                blocks.append(block)
    if dropped:
        blocks.append(Text(text=f"… {dropped} characters left out …"))
    if images > _IMAGES:
        blocks.append(Text(text=f"… {images - _IMAGES} images left out …"))
    return tuple(blocks)


def _bounded_notes(notes: list[Note]) -> tuple[Note, ...]:
    kept = [
        note if (text := bound(note.text, _BRIEF)) is note.text else attrs.evolve(note, text=text)
        for note in notes[:_NOTES]
    ]
    if len(notes) > _NOTES:
        kept.append(Note(source="toolpost", text=f"… {len(notes) - _NOTES} notes left out …"))
    return tuple(kept)


def _reminder(call: Call[Any]) -> list[Note]:
    """One closing line on other tools' results while something is pending (pending:preference)."""
    pending = None if call.tool.name == "resolve" else call.surface.newest_pending()
    if pending is None or pending.call is call:
        return []
    text = f"Pending: {pending.id} ({pending.label}). Call resolve to accept or discard it."
    return [Note(source="toolpost", text=text, data={"edit_id": pending.id})]
