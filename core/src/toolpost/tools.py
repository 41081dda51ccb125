"""What a tool is, and what it answers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import attrs

from toolpost.tiers import Tier

if TYPE_CHECKING:
    from toolpost.call import Call

P = TypeVar("P")
H = TypeVar("H")

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")

Failure = Literal["unknown", "arguments", "refused", "busy", "tool", "crash", "closed"]
"""Why a result is an error: no such tool here; bad arguments; a gate or the approver said no; it would wait for
itself; the tool's own expected failure; an unexpected one; the run is closed."""


class ToolError(Exception):
    """An expected failure whose message is for the model: say what, whose, and what to do next.

    Any other exception that leaves a handler is reported to the model in one short line and logged whole.

    Args:
        message: the text that the model reads.
        data: the same facts as structure.
        retry: for a pending action's `apply`: nothing was done, so the action stays pending (contract resolve:once).
    """

    def __init__(self, message: str, *, data: Any = None, retry: bool = False) -> None:
        super().__init__(message)
        self.data = data
        self.retry = retry


@attrs.frozen(kw_only=True)
class Text:
    """A block of text for the model."""

    text: str


@attrs.frozen(kw_only=True)
class Image:
    """A picture for the model: the encoded bytes and their MIME type."""

    data: bytes
    mime: str = "image/png"


@attrs.frozen(kw_only=True)
class Note:
    """A line that something other than the tool adds to its result: a write wrapper, the pending stack, the run."""

    source: str
    text: str
    data: Any = None


@attrs.frozen(kw_only=True)
class Result:
    """What a call answered.

    `text` is what the model reads; `data` holds the same facts as structure, in the protocol's own terms, for a
    harness, a user interface or a test (contract core:data).
    """

    content: tuple[Text | Image, ...] = ()
    data: Any = None
    notes: tuple[Note, ...] = ()
    failure: Failure | None = None

    @classmethod
    def of(cls, text: str, *, data: Any = None, images: tuple[Image, ...] = ()) -> Result:
        """A success of one text block, and pictures if there are any."""
        return cls(content=(Text(text=text), *images), data=data)

    @classmethod
    def error(cls, text: str, failure: Failure = "tool", *, data: Any = None) -> Result:
        """An error whose text is for the model."""
        return cls(content=(Text(text=text),), failure=failure, data=data)

    @property
    def is_error(self) -> bool:
        return self.failure is not None

    @property
    def text(self) -> str:
        """All text blocks, then the notes, a line each: the tool's own first line stays first (write:first-line)."""
        lines = [block.text for block in self.content if isinstance(block, Text)]
        lines += [note.text for note in self.notes]
        return "\n".join(lines)

    @property
    def images(self) -> tuple[Image, ...]:
        return tuple(block for block in self.content if isinstance(block, Image))


@attrs.frozen(kw_only=True)
class Subject:
    """What one call is about to touch: read by gates, approvers and people before anything happens.

    A tool's `subject` function computes it from the arguments, purely and before the gates. What it fixes is what is
    done (contract core:approval-pinned): a handler uses `call.subject.pinned`, not a second look at the world.

    Attributes:
        summary: one line for a person.
        paths: the files that it touches, links resolved, as shown to people.
        command: the command line that it runs.
        tier: a *higher* tier for this one call; a lower one is ignored.
        preview: what a person sees on request, a diff for instance.
        pinned: what the handler acts upon.
    """

    summary: str
    paths: tuple[str, ...] = ()
    command: str | None = None
    tier: Tier | None = None
    preview: str | None = None
    pinned: Any = None


@attrs.frozen(kw_only=True)
class Tool(Generic[P, H]):
    """One tool, declared by a plugin without a handle, so that a host can also explain it where it is absent.

    The JSON Schema and the function that checks and structures arguments are built with the Tool: a parameter class
    that cannot be described fails when the tool is registered, not when it is called.

    Attributes:
        name: `[a-z][a-z0-9_]*`, at most 64 characters: what every provider accepts.
        params: an attrs class; each field is `Annotated[T, "what it means"]`.
        handler: `async (params, call) -> Result | str`.
        tier: required; there is no default (contract core:tier-declared).
        description: what the model reads; the docstring of `params` when left out.
        exclusive: one call at a time per handle: True, or a function of the params that says so for one call.
        subject: computes the call's Subject.
        stages: this tool pushes pending actions, so `resolve` comes along.
        listed: shown in lists for people.

    Raises:
        TypeError, ValueError: what is wrong, with the tool's name.
    """

    name: str
    params: type[P]
    handler: Callable[[P, Call[H]], Awaitable[Result | str]]
    tier: Tier
    description: str = ""
    exclusive: bool | Callable[[P], bool] = False
    subject: Callable[[P, Call[H]], Subject] | None = None
    stages: bool = False
    listed: bool = True
    schema: Mapping[str, Any] = attrs.field(init=False, repr=False, eq=False)
    structure: Callable[[Any], P] = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        from toolpost.params import structurer
        from toolpost.schema import schema_of

        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ValueError(
                f"tool name {self.name!r}: use a lower-case letter, then letters, digits and _, 64 at most"
            )
        if not isinstance(self.tier, Tier):
            raise TypeError(f"tool {self.name!r}: tier must be a toolpost.Tier, not {self.tier!r}")
        if not inspect.iscoroutinefunction(inspect.unwrap(self.handler)):
            raise TypeError(f"tool {self.name!r}: its handler must be an async function (params, call)")
        if self.stages and self.tier is Tier.READ:
            raise ValueError(
                f"tool {self.name!r}: a tool that stages actions is of tier write or exec (pending:custom)"
            )
        if not (attrs.has(self.params) and isinstance(self.params, type)):
            raise TypeError(f"tool {self.name!r}: params must be an attrs class, not {self.params!r}")
        description = self.description or inspect.cleandoc(self.params.__doc__ or "")
        if not description.strip() or description.startswith("Method generated by attrs"):
            raise ValueError(
                f"tool {self.name!r}: describe it: description=… or the docstring of {self.params.__name__}"
            )
        put = object.__setattr__
        put(self, "description", description)
        try:
            put(self, "schema", schema_of(self.params))
            put(self, "structure", structurer(self.params))
        except TypeError as error:
            raise TypeError(f"tool {self.name!r}: {error}") from error
