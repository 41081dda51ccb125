"""The `*** Begin Patch` form: files by name, hunks by the text around them, no line numbers."""

from __future__ import annotations

from toolpost import ToolError
from toolpost.builtin.patch import FilePatch, Hunk, Line, misread

_ADD, _UPDATE, _DELETE, _MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "
_BEGIN, _END, _END_OF_FILE = "*** Begin Patch", "*** End Patch", "*** End of File"


def read(patch: str) -> tuple[FilePatch, ...]:
    """The files of such a patch.

    Raises:
        ToolError: a line that does not belong there.
    """
    lines = patch.split("\n")
    if all(line.endswith("\r") for line in lines[:-1]):
        lines = [line.removesuffix("\r") for line in lines]
    begin = next(number for number, line in enumerate(lines) if line.rstrip() == _BEGIN)
    reader = _Reader(lines, begin + 1)
    files = []
    while (line := reader.peek()) is not None and line.rstrip() != _END:
        if line.startswith(_ADD):
            files.append(_add(reader))
        elif line.startswith(_DELETE):
            files.append(FilePatch(kind="delete", path=reader.take().removeprefix(_DELETE).strip()))
        elif line.startswith(_UPDATE):
            files.append(_update(reader))
        elif line.strip():
            raise misread(
                reader.number, line, "expected *** Add File, *** Update File, *** Delete File or *** End Patch"
            )
        else:
            reader.take()
    if reader.peek() is None:
        raise ToolError(f"patch has no {_END} line, so it may be cut off; nothing was written")
    for number, line in enumerate(lines[reader.number :], reader.number + 1):
        if line.startswith("*** "):
            raise misread(number, line, f"the patch goes on behind its {_END} line; put all its files into one")
    return tuple(files)


class _Reader:
    """The lines of a patch, taken one by one."""

    def __init__(self, lines: list[str], at: int) -> None:
        self._lines = lines
        self._at = at
        self._blank_until = 0  # blank lines up to here are a hunk's

    @property
    def number(self) -> int:
        return self._at + 1

    def peek(self) -> str | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def take(self) -> str:
        self._at += 1
        return self._lines[self._at - 1]

    def skip_blank(self) -> bool:
        """Take the blank lines that part two sections; False if there are none or a hunk goes on behind them."""
        if self._at < self._blank_until:
            return False
        at = self._at
        while at < len(self._lines) and not self._lines[at].strip("\r"):
            at += 1
        if at == self._at or (
            at < len(self._lines) and not _ends_file(self._lines[at]) and self._lines[at][:2] != "@@"
        ):
            self._blank_until = at
            return False
        self._at = at
        return True


def _add(reader: _Reader) -> FilePatch:
    path = reader.take().removeprefix(_ADD).strip()
    lines = []
    while (line := reader.peek()) is not None and not line.startswith("*** "):
        if reader.skip_blank():
            break
        if not line.startswith("+"):
            raise misread(reader.number, line, "every line of an added file begins with +")
        lines.append(Line(sign="+", text=reader.take()[1:]))
    return FilePatch(kind="add", path=path, hunks=(Hunk(lines=tuple(lines), name="its content"),))


def _update(reader: _Reader) -> FilePatch:
    path = reader.take().removeprefix(_UPDATE).strip()
    target = None
    if (reader.peek() or "").startswith(_MOVE):
        target = reader.take().removeprefix(_MOVE).strip()
    hunks: list[Hunk] = []
    while (line := reader.peek()) is not None and not _ends_file(line):
        hunks.append(_hunk(reader, len(hunks) + 1))
    if not hunks and target is None:
        raise misread(reader.number, path, "this update has no hunk")
    return FilePatch(kind="move" if target else "update", path=path, new_path=target, hunks=tuple(hunks))


def _hunk(reader: _Reader, number: int) -> Hunk:
    anchors = []
    while (line := reader.peek()) is not None and line.startswith("@@"):
        anchor = reader.take()[2:].removesuffix("@@").strip()
        if anchor:
            anchors.append(anchor)
    lines: list[Line] = []
    at_end = False
    while (line := reader.peek()) is not None and not _ends_file(line) and not line.startswith("@@"):
        if line.rstrip() == _END_OF_FILE:
            reader.take()
            at_end = True
            break
        if reader.skip_blank():
            break
        match line[:1]:
            case " " | "-" | "+" as sign:
                lines.append(Line(sign=sign, text=reader.take()[1:]))
            case "" | "\r":  # a blank context line whose leading blank was lost
                lines.append(Line(sign=" ", text=reader.take()))
            case _:
                raise misread(reader.number, line, "a line of a hunk begins with a blank, - or +")
    if not lines:
        raise misread(reader.number, reader.peek() or "", "there should be lines of a hunk before this one")
    return Hunk(lines=tuple(lines), name=f"hunk {number}", anchors=tuple(anchors), at_end=at_end)


def _ends_file(line: str) -> bool:
    return line.startswith((_ADD, _UPDATE, _DELETE)) or line.rstrip() == _END
