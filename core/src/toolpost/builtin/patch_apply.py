"""Putting a patch's hunks into a file: found by exact content, in one place, or refused with what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from toolpost import ToolError
from toolpost.builtin.nearest import aligned
from toolpost.builtin.patch import FilePatch, Hunk
from toolpost.builtin.text import BOM, CRLF, body, decode, split_lines

_SHOWN = 6


@attrs.define
class _File:
    """A file as lines with their own ends, and how far the hunks have come."""

    path: str
    lines: list[str]
    newline: str
    done: int = 0
    shift: int = 0

    def body(self, index: int) -> str:
        return body(self.lines[index])


def apply_hunks(data: bytes, patch: FilePatch) -> bytes:
    """The bytes of the patched file. Added text is literal; encoding and byte-order mark stay the file's own.

    Context is found whatever its line ends are. Where the patch does not have the file's (a model writes line feeds),
    added lines get the file's; where it has them, as a diff made from the files does, they are taken as they stand.

    Raises:
        ToolError: a hunk that does not apply, or applies in two places, named with what stands there.
    """
    decoded = decode(data, patch.path)
    text = decoded.text
    # Who wrote the patch from what `read` shows knows of no byte-order mark; a diff of the bytes has it.
    speaks_of_mark = any(line.text.startswith(BOM) for hunk in patch.hunks for line in hunk.lines)
    mark = BOM if text.startswith(BOM) and not speaks_of_mark else ""
    file = _File(path=patch.path, lines=split_lines(text.removeprefix(mark)), newline=decoded.newline)
    for hunk in patch.hunks:
        at = _locate(file, hunk)
        _replace(file, hunk, at)
    return decoded.encode(mark + "".join(file.lines) if file.lines else "", patch.path)


def added(patch: FilePatch) -> bytes:
    """The bytes of a file that a patch adds."""
    lines = [line for hunk in patch.hunks for line in hunk.lines if line.sign == "+"]
    return "".join(line.text + ("" if line.unterminated else "\n") for line in lines).encode()


# ---- where ------------------------------------------------------------------------------------------------------


def _locate(file: _File, hunk: Hunk) -> int:
    """The index of the first line of the hunk's old side; for a hunk without one, of the line that it goes before."""
    old = [line.text.removesuffix("\r") for line in hunk.old]
    if hunk.start is not None:
        if not old:
            return _insertion(file, hunk, hunk.start + file.shift)
        stated = hunk.start - 1 + file.shift
        if stated >= file.done and any(True for _ in _places(file, hunk, old, stated, stated + 1)):
            return stated
    anchors = _anchors_ahead(file, hunk)
    if not old and (hunk.at_end or not anchors):
        return len(file.lines)
    found = (
        _places_behind(file, hunk, old, anchors)
        if anchors
        else list(_places(file, hunk, old, file.done, len(file.lines)))
    )
    if len(found) == 1:
        return found[0]
    if not found:
        raise _no_place(file, hunk, old)
    raise ToolError(
        f"{file.path}: {hunk.name} applies in {len(found)} places (lines {', '.join(str(at + 1) for at in found[:10])}); "
        f"give more context{' or another @@ line above it' if anchors else ''}, so that it names one. Nothing was written",
        data={"path": file.path, "hunk": hunk.name, "lines": found[:10], "places": len(found)},
    )


def _places(file: _File, hunk: Hunk, old: Sequence[str], begin: int, end: int) -> Iterator[int]:
    """Where the hunk's old side stands, among the lines from *begin* to before *end*."""
    last = len(file.lines) - len(old)
    if hunk.ends_file:
        if begin <= last < end and _stands(file, old, last) and _ends_alike(file, hunk, last):
            yield last
        return
    yield from (at for at in range(begin, min(end, last + 1)) if _stands(file, old, at))


def _stands(file: _File, old: Sequence[str], at: int) -> bool:
    return all(file.body(index) == text for index, text in enumerate(old, at))


def _ends_alike(file: _File, hunk: Hunk, at: int) -> bool:
    """A line that the patch says has no line end has none."""
    return not any(line.unterminated and file.lines[index].endswith("\n") for index, line in enumerate(hunk.old, at))


def _anchors_ahead(file: _File, hunk: Hunk) -> tuple[str, ...]:
    """The @@ lines that are still to come: a hunk may repeat those of the hunk before, which stand above it."""
    anchors = hunk.anchors
    while anchors and hunk.old:
        above = next(_lines_like(file, anchors[0], 0, file.done), None)
        below = next(_lines_like(file, anchors[0], file.done, len(file.lines)), None)
        if above is None or below is not None:
            break
        anchors = anchors[1:]
    return anchors


