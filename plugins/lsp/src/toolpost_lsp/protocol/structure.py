"""From a server's JSON to values: leniently, since one odd item must not cost the others.

Texts may hold anything: they are the checkout's. What is out of range is brought into it; what has no place or no name
is skipped and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import attrs

from toolpost_lsp.protocol.types import (
    CodeAction,
    Diagnostic,
    DocumentSymbol,
    Hover,
    Location,
    Position,
    Range,
    Related,
    Severity,
    SymbolInformation,
)

T = TypeVar("T")

_SEVERITIES: Mapping[float, Severity] = {each.value: each for each in Severity}
_UNNECESSARY, _DEPRECATED = 1, 2  # tags of diagnostics
_DEEPEST = 100  # symbols within symbols
_START = Range(Position(0, 0), Position(0, 0))


@attrs.frozen
class Read(Generic[T]):
    """What could be read of an answer, and how many items of it, inner ones too, were left out."""

    items: tuple[T, ...] = ()
    skipped: int = 0


class _Malformed(Exception):
    """An item that says too little."""


def locations(raw: Any) -> Read[Location]:
    """Places: null, one of them, a list, or links."""
    return _read(_location, raw)


def diagnostics(raw: Any) -> Read[Diagnostic]:
    """Problems: a list of them, or null."""
    return _read(_diagnostic, raw)


def symbols(raw: Any) -> Read[DocumentSymbol | SymbolInformation]:
    """The symbols of a document or of a search, whichever form the server chose."""
    return _read(_symbol, raw)


def code_actions(raw: Any) -> Read[CodeAction]:
    """What a server offers to do; bare commands are code actions with nothing but a command."""
    return _read(_code_action, raw)


def hover(raw: Any) -> Hover | None:
    """What a server says of a symbol; None if that is nothing."""
    if not isinstance(raw, Mapping):
        return None
    contents = raw.get("contents")
    pieces = contents if isinstance(contents, list) else [contents]
    text = "\n\n".join(piece for each in pieces if (piece := _marked(each).strip()))
    try:
        span = _range(raw.get("range"))
    except _Malformed:
        span = None
    return Hover(text=text, range=span) if text else None


# ---- lists ------------------------------------------------------------------------------------------------------


@attrs.define
class _Reading:
    """One answer as it is read."""

    skipped: int = 0
    depth: int = 0


_Reader = Callable[[Any, _Reading], T]


def _read(read: _Reader[T], raw: Any) -> Read[T]:
    reading = _Reading()
    items = _items(read, raw if isinstance(raw, list) or raw is None else [raw], reading)
    return Read(items, reading.skipped)


def _items(read: _Reader[T], raw: Any, reading: _Reading) -> tuple[T, ...]:
    if raw is None or raw == []:
        return ()
    if not isinstance(raw, list) or reading.depth == _DEEPEST:
        reading.skipped += 1
        return ()
    reading.depth += 1
    items = []
    for each in raw:
        try:
            items.append(read(each, reading))
        except _Malformed:
            reading.skipped += 1
    reading.depth -= 1
    return tuple(items)


# ---- items ------------------------------------------------------------------------------------------------------


def _location(raw: Any, _: _Reading) -> Location:
    target = _object(raw)
    if "targetUri" in target:
        return Location(
            _name(target["targetUri"]), _range(target.get("targetSelectionRange") or target.get("targetRange"))
        )
    return Location(_name(target.get("uri")), _range(target.get("range")))


def _diagnostic(raw: Any, reading: _Reading) -> Diagnostic:
    said = _object(raw)
    code = said.get("code")
    tags = said["tags"] if isinstance(said.get("tags"), list) else ()
    return Diagnostic(
        range=_range(said.get("range")),
        # A problem without a word is still a problem.
        message=_marked(said.get("message")) or "(no message)",
        severity=_severity(said.get("severity")),
        code=_code(code.get("value") if isinstance(code, Mapping) else code),
        source=_text(said.get("source")) or None,
        unnecessary=_UNNECESSARY in tags,
        deprecated=_DEPRECATED in tags,
        link=_text(_optional(said.get("codeDescription")).get("href")) or None,
        related=_items(_related, said.get("relatedInformation"), reading),
        raw=said,
    )


def _related(raw: Any, reading: _Reading) -> Related:
    said = _object(raw)
    return Related(location=_location(said.get("location"), reading), message=_marked(said.get("message")))


def _symbol(raw: Any, reading: _Reading) -> DocumentSymbol | SymbolInformation:
    said = _object(raw)
    if "location" in said:
        return _symbol_information(said)
    return _document_symbol(said, reading)


def _symbol_information(said: Mapping[str, Any]) -> SymbolInformation:
    place = _object(said["location"])
    return SymbolInformation(
        name=_name(said.get("name")),
        kind=_kind(said),
        # A search may leave the range out, to be asked for later.
        location=Location(_name(place.get("uri")), _range(place["range"]) if place.get("range") else _START),
        container=_text(said.get("containerName")),
        deprecated=_is_deprecated(said),
    )


def _document_symbol(raw: Any, reading: _Reading) -> DocumentSymbol:
    said = _object(raw)
    whole = _range(said.get("range"))
    return DocumentSymbol(
        name=_name(said.get("name")),
        kind=_kind(said),
        range=whole,
        selection_range=_range(said["selectionRange"]) if said.get("selectionRange") else whole,
        detail=_text(said.get("detail")),
        deprecated=_is_deprecated(said),
        children=_items(_document_symbol, said.get("children"), reading),
    )


def _code_action(raw: Any, _: _Reading) -> CodeAction:
    said = _object(raw)
    command = said.get("command")
    disabled = said.get("disabled")
    return CodeAction(
        title=_name(said.get("title")),
        kind=_text(said.get("kind")),
        preferred=said.get("isPreferred") is True,
        disabled=None
        if disabled is None
        else _text(_optional(disabled).get("reason")) or "the server does not say why",
        edit=said.get("edit"),
        command=_text(command.get("command") if isinstance(command, Mapping) else command) or None,
        raw=said,
    )


# ---- members ----------------------------------------------------------------------------------------------------


def _object(raw: Any) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise _Malformed
    return raw


def _optional(raw: Any) -> Mapping[str, Any]:
    return raw if isinstance(raw, Mapping) else {}


def _range(raw: Any) -> Range:
    said = _object(raw)
    start, end = _position(said.get("start")), _position(said.get("end"))
    return Range(start, end) if start <= end else Range(end, start)


def _position(raw: Any) -> Position:
    said = _object(raw)
    return Position(_count(said.get("line")), _count(said.get("character")))


def _count(raw: Any) -> int:
    """A line or a character. Some servers write -1 for "the whole file", some 3.0 for 3."""
    if type(raw) is int:
        return max(0, raw)
    if isinstance(raw, float) and raw.is_integer():
        return max(0, int(raw))
    raise _Malformed


def _severity(raw: Any) -> Severity:
    """A severity; one that is missing or unknown counts as an error, so that it is seen."""
    return _SEVERITIES.get(raw, Severity.ERROR) if isinstance(raw, int | float) else Severity.ERROR


def _kind(said: Mapping[str, Any]) -> int:
    kind = said.get("kind")
    return kind if isinstance(kind, int) else 0


def _is_deprecated(said: Mapping[str, Any]) -> bool:
    tags = said.get("tags")
    return said.get("deprecated") is True or (isinstance(tags, list) and 1 in tags)


def _name(raw: Any) -> str:
    """A text that an item cannot be without."""
    if not isinstance(raw, str) or not raw:
        raise _Malformed
    return _text(raw)


def _code(raw: Any) -> str | None:
    return _text(raw) or None if isinstance(raw, str) else str(raw) if isinstance(raw, int | float) else None


def _text(raw: Any) -> str:
    """A text, or none; half a surrogate pair, which no output takes, is replaced."""
    if not isinstance(raw, str):
        return ""
    return raw if raw.isascii() else raw.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _marked(raw: Any) -> str:
    """Plain text or Markdown, in any of the forms that it had over the protocol's years."""
    if not isinstance(raw, Mapping):
        return _text(raw)
    text = _text(raw.get("value"))
    language = _text(raw.get("language"))
    return f"```{language}\n{text}\n```" if language and text else text
