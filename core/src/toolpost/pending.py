"""The stack of pending actions: staged by a tool, accepted or discarded by `resolve` (contracts §2)."""

from __future__ import annotations

import asyncio
import inspect
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

import attrs

from toolpost.problems import FAILURES, log, told
from toolpost.tiers import Tier
from toolpost.tools import Result, ToolError
from toolpost.turns import chain

if TYPE_CHECKING:
    from toolpost.call import Call

NO_STORE = "Pending action store unavailable for custom tools in this runtime."
NOTHING_PENDING = "No pending action to resolve. Nothing to apply or discard."

Answer = Awaitable[Result | str | None]


def _described(_: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"PendingAction.{attribute.name} must be a short human-readable text, not {value!r}")


def _coroutine(_: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if not inspect.iscoroutinefunction(inspect.unwrap(value)):
        raise TypeError(f"PendingAction.{attribute.name} must be an async function of the reason, not {value!r}")


def did_nothing(error: BaseException) -> bool:
    """The default for `PendingAction.retriable`: only a ToolError with `retry=True` promises that nothing was done."""
    return isinstance(error, ToolError) and error.retry


@attrs.frozen(kw_only=True)
class PendingAction:
    """Something a tool prepared and `resolve` finishes or drops.

    Stage one only for destructive or high-impact work. Keep the label brief, since resolve shows it. `apply` must be
    deterministic and fit to run once; the reason it is given informs and must not change what it does. Give a
    `reject` when discarding needs cleaning up. With several pending, the last one pushed is resolved first.

    Attributes:
        label: what will happen, in a few words for a person.
        apply: `async (reason) -> Result | str | None`; what it answers is resolve's answer. While it runs, the call
            that staged it may act again (`call.apply`, `call.note`), and what it does counts for resolve.
        reject: `async (reason) -> Result | str | None`; an answer replaces the default message.
        details: more for a person who wants to look: a diff, a list.
        source_tool: the tool that staged it.
        paths: the files it touches.
        size: bytes that it holds, for the store's bound.
        retriable: whether a failed `apply` did nothing, so that the action stays pending.
    """

    label: str = attrs.field(validator=_described)
    apply: Callable[[str], Answer] = attrs.field(validator=_coroutine)
    reject: Callable[[str], Answer] | None = attrs.field(default=None, validator=attrs.validators.optional(_coroutine))
    details: str | None = None
    source_tool: str = "custom_tool"
    paths: tuple[str, ...] = ()
    size: int = 0
    retriable: Callable[[BaseException], bool] = did_nothing


@attrs.define(eq=False, kw_only=True)
class Pending:
    """One action on the stack: its id, its tier (that of the call that staged it), and whether somebody claimed it."""

    id: str
    action: PendingAction
    tier: Tier
    call: Call[Any] | None = None
    claimed: bool = False

    @property
    def label(self) -> str:
        return self.action.label

    @property
    def source_tool(self) -> str:
        return self.action.source_tool

    def __str__(self) -> str:
        return f"{self.id} ({self.label}; from {self.source_tool})"


@attrs.frozen(kw_only=True)
class PendingEvent:
    """What happened on the stack, for the `toolpost_pending` hook."""

    kind: Literal["pushed", "accepted", "discarded", "undone", "failed", "evicted"]
    id: str
    label: str
    source_tool: str


@attrs.define(eq=False)
class PendingActions:
    """One run's stack, bounded: what no longer fits goes, oldest first, and is told (pending:bounded).

    Args:
        tell: called with each event.
        notice: called with a line that the next result shall carry.
    """

    tell: Callable[[PendingEvent], None]
    notice: Callable[[str], None]
    most: int = 32
    most_bytes: int = 64 * 1024 * 1024
    _stack: list[Pending] = attrs.field(factory=list, init=False)
    _evicted: list[Pending] = attrs.field(factory=list, init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    def push(self, action: PendingAction, *, tier: Tier = Tier.WRITE, call: Call[Any] | None = None) -> str:
        """Put an action on top; gives its id, `edit_1`, `edit_2`, …, never used again."""
        pending = Pending(id=f"edit_{next(self._numbers)}", action=action, tier=tier, call=call)
        self._stack.append(pending)
        self._event("pushed", pending)
        self._evict()
        return pending.id

    @property
    def has_pending(self) -> bool:
        return bool(self._stack)

    def peek(self) -> Pending | None:
        """The newest action that nobody is resolving, or None."""
        return next((each for each in reversed(self._stack) if not each.claimed), None)

    def pop(self) -> Pending | None:
        """Take the newest off the stack, or None. Who takes an action answers for it."""
        top = self.peek()
        return self.take(top.id) if top else None

    def take(self, id: str) -> Pending | None:  # noqa: A002 - the contract's own name
        """Take that one off the stack, or None if it is not there or is being resolved."""
        found = next((each for each in self._stack if each.id == id and not each.claimed), None)
        if found:
            self._stack.remove(found)
        return found

    def visible(self, ceiling: Tier) -> list[Pending]:
        """What a caller under *ceiling* can see, oldest first. Actions above it do not exist for him."""
        return [each for each in self._stack if each.tier <= ceiling]

    def touching(self, paths: tuple[str, ...]) -> list[tuple[Pending, list[str]]]:
        """The pending actions that touch one of *paths*, each with those it touches."""
        wanted = set(paths)
        found = [(each, [path for path in each.action.paths if path in wanted]) for each in self._stack]
        return [(each, shared) for each, shared in found if shared]

    async def accept(self, pending: Pending, reason: str, acting: Call[Any]) -> Result:
        """Claim the action, run its `apply`, and give what that answered.

        Raises:
            ToolError: somebody else is resolving it, or `apply` failed; the text says whether it is still pending.
        """
        self._claim(pending)
        began = False
        try:
            async with _acting(pending, acting):
                began = True
                answer = await pending.action.apply(reason)
        except BaseException as error:
            failure = self._failed(pending, error, stays=not began or pending.action.retriable(error))
            if failure is None:
                raise
            raise failure from error
        self._stack.remove(pending)
        self._event("accepted", pending)
        return _as_result(answer, f"Applied {pending.label}.")

    async def discard(self, pending: Pending, reason: str, acting: Call[Any] | None = None) -> Result:
        """Drop the action, calling its `reject` if it has one. It is gone even if that raises; the error is told."""
        self._claim(pending)
        self._stack.remove(pending)
        self._event("discarded", pending)
        default = f"Discarded {pending.label}."
        if pending.action.reject is None:
            return Result.of(default)
        try:
            async with _acting(pending, acting):
                return _as_result(await pending.action.reject(reason), default)
        except FAILURES as error:
            log.warning("rejecting %s failed", pending, exc_info=error)
            return Result.of(f"{default} Its clean-up failed: {told(error)}")

    async def close(self, seconds: float) -> list[str]:
        """Reject what is left, newest first, all within *seconds*; nothing is applied. Gives what went wrong.

        One that hangs may use half of the time that is left, so that those behind it get theirs.
        """
        wrong = []
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        for pending in [*reversed(self._stack), *reversed(self._evicted)]:
            if pending.action.reject is None or pending.claimed:
                continue
            # In a task of its own: a callback that swallows its cancellation, or raises one, ends no teardown.
            rejecting = asyncio.create_task(_rejected(pending.action.reject))
            await asyncio.wait([rejecting], timeout=(deadline - clock()) / 2)
            if not rejecting.done():
                rejecting.cancel()
                wrong.append(f"rejecting {pending} took too long and was cancelled")
            elif rejecting.cancelled() or rejecting.result():
                why = "it was cancelled" if rejecting.cancelled() else rejecting.result()
                wrong.append(f"rejecting {pending} failed: {why}")
        self._stack.clear()
        self._evicted.clear()
        return wrong

    def _failed(self, pending: Pending, error: BaseException, *, stays: bool) -> ToolError | None:
        """Keep the action or drop it; gives what the resolving call raises instead of the error."""
        pending.claimed = not stays
        if not stays:
            self._stack.remove(pending)
        self._event("failed", pending)
        if not isinstance(error, FAILURES):
            if not stays:
                self.notice(f"{pending} was cancelled while it was applied and is no longer pending; see what it did.")
            return None
        if not isinstance(error, ToolError):
            log.error("pending action %s failed", pending, exc_info=error)
        what = str(error) if isinstance(error, ToolError) else told(error)
        outcome = "was not applied and stays pending" if stays else "failed and is no longer pending"
        return ToolError(f"{pending} {outcome}: {what}", data=getattr(error, "data", None))

    def _claim(self, pending: Pending) -> None:
        # Claimed before anything runs: two resolves at once applied one action twice in the first probe (design.md).
        if pending.claimed:
            raise ToolError(f"{pending.id} is being resolved by another call.")
        if pending not in self._stack:
            raise ToolError(f"{pending.id} is no longer pending.")
        pending.claimed = True

    def _evict(self) -> None:
        while len(self._stack) > self.most or sum(each.action.size for each in self._stack) > self.most_bytes:
            oldest = next((each for each in self._stack[:-1] if not each.claimed), None)
            if oldest is None:
                return
            self._stack.remove(oldest)
            if oldest.action.reject:
                self._evicted.append(oldest)
            self._event("evicted", oldest)
            self.notice(f"{oldest} was dropped: the store holds {self.most} actions and {self.most_bytes} bytes.")

    def _event(self, kind: Any, pending: Pending) -> None:
        self.tell(PendingEvent(kind=kind, id=pending.id, label=pending.label, source_tool=pending.source_tool))


@asynccontextmanager
async def _acting(pending: Pending, acting: Call[Any] | None) -> AsyncIterator[None]:
    """Let the call that staged the action act again, in the name of the one that resolves it.

    One at a time, or what one action does would count for the other; an action that resolves another one goes on.
    """
    stager = pending.call
    if stager is None or acting is None:
        yield
        return
    before = stager.acting
    if before is not None and before in chain(acting):
        stager.acting = acting
        try:
            yield
        finally:
            stager.acting = before
        return
    stager.acts = stager.acts or asyncio.Lock()
    async with stager.acts:
        stager.acting = acting
        try:
            yield
        finally:
            stager.acting = None


async def _rejected(reject: Callable[[str], Answer]) -> str | None:
    try:
        await reject("the run is closing")
    except FAILURES as error:
        return told(error)
    return None


def _as_result(answer: Any, default: str) -> Result:
    if answer is None:
        return Result.of(default)
    return answer if isinstance(answer, Result) else Result.of(str(answer))
