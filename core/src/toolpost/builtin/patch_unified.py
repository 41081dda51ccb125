"""Unified diffs, plain and git's own: files by their `---` and `+++` lines, hunks by line numbers."""

from __future__ import annotations

import re

import attrs

from toolpost import ToolError
from toolpost.builtin.patch import FilePatch, Hunk, Line, misread

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOWHERE = "/dev/null"


@attrs.define
class _Headers:
    """What the lines before a file's hunks say."""

    git: bool = False
    old: str | None = None
    new: str | None = None
    renamed: tuple[str, str] | None = None
    created: bool = False
    deleted: bool = False
    mode: int | None = None

    def path(self, side: str | None) -> str | None:
        """A side's path without git's `a/` and `b/`."""
        if side is None or side == _NOWHERE:
            return None
        both = (self.old or "", self.new or "")
        prefixed = self.git or all(name == _NOWHERE or name[:2] in ("a/", "b/") for name in both)
        return side[2:] if prefixed and side[:2] in ("a/", "b/") else side


def read(patch: str) -> tuple[FilePatch, ...]:
    """The files of a unified diff.

    Raises:
        ToolError: a part that cannot be read or applied, such as a binary patch.
    """
    lines = patch.split("\n")
    if lines and all(line.endswith("\r") for line in lines if line):
        lines = [line.removesuffix("\r") for line in lines]
    files: list[FilePatch] = []
    headers, hunks, at = _Headers(), list[Hunk](), 0

    def finish() -> None:
        nonlocal headers, hunks
        if headers.old or headers.new or headers.renamed or headers.created or headers.deleted:
            files.append(_file(headers, tuple(hunks)))
        headers, hunks = _Headers(), []

    while at < len(lines):
        line = lines[at]
        if line.startswith("diff --git "):
            finish()
            headers.git = True
            _git_names(headers, line)
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            if hunks or (headers.old and not headers.git):
                finish()
            headers.old, headers.new = _name(line[4:]), _name(lines[at + 1][4:])
            at += 1
        elif line.startswith("@@"):
            if headers.new is None:
                raise misread(at + 1, line, "a hunk without the --- and +++ lines that name its file")
            hunk, at = _hunk(lines, at, len(hunks) + 1)
            hunks.append(hunk)
            continue
        else:
            _header(headers, line, at + 1)
        at += 1
    finish()
    return tuple(files)


def _header(headers: _Headers, line: str, number: int) -> None:
    if line.startswith("rename from "):
        headers.renamed = (_name(line[12:]), "")
    elif line.startswith("rename to ") and headers.renamed:
        headers.renamed = (headers.renamed[0], _name(line[10:]))
    elif line.startswith("new file mode "):
        headers.created, headers.mode = True, int(line[14:].strip(), 8) & 0o777
    elif line.startswith("deleted file mode "):
        headers.deleted = True
    elif line.startswith(("GIT binary patch", "Binary files ")):
        raise misread(number, line, "binary files cannot be patched")
    elif line.startswith(("copy from ", "old mode ", "new mode ")):
        raise misread(number, line, "copies and changes of mode are not supported")


def _git_names(headers: _Headers, line: str) -> None:
    # Only for files whose --- and +++ lines are missing: empty ones that are added or deleted.
    match = re.fullmatch(r"diff --git (\"?)a/(.*)\1 (\"?)b/(.*)\3", line)
    if match and match.group(2) == match.group(4):
        name = _name(f"{match.group(1)}a/{match.group(2)}{match.group(1)}")
        headers.old, headers.new = name, "b" + name[1:]


def _name(text: str) -> str:
    """A file's name as a header gives it: without the time behind a tab, and without C quotes."""
    text = text.split("\t")[0].rstrip("\r")
    if text.startswith('"') and text.endswith('"'):
        return re.sub(rb"\\([0-7]{3}|.)", _unescaped, text[1:-1].encode()).decode(errors="surrogateescape")
    return text.rstrip()


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match.group(1)
    if len(code) == 3:
        return bytes([int(code, 8) & 0xFF])
    return {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}.get(code, code)


def _file(headers: _Headers, hunks: tuple[Hunk, ...]) -> FilePatch:
    old, new = headers.path(headers.old), headers.path(headers.new)
    if headers.renamed:
        return FilePatch(kind="move", path=headers.renamed[0], new_path=headers.renamed[1], hunks=hunks)
    if new is not None and (headers.created or old is None):
        return FilePatch(kind="add", path=new, hunks=hunks, mode=headers.mode)
    if old is not None and (headers.deleted or new is None):
        return FilePatch(kind="delete", path=old, hunks=hunks)
    if new is None or not hunks:
        raise ToolError(f"patch has no hunk for {new or old}; nothing was written")
    return FilePatch(kind="update", path=new, hunks=hunks)


def _hunk(lines: list[str], at: int, number: int) -> tuple[Hunk, int]:
    """The hunk whose header is at that line, and the line behind it.

    Counts in the header are believed while they fit; a model often miscounts, so the body decides.
    """
    header = _HUNK.match(lines[at])
    if header is None:
        raise misread(at + 1, lines[at], "a hunk begins with @@ -line,count +line,count @@")
    start = int(header.group(1))
    old_left, new_left = int(header.group(2) or 1), int(header.group(4) or 1)
    body: list[Line] = []
    at += 1
    while at < len(lines):
        line = lines[at]
        if line.startswith("\\"):
            if body:
                body[-1] = attrs.evolve(body[-1], unterminated=True)
            at += 1
            continue
        counted = old_left > 0 or new_left > 0
        if _begins_file(lines, at) or (not counted and not line):
            break
        sign = line[:1]
        if sign not in (" ", "-", "+", ""):
            break
        if sign == "" and (not counted or not any(rest.strip() for rest in lines[at:])):
            break
        body.append(Line(sign=sign or " ", text=line[1:]))  # type: ignore[arg-type]
        old_left -= sign != "+"
        new_left -= sign != "-"
        at += 1
    if not body:
        raise misread(at, lines[at - 1], "this hunk has no lines")
    return Hunk(lines=tuple(body), name=f"hunk {number} ({header.group()})", start=start), at


def _begins_file(lines: list[str], at: int) -> bool:
    # Removed lines may look like a header too; three in a row do not.
    return [line[:3] for line in lines[at : at + 3]] in (["---", "+++", "@@ "], ["---", "+++", "@@"])
