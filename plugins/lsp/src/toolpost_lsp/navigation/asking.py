"""Asking servers: the first that knows an answer gives it; none that failed is passed over in silence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Call, ToolError

from toolpost_lsp.protocol.errors import METHOD_NOT_FOUND, ConnectionLost, ResponseError
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.errors import Unavailable
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean

if TYPE_CHECKING:
    from toolpost_lsp.navigation.target import Target
    from toolpost_lsp.supervisor import Supervisor

SHORT = 10.0
"""Seconds for an answer about one symbol."""
LONG = 30.0
"""Seconds for an answer about the whole project, and for becoming ready for it."""
_GLANCE = 1.0
"""Seconds that an answer about one symbol waits for readiness before it is asked anyway."""

Params = Callable[[Server], Awaitable[dict[str, Any]]]
"""Shows a server the document, and gives what it is asked with."""


class Unanswered(ToolError):
    """One server gave no answer; says which and why."""


class NotOffered(Unanswered):
    """The server has no such thing at all."""


@attrs.frozen(kw_only=True)
class Answer:
    """What a server said.

    Attributes:
        unready: what it was still at, so that there may be more; None if it was ready.
    """

    server: Server
    raw: Any
    unready: str | None = None

    @property
    def caution(self) -> str:
        """What stands behind the first line of an answer that may be partial."""
        return "" if self.unready is None else f" ({doing(self.server, self.unready)}: there may be more)"


def doing(server: Server, what: str) -> str:
    """`clangd is not ready yet: indexing 13/51`."""
    return f"{server.definition.id} is not ready yet: {clean(what, 100)}"


async def ask_with(
    call: Call[Supervisor], path: str, server: Server, method: str, params: Params, *, timeout: float = SHORT
) -> Answer:
    """One server's answer. If it crashes over it, it is restarted and asked once more (lsp:crash).

    Raises:
        Unanswered: there is none, and why.
    """
    supervisor = call.handle
    name = server.definition.id
    for again in (False, True):
        try:
            asked = await params(server)
            if not server.capabilities.has(method):
                raise NotOffered(f"{name} does not offer it")
            raw = await server.request(method, asked, timeout=timeout)
        except Unavailable as error:
            raise Unanswered(clean(error.reason)) from error
        except TimeoutError as error:
            supervisor.timed_out(server)
            raise Unanswered(f"{name} did not answer within {timeout:g} s") from error
        except ResponseError as error:
            if error.code == METHOD_NOT_FOUND:
                raise NotOffered(f"{name} does not offer it") from error
            raise Unanswered(f"{name}: {clean(error.message, 300)}") from error
        except ConnectionLost as error:
            supervisor.failed(server, error)
            servers = await supervisor.servers_for(path)
            restarted = next((each for each in servers if each.definition.id == name), None)
            if again or restarted is None:
                raise Unanswered(f"{name} crashed: {clean(str(error), 300)}") from error
            server = restarted
        else:
            supervisor.answered(server)
            return Answer(server=server, raw=raw)
    raise AssertionError("the second failure has been raised")


async def ask(
    target: Target, server: Server, method: str, more: Mapping[str, Any] | None = None, *, timeout: float = SHORT
) -> Answer:
    """One server's answer about a symbol; otherwise as `ask_with`."""

    async def params(server: Server) -> dict[str, Any]:
        return await target.params(server, **(more or {}))

    return await ask_with(target.call, target.path, server, method, params, timeout=timeout)


async def first(
    target: Target,
    method: str,
    more: Mapping[str, Any] | None = None,
    *,
    what: str,
    whole: bool = False,
    says: Callable[[Any], object] = bool,
) -> Answer | None:
    """The answer of the first server that has one; None if all that were asked say that there is nothing.

    Args:
        what: what is asked for, for messages: "definition".
        whole: it is about the whole project, so it is asked only once the server is ready, or after a while.
        says: whether an answer says anything.

    Raises:
        ToolError: no server offers it, or one that might know did not answer, or was not ready.
    """

    async def one(server: Server) -> Answer:
        answer = await _when_ready(target, server, method, more, whole=whole)
        return answer if says(answer.raw) else attrs.evolve(answer, raw=None)

    return await _first(target.servers, one, what, target.path, f" of {target.name}")


async def first_of_document(
    call: Call[Supervisor], path: str, method: str, *, what: str
) -> tuple[Server, Document, Any]:
    """The answer about a whole document, and the document that it is about.

    Raises:
        ToolError: as `first`; and if no server serves the file.
    """
    servers = await call.handle.servers_for(path)
    if not servers:
        raise call.handle.unavailable(path)
    shown: dict[str, Document] = {}

    async def params(server: Server) -> dict[str, Any]:
        shown[server.definition.id] = document = await server.documents.open(path)
        return {"textDocument": {"uri": document.uri}}

    async def one(server: Server) -> Answer:
        return await ask_with(call, path, server, method, params)

    answer = await _first(servers, one, what, path)
    if answer is None:
        return servers[0], shown[servers[0].definition.id], None
    return answer.server, shown[answer.server.definition.id], answer.raw


async def _first(
    servers: Sequence[Server], one: Callable[[Server], Awaitable[Answer]], what: str, path: str, whose: str = ""
) -> Answer | None:
    failed: list[str] = []
    offered = False
    for server in servers:
        try:
            answer = await one(server)
        except NotOffered:
            continue
        except Unanswered as problem:
            failed.append(str(problem))
        else:
            if answer.raw:
                return answer
            if answer.unready is not None:
                failed.append(doing(server, answer.unready))
        offered = True
    if not offered:
        names = ", ".join(each.definition.id for each in servers)
        raise ToolError(f"no server of {path} offers {what} (asked: {names})")
    if failed:
        raise ToolError(f"{what}{whose} is not known: {'; '.join(failed)}. Ask again, or see lsp status")
    return None


async def _when_ready(
    target: Target, server: Server, method: str, more: Mapping[str, Any] | None, *, whole: bool
) -> Answer:
    """Ask once the server is ready; if it takes long, ask anyway, but believe no empty answer at once."""
    unready = await _readiness(target, server, method, LONG if whole else _GLANCE)
    answer = await ask(target, server, method, more, timeout=LONG if whole else SHORT)
    if not answer.raw and unready is not None and not whole:
        unready = await answer.server.ready(SHORT)
        answer = await ask(target, answer.server, method, more)
    return attrs.evolve(answer, unready=unready)


async def _readiness(target: Target, server: Server, method: str, seconds: float) -> str | None:
    try:
        await target.params(server)
        return await server.ready(seconds) if server.capabilities.has(method) else None
    except (Unavailable, ConnectionLost):
        return None  # asking tells