def _places_behind(file: _File, hunk: Hunk, old: Sequence[str], anchors: Sequence[str]) -> list[int]:
    """The first place behind the @@ lines, in each stretch of the file that begins with the first of them.

    Raises:
        ToolError: an @@ line that is not there.
    """
    places: list[int] = []
    missing = anchors[0]
    heads = list(_lines_like(file, anchors[0], file.done, len(file.lines)))
    for begin, end in pairwise([*heads, len(file.lines)]):
        at = begin
        for anchor in anchors[1:]:
            below = next(_lines_like(file, anchor, at + 1, end), None)
            if below is None:
                missing = anchor
                break
            at = below
        else:
            missing = ""
            # The @@ line may be the first line of the hunk as well.
            place = next(_places(file, hunk, old, at, end), None) if old else at + 1
            if place is not None:
                places.append(place)
    if missing and not places:
        behind = " behind the hunk or the @@ line before it" if file.done or heads else ""
        raise ToolError(
            f"{file.path}: {hunk.name}: its @@ line is not in the file{behind}: {missing!r}. Nothing was written"
        )
    return places


def _lines_like(file: _File, anchor: str, begin: int, end: int) -> Iterator[int]:
    """The lines that are this @@ line, whatever their indentation."""
    return (at for at in range(begin, end) if file.body(at).strip() == anchor)


def _insertion(file: _File, hunk: Hunk, at: int) -> int:
    """The line behind which a hunk with numbers and without an old side goes: there is no text that it could be held to."""
    end = len(file.lines)
    if not file.done <= at <= end:
        raise ToolError(
            f"{file.path}: {hunk.name} is to go behind line {hunk.start}, which is not there. Nothing was written"
        )
    if hunk.ends_file and at != end:
        raise ToolError(
            f"{file.path}: {hunk.name} adds a last line without an end, but {end - at} lines stand behind it. "
            "Nothing was written"
        )
    return at


def _no_place(file: _File, hunk: Hunk, old: Sequence[str]) -> ToolError:
    """The error for a hunk that does not apply: what stands where it most nearly would."""
    bodies = [body(line) for line in file.lines]
    stated = max(0, hunk.start - 1 + file.shift) if hunk.start is not None else None
    best = aligned(bodies, old, near=stated or 0)
    if best is None and stated is not None and stated < len(bodies):
        best = stated
    text = f"{file.path}: {hunk.name} does not apply"
    if best is None:
        return ToolError(f"{text}: none of its lines is in the file. Nothing was written")
    wrong = next(
        (offset for offset, want in enumerate(old) if bodies[best + offset : best + offset + 1] != [want]), None
    )
    if wrong is None:
        if best < file.done:
            where = "before the hunk above it"
        elif not hunk.ends_file:
            where = "not behind its @@ line"
        elif best + len(old) < len(bodies):
            where = "not at the end of the file, as the patch says"
        else:
            where = "but the last of them has a line end, which the patch says it lacks"
        return ToolError(f"{text}: its lines stand at line {best + 1}, {where}. Nothing was written")
    first = best + wrong
    stands = [f"{index + 1}: {line[:160]}" for index, line in enumerate(bodies[first : first + _SHOWN], first)]
    return ToolError(
        f"{text}. It expects {old[wrong][:160]!r} at line {first + 1}, where the file has:\n"
        + ("\n".join(stands) or "(the end of the file)")
        + "\nNothing was written",
        data={"path": file.path, "hunk": hunk.name, "line": first},
    )


# ---- what -------------------------------------------------------------------------------------------------------


def _replace(file: _File, hunk: Hunk, at: int) -> None:
    end = at + len(hunk.old)
    newline = _newline(file, hunk, at)
    kept = iter(file.lines[at:end])
    made: list[str] = []
    for line in hunk.lines:
        if line.sign == "+":
            made.append(line.text + ("" if line.unterminated else newline))
        else:
            original = next(kept)
            if line.sign == " ":
                made.append(original)
    for index, text in enumerate(made):
        # Only the file's last line may lack an end.
        if not text.endswith("\n") and (index < len(made) - 1 or end < len(file.lines)):
            made[index] = text + file.newline
    if made and at and not file.lines[at - 1].endswith("\n"):
        file.lines[at - 1] += file.newline  # an insertion behind a last line that had no end
    file.lines[at:end] = made
    file.done = at + len(made)
    file.shift += len(made) - (end - at)


def _newline(file: _File, hunk: Hunk, at: int) -> str:
    """What ends an added line: a line feed where the hunk has the file's own line ends, else what stands there."""
    replaced = [line for line in file.lines[at : at + len(hunk.old)] if line.endswith("\n")]
    exact = all(line == wanted.text + "\n" for line, wanted in zip(replaced, hunk.old, strict=False))
    if (replaced and exact) or any(line.text.endswith("\r") for line in hunk.lines):
        return "\n"
    ends = {CRLF if line.endswith(CRLF) else "\n" for line in replaced}
    return ends.pop() if len(ends) == 1 else file.newline
