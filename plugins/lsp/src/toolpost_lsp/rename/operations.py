"""A server's workspace edit as a list of operations, read strictly: an edit that is half understood is half a rename.

`documentChanges` count before `changes`. What was not offered to servers (snippets) is refused, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from toolpost import ToolError

from toolpost_lsp.protocol.types import Position, Range
from toolpost_lsp.words import clean


@attrs.frozen(kw_only=True)
class Edit:
    """One replacement of text; `confirm` is what the server wants a person to confirm, if anything."""

    range: Range
    new: str
    confirm: str | None = None


@attrs.frozen(kw_only=True)
class EditDocument:
    """Edits of one document, all relative to the same text; no *version* means that the server says nothing of it."""

    uri: str
    version: int | None
    edits: tuple[Edit, ...]


@attrs.frozen(kw_only=True)
class Create:
    uri: str
    overwrite: bool
    ignored: bool
    """Whether a file that is there already is left alone."""


@attrs.frozen(kw_only=True)
class Move:
    old: str
    new: str
    overwrite: bool
    ignored: bool


@attrs.frozen(kw_only=True)
class Delete:
    uri: str
    ignored: bool
    """Whether it may be missing already."""


Operation = EditDocument | Create | Move | Delete


def operations(edit: Any) -> tuple[Operation, ...]:
    """The steps of a workspace edit, in order; none for null.

    Raises:
        ToolError: it is malformed, or asks for what was not offered.
    """
    if edit is None:
        return ()
    known = _annotations(_mapping(edit, "a workspace edit").get("changeAnnotations"))
    if edit.get("documentChanges") is not None:
        return tuple(_operation(each, known) for each in _list(edit["documentChanges"], "documentChanges"))
    changes = _optional(edit.get("changes"), "changes")
    return tuple(EditDocument(uri=uri, version=None, edits=_edits(edits, known)) for uri, edits in changes.items())


def _operation(raw: Any, known: Mapping[str, str]) -> Operation:
    options = _optional(_mapping(raw, "a document change").get("options"), "options")
    overwrite, ignored = options.get("overwrite") is True, options.get("ignoreIfExists") is True
    match raw.get("kind"):
        case None:
            document = _mapping(raw.get("textDocument"), "textDocument")
            return EditDocument(
                uri=_text(document.get("uri"), "uri"),
                version=_version(document.get("version")),
                edits=_edits(raw.get("edits"), known),
            )
        case "create":
            return Create(uri=_text(raw.get("uri"), "uri"), overwrite=overwrite, ignored=ignored)
        case "rename":
            old, new = _text(raw.get("oldUri"), "oldUri"), _text(raw.get("newUri"), "newUri")
            return Move(old=old, new=new, overwrite=overwrite, ignored=ignored)
        case "delete":
            return Delete(uri=_text(raw.get("uri"), "uri"), ignored=options.get("ignoreIfNotExists") is True)
        case kind:
            raise _malformed(f"a change of the unknown kind {clean(str(kind), 40)!r}")


def _edits(raw: Any, known: Mapping[str, str]) -> tuple[Edit, ...]:
    return tuple(_edit(_mapping(each, "a text edit"), known) for each in _list(raw, "edits"))


def _edit(raw: Mapping[str, Any], known: Mapping[str, str]) -> Edit:
    if "snippet" in raw or raw.get("insertTextFormat") == 2:
        raise ToolError(
            "the server's edit holds a snippet with places to fill in, which was not asked for; nothing is changed"
        )
    name = raw.get("annotationId")
    ends = _mapping(raw.get("range"), "range")
    start, end = _position(ends.get("start")), _position(ends.get("end"))
    if (end.line, end.character) < (start.line, start.character):
        raise _malformed("a range that ends before it starts")
    return Edit(
        range=Range(start=start, end=end),
        new=_text(raw.get("newText"), "newText"),
        confirm=known.get(name) if isinstance(name, str) else None,
    )


def _annotations(raw: Any) -> dict[str, str]:
    """Those that want to be confirmed, and their labels."""
    named = _optional(raw, "changeAnnotations")
    return {
        name: clean(str(each.get("label") or name), 200)
        for name, each in named.items()
        if _mapping(each, "an annotation").get("needsConfirmation") is True
    }


def _position(raw: Any) -> Position:
    values = _mapping(raw, "position")
    return Position(line=_number(values.get("line"), "line"), character=_number(values.get("character"), "character"))


def _version(raw: Any) -> int | None:
    """A document's version. Some servers give 0 for a document that nobody opened."""
    return None if raw is None or raw == 0 else _number(raw, "version")


def _number(raw: Any, what: str) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or raw < 0:
        raise _malformed(f"{what} {clean(str(raw), 40)}")
    return raw


def _text(raw: Any, what: str) -> str:
    if not isinstance(raw, str):
        raise _malformed(f"no {what}")
    return raw


def _list(raw: Any, what: str) -> Sequence[Any]:
    if not isinstance(raw, list):
        raise _malformed(f"no list of {what}")
    return raw


def _mapping(raw: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise _malformed(f"something that is no {what}")
    return raw


def _optional(raw: Any, what: str) -> Mapping[str, Any]:
    return {} if raw is None else _mapping(raw, what)


def _malformed(what: str) -> ToolError:
    return ToolError(f"the server's edit is malformed, it holds {what}; nothing is changed")
