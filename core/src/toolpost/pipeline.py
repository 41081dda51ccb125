"""The steps of one call. Their order is part of the contract (design.md, One call):

run closed? → surface lookup → parent alive → arguments → subject → ceiling again → gates → approver → lock → handler →
notes → bounding → observers.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

import attrs

from toolpost.approval import Allow, ApprovalPending, Defer, Deny
from toolpost.call import Call
from toolpost.params import InvalidArguments
from toolpost.problems import log, told
from toolpost.tiers import Tier
from toolpost.tools import Image, Note, Result, Text, ToolError
from toolpost.visible import LIMIT, bound, escape

if TYPE_CHECKING:
    from toolpost.run import Run
    from toolpost.surface import Surface

_IMAGES = 16


async def perform(
    surface: Surface,
    name: str,
    arguments: Mapping[str, Any] | str,
    parent: Call[Any] | None,
    progress: Callable[[str], None] | None,
) -> Result:
    """One call, from the name the model gave to the result it reads."""
    run = surface._run
    if run.closing:
        return closed(name)
    found = surface.get(name)
    if found is None:
        return await _elsewhere(surface, name, arguments, parent)
    if parent is not None and parent.ended:
        return Result.error(f"{name}: the call that makes this one has already answered.", "closed")
    if run.recovery is not None:
        await run.recover()
    try:
        params = found.tool.structure(arguments)
    except InvalidArguments as error:
        return Result.error(f"{name}: {escape(str(error))}", "arguments")
    call: Call[Any] = Call(
        id=run.next_call_id(),
        tool=found.tool,
        params=params,
        handle=found.binding.handle,
        scope=found.binding.scope,
        surface=surface,
        parent=parent,
        tier=found.tier,
        binding=found.binding,
        on_progress=progress or (parent.on_progress if parent else None),
    )
    return await _tracked(run, call, None)


def closed(name: str) -> Result:
    return Result.error(f"{name}: the run is closed.", "closed")


async def _tracked(run: Run, call: Call[Any], decision: Allow | Deny | None) -> Result:
    """The call while it is under way: closing the run cancels it, and it takes the calls that it made with it."""
    task = asyncio.current_task()
    assert task is not None
    parent = call.parent
    started = time.perf_counter()
    call.ended = False
    run.calls[call] = task
    if parent is not None:
        parent.children[call] = task
    try:
        result = await _steps(run, call, decision)
    except asyncio.CancelledError:
        # A closing run cancels tasks that are not its own: the outermost call of each takes that back and answers.
        outermost = parent is None or run.calls.get(parent) is not task
        if not (outermost and run.was_cancelled(task)):
            raise
        task.uncancel()
        result = closed(call.tool.name)
    finally:
        call.ended = True
        del run.calls[call]
        if parent is not None:
            parent.children.pop(call, None)
            if not parent.children and parent.childless is not None:
                parent.childless.set()
        if call.children:
            await _end_children(run, call)
        if run.closing and not run.calls:
            run.idle.set()
    result = _finished(run, call, result)
    for observe in run.observers:
        observe(call, result, time.perf_counter() - started)
    return result


async def _steps(run: Run, call: Call[Any], decision: Allow | Deny | None) -> Result:
    name = call.tool.name
    try:
        if decision is None:
            refusal = await _admit(run, call)
            if refusal is not None:
                return refusal
        elif isinstance(decision, Deny):
            return _refused(name, decision.reason)
        exclusive = call.tool.exclusive
        if exclusive is False or (exclusive is not True and not exclusive(call.params)):
            return _answer(await call.tool.handler(call.params, call))
        holder = _holder(call)
        if holder is not None:
            return Result.error(f"{name} cannot run inside {holder.tool.name}: it would wait for itself.", "busy")
        call.alone = True
        async with call.binding.lock:
            if not call.binding.alive:
                return call.surface.unknown(name)
            return _answer(await call.tool.handler(call.params, call))
    except ToolError as error:
        return Result.error(str(error), data=error.data)
    except ApprovalPending:
        raise
    except (Exception, SystemExit) as error:
        log.error("tool %s failed", name, exc_info=error)
        return Result.error(f"{name} failed: {told(error)}", "crash")


async def _admit(run: Run, call: Call[Any]) -> Result | None:
    """Everything between the arguments and the handler; gives a refusal, or None."""
    tool, surface = call.tool, call.surface
    if tool.subject is not None:
        call.subject = tool.subject(call.params, call)
        if call.subject.tier is not None and call.subject.tier > call.tier:
            call.tier = call.subject.tier
            if call.tier > surface.ceiling:
                return surface.unknown(tool.name)
    for gate, judge in run.gates:
        try:
            verdict = judge(call)
            if verdict is not None and isawaitable(verdict):
                verdict = await verdict
        except Exception as error:
            run.note_problem(gate, "gate", told(error))
            return _refused(tool.name, f"the gate {gate} failed, and a gate that fails refuses")
        if verdict is not None:
            reason = (
                verdict.reason if isinstance(verdict, Deny) else f"the gate {gate} gave {verdict!r}, which is no pass"
            )
            return _refused(tool.name, reason)
    if call.tier is Tier.READ:
        return None
    decision = await run.approvals.ask(call, call.tier)
    if isinstance(decision, Defer):
        raise ApprovalPending(call, lambda answer: _resume(run, call, answer))
    return _refused(tool.name, decision.reason) if isinstance(decision, Deny) else None


async def _resume(run: Run, call: Call[Any], decision: Allow | Deny) -> Result:
    if run.closing:
        return closed(call.tool.name)
    if not call.binding.alive:
        return call.surface.unknown(call.tool.name)
    if isinstance(decision, Allow):
        run.approvals.note(call, call.tier, decision)
    return await _tracked(run, call, decision)


async def _elsewhere(
    surface: Surface, name: str, arguments: Mapping[str, Any] | str, parent: Call[Any] | None
) -> Result:
    """A name that this surface does not hold: the harness's own dispatch may know it, for calls made by calls."""
    dispatch = surface._run.dispatch
    if dispatch is None or parent is None or parent.ended:
        return surface.unknown(name)
    answer = await dispatch(name, arguments, parent)
    return surface.unknown(name) if answer is None else answer


