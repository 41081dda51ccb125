"""What a harness gives one run; `Host.open` documents each."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from toolpost.clock import Clock
from toolpost.tiers import Tier
from toolpost.tools import Result, Tool

if TYPE_CHECKING:
    from toolpost.approval import Approver
    from toolpost.call import Call
    from toolpost.scope import Trust

Dispatch = Callable[[str, Mapping[str, Any] | str, "Call[Any]"], Awaitable[Result | None]]
"""The harness's own registry, for inner calls of names that the surface lacks: `(name, arguments, calling call)`;
None means that it does not know the name either. It answers for its own checks, under `calling.surface.ceiling`."""


@attrs.frozen(kw_only=True)
class Terms:
    """The arguments of `Host.open`."""

    workspace: str | os.PathLike[str]
    roots: tuple[str | os.PathLike[str], ...]
    conversation: str | None
    target: Any
    ports: Mapping[type, Any]
    config: Mapping[str, Any]
    approver: Approver | None
    tools: tuple[Tool[Any, Any], ...]
    dispatch: Dispatch | None
    sandbox: Any
    trust: Trust
    clock: Clock
    held: frozenset[str]
    raise_tiers: Mapping[str, Tier]
