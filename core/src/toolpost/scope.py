"""What a plugin gets of a run. Never the Run itself, so that no handler can widen its surface."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import attrs

from toolpost.clock import Clock
from toolpost.workspace import Confinement, StateFolder

if TYPE_CHECKING:
    from toolpost.discovery import Extension
    from toolpost.processes import Processes

T = TypeVar("T")

Trust = Literal["none", "interpreter", "full"]
"""Which of the checkout's own code may run without a call's approval (core:trust): none; its interpreter; all of it."""

Notice = tuple[str, str | Callable[[], str | None]]
"""Whose it is, and its text, or what gives it."""


@attrs.define(eq=False, kw_only=True)
class Scope:
    """One run, as its plugins see it.

    Attributes:
        id: unique; it tags every process that the run starts.
        conversation: whose run this is, or None.
        target: the space in which cards are shown, or None.
        workspace: the checkout, its links resolved.
        roots: further directories that paths may name.
        trust: how far the checkout's own code is trusted.
        sandbox: the conversation's sandbox, or None.
        clock: the time.
        files: reads confined to the workspace and the roots.
        state: this workspace's state folder, outside the checkout.
        log: a logger.
    """

    id: str
    workspace: str
    files: Confinement
    state: StateFolder
    clock: Clock
    conversation: str | None = None
    target: Any = None
    roots: tuple[str, ...] = ()
    trust: Trust = "none"
    sandbox: Any = None
    log: logging.Logger = attrs.field(factory=lambda: logging.getLogger("toolpost.run"))
    _ports: Mapping[type, Any] = attrs.field(factory=dict)
    _notices: list[Notice] = attrs.field(factory=list)
    _processes: Processes | None = attrs.field(default=None, init=False)

    def port(self, kind: type[T]) -> T | None:
        """What the harness connected under that type, or None."""
        return cast("T | None", self._ports.get(kind))

    def notice(self, source: str, notice: str | Callable[[], str | None]) -> None:
        """A line behind the next result of this run, whichever tool it is of: for what comes to be known late.

        Args:
            source: whose it is.
            notice: the text, or what gives it when it is delivered; None then says nothing.
        """
        self._notices.append((source, notice))

    @property
    def processes(self) -> Processes:
        """Starts supervised processes, all dead within a second of the run's end. Asking starts nothing.

        The first asking ends what runs of killed harnesses, both of whose guards were killed too, left behind.
        """
        if self._processes is None:
            from toolpost.processes import Processes, sweep

            folder = Path(self.state.path) / "processes"
            for left in sweep(folder):
                self.log.warning("ended what a killed run left behind: %s", left)
            self._processes = Processes(tag=self.id, ledger=folder / f"{self.id}.ledger")
        return self._processes

    def extensions(self, group: str, kind: type[T]) -> tuple[Extension, ...]:
        """The installed data records of an entry-point group, each isolated from the others."""
        from toolpost.discovery import extensions

        return extensions(group, kind)

    async def close_processes(self) -> None:
        """End every process of the run."""
        if self._processes is not None:
            await self._processes.close()
