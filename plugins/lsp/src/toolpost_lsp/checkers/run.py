"""`lsp diagnostics` of `*`: what the checkers of the workspace's projects find, which ran, and which did not (lsp:project-check)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, Result, ToolError

from toolpost_lsp.checkers.checker import Checker
from toolpost_lsp.checkers.execution import Limits, Outcome, execute
from toolpost_lsp.checkers.known import CHECKERS
from toolpost_lsp.checkers.plan import LeftOut, Plan, Planned, Planner
from toolpost_lsp.checkers.reading import Sight, see
from toolpost_lsp.diagnostics.problem import summary
from toolpost_lsp.words import clean, counted, listed

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_AT_ONCE = 2
_MOST = 50
_MOST_OUTSIDE = 3


async def check(params: Lsp, call: Call[Supervisor]) -> Result:  # noqa: ARG001 - a handler's form
    return await check_with(CHECKERS, call)


async def check_with(checkers: tuple[Checker, ...], call: Call[Supervisor], limits: Limits | None = None) -> Result:
    """The same with some checkers only, and within other limits.

    Raises:
        ToolError: there is nothing to check, or nothing came to be known.
    """
    plan = await Planner(call.handle, checkers).plan()
    outcomes = await _run_all(plan, call, limits or Limits())
    sights = await asyncio.to_thread(see, outcomes, call.scope, _MOST)
    return _result(plan, sights, call.scope.workspace)


async def _run_all(plan: Plan, call: Call[Any], limits: Limits) -> tuple[Outcome, ...]:
    """Run what is planned, two at a time, and tell how far it is."""
    scope = call.scope
    until = scope.clock.monotonic() + limits.total
    slots = asyncio.Semaphore(_AT_ONCE)
    ended = 0

    async def one(run: Planned) -> Outcome:
        nonlocal ended
        async with slots:
            call.progress(f"{_named(run, scope.workspace)} runs ({ended} of {len(plan.runs)} ended)")
            outcome = await execute(run, scope, limits, until=until)
        ended += 1
        return outcome

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(each)) for each in plan.runs]
    return tuple(task.result() for task in tasks)


# ---- wording ----


def _result(plan: Plan, sights: tuple[Sight, ...], workspace: str) -> Result:
    known = [each for each in sights if each.outcome.state in ("clean", "problems")]
    failed = [each for each in sights if each.outcome.state == "failed"]
    left_out = [_left_out(each, workspace) for each in plan.left_out]
    if plan.cut:
        left_out.append("only the first 20,000 files of the workspace were looked at for projects")
    total = sum(each.total for each in sights)
    lines = [_summary(sights, known, failed, workspace), *(_told(each, workspace) for each in sights), *left_out]
    for each in sights:
        lines += map(str, each.problems)
        if each.more:
            lines.append(f"{each.outcome.run.checker.id}: … and {counted(each.more, 'more problem')}")
        if each.outside:
            lines.append(
                f"{each.outcome.run.checker.id}: {counted(each.outside_total, 'problem')} outside the workspace, in "
                f"{listed([clean(path, 200) for path in each.outside], _MOST_OUTSIDE)}"
            )
    data = {
        "total": total,
        "checkers": [_data(each, workspace) for each in sights],
        "left_out": [{**attrs.asdict(each), "root": _shown(each.root, workspace)} for each in plan.left_out],
        "problems": [problem.data() for each in sights for problem in each.problems],
    }
    text = "\n".join(lines)
    if not known and not total:
        raise ToolError(text, data=data)
    return Result.of(text, data=data)


def _summary(sights: tuple[Sight, ...], known: list[Sight], failed: list[Sight], workspace: str) -> str:
    if not known and not any(each.total for each in sights):
        return "nothing is known: " + ("no checker came to an end" if failed else "no checker could run")
    severities = summary(tuple(problem for each in sights for problem in each.every))
    if not failed:
        return f"{severities} ({listed(list(dict.fromkeys(each.outcome.run.checker.id for each in known)))})"
    names = listed([_named(each.outcome.run, workspace) for each in failed])
    return f"not everything was checked ({names} failed); so far {severities}"


def _told(sight: Sight, workspace: str) -> str:
    """One run in a line."""
    outcome = sight.outcome
    about = f"{_named(outcome.run, workspace)} ({outcome.run.why})"
    if outcome.state == "skipped":
        return f"{about}: not run: {outcome.reason}"
    if outcome.state == "failed":
        before = f"; before that {summary(sight.every)}" if sight.every else ""
        return f"{about}: failed: {outcome.reason}{before}"
    files = f"{counted(outcome.checked, 'file')}, " if outcome.checked else ""
    remark = f"; {outcome.remark}" if outcome.remark else ""
    return f"{about}: {summary(sight.every)} ({files}{outcome.seconds:.1f} s){remark}"


def _left_out(each: LeftOut, workspace: str) -> str:
    where = f" in {_shown(each.root, workspace)}" if each.root else ""
    return f"not run: {each.name}{where}: {each.reason}{f' ({each.remedy})' if each.remedy else ''}"


def _named(run: Planned, workspace: str) -> str:
    return f"{run.checker.id} in {_shown(run.project.root, workspace)}"


def _shown(root: str | None, workspace: str) -> str | None:
    return None if root is None else clean(root[len(workspace) + 1 :], 200) or "the workspace"


def _data(sight: Sight, workspace: str) -> dict[str, Any]:
    outcome = sight.outcome
    return {
        "checker": outcome.run.checker.id,
        "root": _shown(outcome.run.project.root, workspace),
        "why": outcome.run.why,
        "program": outcome.run.program,
        "version": outcome.run.version,
        "state": outcome.state,
        "reason": outcome.reason,
        "checked": outcome.checked,
        "seconds": round(outcome.seconds, 3),
        "total": sight.total,
        "outside": sight.outside_total,
    }
