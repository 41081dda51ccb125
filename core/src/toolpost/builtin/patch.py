"""Patches: unified diffs and the `*** Begin Patch` form, read into one shape (contract files:patch)."""

from __future__ import annotations

import re
from typing import Literal

import attrs

from toolpost import ToolError
from toolpost.builtin.text import encode_new

Kind = Literal["add", "update", "delete", "move"]


@attrs.frozen(kw_only=True)
class Line:
    """One line of a hunk: context, removed or added. `unterminated`: no line end follows it, the file ends there."""

    sign: Literal[" ", "-", "+"]
    text: str
    unterminated: bool = False


@attrs.frozen(kw_only=True)
class Hunk:
    """A place in a file and what becomes of it.

    Attributes:
        lines: its lines in order.
        start: the 1-based line where its old side begins, as the patch says; None if it does not say.
        anchors: lines that stand before it, in order, for the form without numbers.
        at_end: its old side reaches to the end of the file.
        name: what errors call it.
    """

    lines: tuple[Line, ...]
    name: str
    start: int | None = None
    anchors: tuple[str, ...] = ()
    at_end: bool = False

    @property
    def old(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.sign != "+")

    @property
    def new(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.sign != "-")

    @property
    def ends_file(self) -> bool:
        """Nothing may stand behind it: it says so, or one of its lines is the file's last, without a line end."""
        return self.at_end or any(line.unterminated for line in self.lines)


@attrs.frozen(kw_only=True)
class FilePatch:
    """What a patch does to one file. `executable`: for a file that it adds; any other mode is the umask's affair."""

    kind: Kind
    path: str
    new_path: str | None = None
    hunks: tuple[Hunk, ...] = ()
    executable: bool = False


def parse(patch: str) -> tuple[FilePatch, ...]:
    """The files of a patch, in its order.

    Raises:
        ToolError: it is no patch, or one of a kind that cannot be applied; the text says where and why.
    """
    encode_new(patch, "patch")
    if re.search(r"^\*\*\* Begin Patch\s*$", patch, re.MULTILINE):
        from toolpost.builtin.patch_begin import read
    elif re.search(r"^(diff --git |--- )", patch, re.MULTILINE):
        from toolpost.builtin.patch_unified import read
    else:
        raise ToolError(
            "patch is neither a unified diff (with --- and +++ lines) nor of the *** Begin Patch form; nothing was written"
        )
    files = read(patch)
    if not files:
        raise ToolError("patch changes no file; nothing was written")
    return files


def misread(number: int, line: str, why: str) -> ToolError:
    """The error for a line of the patch that cannot be read."""
    return ToolError(f"patch line {number}: {why}: {line[:120]!r}; nothing was written")
