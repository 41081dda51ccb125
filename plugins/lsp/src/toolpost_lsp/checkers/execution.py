"""One checker's run in one project: started, bounded, read, and judged. What failed is never clean (lsp:project-check)."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from typing import Literal

import attrs
from toolpost import Scope
from toolpost.processes import DEVNULL, PIPE, SpawnError, child_environment

from toolpost_lsp.checkers.checker import UNEXPECTED, Invocation, Item, Parsed, lines
from toolpost_lsp.checkers.plan import Planned
from toolpost_lsp.words import clean, listed

State = Literal["clean", "problems", "failed", "skipped"]
_GRACE = 5.0
"""Seconds after which the guards kill what this process did not."""


@attrs.frozen(kw_only=True)
class Limits:
    """How much a check may take: seconds for a checker and for all of them, bytes of one's output."""

    each: float = 120.0
    total: float = 180.0
    output: int = 16 * 1024 * 1024


@attrs.frozen(kw_only=True)
class Outcome:
    """What came of a run.

    Attributes:
        state: "failed": not all of the project was checked, whether or not problems were found before.
        items: the problems, each with its path absolute.
        reason: why it failed, or was skipped.
        checked: how many files were looked at, if it said so.
        remark: what the reader has to know of a result.
        seconds: how long it took.
    """

    run: Planned
    state: State
    items: tuple[Item, ...] = ()
    reason: str = ""
    checked: int | None = None
    remark: str = ""
    seconds: float = 0.0


@attrs.define
class _Output:
    """What a program did: `trouble` is why it was ended, or not started."""

    code: int = 0
    out: bytearray = attrs.field(factory=bytearray)
    err: bytearray = attrs.field(factory=bytearray)
    trouble: str = ""


async def execute(run: Planned, scope: Scope, limits: Limits, *, until: float) -> Outcome:
    """Run a checker, all of its invocations in turn.

    Args:
        until: when everything has to be over, by the run's clock.
    """
    clock = scope.clock
    began = clock.monotonic()
    until = min(until, began + limits.each)
    try:
        invocations: Sequence[Invocation] = await asyncio.to_thread(run.checker.invocations, run.project)
    except (OSError, *UNEXPECTED) as error:
        return Outcome(run=run, state="failed", reason=f"its input cannot be read: {clean(str(error), 200)}")
    if not invocations:
        return Outcome(run=run, state="skipped", reason="its configuration names nothing to check here")
    await asyncio.to_thread(_make, scope, run.project.cache)
    outcomes = []
    for each in invocations:
        output = await _start(run, each, scope, limits, until - clock.monotonic())
        outcomes.append(await asyncio.to_thread(_judge, run, each, output))
        if output.trouble:
            break
    return attrs.evolve(_together(outcomes), seconds=clock.monotonic() - began)


def _make(scope: Scope, cache: str) -> None:
    scope.state.make()
    os.makedirs(cache, exist_ok=True)


async def _start(run: Planned, invocation: Invocation, scope: Scope, limits: Limits, seconds: float) -> _Output:
    output = _Output()
    if seconds <= 0:
        output.trouble = "there was no time left for it"
        return output
    try:
        process = await scope.processes.spawn(
            (run.program, *invocation.arguments),
            cwd=run.project.root,
            env=child_environment(run.env),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            deadline=seconds + _GRACE,
        )
    except SpawnError as error:
        output.trouble = clean(str(error))
        return output
    assert process.stdout and process.stderr  # they are pipes
    try:
        async with asyncio.timeout(seconds):
            await asyncio.gather(
                _read(process.stdout, output.out, limits.output), _read(process.stderr, output.err, limits.output)
            )
            output.code = await process.wait()
    except TimeoutError:
        output.trouble = f"it did not end within {seconds:.3g} s"
    except _Flood:
        output.trouble = f"it was ended, as its output is longer than {limits.output / 1024 / 1024:.3g} MB"
    finally:
        await asyncio.shield(process.kill())
    return output


class _Flood(Exception):
    """More output than anybody could use."""


async def _read(stream: asyncio.StreamReader, into: bytearray, most: int) -> None:
    while block := await stream.read(65536):
        into += block
        if len(into) > most:
            raise _Flood


def _judge(run: Planned, invocation: Invocation, output: _Output) -> Outcome:
    """What an output says; safe in a thread."""
    checker, code = run.checker, output.code
    errors = output.err.decode(errors="replace")
    parsed, unread = Parsed(), ""
    try:
        parsed = checker.parse(output.out.decode(errors="replace"), errors)
    except UNEXPECTED as error:
        unread = f"its output cannot be read ({clean(str(error), 200) or type(error).__name__})"
    last = clean(next(iter(list(lines(errors))[-1:]), ""), 300)
    ended = f"exit code {code}{f': {last}' if last else ''}"
    found = bool(parsed.items)
    if output.trouble:
        reason = output.trouble
    elif code < 0:
        reason = f"it was ended by {_signal(-code)}"
    elif unread:
        reason = f"{unread}; {ended}"
    elif parsed.failures:
        reason = listed([clean(each, 300) for each in parsed.failures], 3)
    elif code in checker.stopped and found:
        reason = f"it stopped before it had seen everything ({ended})"
    elif parsed.checked == 0 and not found:
        reason = "it found no files to check"
    elif code != 0 and code not in checker.found:
        reason = f"it ended with {ended}"
    elif code != 0 and not found:
        reason = f"it told no problem, but ended with {ended}"
    else:
        reason = ""
    base = invocation.base or run.project.root
    items = tuple(attrs.evolve(each, path=os.path.normpath(os.path.join(base, each.path))) for each in parsed.items)
    return Outcome(
        run=run,
        state="failed" if reason else "problems" if found else "clean",
        items=items,
        reason=reason,
        checked=parsed.checked,
        remark=parsed.remark,
    )


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _together(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcomes of one run's invocations as one: it failed if one of them did."""
    items = dict.fromkeys(item for each in outcomes for item in each.items)
    failed = [each for each in outcomes if each.state == "failed"]
    counts = [each.checked for each in outcomes if each.checked is not None]
    return Outcome(
        run=outcomes[0].run,
        state="failed" if failed else "problems" if items else "clean",
        items=tuple(items),
        reason=failed[0].reason if failed else "",
        checked=sum(counts) if counts else None,
        remark=next((each.remark for each in outcomes if each.remark), ""),
    )
