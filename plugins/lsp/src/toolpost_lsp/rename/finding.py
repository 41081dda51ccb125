"""Finding out what a rename changes, so that it can be believed.

Servers answer with half a rename without saying so: while they index, for files they do not look at, for a text that
is not on the disk. So an answer is believed only from a server that is ready, if each range reads the old name, and if
it reaches all that the server itself calls a reference, and what else was found to be one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, ToolError

from toolpost_lsp.navigation.asking import LONG, Answer, NotOffered, Unanswered, ask, doing
from toolpost_lsp.navigation.target import Target
from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.protocol.types import Position
from toolpost_lsp.rename import aliases, checks, names
from toolpost_lsp.rename.coverage import Coverage, LeftOut, cover
from toolpost_lsp.rename.own import check_edited, check_own
from toolpost_lsp.rename.unreached import check_reached
from toolpost_lsp.rename.workspace_edit import Plan, plan
from toolpost_lsp.server.documents import MOST_OPEN
from toolpost_lsp.server.errors import Unavailable, Unreadable
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean, listed

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor

_TAKING_IN = 5.0
"""Seconds for a server to take in what it is shown."""
_TICK_NANOSECONDS = 10_000_000
"""A file system's clock may be so far behind the system's."""


class _Restarted(Exception):
    """The server was lost and there is a new one, which has proven nothing yet."""


@attrs.frozen(kw_only=True)
class Rename:
    """A rename that can be done.

    Attributes:
        old: the name as it is written now.
    """

    server: Server
    old: str
    plan: Plan
    coverage: Coverage


async def find(target: Target, new: str) -> Rename:
    """What renaming a symbol changes. If the server crashes over it, it is restarted and asked once more.

    Raises:
        ToolError: it cannot be renamed, or what the server says is not to be trusted.
    """
    try:
        return await _found(target, new)
    except _Restarted:
        servers = await target.call.handle.servers_for(target.path)
    try:
        return await _found(attrs.evolve(target, servers=tuple(servers)), new)
    except _Restarted as error:
        raise ToolError(f"{error}; nothing is changed. See lsp status") from error


async def _found(target: Target, new: str) -> Rename:
    """The rename by the first server that offers it.

    Raises:
        ToolError: none does, or what it says is not to be trusted.
    """
    troubles: list[str] = []
    for server in target.servers:
        try:
            await _prove(target, server)
            if server.capabilities.has("textDocument/rename"):
                return await _by(target, server, new)
        except Unavailable as error:
            troubles.append(clean(error.reason))
        except Unanswered as error:
            raise ToolError(f"{error}; nothing is changed") from error
    if troubles:
        raise ToolError(f"{target.name} cannot be renamed: {'; '.join(troubles)}. See lsp status")
    asked = ", ".join(each.definition.id for each in target.servers)
    raise ToolError(f"no server of {target.path} offers renaming (asked: {asked})")


async def _prove(target: Target, server: Server) -> None:
    """Wait until the server's answers are whole.

    Raises:
        ToolError: they are not for a long time.
    """
    try:
        await target.params(server)
        doubt = await server.ready(LONG) if server.definition.role == "types" else None
    except ConnectionLost as error:
        target.call.handle.failed(server, error)
        raise _Restarted(f"{server.definition.id} crashed: {clean(str(error), 300)}") from error
    if doubt in ("crashed", "closed"):
        raise _Restarted(f"{server.definition.id} {doubt}")
    if doubt is not None:
        raise ToolError(
            f"{doing(server, doubt)}, and a rename now may be half of one; nothing is changed. Ask again later"
        )


async def _by(target: Target, server: Server, new: str) -> Rename:
    language = server.definition.language_of(target.path)
    old = await _old(target, server)
    names.check_instead(language, old, new)
    await check_own(target, server, old)
    renaming = checks.Renaming(old=old, new=new, names=names.of(language))
    try:
        return await _whole(target, server, renaming)
    except LeftOut as error:
        await _show(target.call, server, error.files)
        return await _whole(target, server, renaming)


async def _whole(target: Target, server: Server, renaming: checks.Renaming) -> Rename:
    """A rename that reaches every use.

    Raises:
        LeftOut: it does not.
        ToolError: it is not to be trusted, or nothing says whether it does.
    """
    planned, keeping = await _planned(target, server, renaming)
    check_edited(target.call.scope.files, (each.path for each in planned.files))
    answer, coverage = await cover(target, server, planned, renaming, keeping)
    if answer is not None:
        _of_same(server, answer)
    await check_reached(target, server, planned, renaming, keeping)
    return Rename(server=server, old=renaming.old, plan=planned, coverage=coverage)


async def _planned(target: Target, server: Server, renaming: checks.Renaming) -> tuple[Plan, frozenset[str]]:
    """The server's edit, of the texts that the disk holds; and the files in which the old name goes on to be one.

    Raises:
        ToolError: it changes nothing, or something else than the name.
    """
    for again in (False, True):
        begun = time.time_ns() - _TICK_NANOSECONDS
        planned = await plan(target.call, (await _edit(target, server, renaming), server))
        if not planned.changes:
            raise ToolError(
                f"{server.definition.id} gives no edits for renaming {renaming.old} to {renaming.new}; nothing is changed"
            )
        checked = await asyncio.to_thread(checks.check, planned, renaming)
        doubtful = {each.path for each in checked.wrong} | set(_written_since(begun, target.call, server, planned))
        if not doubtful:
            return planned, checked.keeping
        if not again:
            await _show(target.call, server, doubtful)
    if checked.wrong:
        raise checked.refusal(renaming.old)
    raise ToolError(f"{listed(sorted(doubtful))} changed meanwhile; nothing is changed. Ask again")


async def _show(call: Call[Supervisor], server: Server, paths: Iterable[str]) -> None:
    """Show a server texts that it seems to know only as they were: of an open document it knows no others.

    It has taken them in once it can tell what is wrong with them.
    """
    until = call.scope.clock.monotonic() + _TAKING_IN
    for path in sorted(paths)[:MOST_OPEN]:
        with contextlib.suppress(Unreadable):
            await server.documents.open(path)
    with contextlib.suppress(ConnectionLost, ResponseError, TimeoutError):
        await asyncio.gather(*(server.diagnose(each, until=until) for each in server.documents))


async def _edit(target: Target, server: Server, renaming: checks.Renaming) -> Any:
    """What the server would change, whichever use of the name it was asked at."""
    new = renaming.new
    answer = _of_same(server, await ask(target, server, "textDocument/rename", {"newName": new}, timeout=LONG))
    if alias := aliases.imported(answer.raw, renaming):
        defined = _of_same(server, await ask(target, server, "textDocument/definition"))
        for each in locations(defined.raw).items[:1]:
            place = aliases.Alias(each.uri, each.range)
            there = await aliases.at(target, server, place, new) if place != alias else None
            if there is not None and there.raw:
                answer = _of_same(server, there)
    return await aliases.followed(target, server, answer.raw, renaming)


def _written_since(begun: int, call: Call[Supervisor], server: Server, planned: Plan) -> Iterator[str]:
    """Closed files whose text the server may have read before it was written.

    The text of an open one was compared with what the server was shown; what it read of others nobody but it knows.
    """
    shown = {each.path for each in server.documents}
    for file in planned.files:
        if file.before is None or file.path in shown:
            continue
        try:
            if call.scope.files.stat(file.path).st_ctime_ns < begun:
                continue
        except OSError:  # gone
            pass
        yield file.path


async def _old(target: Target, server: Server) -> str:
    """The name as the server bounds it, which may be more than a word: `#field`, `--color`.

    Raises:
        ToolError: the server says that nothing can be renamed there.
    """
    try:
        answer = _of_same(server, await ask(target, server, "textDocument/prepareRename"))
    except NotOffered:
        return target.name
    if answer.raw is None:
        raise ToolError(
            f"{server.definition.id} says that {target.name} ({target.path}:{target.line}) cannot be renamed; "
            "nothing is changed"
        )
    document = server.documents.get(target.path)
    span = _span(answer.raw)
    if document is None or document.digest != target.digest or span is None:
        return target.name
    start, end = (document.index.offset(each, server.encoding) for each in span)
    name = document.index.text[start:end]
    return name if target.name in name and "\n" not in name else target.name


def _span(raw: Any) -> tuple[Position, Position] | None:
    """The range in an answer to `prepareRename`; some answers have none."""
    try:
        ends = raw.get("range", raw)
        start, end = ends["start"], ends["end"]
        return Position(start["line"], start["character"]), Position(end["line"], end["character"])
    except (AttributeError, KeyError, TypeError):
        return None


def _of_same(server: Server, answer: Answer) -> Answer:
    """An answer of the server that has proven to be ready, not of one that was started in its place."""
    if answer.server is not server:
        raise _Restarted(f"{server.definition.id} crashed")
    return answer
