"""The steps of one call. Their order is part of the contract (design.md, One call):

run closed? → surface lookup → parent alive → arguments → subject → ceiling again → gates → approver → lock → handler →
notes → bounding → observers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from toolpost.answers import finished, told_briefly
from toolpost.approval import Allow, ApprovalPending, Defer, Deny
from toolpost.call import Call
from toolpost.inflight import CLOSED
from toolpost.params import InvalidArguments
from toolpost.problems import FAILURES, log, told
from toolpost.tiers import Tier
from toolpost.tools import Result, Text, ToolError
from toolpost.turns import WouldWaitForItself

if TYPE_CHECKING:
    from toolpost.run import Run
    from toolpost.surface import Surface


async def perform(
    surface: Surface,
    name: str,
    arguments: Mapping[str, Any] | str,
    parent: Call[Any] | None,
    progress: Callable[[str], None] | None,
) -> Result:
    """One call, from the name the model gave to the result it reads."""
    run = surface._run
    if run.recovery is not None and not run.closing:
        await run.recover()
    if run.closing:
        return told_briefly(name, CLOSED, "closed")
    found = surface.get(name)
    if found is None:
        return await _elsewhere(surface, name, arguments, parent)
    if parent is not None and parent.ended:
        return told_briefly(name, "the call that makes this one has already answered", "closed")
    try:
        params = found.tool.structure(arguments)
    except InvalidArguments as error:
        return told_briefly(name, str(error), "arguments")
    call: Call[Any] = Call(
        id=f"call_{next(run.numbers)}",
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
    return await _answered(run, call, None)


async def _answered(run: Run, call: Call[Any], decision: Allow | Deny | None) -> Result:
    started = time.perf_counter()
    result = finished(run, call, await run.calls.answer(call, _steps(run, call, decision)))
    for observe in run.plugins.observers:
        observe(call, result, time.perf_counter() - started)
    return result


async def _steps(run: Run, call: Call[Any], decision: Allow | Deny | None) -> Result:
    tool = call.tool
    try:
        if decision is not None:
            refusal = _judged(call, decision)
        elif tool.subject is None and call.tier is Tier.READ and not run.plugins.gates:
            refusal = None  # nothing to fix, nobody to ask: most calls
        else:
            refusal = await _admit(run, call)
        if refusal is not None:
            return refusal
        if not call.binding.alive:  # released while somebody thought about the call
            return call.surface.unknown(tool.name)
        if not tool.exclusive or (tool.exclusive is not True and not tool.exclusive(call.params)):
            return _answer(await tool.handler(call.params, call))
        async with call.binding.turn.taken(call, run.calls):
            return _answer(await tool.handler(call.params, call))
    except ToolError as error:
        return Result.error(str(error), data=error.data)
    except WouldWaitForItself as error:
        return told_briefly(tool.name, str(error), "busy")
    except ApprovalPending:
        raise
    except FAILURES as error:
        log.error("tool %s failed", tool.name, exc_info=error)
        return Result.error(f"{tool.name} failed: {told(error)}", "crash")


async def _admit(run: Run, call: Call[Any]) -> Result | None:
    """Everything between the arguments and the handler; gives a refusal, or None."""
    tool, ceiling = call.tool, call.surface.ceiling
    if tool.subject is not None:
        call.subject = tool.subject(call.params, call)
        if call.subject.tier is not None and call.subject.tier > call.tier:
            call.tier = call.subject.tier
            if call.tier > ceiling:
                return _refused(call, f"with these arguments it is of tier {call.tier.value}, above {ceiling.value}")
    for gate, judge in run.plugins.gates:
        try:
            verdict = judge(call=call)
            if verdict is not None and isawaitable(verdict):
                verdict = await verdict
        except FAILURES as error:
            run.note_problem(gate, "gate", told(error))
            return _refused(call, f"the gate {gate} failed, and a gate that fails refuses")
        if verdict is not None:
            odd = f"the gate {gate} gave {verdict!r}, which is no pass"
            return _refused(call, verdict.reason if isinstance(verdict, Deny) else odd)
    if call.tier is Tier.READ:
        return None
    decision = await run.approvals.ask(call)
    if isinstance(decision, Defer):
        raise ApprovalPending(call, lambda answer: _resume(run, call, answer))
    return _judged(call, decision)


async def _resume(run: Run, call: Call[Any], decision: Allow | Deny) -> Result:
    if run.closing:
        return told_briefly(call.tool.name, CLOSED, "closed")
    if isinstance(decision, Allow):
        run.approvals.note(call, decision)
    return await _answered(run, call, decision)


def _judged(call: Call[Any], decision: Allow | Deny) -> Result | None:
    """Only a clean yes lets a call pass."""
    if isinstance(decision, Allow):
        return None
    return _refused(call, decision.reason if isinstance(decision, Deny) else f"{decision!r} is no Allow")


async def _elsewhere(
    surface: Surface, name: str, arguments: Mapping[str, Any] | str, parent: Call[Any] | None
) -> Result:
    """A name that this surface does not hold: the harness's own dispatch may know it, for calls made by calls."""
    dispatch = surface._run.terms.dispatch
    if dispatch is None or parent is None or parent.ended:
        return surface.unknown(name)
    try:
        answer = await dispatch(name, arguments, parent)
    except ToolError as error:
        return Result.error(str(error), data=error.data)
    except FAILURES as error:
        log.error("the harness's dispatch of %s failed", name, exc_info=error)
        return told_briefly(name, f"the harness's dispatch failed: {told(error)}", "crash")
    return surface.unknown(name) if answer is None else answer


def _refused(call: Call[Any], reason: str) -> Result:
    about = f" (asked for: {call.subject.summary})" if call.subject is not None else ""
    return Result.error(f"{call.tool.name} was refused: {reason}{about}", "refused")


def _answer(answer: Result | str) -> Result:
    if isinstance(answer, Result):
        return answer
    if isinstance(answer, str):
        return Result(content=(Text(text=answer),))
    raise TypeError(f"its handler gave {type(answer).__name__}, not a Result or text")
