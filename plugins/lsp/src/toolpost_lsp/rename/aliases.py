"""A rename that ends at an alias, followed to the other side of it, so that the whole project has the new name.

TypeScript's servers rename an imported name in its own file only (`import { old as new }`), and let a file that passes
a name on keep the old one outwards (`export { new as old }`). The first is asked again where the name is defined; of the
second, both sides are asked for and joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from toolpost import OutsideError

from toolpost_lsp.navigation.asking import LONG, Answer, ask_with
from toolpost_lsp.navigation.target import Target
from toolpost_lsp.protocol.types import Range
from toolpost_lsp.protocol.uris import path_of
from toolpost_lsp.rename.checks import Renaming
from toolpost_lsp.rename.operations import Edit, EditDocument, Operation, operations
from toolpost_lsp.server.server import Server

_MOST = 50
_AS = "as"


@attrs.frozen
class Alias:
    """A place that takes the new name in, or passes it on, under another one."""

    uri: str
    range: Range


def imported(raw: Any, renaming: Renaming) -> Alias | None:
    """The place at which an edit goes no further: `old as new`."""
    return next(_aliases(operations(raw), [renaming.words[0], _AS, renaming.words[1]], renaming), None)


async def followed(target: Target, server: Server, raw: Any, renaming: Renaming) -> Any:
    """A workspace edit that goes on behind each `new as old`, as far as the server knows how.

    Raises:
        ToolError: an answer is malformed, or there is none.
    """
    old, new = renaming.words
    steps = operations(raw)
    seen: set[Alias] = set()
    while left := [each for each in _aliases(steps, [new, _AS, old], renaming) if each not in seen]:
        if len(seen) >= _MOST or not all(map(_is_plain, steps)):
            break
        seen.add(alias := left[0])
        answer = await at(target, server, alias, renaming.new)
        behind = operations(answer.raw) if answer is not None and answer.server is server else ()
        if alias in _aliases(behind, [old, _AS, new], renaming):
            steps = _joined(steps, behind, alias, new)
    return _json(steps) if seen else raw


async def at(target: Target, server: Server, alias: Alias, new: str) -> Answer | None:
    """A rename asked for at another place; None if that is no file of the workspace."""
    path = path_of(alias.uri)
    try:
        shown = None if path is None else target.call.scope.files.resolve(path).shown
    except (OutsideError, OSError):
        shown = None
    if shown is None:
        return None

    async def params(server: Server) -> dict[str, Any]:
        document = await server.documents.open(shown)
        return {"textDocument": {"uri": document.uri}, "position": alias.range.start.json(), "newName": new}

    return await ask_with(target.call, shown, server, "textDocument/rename", params, timeout=LONG)


def _aliases(steps: tuple[Operation, ...], words: list[str], renaming: Renaming) -> Iterator[Alias]:
    for step in steps:
        if isinstance(step, EditDocument):
            for edit in step.edits:
                if [each for each in renaming.tokens(edit.new) if not each.isspace()] == words:
                    yield Alias(step.uri, edit.range)


def _is_plain(step: Operation) -> bool:
    return isinstance(step, EditDocument) and all(edit.confirm is None for edit in step.edits)


def _joined(
    steps: tuple[Operation, ...], behind: tuple[Operation, ...], alias: Alias, new: str
) -> tuple[Operation, ...]:
    """Both sides of an alias; itself is the new name alone."""
    edits: dict[str, dict[Range, Edit]] = {}
    versions: dict[str, int | None] = {}
    for step in (*steps, *behind):
        if isinstance(step, EditDocument):
            versions.setdefault(step.uri, step.version)
            for edit in step.edits:
                edits.setdefault(step.uri, {}).setdefault(edit.range, edit)
    edits[alias.uri][alias.range] = attrs.evolve(edits[alias.uri][alias.range], new=new)
    return tuple(
        EditDocument(uri=uri, version=versions[uri], edits=tuple(found.values())) for uri, found in edits.items()
    )


def _json(steps: tuple[Operation, ...]) -> dict[str, Any]:
    return {
        "documentChanges": [
            {
                "textDocument": {"uri": step.uri, "version": step.version},
                "edits": [{"range": edit.range.json(), "newText": edit.new} for edit in step.edits],
            }
            for step in steps
            if isinstance(step, EditDocument)
        ]
    }
