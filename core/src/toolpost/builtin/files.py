"""The file tools of the reference harness: read, write, edit, apply_patch (contracts §1, File tools).

A harness with file tools of its own leaves this plugin out and wraps its own with `run.wrap_write`.
"""

from __future__ import annotations

import asyncio
import posixpath
from typing import Annotated, Any

import attrs
from attrs.validators import ge, min_len

from toolpost import Call, Change, Edited, Result, Subject, Tier, Tool, ToolError, digest, hookimpl
from toolpost.builtin.patch import FilePatch, parse
from toolpost.builtin.patch_files import changes_of
from toolpost.builtin.reading import Lines, read_file, read_lines
from toolpost.builtin.replacing import replace
from toolpost.builtin.text import decode, encode_new, in_shape_of, split_lines

_PATH = "Relative to the workspace."
_LARGEST_REPLACED = 256 * 1024 * 1024
_PLACES_IN_DATA = 1_000


# ---- read -------------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Read:
    """Read a text file, whole or some of its lines."""

    path: Annotated[str, _PATH]
    start_line: Annotated[int | None, "The first line, from 1."] = attrs.field(
        default=None, validator=attrs.validators.optional(ge(1))
    )
    end_line: Annotated[int | None, "The last line."] = attrs.field(
        default=None, validator=attrs.validators.optional(ge(1))
    )
    numbered: Annotated[bool, "Put the line number before each line."] = False


async def read(params: Read, call: Call[Any]) -> Result:
    if params.start_line and params.end_line and params.end_line < params.start_line:
        raise ToolError(f"end_line {params.end_line} is before start_line {params.start_line}")
    lines: Lines = await read_lines(call, params.path, params.start_line or 1, params.end_line)
    shown = lines.shown(numbered=params.numbered)
    data = {
        "path": lines.path,
        "content": lines.text,
        "lines": {"start": lines.first - 1, "end": lines.last},
        "total_lines": lines.total,
        "encoding": lines.encoding,
    }
    return Result.of(shown, data=data)


# ---- write ------------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Write:
    """Write a file whole: create it, or replace what it holds."""

    path: Annotated[str, _PATH]
    content: Annotated[str, "The whole new text."]


def _write_subject(params: Write, call: Call[Any]) -> Subject:
    path = call.resolve_path(params.path)
    return Subject(
        summary=f"write {path} ({len(params.content)} characters)", paths=(path,), preview=params.content, pinned=path
    )


async def write(params: Write, call: Call[Any]) -> Result:
    path = _pinned(call)
    try:
        before: bytes | None = await read_file(call, path, limit=_LARGEST_REPLACED)
    except FileNotFoundError:
        before = None
    content, kept = in_shape_of(before or b"", params.content)
    after = encode_new(content, "content")
    edited = await call.apply(
        [Change(path=path, seen=None if before is None else digest(before), after=after)], label=f"write {path}"
    )
    verb = "Created" if before is None else "Wrote"
    as_before = f"; {' and '.join(kept)} as before" if kept else ""
    return Result.of(
        f"{verb} {path} ({_counted(len(split_lines(content)), 'line')}, {_counted(len(after), 'byte')}{as_before}).",
        data=_edited(edited, created=before is None, kept=list(kept)),
    )


# ---- edit -------------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Edit:
    """Replace text in a file. old must be found exactly once, unless replace_all is true; both texts are literal."""

    path: Annotated[str, _PATH]
    old: Annotated[str, "The text as it stands in the file, with enough around it to be found once."] = attrs.field(
        validator=min_len(1)
    )
    new: Annotated[str, "What to put in its place."]
    replace_all: Annotated[bool, "Replace every place."] = False


def _edit_subject(params: Edit, call: Call[Any]) -> Subject:
    path = call.resolve_path(params.path)
    preview = "\n".join(
        [*(f"- {line}" for line in params.old.splitlines()), *(f"+ {line}" for line in params.new.splitlines())]
    )
    return Subject(summary=f"edit {path}", paths=(path,), preview=preview, pinned=path)


