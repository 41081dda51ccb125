"""Unified diffs, plain and git's own: files by their `---` and `+++` lines, hunks by line numbers."""

from __future__ import annotations

import re

import attrs

from toolpost import ToolError
from toolpost.builtin.patch import FilePatch, Hunk, Line, misread

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NOWHERE = "/dev/null"
# What may stand behind a file's hunks beside the next file: the beginning of another diff, of any tool or in a mail.
_BETWEEN = re.compile(
    r"diff -|index [0-9a-f]+\.\.|Index: \S|={20}|Only in .+: |Binary files |From [0-9a-f]{40} |commit [0-9a-f]{7,40}$"
)


@attrs.define
class _Headers:
    """What the lines before a file's hunks say."""

    git: bool = False
    old: str | None = None
    new: str | None = None
    rename_from: str | None = None
    rename_to: str | None = None
    created: bool = False
    deleted: bool = False
    executable: bool = False

    @property
    def any(self) -> bool:
        return bool(self.old or self.new or self.rename_from or self.rename_to or self.created or self.deleted)

    def path(self, side: str | None) -> str | None:
        """A side's path without `a/` and `b/`, or the further letters that git has for its sides."""
        if side is None or side == _NOWHERE:
            return None
        sides = [name for name in (self.old, self.new) if name not in (None, _NOWHERE)]
        letters = "abciow" if self.git else "ab"
        prefixes = {name[:1] for name in sides if name[1:2] == "/" and name[0] in letters}
        return side[2:] if len(prefixes) == len(sides) else side


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
        if headers.any:
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
        elif hunks and line.strip():
            if not _is_between(lines, at):
                raise misread(at + 1, line, "a line of a hunk begins with a blank, - or +")
            finish()
            _header(headers, line, at + 1)
        else:
            _header(headers, line, at + 1)
        at += 1
    finish()
    return tuple(files)


def _header(headers: _Headers, line: str, number: int) -> None:
    if line.startswith(("GIT binary patch", "Binary files ")):
        raise misread(number, line, "binary files cannot be patched")
    if not headers.git:
        return  # prose around a diff
    if line.startswith("rename from "):
        headers.rename_from = _name(line[12:])
    elif line.startswith("rename to "):
        headers.rename_to = _name(line[10:])
    elif line.startswith("new file mode "):
        headers.created, headers.executable = True, _executable(line, number)
    elif line.startswith("deleted file mode "):
        headers.deleted = True
        _executable(line, number)
    elif line.startswith(("copy from ", "old mode ", "new mode ")):
        raise misread(number, line, "copies and changes of mode are not supported")


def _executable(line: str, number: int) -> bool:
    mode = line.rsplit(" ", 1)[1].strip()
    if mode not in ("100644", "100755"):
        raise misread(number, line, "only regular files can be patched, no links and no submodules")
    return mode == "100755"


def _git_names(headers: _Headers, line: str) -> None:
    # Only for files whose --- and +++ lines are missing: empty ones that are added or deleted.
    match = re.fullmatch(r'diff --git ("?)([a-z]/)?(.+)\1 \1([a-z]/)?\3\1', line.rstrip())
    if match:
        quote, old, name, new = match.groups(default="")
        headers.old, headers.new = (_name(f"{quote}{prefix}{name}{quote}") for prefix in (old, new))


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
    if headers.rename_from and headers.rename_to:
        return FilePatch(kind="move", path=headers.rename_from, new_path=headers.rename_to, hunks=hunks)
    if headers.rename_from or headers.rename_to:
        raise ToolError(f"patch renames {old or new} but lacks its rename from or rename to line; nothing was written")
    if new is not None and (headers.created or old is None):
        return FilePatch(kind="add", path=new, hunks=hunks, executable=headers.executable)
    if old is not None and (headers.deleted or new is None):
        return FilePatch(kind="delete", path=old, hunks=hunks)
    if new is None or not hunks:
        raise ToolError(f"patch has no hunk for {new or old}; nothing was written")
    return FilePatch(kind="update", path=new, hunks=hunks)


def _hunk(lines: list[str], at: int, number: int) -> tuple[Hunk, int]:
    """The hunk whose header is at that line, and the line behind it.

    A model often miscounts. So the body decides where a hunk ends, and the header's counts only where the body does not
    tell: whether a line is a removed one or the next file's, a blank one context or none.
    """
    header = _HUNK.match(lines[at])
    if header is None:
        raise misread(at + 1, lines[at], "a hunk begins with @@ -line,count +line,count @@")
    old_left, new_left = (int(header.group(group) or 1) for group in (2, 4))
    first = at
    body: list[Line] = []
    at += 1
    while at < len(lines):
        line = lines[at]
        sign = line[:1] or " "
        if line.startswith("\\"):
            if body:
                body[-1] = attrs.evolve(body[-1], unterminated=True)
            at += 1
            continue
        if sign not in (" ", "-", "+") or _is_between(lines, at) or _begins_file(lines, at, old_left == new_left == 1):
            break
        if not line:  # blank lines that lost their sign, or part two hunks or files
            blank = _blank_lines(lines, at)
            taken = blank
            if _nothing_follows(lines, at + blank):
                taken = old_left if old_left == new_left and 0 < old_left <= blank else 0
            body += [Line(sign=" ", text="")] * taken
            old_left, new_left, at = old_left - taken, new_left - taken, at + taken
            if taken < blank:
                break
            continue
        body.append(Line(sign=sign, text=line[1:]))  # type: ignore[arg-type]
        old_left -= sign != "+"
        new_left -= sign != "-"
        at += 1
    if not body:
        raise misread(first + 1, lines[first], "this hunk has no lines")
    return Hunk(lines=tuple(body), name=f"hunk {number} ({header.group()})", start=int(header.group(1))), at


def _begins_file(lines: list[str], at: int, counted: bool) -> bool:
    """A `---` line with its `+++` line and a hunk; if the counts ask for these two lines, only with a/ and b/."""
    old, new, hunk = [*lines[at : at + 3], "", ""][:3]
    if not (old.startswith("--- ") and new.startswith("+++ ") and hunk.startswith("@@")):
        return False
    return not counted or (old[4:6] == "a/" and new[4:6] == "b/") or f" {_NOWHERE}" in (old[3:13], new[3:13])


def _blank_lines(lines: list[str], at: int) -> int:
    """How many blank lines there are from this one on."""
    end = at
    while end < len(lines) and not lines[end]:
        end += 1
    return end - at


def _nothing_follows(lines: list[str], at: int) -> bool:
    """No line of this hunk stands from this line on: the patch ends, or another hunk or file begins."""
    return at >= len(lines) or lines[at].startswith("@@") or _is_between(lines, at) or _begins_file(lines, at, False)


def _is_between(lines: list[str], at: int) -> bool:
    """A line that is no part of a diff and known as such; any other one behind a hunk may be a line that lost its sign."""
    line, behind = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    if line in ("--", "-- "):  # a mail's signature, which is git's version
        return re.match(r"\d+\.\d", behind) is not None
    if line.startswith("```"):
        return not any(lines[at + 1 :])
    return _BETWEEN.match(line) is not None
