"""Who says yes: the approver's answers, and the queue in which a run asks.

A write or exec call asks the run's approver; without one it is refused at once (contract core:approval). Questions
queue, one at a time, and each is re-checked against what was granted meanwhile when its turn comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

import attrs

from toolpost.problems import FAILURES, told
from toolpost.tiers import Tier

if TYPE_CHECKING:
    from toolpost.call import Call
    from toolpost.tools import Result


@attrs.frozen
class Allow:
    """Yes: to this call, or (`scope="run"`) to this tool at this tier, and this command, for the rest of the run."""

    scope: Literal["once", "run"] = "once"


@attrs.frozen
class Deny:
    """No, and why, in words for the model."""

    reason: str


@attrs.frozen
class Defer:
    """Not now: `surface.call` raises ApprovalPending, whose `resume` goes on later. Only for calls without a parent."""


Decision = Allow | Deny | Defer
Approver = Callable[["Call[Any]"], Awaitable[Decision]]


class ApprovalPending(Exception):
    """A call whose approver deferred. Its arguments and its subject are fixed; only the answer is missing."""

    def __init__(self, call: Call[Any], go_on: Callable[[Allow | Deny], Awaitable[Result]]) -> None:
        super().__init__(
            f"{call.tool.name} waits for approval: {call.subject.summary if call.subject else call.tool.name}"
        )
        self.call = call
        self._go_on = go_on
        self._resumed = False

    async def resume(self, decision: Allow | Deny) -> Result:
        """Finish the call with the decision that was missing.

        Raises:
            RuntimeError: it was resumed before; a call is never done twice.
        """
        if self._resumed:
            raise RuntimeError(f"{self.call.tool.name} ({self.call.id}) was resumed already")
        self._resumed = True
        return await self._go_on(decision)


async def allow_all(call: Call[Any]) -> Allow:  # noqa: ARG001
    """An approver that says yes to every call: for tests, and for harnesses that gate elsewhere."""
    return Allow()


@attrs.define(eq=False)
class Approvals:
    """One run's questions, in order, and what was granted for the run."""

    approver: Approver | None
    _turn: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _asking: asyncio.Task[Any] | None = attrs.field(default=None, init=False)
    _granted: set[tuple[str, Tier, str | None]] = attrs.field(factory=set, init=False)

    async def ask(self, call: Call[Any]) -> Decision:
        """Ask about one call. Whatever is no clean yes is a no."""
        if self.approver is None:
            return Deny("it needs approval, and this run has no approver")
        if _grant(call) in self._granted:
            return Allow("run")
        if self._asking is not None and self._asking is asyncio.current_task():
            return Deny("the approver itself makes this call, and nobody could be asked about it")
        async with self._turn:
            if _grant(call) in self._granted:
                return Allow("run")
            self._asking = asyncio.current_task()
            try:
                decision: object = await self.approver(call)
            except FAILURES as error:
                return Deny(f"the approver failed: {told(error)}")
            finally:
                self._asking = None
            if isinstance(decision, Defer) and call.parent is not None:
                return Deny("its approval cannot be deferred, since another call waits for it")
            if not isinstance(decision, (Allow, Deny, Defer)):
                return Deny(f"the approver gave {decision!r}, which is no Allow, Deny or Defer")
            if isinstance(decision, Allow):
                self.note(call, decision)
            return decision

    def note(self, call: Call[Any], decision: Allow) -> None:
        """Keep a grant that holds for the run."""
        if decision.scope == "run":
            self._granted.add(_grant(call))


def _grant(call: Call[Any]) -> tuple[str, Tier, str | None]:
    return call.tool.name, call.tier, call.subject.command if call.subject else None
