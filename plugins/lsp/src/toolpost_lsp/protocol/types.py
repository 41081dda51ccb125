"""What servers say of a document, as values. `structure` makes them from JSON.

Lines and characters are 0-based, and characters are counted in the server's encoding: `text.LineIndex` converts.
Of edits there is nothing here: they are read strictly, where they are applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Literal

import attrs

Encoding = Literal["utf-8", "utf-16", "utf-32"]


class Severity(IntEnum):
    """How bad a diagnostic is; a lower number is worse."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


@attrs.frozen(order=True)
class Position:
    """A place between two characters."""

    line: int
    character: int

    def json(self) -> dict[str, int]:
        """It, as the protocol writes it."""
        return {"line": self.line, "character": self.character}


@attrs.frozen(order=True)
class Range:
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position

    def json(self) -> dict[str, dict[str, int]]:
        """It, as the protocol writes it."""
        return {"start": self.start.json(), "end": self.end.json()}


@attrs.frozen
class Location:
    """A range of a document. Of a location link it is the target's name, not its whole body."""

    uri: str
    range: Range


@attrs.frozen(kw_only=True)
class Related:
    """A further place that a diagnostic tells of."""

    location: Location
    message: str


@attrs.frozen(kw_only=True)
class Diagnostic:
    """A problem that a server found.

    Attributes:
        code: the server's name of the kind of problem, also where it is a number.
        link: where that kind is explained.
        raw: the server's own words, which it wants to see again when it is asked for fixes.
    """

    range: Range
    message: str
    severity: Severity = Severity.ERROR
    code: str | None = None
    source: str | None = None
    unnecessary: bool = False
    deprecated: bool = False
    link: str | None = None
    related: tuple[Related, ...] = ()
    raw: Mapping[str, Any] = attrs.field(factory=dict, eq=False, repr=False)


@attrs.frozen(kw_only=True)
class DocumentSymbol:
    """A symbol of a document's outline, with those inside it."""

    name: str
    kind: int
    range: Range
    selection_range: Range
    detail: str = ""
    deprecated: bool = False
    children: tuple[DocumentSymbol, ...] = ()


@attrs.frozen(kw_only=True)
class SymbolInformation:
    """A symbol somewhere, as a search finds it; `container` names what it is in, for people."""

    name: str
    kind: int
    location: Location
    container: str = ""
    deprecated: bool = False


@attrs.frozen(kw_only=True)
class CodeAction:
    """Something that a server offers to do, by its title.

    Attributes:
        kind: such as "quickfix" or "refactor.extract"; empty if it does not say.
        preferred: whether it is the one that the server would choose.
        disabled: why it cannot be done, if it cannot.
        edit: the workspace edit as it came, if there is one already.
        command: the name of the command that it runs, if it runs one.
        raw: the server's own words, which it wants to see again when it is asked for the edit.
    """

    title: str
    kind: str = ""
    preferred: bool = False
    disabled: str | None = None
    edit: Any = attrs.field(default=None, eq=False)
    command: str | None = None
    raw: Mapping[str, Any] = attrs.field(factory=dict, eq=False, repr=False)


@attrs.frozen(kw_only=True)
class Hover:
    """What a server says of a symbol, in Markdown; `range` is what it took the symbol to be, if it says."""

    text: str
    range: Range | None = None
