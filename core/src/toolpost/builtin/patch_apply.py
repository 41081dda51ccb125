"""Putting a patch's hunks into a file: found by exact content, in one place, or refused with what stands there."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from toolpost import ToolError
from toolpost.builtin.patch import FilePatch, Hunk, Line
from toolpost.builtin.text import decode, split_lines

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
        return _body(self.lines[index])


def apply_hunks(data: bytes, patch: FilePatch) -> bytes:
    """The bytes of the patched file. Line ends and encoding stay the file's own; added text is literal.

    Raises:
        ToolError: a hunk that does not apply, or applies in two places, named with what stands there.
    """
    decoded = decode(data, patch.path)
    file = _File(path=patch.path, lines=split_lines(decoded.text), newline=decoded.newline)
    for hunk in patch.hunks:
        at = _locate(file, hunk)
        _replace(file, hunk, at)
    return decoded.encode("".join(file.lines), patch.path)


def added(patch: FilePatch) -> bytes:
    """The bytes of a file that a patch adds."""
    lines = [line for hunk in patch.hunks for line in hunk.lines if line.sign == "+"]
    return "".join(line.text + ("" if line.unterminated else "\n") for line in lines).encode(errors="surrogateescape")


def _body(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


# ---- where ------------------------------------------------------------------------------------------------------


def _locate(file: _File, hunk: Hunk) -> int:
    """The index of the first line of the hunk's old side."""
    old = [line.text.removesuffix("\r") for line in hunk.old]
    if not old:
        return _insertion(file, hunk)
    begins = _after_anchors(file, hunk)
    if hunk.start is not None:
        stated = hunk.start - 1 + file.shift
        if stated >= file.done and _matches(file, old, stated, hunk):
            return stated
    found = [at for at in range(begins, len(file.lines) - len(old) + 1) if _matches(file, old, at, hunk)]
    if len(found) == 1 or (found and hunk.anchors):
        return found[0]
    if found:
        places = ", ".join(str(at + 1) for at in found[:10])
        raise ToolError(
            f"{file.path}: {hunk.name} applies in {len(found)} places (lines {places}); give more context, so that it "
            "names one. Nothing was written",
            data={"path": file.path, "hunk": hunk.name, "lines": [at + 1 for at in found]},
        )
    raise _no_place(file, hunk, old, begins)


def _matches(file: _File, old: Sequence[str], at: int, hunk: Hunk) -> bool:
    if at < 0 or at + len(old) > len(file.lines) or (hunk.at_end and at + len(old) != len(file.lines)):
        return False
    if any(file.body(at + offset) != text for offset, text in enumerate(old)):
        return False
    # A line that the patch says ends the file without a line end must do so.
    return all(
        not line.unterminated or not file.lines[at + offset].endswith("\n") for offset, line in enumerate(hunk.old)
    )


def _after_anchors(file: _File, hunk: Hunk) -> int:
    at = file.done
    for anchor in hunk.anchors:
        found = [index for index in range(at, len(file.lines)) if file.body(index).strip() == anchor]
        if not found:
            raise ToolError(
                f"{file.path}: {hunk.name}: its @@ line is not in the file{' after the hunk before' if at else ''}: "
                f"{anchor!r}. Nothing was written"
            )
        if len(found) > 1 and anchor == hunk.anchors[-1]:
            _refuse_ambiguous_anchor(file, hunk, anchor, found)
        at = found[0] + 1
    # The @@ line may be the first line of the hunk as well.
    return at - 1 if hunk.anchors else at


def _refuse_ambiguous_anchor(file: _File, hunk: Hunk, anchor: str, found: list[int]) -> None:
    """Several places have the @@ line: refused if the hunk fits behind more than one of them."""
    old = [line.text.removesuffix("\r") for line in hunk.old]
    fits = set()
    for index, begin in enumerate(found):
        end = found[index + 1] if index + 1 < len(found) else len(file.lines)
        if any(_matches(file, old, at, hunk) for at in range(begin, end)):
            fits.add(begin + 1)
    if len(fits) > 1:
        raise ToolError(
            f"{file.path}: {hunk.name} applies in {len(fits)} places, since @@ {anchor} stands at lines "
            f"{', '.join(map(str, sorted(fits)))}; add another @@ line above it. Nothing was written"
        )


def _insertion(file: _File, hunk: Hunk) -> int:
    """Where a hunk without an old side goes: behind its line, behind its anchor, or at the end of the file."""
    if hunk.start is not None:
        at = hunk.start + file.shift
        if not file.done <= at <= len(file.lines):
            raise ToolError(
                f"{file.path}: {hunk.name} is to go behind line {hunk.start}, which is not there. Nothing was written"
            )
        return at
    return _after_anchors(file, hunk) + 1 if hunk.anchors else len(file.lines)


def _no_place(file: _File, hunk: Hunk, old: Sequence[str], begins: int) -> ToolError:
    """The error for a hunk that does not apply: what stands where it most nearly would."""
    best, most = None, 0
    for at in range(len(file.lines)):
        alike = sum(
            1 for offset, text in enumerate(old) if at + offset < len(file.lines) and file.body(at + offset) == text
        )
        if alike > most:
            best, most = at, alike
    if best is None and hunk.start is not None and hunk.start <= len(file.lines):
        best = max(0, hunk.start - 1)
    text = f"{file.path}: {hunk.name} does not apply"
    if best is None:
        return ToolError(f"{text}: none of its lines is in the file. Nothing was written")
    whole = most == len(old)
    if whole:
        where = "before the hunk above it" if best < begins else "not at the end of the file, as the patch says"
        return ToolError(f"{text}: its lines stand at line {best + 1}, {where}. Nothing was written")
    wrong = next(
        offset
        for offset, want in enumerate(old)
        if best + offset >= len(file.lines) or file.body(best + offset) != want
    )
    first = best + wrong
    stands = [f"{index + 1}: {file.body(index)[:160]}" for index in range(first, min(first + _SHOWN, len(file.lines)))]
    return ToolError(
        f"{text}. It expects {old[wrong][:160]!r} at line {first + 1}, where the file has:\n"
        + ("\n".join(stands) or "(the end of the file)")
        + "\nNothing was written",
        data={"path": file.path, "hunk": hunk.name, "line": first + 1},
    )


# ---- what -------------------------------------------------------------------------------------------------------


def _replace(file: _File, hunk: Hunk, at: int) -> None:
    end = at + len(hunk.old)
    kept = iter(file.lines[at:end])
    made: list[str] = []
    for line in hunk.lines:
        if line.sign == "+":
            made.append(_added(line, file))
        else:
            original = next(kept)
            if line.sign == " ":
                made.append(original)
    _terminate(made, file, end, hunk)
    if made and at and not file.lines[at - 1].endswith("\n"):
        file.lines[at - 1] += file.newline  # an insertion behind a last line that had no end
    file.lines[at:end] = made
    file.done = at + len(made)
    file.shift += len(made) - (end - at)


def _added(line: Line, file: _File) -> str:
    if line.unterminated:
        return line.text
    return line.text + ("\n" if line.text.endswith("\r") else file.newline)


def _terminate(made: list[str], file: _File, end: int, hunk: Hunk) -> None:
    """Every line but the file's last has a line end; the last has one as the patch, or the file, says."""
    last = end == len(file.lines)
    for index, line in enumerate(made):
        if not line.endswith("\n") and not (last and index == len(made) - 1):
            made[index] = line + file.newline
    new = hunk.new
    if last and made and new[-1].sign == " " and not new[-1].unterminated and hunk.old[-1].unterminated:
        made[-1] = _body(made[-1]) + file.newline
