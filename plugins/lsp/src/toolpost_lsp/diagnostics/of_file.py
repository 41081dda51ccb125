"""`lsp diagnostics` of one file: the problems, or that they are not known, or not available (write:three-answers)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import attrs
from toolpost import Call, Result, ToolError

from toolpost_lsp.diagnostics.merging import Said, merged
from toolpost_lsp.diagnostics.problem import Problem, summary
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.errors import Unavailable
from toolpost_lsp.server.server import Server
from toolpost_lsp.server.verdict import Verdict
from toolpost_lsp.words import clean, counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_WAIT = 15.0
"""Seconds for an answer, from the time that the server runs: who asks wants to know, a write cannot wait so long."""
_MOST = 100


@attrs.frozen(kw_only=True)
class Heard:
    """One server's verdict on a file; without one, `reason` says why it is not available."""

    server: Server
    document: Document | None = None
    verdict: Verdict | None = None
    reason: str = ""

    @property
    def name(self) -> str:
        return self.server.definition.id

    @property
    def whose(self) -> str:
        """Its name, and which problems it finds if not all."""
        finds = self.server.definition.finds
        return f"{self.name}: finds {finds}" if finds else self.name

    @property
    def known(self) -> bool:
        return self.verdict is not None and self.verdict.known

    @property
    def trouble(self) -> str:
        """Why nothing is known, in a line; nothing if all is."""
        if self.known:
            return ""
        if self.verdict is not None and self.verdict.state in ("timeout", "starting"):
            return f"{self.name}: diagnostics not known yet (waited {self.verdict.waited:.3g} s)"
        return f"{self.name}: diagnostics not available (see lsp status)"


async def diagnostics(params: Lsp, call: Call[Supervisor]) -> Result:
    if params.file is None:
        raise ToolError('give file: a path, or "*" for the project\'s checker')
    path = call.resolve_path(params.file)
    servers = await call.handle.servers_for(path)
    if not servers:
        raise call.handle.unavailable(path)
    heard = await asyncio.gather(*(listen(call.handle, each, path, _WAIT) for each in servers))
    known = [each for each in heard if each.known]
    problems = merged(
        Said(server=each.name, document=each.document, encoding=each.server.encoding, items=each.verdict.items)
        for each in known
        if each.document is not None and each.verdict is not None
    )
    mark_as_reported(call.handle, path, problems, [each.name for each in known])
    troubles = [each.trouble for each in heard if each.trouble]
    data = {
        "path": path,
        "total": len(problems),
        "servers": {each.name: each.verdict.state if each.verdict else "unavailable" for each in heard},
        "problems": [each.data() for each in problems[:_MOST]],
    }
    if not known:
        text = "\n".join([f"{path}: it is not known whether there are problems", *troubles])
        if any(each.verdict is not None and each.verdict.state in ("timeout", "starting") for each in heard):
            return Result.of(text, data=data)
        reasons = "; ".join(each.reason for each in heard if each.reason)
        raise ToolError(f"{text}\n{reasons}".strip(), data=data)
    lines = [f"{path}: {summary(problems)} ({', '.join(each.whose for each in known)})", *map(str, problems[:_MOST])]
    if len(problems) > _MOST:
        left = problems[_MOST:]
        lines.append(f"… and {counted(len(left), 'more problem')}: {summary(left)}")
    return Result.of("\n".join([*lines, *troubles]), data=data)


async def listen(supervisor: Supervisor, server: Server, path: str, wait: float) -> Heard:
    """One server's verdict; if it crashes over it, it is restarted and asked once more (lsp:crash).

    Args:
        wait: seconds, from when it runs.

    Raises:
        Unreadable: the file cannot be shown to any server.
    """
    heard = Heard(server=server)
    for _ in range(2):
        heard = await _once(supervisor, heard.server, path, wait)
        if heard.verdict is None or heard.verdict.state != "crashed":
            return heard
        servers = await supervisor.servers_for(path)
        restarted = next((each for each in servers if each.definition.id == heard.name), None)
        if restarted is None or restarted is heard.server:
            return heard
        heard = attrs.evolve(heard, server=restarted)
    return heard


async def _once(supervisor: Supervisor, server: Server, path: str, wait: float) -> Heard:
    try:
        document = await server.documents.open(path)
    except Unavailable as error:
        return Heard(server=server, reason=clean(error.reason))
    clock = supervisor.scope.clock
    verdict = await server.diagnose(document, until=clock.monotonic() + wait)
    if verdict.state == "timeout":
        supervisor.timed_out(server)
    elif verdict.known:
        supervisor.answered(server)
    return Heard(server=server, document=document, verdict=verdict, reason=clean(server.reason))


def mark_as_reported(supervisor: Supervisor, path: str, problems: tuple[Problem, ...], servers: list[str]) -> None:
    """Tell the write wrapper's ledger what was shown, so that no write shows it again (write:ledger).

    Args:
        servers: those whose verdict is known; what others said before stays as it is.
    """
    if supervisor.writing is not None:
        supervisor.writing.reported(path, problems, servers)
