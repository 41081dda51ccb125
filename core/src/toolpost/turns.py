"""One call at a time per handle, and no call that waits for itself (contract core:parallel)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from toolpost.call import Call


class WouldWaitForItself(Exception):
    """The turn that a call wants is held by a call that, directly or not, waits for this one."""

    def __init__(self, holder: Call[Any]) -> None:
        super().__init__(f"it cannot run inside {holder.tool.name}: it would wait for itself")


@attrs.define(eq=False)
class Turn:
    """The turn of the exclusive calls on one handle."""

    holder: Call[Any] | None = attrs.field(default=None, init=False)
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    @asynccontextmanager
    async def taken(self, call: Call[Any], in_flight: Iterable[Call[Any]]) -> AsyncIterator[None]:
        """Wait for the turn and hold it.

        Raises:
            WouldWaitForItself: waiting could not end.
        """
        if self._lock.locked():
            holder = self._holder_above(call, list(in_flight))
            if holder is not None:
                raise WouldWaitForItself(holder)
        call.waits_for = self
        try:
            await self._lock.acquire()
        finally:
            call.waits_for = None
        self.holder = call
        try:
            yield
        finally:
            self.holder = None
            self._lock.release()

    def _holder_above(self, call: Call[Any], in_flight: list[Call[Any]]) -> Call[Any] | None:
        """Who holds, through however many turns that others wait for, what this call would wait for: if it is above it."""
        above = set(chain(call))
        seen: set[Call[Any]] = set()
        turns = [self]
        while turns:
            holder = turns.pop().holder
            if holder is None or holder in seen:
                continue
            if holder in above:
                return holder
            seen.add(holder)
            turns += [each.waits_for for each in in_flight if each.waits_for is not None and holder in chain(each)]
        return None


def chain(call: Call[Any]) -> Iterator[Call[Any]]:
    """The call, the one that made it, and so on."""
    above: Call[Any] | None = call
    while above is not None:
        yield above
        above = above.parent
