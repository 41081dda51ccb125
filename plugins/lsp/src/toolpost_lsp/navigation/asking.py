"""Asking servers about a symbol: the first that knows an answers; none that failed is passed over in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import ToolError

from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError
from toolpost_lsp.server.errors import Unavailable
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean

if TYPE_CHECKING:
    from toolpost_lsp.navigation.target import Target

_METHOD_NOT_FOUND = -32601
SHORT = 10.0
"""Seconds for an answer about one symbol."""
LONG = 30.0
"""Seconds for an answer about the whole project, and for becoming ready for it."""
_GLANCE = 1.0
"""Seconds that an answer about one symbol waits for readiness before it is asked anyway."""


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


async def ask(
    target: Target, server: Server, method: str, more: Mapping[str, Any] | None = None, *, timeout: float = SHORT
) -> Answer:
    """One server's answer. If it crashes over it, it is restarted and asked once more (lsp:crash).

    Raises:
        Unanswered: there is none, and why.
    """
    supervisor = target.call.handle
    name = server.definition.id
    for again in (False, True):
        try:
            params = await target.params(server, **(more or {}))
            if not server.capabilities.has(method):
                raise NotOffered(f"{name} does not offer it")
            answer = await server.request(method, params, timeout=timeout)
        except Unavailable as error:
            raise Unanswered(f"{name}: {error.reason}") from error
        except TimeoutError as error:
            supervisor.timed_out(server)
            raise Unanswered(f"{name} did not answer within {timeout:g} s") from error
        except ResponseError as error:
            if error.code == _METHOD_NOT_FOUND:
                raise NotOffered(f"{name} does not offer it") from error
            raise Unanswered(f"{name}: {clean(error.message, 300)}") from error
        except ConnectionLost as error:
            supervisor.failed(server, error)
            restarted = next(
                (each for each in await supervisor.servers_for(target.path) if each.definition.id == name), None
            )
            if again or restarted is None:
                raise Unanswered(f"{name} crashed: {clean(str(error), 300)}") from error
            server = restarted
        else:
            supervisor.answered(server)
            return Answer(server=server, raw=answer)
    raise AssertionError("the second failure has been raised")


async def first(
    target: Target, method: str, more: Mapping[str, Any] | None = None, *, what: str, whole: bool = False
) -> Answer | None:
    """The answer of the first server that has one; None if all that were asked say that there is nothing.

    Args:
        what: what is asked for, for messages: "definition".
        whole: it is about the whole project, so it is asked only once the server is ready, or after a while.

    Raises:
        ToolError: no server offers it, or one that might know did not answer, or was not ready.
    """
    failed: list[str] = []
    offered = False
    for server in target.servers:
        try:
            answer = await _when_ready(target, server, method, more, whole=whole)
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
        names = ", ".join(each.definition.id for each in target.servers)
        raise ToolError(f"no server of {target.path} offers {what} (asked: {names})")
    if failed:
        raise ToolError(f"{what} of {target.name} is not known: {'; '.join(failed)}. Ask again, or see lsp status")
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
