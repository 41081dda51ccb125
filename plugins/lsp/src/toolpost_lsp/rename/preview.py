"""What a plan would change, for a person: the lines before and after, bounded (core:bounded)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.rename.rewriting import Replacement
from toolpost_lsp.rename.workspace_edit import FileEdit, Plan
from toolpost_lsp.words import clean, counted

_LINES = 120
_FILE_LINES = 40


def preview(plan: Plan) -> str:
    """The changed lines of each file, without the lines around them."""
    shown: list[str] = []
    for number, file in enumerate(plan.files):
        if len(shown) >= _LINES:
            shown.append(f"… and {counted(len(plan.files) - number, 'more file')}")
            break
        lines = list(_file(file))
        most = min(_FILE_LINES, _LINES - len(shown))
        shown += lines[:most]
        if len(lines) > most:
            shown.append(f"… {counted(len(lines) - most, 'more line')} of {file.path}")
    return "\n".join(shown)


def _file(file: FileEdit) -> Iterator[str]:
    if file.moved_from:
        yield f"{file.moved_from} → {file.path}"
    elif file.before is None:
        yield f"+++ {file.path} (new, {counted(len(file.after or b''), 'byte')})"
    elif file.after is None:
        yield f"--- {file.path} (deleted or moved)"
    else:
        yield f"--- {file.path}"
    if file.before is not None and file.replacements:
        yield from _hunks(file.before.decode("utf-8-sig"), file.replacements)


def _hunks(text: str, replacements: Iterable[Replacement]) -> Iterator[str]:
    lines = LineIndex.of(text)
    group: list[Replacement] = []
    for each in replacements:
        if group and each.line - 1 > _last(lines, group[-1]):
            yield from _hunk(lines, group)
            group = []
        group.append(each)
    if group:
        yield from _hunk(lines, group)


def _hunk(lines: LineIndex, group: list[Replacement]) -> Iterator[str]:
    """Replacements that share lines."""
    first = lines.position(group[0].start, "utf-32")
    end = lines.position(group[-1].end, "utf-32")
    old = [lines.line(number) for number in range(first.line, end.line + 1)]
    new, at = old[0][: first.character], group[0].start
    for each in group:
        new += lines.text[at : each.start] + each.new
        at = each.end
    after = LineIndex.of(new + old[-1][end.character :])
    fresh = [after.line(number) for number in range(after.count)]
    same = 0
    while same < min(len(old), len(fresh)) and old[same] == fresh[same]:
        same += 1
    behind = 0
    while behind < min(len(old), len(fresh)) - same and old[-1 - behind] == fresh[-1 - behind]:
        behind += 1
    yield f"@@ {first.line + same + 1} @@"
    yield from (f"-{clean(line, 200)}" for line in old[same : len(old) - behind])
    yield from (f"+{clean(line, 200)}" for line in fresh[same : len(fresh) - behind])


def _last(lines: LineIndex, replacement: Replacement) -> int:
    return lines.position(replacement.end, "utf-32").line
