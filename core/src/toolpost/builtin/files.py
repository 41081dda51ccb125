"""The file tools of the reference harness: read, write, edit, apply_patch (contracts §1, File tools).

A harness with file tools of its own leaves this plugin out and wraps its own with `run.wrap_write`.
"""

from __future__ import annotations

from typing import Annotated, Any

import attrs
from attrs.validators import ge, min_len

from toolpost import Call, Change, Edited, Result, Subject, Tier, Tool, ToolError, digest, hookimpl
from toolpost.builtin import text
from toolpost.builtin.patch import FilePatch, parse
from toolpost.builtin.patch_files import changes_of
from toolpost.builtin.reading import Lines, read_file, read_lines

_PATH = "Relative to the workspace."


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
        "start_line": lines.first,
        "end_line": lines.last,
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
        after = params.content.encode()
    except UnicodeEncodeError as error:
        raise ToolError(
            f"content holds {text.described(params.content[error.start])}, which no file can; nothing was written"
        ) from None
    try:
        before: bytes | None = await read_file(call, path, limit=None)
    except FileNotFoundError:
        before = None
    edited = await call.apply(
        [Change(path=path, seen=None if before is None else digest(before), after=after)], label=f"write {path}"
    )
    lines = params.content.count("\n") + (not params.content.endswith("\n") and bool(params.content))
    verb = "Created" if before is None else "Wrote"
    return Result.of(
        f"{verb} {path} ({lines} lines, {len(after)} bytes).", data=_edited(edited, created=before is None)
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
    decoded = text.decode(data, path)
    old, new = params.old, params.new
    if decoded.newline == "\r\n":
        # A model writes line feeds; in a CRLF file it means the file's own line ends.
        old, new = (each.replace("\r\n", "\n").replace("\n", "\r\n") for each in (old, new))
    places = text.find(decoded.text, old, path)
    if len(places) > 1 and not params.replace_all:
        raise text.ambiguous(decoded.text, places, path)
    after = decoded.encode(decoded.text.replace(old, new), path)
    edited = await call.apply([Change(path=path, seen=digest(data), after=after)], label=f"edit {path}")
    lines = [text.line_of(decoded.text, place) for place in places]
    where = f"at line {lines[0]}" if len(lines) == 1 else f"in {len(lines)} places"
    return Result.of(f"Edited {path} {where}.", data=_edited(edited, lines=lines))


# ---- apply_patch ------------------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class ApplyPatch:
    """Apply a patch to one or several files, all or nothing: a unified diff, or the *** Begin Patch form."""

    patch: Annotated[str, "The whole patch."]


def _patch_subject(params: ApplyPatch, call: Call[Any]) -> Subject:
    files = tuple(_resolved(each, call) for each in parse(params.patch))
    paths = tuple(dict.fromkeys(path for each in files for path in (each.path, each.new_path) if path))
    return Subject(summary=f"patch {len(paths)} files", paths=paths, preview=params.patch, pinned=files)


def _resolved(patch: FilePatch, call: Call[Any]) -> FilePatch:
    return attrs.evolve(
        patch,
        path=call.resolve_path(patch.path),
        new_path=call.resolve_path(patch.new_path) if patch.new_path else None,
    )


async def apply_patch(params: ApplyPatch, call: Call[Any]) -> Result:  # noqa: ARG001 - its files were fixed in the subject
    files: tuple[FilePatch, ...] = _pinned(call)
    changes = await changes_of(files, call)
    edited = await call.apply(changes, label=f"patch {len(files)} file{'s' if len(files) != 1 else ''}")
    marks = {"add": "A", "update": "M", "delete": "D", "move": "R"}
    lines = [f"{marks[each.kind]} {each.path}" + (f" -> {each.new_path}" if each.new_path else "") for each in files]
    kinds = [{"kind": each.kind, "path": each.path, "new_path": each.new_path} for each in files]
    return Result.of(
        "\n".join([f"Patched {len(files)} file{'s' if len(files) != 1 else ''}.", *lines]),
        data=_edited(edited, files=kinds),
    )


# ---- the plugin -------------------------------------------------------------------------------------------------


def _pinned(call: Call[Any]) -> Any:
    assert call.subject is not None
    return call.subject.pinned


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
