"""A server's workspace edit made into toolpost's Changes: from the bytes on the disk, confined, all or nothing.

Nothing is written here. Offsets are counted in the text that the server was shown; every byte outside the edited
ranges stays as it is: byte-order mark, line ends, a missing last one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
from toolpost import Call, Change, ToolError, digest

from toolpost_lsp.protocol.types import Encoding
from toolpost_lsp.rename.draft import Draft, File
from toolpost_lsp.rename.operations import Create, Delete, EditDocument, Move, Operation, operations
from toolpost_lsp.rename.rewriting import Replacement, Rewriting
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import counted, listed


@attrs.frozen(kw_only=True)
class FileEdit:
    """What becomes of one file; None: it is not there before, or after. `moved_from` names where its content was."""

    path: str
    before: bytes | None
    after: bytes | None
    replacements: tuple[Replacement, ...] = ()
    moved_from: str | None = None


@attrs.frozen(kw_only=True)
class Plan:
    """What a workspace edit would do.

    Attributes:
        changes: for `call.apply` or `call.stage_edit`; empty if nothing changes.
        files: the files that change, in the server's order.
        confirmations: what the server wants a person to confirm.
    """

    changes: tuple[Change, ...]
    files: tuple[FileEdit, ...]
    confirmations: tuple[str, ...] = ()

    @property
    def edits(self) -> int:
        return sum(len(each.replacements) for each in self.files)

    @property
    def edited(self) -> str:
        """`3 edits in 2 files`."""
        edited = sum(bool(each.replacements) for each in self.files)
        return f"{counted(self.edits, 'edit')} in {counted(edited, 'file')}"

    @property
    def words(self) -> str:
        """`3 edits in 2 files; moves a.py to b.py; creates c.py; deletes d.py`."""
        moved = {each.moved_from: each.path for each in self.files if each.moved_from}
        created = [each.path for each in self.files if each.before is None and not each.moved_from]
        deleted = [each.path for each in self.files if each.after is None and each.path not in moved]
        parts = [self.edited] if self.edits else []
        parts += [f"moves {listed([f'{old} to {new}' for old, new in moved.items()])}"] if moved else []
        parts += [f"creates {listed(created)}"] if created else []
        parts += [f"deletes {listed(deleted)}"] if deleted else []
        return "; ".join(parts) or "nothing changes"


async def plan(call: Call[Any], *edits: tuple[Any, Server], behind: Any = None) -> Plan:
    """What workspace edits would do, one behind the other; each as JSON, with the server that asks for it.

    Args:
        behind: a last one, of no server.

    Raises:
        ToolError: an edit is malformed, leaves the workspace, is of another text than the disk holds, or contradicts
            itself. One such thing refuses everything.
    """
    asked = [
        _Asked(
            operations=operations(raw), encoding=server.encoding, shown={each.path: each for each in server.documents}
        )
        for raw, server in edits
    ]
    if behind is not None:
        asked.append(_Asked(operations=operations(behind), encoding="utf-8", shown={}))
    return await asyncio.to_thread(_plan, call, asked)


@attrs.frozen(kw_only=True)
class _Asked:
    """One server's wish, and the documents that it was shown."""

    operations: tuple[Operation, ...]
    encoding: Encoding
    shown: Mapping[str, Document]


def _plan(call: Call[Any], asked: list[_Asked]) -> Plan:
    draft = Draft(call)
    under_way: dict[str, Rewriting] = {}  # until something else happens to the files: all relative to the same text
    replaced: dict[str, tuple[Replacement, ...]] = {}
    for wish in asked:
        for operation in wish.operations:
            if isinstance(operation, EditDocument):
                file = draft.file(operation.uri)
                data = _checked(file, draft, wish.shown.get(file.origin), operation.version)
                rewriting = under_way.get(file.path) or under_way.setdefault(file.path, Rewriting(file.path, data))
                rewriting.add(operation.edits, wish.encoding)
            else:
                _finish(draft, under_way, replaced)
                _step(draft, operation)
    _finish(draft, under_way, replaced)
    return Plan(
        changes=draft.changes(),
        files=tuple(_file_edit(file, replaced.get(file.path, ())) for file in draft.changed()),
        confirmations=tuple(dict.fromkeys(label for wish in asked for label in _confirmations(wish.operations))),
    )


def _checked(file: File, draft: Draft, document: Document | None, version: int | None) -> bytes:
    """What the file holds, if that is the text that the server speaks of."""
    if file.now is None:
        raise ToolError(f"the server edits {file.path}, which is not there; nothing is changed")
    ours = document.version if document is not None else None
    if version is not None and version != ours:
        told = f"{ours}" if ours is not None else "none that is open"
        raise ToolError(f"the server's edit is of version {version} of {file.path}, ours is {told}; ask again")
    before = draft.files[file.origin].before
    if document is not None and before is not None and document.digest != digest(before):
        raise ToolError(f"{file.path} has changed since the server was shown it; ask again")
    return file.now


def _finish(draft: Draft, under_way: dict[str, Rewriting], replaced: dict[str, tuple[Replacement, ...]]) -> None:
    for path, rewriting in under_way.items():
        draft.files[path].now, made = rewriting.result()
        replaced[path] = replaced.get(path, ()) + made
    under_way.clear()


def _step(draft: Draft, operation: Create | Move | Delete) -> None:
    match operation:
        case Create():
            draft.create(operation.uri, overwrite=operation.overwrite, ignored=operation.ignored)
        case Move():
            draft.move(operation.old, operation.new, overwrite=operation.overwrite, ignored=operation.ignored)
        case Delete():
            draft.delete(operation.uri, ignored=operation.ignored)


def _file_edit(file: File, replacements: tuple[Replacement, ...]) -> FileEdit:
    moved = file.now is not None and file.origin != file.path
    return FileEdit(
        path=file.path,
        before=file.before,
        after=file.now,
        replacements=replacements,
        moved_from=file.origin if moved else None,
    )


def _confirmations(steps: Iterable[Operation]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, EditDocument):
            yield from (edit.confirm for edit in step.edits if edit.confirm)
