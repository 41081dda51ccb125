"""The `*** Begin Patch` form: files by name, hunks by the text around them, no line numbers."""

from __future__ import annotations

from toolpost.builtin.patch import FilePatch, Hunk, Line, misread

_ADD, _UPDATE, _DELETE, _MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "
_END_OF_FILE, _END = "*** End of File", "*** End Patch"


def read(patch: str) -> tuple[FilePatch, ...]:
    """The files of such a patch.

    Raises:
        ToolError: a line that does not belong there.
    """
    lines = patch.split("\n")
    if all(line.endswith("\r") for line in lines[:-1]):
        lines = [line.removesuffix("\r") for line in lines]
    begin = next(number for number, line in enumerate(lines) if line.strip() == "*** Begin Patch")
    reader = _Reader(lines, begin + 1)
    files = []
    while (line := reader.peek()) is not None and line.strip() != _END:
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
    return tuple(files)


class _Reader:
    def __init__(self, lines: list[str], at: int) -> None:
        self._lines = lines
        self._at = at

    @property
    def number(self) -> int:
        return self._at + 1

    def peek(self) -> str | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def take(self) -> str:
        self._at += 1
        return self._lines[self._at - 1]

    def last(self) -> bool:
        """Only blank lines are left: the patch was cut off or ends without its end mark."""
        return not any(line.strip() for line in self._lines[self._at :])


def _add(reader: _Reader) -> FilePatch:
    path = reader.take().removeprefix(_ADD).strip()
    lines = []
    while (line := reader.peek()) is not None and not line.startswith("*** ") and not reader.last():
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
    while (line := reader.peek()) is not None and not _ends_file(line) and not reader.last():
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
    while (
        (line := reader.peek()) is not None and not _ends_file(line) and not line.startswith("@@") and not reader.last()
    ):
        if line.strip() == _END_OF_FILE:
            reader.take()
            at_end = True
            break
        match line[:1]:
            case " ":
                lines.append(Line(sign=" ", text=reader.take()[1:]))
            case "-":
                lines.append(Line(sign="-", text=reader.take()[1:]))
            case "+":
                lines.append(Line(sign="+", text=reader.take()[1:]))
            case "" | "\r":  # a blank context line whose leading blank was lost
                lines.append(Line(sign=" ", text=reader.take()))
            case _:
                raise misread(reader.number, line, "a line of a hunk begins with a blank, - or +")
    if not lines:
        raise misread(reader.number, reader.peek() or "", "this hunk has no lines")
    return Hunk(lines=tuple(lines), name=f"hunk {number}", anchors=tuple(anchors), at_end=at_end)


def _ends_file(line: str) -> bool:
    return line.startswith((_ADD, _UPDATE, _DELETE)) or line.strip() == _END