def _refused(name: str, reason: str) -> Result:
    return Result.error(f"{name} was refused: {reason}", "refused")


def _holder(call: Call[Any]) -> Call[Any] | None:
    """The calling call that holds the lock which this one wants."""
    above = call.parent
    while above is not None:
        if above.alone and above.binding is call.binding:
            return above
        above = above.parent
    return None


def _answer(answer: Result | str) -> Result:
    if isinstance(answer, Result):
        return answer
    if isinstance(answer, str):
        return Result(content=(Text(text=answer),))
    raise TypeError(f"its handler gave {type(answer).__name__}, not a Result or text")


def _finished(run: Run, call: Call[Any], result: Result) -> Result:
    """The result as the model reads it: notes behind it, bounded, nothing hidden in it."""
    notes = list(result.notes) + call.notes
    if run.notices and call.parent is None:
        notes += run.notices
        run.notices.clear()
    if run.pending.has_pending and call.parent is None:
        notes += _reminder(call)
    if not notes and len(result.content) == 1:
        block = result.content[0]
        if isinstance(block, Text) and bound(block.text) is block.text:
            return result
    return attrs.evolve(result, content=_bounded(result.content), notes=tuple(_bounded_note(note) for note in notes))


def _bounded(content: tuple[Text | Image, ...]) -> tuple[Text | Image, ...]:
    blocks: list[Text | Image] = []
    left, images = LIMIT, 0
    for block in content:
        if isinstance(block, Text):
            text = bound(block.text, max(left, 200))
            left -= len(text)
            blocks.append(block if text is block.text else Text(text=text))
        else:
            images += 1
            if images <= _IMAGES:
                blocks.append(block)
    if images > _IMAGES:
        blocks.append(Text(text=f"… {images - _IMAGES} images left out …"))
    return tuple(blocks)


def _bounded_note(note: Note) -> Note:
    text = bound(note.text, 4_000)
    return note if text is note.text else attrs.evolve(note, text=text)


def _reminder(call: Call[Any]) -> list[Note]:
    """One closing line on other tools' results while something is pending (pending:preference)."""
    if call.tool.name == "resolve":
        return []
    pending = call.surface.newest_pending()
    if pending is None or pending.call is call:
        return []
    text = f"Pending: {pending.id} ({pending.label}). Call resolve to accept or discard it."
    return [Note(source="toolpost", text=text, data={"edit_id": pending.id})]


async def _end_children(run: Run, call: Call[Any]) -> None:
    """Cancel the inner calls that other tasks still make; they answer `closed` and their tasks live on."""
    call.childless = asyncio.Event()
    for child, task in call.children.items():
        run.cancel(child, task)
    try:
        async with asyncio.timeout(2.0):
            await call.childless.wait()
    except TimeoutError:
        log.warning("calls made by %s did not end when they were cancelled", call.tool.name)
