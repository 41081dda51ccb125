"""Stand-ins for what a harness and a plugin give: an approver that remembers, tools of a line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import attrs

from toolpost import Allow, Call, Defer, Deny, Result, Tier, Tool

Decision = Allow | Deny | Defer


@attrs.define
class RecordingApprover:
    """An approver that keeps what it was asked.

    Args:
        answers: what it gives, in order; `Allow()` when they are used up. A function is called with the call and may
            be async; an exception is raised.

    Attributes:
        asked: the calls, in the order in which it was asked about them.
    """

    answers: Iterable[Any] = ()
    asked: list[Call[Any]] = attrs.field(factory=list, init=False)
    _left: Iterator[Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left = iter(self.answers)

    async def __call__(self, call: Call[Any]) -> Decision:
        self.asked.append(call)
        answer = next(self._left, Allow())
        if isinstance(answer, BaseException):
            raise answer
        if callable(answer):
            answer = answer(call)
        if isinstance(answer, Awaitable):
            answer = await answer
        decision: Decision = answer
        return decision


@attrs.define
class ScriptedHuman:
    """A person who answers permission cards as a script says: for tests of what a person is shown, and of his absence.

    Only `"yes"` and `"always"` grant, as on a terminal; any other text is a no. When the script is over nobody is there,
    which never grants. A harness connects it as its approver; questions come with their own port.

    Args:
        answers: what he types, in order.

    Attributes:
        cards: the one line that each card showed.
    """

    answers: Iterable[str] = ()
    cards: list[str] = attrs.field(factory=list, init=False)
    _left: Iterator[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left = iter(self.answers)

    async def __call__(self, call: Call[Any]) -> Decision:
        self.cards.append(call.subject.summary if call.subject is not None else call.tool.name)
        match next(self._left, None):
            case None:
                return Deny("no human is attached")
            case "yes":
                return Allow()
            case "always":
                return Allow("run")
            case text:
                return Deny(f"the person said {text!r}")


@attrs.frozen(kw_only=True)
class Nothing:
    """A tool without arguments."""


def tool(
    name: str,
    handler: Callable[[Any, Call[Any]], Awaitable[Result | str]] | str = "done",
    *,
    tier: Tier = Tier.READ,
    params: type = Nothing,
    **more: Any,
) -> Tool[Any, Any]:
    """A tool for a test: of tier read, without arguments, and with a fixed text as its answer unless told otherwise."""
    if not isinstance(handler, str):
        return Tool(name=name, params=params, handler=handler, tier=tier, **more)
    text = handler

    async def answer(_: Any, __: Call[Any]) -> str:
        return text

    return Tool(name=name, params=params, handler=answer, tier=tier, **more)
