"""`lsp status` and `lsp reload`: which servers run, for which projects, and for each that does not: why (lsp:intersection)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, Result, Status, ToolError

from toolpost_lsp.detection.detect import Finding, NotUsable, Usable
from toolpost_lsp.detection.samples import samples
from toolpost_lsp.lives import Life
from toolpost_lsp.memory import resident
from toolpost_lsp.server.errors import Unavailable
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean, counted, listed

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_LAST_WORDS = 5
_RELOAD_SECONDS = 10.0


@attrs.frozen(kw_only=True)
class Line:
    """One server in one project: what it does, or why it does not run."""

    server: str
    state: str
    text: str
    root: str | None = None
    facts: dict[str, Any] = attrs.field(factory=dict)

    def __str__(self) -> str:
        return f"{self.server}: {self.text}"

    def data(self) -> dict[str, Any]:
        """The same as structure."""
        return {"server": self.server, "state": self.state, "root": self.root, **self.facts}


async def status(params: Lsp, call: Call[Supervisor]) -> Result:
    supervisor = call.handle
    path = None if params.file in (None, "*") else call.resolve_path(str(params.file))
    findings = await supervisor.explain(path)
    lines = [_live(life, supervisor.scope.workspace) for life in supervisor.lives]
    running = {(each.server, each.root) for each in lines}
    idle = [each for each in findings if (each.definition.id, each.root) not in running]
    told = [*map(str, lines), *await _idle(supervisor, idle, path)]
    problems = _problems(supervisor)
    told += [f"problem: {each}" for each in problems]
    data = {
        "servers": [each.data() for each in (*lines, *(_found(each, supervisor.scope.workspace) for each in idle))],
        "problems": problems,
        "diagnostics": supervisor.config.diagnostics,
    }
    return Result.of("\n".join(told) or f"no language server serves {path or 'this workspace'}", data=data)


async def _idle(supervisor: Supervisor, findings: Sequence[Finding], path: str | None) -> list[str]:
    """The servers that do not run: those that would, those that lack something, and in a line each those that nobody misses."""
    workspace = supervisor.scope.workspace
    ready = [each for each in findings if isinstance(each, Usable)]
    lacking = [each for each in findings if isinstance(each, NotUsable)]
    wanted = {each.id for each in supervisor.registry.definitions.values()}
    if path is None:
        found = await asyncio.to_thread(samples, workspace, supervisor.registry)
        wanted = {taker.id for sample in found for taker in supervisor.registry.takers(sample)}
    served = {
        language
        for each in (*(life.usable for life in supervisor.lives), *ready)
        if each.definition.role == "types"
        for language in each.definition.languages
    }
    near: list[NotUsable] = []
    spare, far = [], []
    for each in lacking:
        if each.lack == "no project" or each.definition.id not in wanted:
            far.append(each.definition.id)
        elif (
            each.lack == "no program" and each.definition.role == "types" and served & each.definition.languages.keys()
        ):
            spare.append(each.definition.id)
        else:
            near.append(each)
    told = [str(_found(each, workspace)) for each in ready]
    told += ["not usable:", *_grouped(near, workspace)] if near else []
    told += [f"not installed, and not needed beside those above: {listed(spare, 30)}"] if spare else []
    told += [f"nothing of theirs in {path or 'this workspace'}: {listed(far, 30)}"] if far else []
    return told


def _grouped(lacking: Sequence[NotUsable], workspace: str) -> list[str]:
    """A line for each; of those that lack a program, and of which one is enough, one for the first and one for the others."""
    groups: dict[object, list[NotUsable]] = {}
    for each in lacking:
        alike = each.lack == "no program" and each.definition.role == "types"
        key = (each.root, frozenset(each.definition.languages)) if alike else each.definition.id
        groups.setdefault(key, []).append(each)
    lines = []
    for first, *others in groups.values():
        lines.append(f"  {_found(first, workspace)}")
        if others:
            named = ", ".join(f"{each.definition.id} ({each.definition.install or 'install it'})" for each in others)
            lines.append(f"    or one of these, which lack the same: {named}")
    return lines


async def reload(params: Lsp, call: Call[Supervisor]) -> Result:
    path = None if params.file is None else call.resolve_path(params.file)
    servers = await call.handle.reload(path)
    if not servers and path is not None:
        raise call.handle.unavailable(path)
    if not servers:
        return Result.of("no language server runs; one starts when a file of its language is asked about")
    reasons = await asyncio.gather(*(_start(each) for each in servers))
    workspace = call.scope.workspace
    lines = [
        f"{each.definition.id}: restarted for {_shown(each.root, workspace)}"
        if reason is None
        else f"{each.definition.id}: {reason}"
        for each, reason in zip(servers, reasons, strict=True)
    ]
    if all(reasons):
        raise ToolError("\n".join(lines))
    return Result.of("\n".join(lines), data={"servers": [each.definition.id for each in servers]})


async def _start(server: Server) -> str | None:
    """Start it; why it does not run, if it does not."""
    try:
        async with asyncio.timeout(_RELOAD_SECONDS):
            await server.started()
    except Unavailable as error:
        return clean(error.reason)
    except TimeoutError:
        return f"it is still starting after {_RELOAD_SECONDS:g} s"
    return None


def overview(supervisor: Supervisor) -> Status:
    """What `doctor` prints: a look that starts and asks nothing."""
    lines = [str(_live(life, supervisor.scope.workspace)) for life in supervisor.lives]
    known, problems = len(supervisor.registry.definitions), _problems(supervisor)
    return Status(
        usable=True,
        lines=(
            f"{counted(known, 'language server')} known; one starts at the first call that needs it",
            f"diagnostics on write: {supervisor.config.diagnostics}",
            *lines,
            *(f"problem: {each}" for each in problems),
            "`toolpost call lsp action=status` says which can serve this checkout, and what the others lack",
        ),
        data={"problems": problems},
    )


def _problems(supervisor: Supervisor) -> list[str]:
    """What of the records and of the configuration means nothing."""
    from toolpost_lsp.checkers.known import CHECKERS

    servers, config = supervisor.registry.definitions.keys(), supervisor.config
    both = servers | {each.id for each in CHECKERS}
    named = (
        ("disabled", config.disabled, both),
        ("prefer", config.prefer, both),
        ("commands", config.commands, servers),
    )
    return [
        *supervisor.registry.problems,
        *(
            f"{option} in the section lsp names {clean(each, 60)!r}, which is no known server"
            + (" or checker" if known is both else "")
            for option, ids, known in named
            for each in ids
            if each not in known
        ),
    ]


# ---- lines ----


def _live(life: Life, workspace: str) -> Line:
    server, state = life.server, life.state
    name, root = server.definition.id, _shown(server.root, workspace)
    facts: dict[str, Any] = {"command": life.usable.command[0], "version": life.usable.version}
    if state in ("running", "resting"):
        memory = resident(server.pid) if server.pid else 0
        facts |= {
            "pid": server.pid,
            "encoding": str(server.encoding),
            "diagnostics": server.diagnosing.kind,
            "documents": len(server.documents),
            "memory": memory,
            "progress": server.progress.text,
        }
        text = f"running for {root} (pid {server.pid}, {server.encoding}, {_KINDS[server.diagnosing.kind]}, "
        text += f"{memory >> 20} MB, {counted(len(server.documents), 'open file')})"
        if server.progress.text:
            text += f"; at work: {server.progress.text}"
        text += _finds(server.definition.finds, *server.diagnosing.troubles)
        if state == "resting":
            text += f"; it did not answer twice in a row and is left alone for {life.rest:.0f} s (reload restarts it)"
    elif state == "starting":
        text = f"starting for {root}"
    else:
        facts |= {"reason": server.reason, "stderr": server.stderr_tail()[-4000:]}
        text = f"not running for {root}: {server.reason}"
        if life.restarts:
            text += f"; it was started anew {counted(life.restarts, 'time')} in five minutes (reload starts it again)"
        words = [line for line in server.stderr_tail().splitlines() if line.strip()][-_LAST_WORDS:]
        text += "".join(f"\n    {clean(line, 200)}" for line in words)
    return Line(server=name, state=state, text=text, root=server.root, facts=facts)


_KINDS = {"command": "asked by command", "pull": "pull diagnostics", "push": "push diagnostics"}


def _found(finding: Finding, workspace: str) -> Line:
    name = finding.definition.id
    if isinstance(finding, NotUsable):
        remedy = f" ({finding.remedy})" if finding.remedy else ""
        facts = {"reason": finding.reason, "remedy": finding.remedy}
        return Line(server=name, state=finding.lack, text=f"{finding.reason}{remedy}", root=finding.root, facts=facts)
    program = finding.command[0]
    text = f"not started for {_shown(finding.root, workspace)} ({finding.marker}): {program}"
    if finding.version:
        text += f" {finding.version}"
    text += _finds(finding.definition.finds, finding.lacks)
    facts = {"command": program, "version": finding.version, "marker": finding.marker}
    return Line(server=name, state="not started", text=text, root=finding.root, facts=facts)


def _finds(what: str, *troubles: str) -> str:
    """Which problems a server tells of, if not all that there are."""
    told = [f"finds {what}"] if what else []
    told += [f"finds no problems: {clean(each, 200)}" for each in troubles if each]
    return "".join(f"; {each}" for each in told)


def _shown(root: str, workspace: str) -> str:
    return "the workspace" if root == workspace else os.path.relpath(root, workspace)
