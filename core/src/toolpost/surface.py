"""What one audience sees of a run, and the object through which it calls (contract core:tier-visibility)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from toolpost.answers import brief
from toolpost.params import nearest
from toolpost.pipeline import perform
from toolpost.plugin import RESOLVE
from toolpost.tiers import Tier
from toolpost.tools import Result, Tool

if TYPE_CHECKING:
    from toolpost.binding import Bound
    from toolpost.call import Call
    from toolpost.explain import Absence
    from toolpost.pending import Pending
    from toolpost.run import Run


@attrs.frozen(kw_only=True)
class Advice:
    """The runtime's bias of the next choice of tool: something is pending (pending:preference).

    Attributes:
        tool: the tool to prefer.
        edit_id: the newest pending action that the caller can see.
        label: what it is.
    """

    tool: str
    edit_id: str
    label: str


class Surface:
    """The tools up to a ceiling, as a snapshot: it never changes, so a provider's prompt cache holds.

    Tools of a plugin released meanwhile stay listed and answer as unknown. Made by `run.surface(ceiling)`.

    Attributes:
        ceiling: the highest tier of this surface, also for what its calls call in turn.
        tools: the tools, each with its JSON Schema, in composition order.
    """

    def __init__(
        self, run: Run, ceiling: Tier, tools: list[Bound], where: Callable[[Tool[Any, Any]], bool] | None
    ) -> None:
        self.ceiling = ceiling
        self._run = run
        self.filtered = frozenset(each.tool.name for each in tools if where is not None and not where(each.tool))
        shown = [each for each in tools if each.tier <= ceiling and each.tool.name not in self.filtered]
        shown.sort(key=lambda each: each.tool.name == RESOLVE)  # last: it finishes what the others begin
        staging = any(each.tool.stages for each in tools)
        self._bound = {each.tool.name: each for each in shown if staging or each.tool.name != RESOLVE}
        self.tools: tuple[Tool[Any, Any], ...] = tuple(each.tool for each in self._bound.values())

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        *,
        parent: Call[Any] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Result:
        """Call a tool as the model asks for it: checked, gated, approved, wrapped, bounded.

        Args:
            name: the tool's name.
            arguments: an object, or JSON text of one.
            parent: the call that makes this one, if any (`call.call` gives it).
            progress: told how long work goes on.

        Returns:
            A Result, whatever happens; errors are results, with `failure` set.

        Raises:
            ApprovalPending: the run's approver deferred.
            asyncio.CancelledError: the caller was cancelled.
        """
        return await perform(self, name, arguments, parent, progress)

    def has(self, name: str) -> bool:
        """Whether that tool is there now."""
        bound = self._bound.get(name)
        return bound is not None and bound.binding.alive

    def get(self, name: str) -> Bound | None:
        """The tool with its binding, if it is there now."""
        bound = self._bound.get(name)
        return bound if bound is not None and bound.binding.alive else None

    @property
    def advice(self) -> Advice | None:
        """What the next choice of tool should prefer; None if nothing is pending, or there is no resolve here."""
        pending = self.newest_pending()
        return Advice(tool=RESOLVE, edit_id=pending.id, label=pending.label) if pending else None

    def newest_pending(self) -> Pending | None:
        """The newest pending action that this surface's caller can see and resolve."""
        if not self._run.pending.has_pending or not self.has(RESOLVE):
            return None
        return next((each for each in reversed(self._run.pending.visible(self.ceiling)) if not each.claimed), None)

    def explain(self, name: str) -> Absence | None:
        """Why a tool is not on this surface, and the remedy; None if it is. For people, never behind a tool."""
        from toolpost.explain import absence

        return absence(self, name)

    def unknown(self, name: str) -> Result:
        """The one answer for a tool that is not there, is hidden, or was never heard of (core:tier-call-time)."""
        names = [known for known in self._bound if self.has(known)]
        listed, asked = ", ".join(names) or "none", brief(name)
        return Result.error(f"No tool named {asked!r}{nearest(asked, names)}. Available: {listed}.", "unknown")