async def edit(params: Edit, call: Call[Any]) -> Result:
    path = _pinned(call)
    if params.old == params.new:
        raise ToolError(f"{path}: old and new are the same; nothing was written")
    try:
        data = await read_file(call, path)
    except FileNotFoundError:
        raise ToolError(f"{path}: there is no such file; create it with write") from None
    after, lines = await asyncio.to_thread(_replaced, data, params, path)
    if after == data:
        raise ToolError(f"{path}: that changes nothing; nothing was written")
    edited = await call.apply([Change(path=path, seen=digest(data), after=after)], label=f"edit {path}")
    where = f"at line {lines[0] + 1}" if len(lines) == 1 else f"in {len(lines)} places"
    return Result.of(f"Edited {path} {where}.", data=_edited(edited, places=len(lines), lines=lines[:_PLACES_IN_DATA]))


def _replaced(data: bytes, params: Edit, path: str) -> tuple[bytes, list[int]]:
    decoded = decode(data, path)
    after, lines = replace(decoded, params.old, params.new, path, every=params.replace_all)
    return decoded.encode(after, path), lines


# ---- apply_patch ------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class ApplyPatch:
    """Apply a patch to one or several files, all or nothing: a unified diff, or the *** Begin Patch form."""

    patch: Annotated[str, "The whole patch."]


def _patch_subject(params: ApplyPatch, call: Call[Any]) -> Subject:
    files = tuple(_resolved(each, call) for each in parse(params.patch))
    paths = tuple(dict.fromkeys(path for each in files for path in (each.path, each.new_path) if path))
    return Subject(summary=f"patch {_counted(len(files), 'file')}", paths=paths, preview=params.patch, pinned=files)


def _resolved(patch: FilePatch, call: Call[Any]) -> FilePatch:
    path = call.resolve_path(patch.path)
    if patch.kind in ("delete", "move"):
        folder, name = posixpath.split(patch.path)
        if posixpath.normpath(posixpath.join(call.resolve_path(folder or "."), name)) != path:
            # Following it would take the file away and leave the link dangling.
            raise ToolError(
                f"{patch.path} is a link to {path}; to {patch.kind} that file, name it. Nothing was written"
            )
    return attrs.evolve(
        patch,
        path=path,
        new_path=call.resolve_path(patch.new_path) if patch.new_path else None,
    )


async def apply_patch(params: ApplyPatch, call: Call[Any]) -> Result:  # noqa: ARG001 - its files were fixed in the subject
    files: tuple[FilePatch, ...] = _pinned(call)
    changes = await changes_of(files, call)
    edited = await call.apply(changes, label=f"patch {_counted(len(files), 'file')}")
    marks = {"add": "A", "update": "M", "delete": "D", "move": "R"}
    lines = [f"{marks[each.kind]} {each.path}" + (f" -> {each.new_path}" if each.new_path else "") for each in files]
    kinds = [{"kind": each.kind, "path": each.path, "new_path": each.new_path} for each in files]
    return Result.of(
        "\n".join([f"Patched {_counted(len(files), 'file')}.", *lines]),
        data=_edited(edited, files=kinds),
    )


# ---- the plugin -------------------------------------------------------------------------------------------------


def _pinned(call: Call[Any]) -> Any:
    assert call.subject is not None
    return call.subject.pinned


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _edited(edited: Edited, **more: Any) -> dict[str, Any]:
    return {"paths": list(edited.paths), "undo_id": edited.undo_id, **more}


@hookimpl
def toolpost_tools() -> list[Tool[Any, Any]]:
    return [
        Tool(name="read", params=Read, handler=read, tier=Tier.READ),
        Tool(name="write", params=Write, handler=write, tier=Tier.WRITE, subject=_write_subject, stages=True),
        Tool(name="edit", params=Edit, handler=edit, tier=Tier.WRITE, subject=_edit_subject, stages=True),
        Tool(
            name="apply_patch",
            params=ApplyPatch,
            handler=apply_patch,
            tier=Tier.WRITE,
            subject=_patch_subject,
            stages=True,
        ),
    ]
