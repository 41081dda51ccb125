"""What a resource hook may hand over, and what a plugin says of its state."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

import attrs

H = TypeVar("H")


@attrs.frozen
class Unavailable:
    """A resource hook's "not in this run": none of the plugin's tools exist there (contract core:live-handle).

    Args:
        reason: what is missing, for a person who asks `explain`.
        remedy: what would bring it.
    """

    reason: str
    remedy: str = ""


@attrs.frozen
class Owned(Generic[H]):
    """A context manager whose value is the handle, entered when the run opens and left when it closes.

    An object that merely happens to be a context manager (a shared client) is handed over bare, and never entered.
    """

    manager: AbstractAsyncContextManager[H | Unavailable | None]


@attrs.frozen(kw_only=True)
class Status:
    """What `doctor` and `explain` print of a live plugin.

    Attributes:
        usable: can its tools serve this checkout now?
        lines: what a person wants to know, a line each.
        data: the same as structure.
    """

    usable: bool
    lines: tuple[str, ...] = ()
    data: Any = None
