"""A patch's files as Changes: composed in the patch's order, so that it may touch one file twice."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs

from toolpost import Call, Change, ToolError, digest
from toolpost.builtin.patch import FilePatch
from toolpost.builtin.patch_apply import added, apply_hunks
from toolpost.builtin.reading import read_file
from toolpost.workspace import Metadata


@attrs.define
class _State:
    """One file while the patch is composed: as it is on disk, and as it would be."""

    before: bytes | None
    after: bytes | None
    like: Metadata | str | None = None


async def changes_of(files: tuple[FilePatch, ...], call: Call[Any]) -> list[Change]:
    """What the patch changes. Nothing is written here.

    Raises:
        ToolError: a file or hunk that does not fit, named.
    """
    states: dict[str, _State] = {}

    async def state(path: str) -> _State:
        if path not in states:
            try:
                data: bytes | None = await read_file(call, path)
            except FileNotFoundError:
                data = None
            states[path] = _State(before=data, after=data)
        return states[path]

    for patch in files:
        here = await state(patch.path)
        if patch.kind == "add":
            _must_be_free(here, patch.path, "add it")
            here.after = added(patch)
            here.like = Metadata(mode=0o755) if patch.executable else None
            continue
        if here.after is None:
            raise ToolError(f"{patch.path}: there is no such file to {patch.kind}. Nothing was written")
        if patch.kind == "delete":
            left = await asyncio.to_thread(apply_hunks, here.after, patch) if patch.hunks else b""
            if left:
                raise ToolError(
                    f"{patch.path}: the patch deletes it, but the file holds more than the patch removes. Nothing was written"
                )
            here.after = None
            continue
        after = await asyncio.to_thread(apply_hunks, here.after, patch)
        if patch.new_path is None or patch.new_path == patch.path:
            here.after = after
            continue
        there = await state(patch.new_path)
        _must_be_free(there, patch.new_path, f"move {patch.path} there")
        there.after, there.like, here.after = after, here.like or patch.path, None
    return [
        Change(path=path, seen=None if each.before is None else digest(each.before), after=each.after, like=each.like)
        for path, each in states.items()
        if each.before != each.after
    ] or _nothing(files)


def _must_be_free(state: _State, path: str, what: str) -> None:
    if state.after is not None:
        raise ToolError(f"{path} is there already; the patch wants to {what}. Nothing was written")


def _nothing(files: tuple[FilePatch, ...]) -> list[Change]:
    raise ToolError(f"the patch changes nothing in {', '.join(each.path for each in files)}")
