"""The permission gate on a terminal: a card for each call above what was allowed; only a typed `y` or `a` grants."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from toolpost import Allow, Call, Deny, Tier
from toolpost.approval import Decision
from toolpost.visible import bound

_PREVIEW = 4_000


def is_terminal() -> bool:
    """Whether a person sits there: both what he types and what he is shown go through a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class TerminalApprover:
    """Approves up to a tier and asks about the rest. Enter, free text and a closed terminal never grant.

    Args:
        allowed: the tier up to which calls pass unasked.
    """

    def __init__(self, allowed: Tier) -> None:
        self._allowed = allowed
        self._cards = 0

    async def __call__(self, call: Call[Any]) -> Decision:
        if call.tier <= self._allowed:
            return Allow()
        self._cards += 1
        print(self._card(call), end="", file=sys.stderr, flush=True)
        answer = await _typed_line()
        if answer is None:
            return Deny("nobody is at the terminal")
        match answer.strip().lower():
            case "y" | "yes":
                return Allow()
            case "a" | "always":
                return Allow("run")
            case _:
                return Deny("the person at the terminal said no")

    def _card(self, call: Call[Any]) -> str:
        subject = call.subject
        lines = [f"\n[{self._cards}] {call.tool.name} ({call.tier.value}) asks for permission"]
        if subject:
            lines.append(f"    {bound(subject.summary, 500)}")
            if subject.command:
                lines.append(f"    runs: {bound(subject.command, 1000)}")
            lines += [f"    file: {bound(path, 300)}" for path in subject.paths[:20]]
            if len(subject.paths) > 20:
                lines.append(f"    and {len(subject.paths) - 20} more files")
            if subject.preview:
                lines.append(bound(subject.preview, _PREVIEW))
        else:
            lines.append(f"    {bound(repr(call.params), 1000)}")
        return "\n".join([*lines, "    y = yes, a = yes for the rest of this run, anything else = no: "])


async def _typed_line() -> str | None:
    """One line from the terminal, read by the loop itself: a thread in `input()` could not be cancelled."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    descriptor = sys.stdin.fileno()

    def typed() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(descriptor, typed)
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)
    data = os.read(descriptor, 4096)
    return data.decode(errors="replace") if data else None
