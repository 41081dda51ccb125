"""Whether a rename's edits do what a rename does: each changed piece reads the old name, or is a known companion of it.

A range that reads anything else was meant for another text, or another symbol: it is shown, and nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import attrs
from toolpost import ToolError

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Range
from toolpost_lsp.rename.names import Names
from toolpost_lsp.rename.rewriting import Replacement
from toolpost_lsp.rename.workspace_edit import FileEdit, Plan
from toolpost_lsp.words import clean, counted

_SHOWN = 5
_MOST_COMPARED = 5_000
"""Lines, or words, that are compared piece by piece where a server replaces a whole text."""
_LINKS = frozenset({":", "=", "as", "=>"})
"""What joins a name with another one: `{a: b}`, `f(a=b)`, `import {a as b}`."""


@attrs.frozen(kw_only=True)
class Renaming:
    """What is renamed to what, in a language whose names are known.

    Attributes:
        old: as the source has it, with what stands before the word.
        new: likewise.
    """

    old: str
    new: str
    names: Names

    @property
    def words(self) -> tuple[str, str]:
        """The old and the new name without what stands before them."""
        return self.names.split(self.old)[1], self.names.split(self.new)[1]

    def tokens(self, text: str) -> list[str]:
        """Words, blanks, and other characters one by one."""
        return re.findall(rf"[\w{re.escape(self.names.parts)}]+|\s+|.", text, re.DOTALL)


@attrs.frozen
class Wrong:
    """A piece that reads neither the old name nor a companion."""

    path: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"  {clean(self.path, 1000)}:{self.line}  {clean(self.old, 100)!r} → {clean(self.new, 100)!r}"


@attrs.frozen(kw_only=True)
class Checked:
    """A rename that was looked at piece by piece.

    Attributes:
        wrong: the pieces that are not to be trusted.
        keeping: the files in which a companion keeps the old name for what is in them, as `{old: new}` does.
    """

    wrong: tuple[Wrong, ...]
    keeping: frozenset[str]

    def refusal(self, old: str) -> ToolError:
        """What a caller is told of the wrong pieces."""
        count = len(self.wrong)
        shown = "\n".join(map(str, self.wrong[:_SHOWN]))
        more = f"\n  … and {count - _SHOWN} more" if count > _SHOWN else ""
        return ToolError(
            f"{counted(count, 'place')} that the server would change {'does' if count == 1 else 'do'} not read {old!r}, so the "
            f"edit is not trusted and nothing is changed:\n{shown}{more}",
            data={"places": [{"path": each.path, "line": each.line, "old": each.old} for each in self.wrong[:100]]},
        )


def check(plan: Plan, renaming: Renaming) -> Checked:
    """Look at every replaced range. Safe in a thread."""
    wrong: list[Wrong] = []
    keeping: set[str] = set()
    for file, path, text in originals(plan):
        if text is None:
            continue  # the server creates it
        for line, old, new in _pieces(file, text, renaming):
            match _judge(old, new, renaming):
                case "wrong":
                    wrong.append(Wrong(path, line, old, new))
                case "keeps":
                    keeping.add(file.path)
    return Checked(wrong=tuple(wrong), keeping=frozenset(keeping))


def originals(plan: Plan) -> Iterator[tuple[FileEdit, str, str | None]]:
    """The files of a plan, each with the path and the text that it has now; None for one that is new."""
    before = {file.path: file.before for file in plan.files}
    for file in plan.files:
        path = file.path if file.before is not None else file.moved_from or file.path
        data = before.get(path)
        yield file, path, None if data is None else data.decode("utf-8-sig", errors="replace")


def edited_ranges(plan: Plan) -> dict[str, tuple[Range, ...]]:
    """The edited ranges of each file, in code points, by the path that it has now."""
    found: dict[str, tuple[Range, ...]] = {}
    for file, path, text in originals(plan):
        if text is not None and file.replacements:
            index = LineIndex.of(text)
            found[path] = tuple(index.range(each.start, each.end, "utf-32") for each in file.replacements)
    return found


def _judge(old: str, new: str, renaming: Renaming) -> str:
    """Whether a piece that changes is the name itself, a companion that keeps the old name too, or neither."""
    before, after = renaming.tokens(old), renaming.tokens(new)
    if len(before) == len(after) and all(
        one == other or (one, other) == renaming.words for one, other in zip(before, after, strict=True)
    ):
        return "renames"
    one, other = ([each for each in tokens if not each.isspace()] for tokens in (before, after))
    pair = set(renaming.words)
    if one == [renaming.words[0]] and len(other) == 3 and {other[0], other[2]} == pair and other[1] in _LINKS:
        return "keeps"  # `{a}` to `{b: a}`: a short form became a long one
    if len(one) == 3 and one[1] in _LINKS and one[0] == renaming.words[0] and other == one[2:] == [renaming.words[1]]:
        return "renames"  # `{a: b}` to `{b}`: and the other way
    return "wrong"


def _pieces(file: FileEdit, text: str, renaming: Renaming) -> Iterator[tuple[int, str, str]]:
    """What changes in a file, by whole words: the line, and the text before and after."""
    for each in file.replacements:
        old, new, line = each.old, each.new, each.line
        if text[each.start : each.end] == old:
            left, right = _around(text, each, renaming)
            old, new = left + old + right, left + new + right
        yield from _compared(line, old, new, renaming)


def _around(text: str, piece: Replacement, renaming: Renaming) -> tuple[str, str]:
    """The rest of the words that a range cuts: a server may change as little as it can."""
    part = re.compile(rf"[\w{re.escape(renaming.names.parts)}]")
    start, end = piece.start, piece.end
    while start > 0 and part.match(text[start - 1]):
        start -= 1
    while end < len(text) and part.match(text[end]):
        end += 1
    return text[start : piece.start], text[piece.end : end]


def _compared(line: int, old: str, new: str, renaming: Renaming) -> Iterator[tuple[int, str, str]]:
    """A replaced text as the pieces of it that differ; a short one is a piece."""
    if "\n" not in old and "\n" not in new:
        yield line, old, new
        return
    before, after = _lines(old), _lines(new)
    for first, last, start, stop in _differing(before, after):
        one, other = "".join(before[first:last]), "".join(after[start:stop])
        if last - first == stop - start:
            for number, pair in enumerate(zip(before[first:last], after[start:stop], strict=True), line + first):
                if _judge(*pair, renaming) != "wrong":
                    yield number, *pair
                else:
                    yield from ((number, *piece) for piece in _words(*pair, renaming))
        else:
            yield line + first, one, other


def _words(old: str, new: str, renaming: Renaming) -> Iterator[tuple[str, str]]:
    """The words of a line that differ."""
    before, after = renaming.tokens(old), renaming.tokens(new)
    for first, last, start, stop in _differing(before, after):
        one, other = before[first:last], after[start:stop]
        if (
            not one and first > 0 and before[first - 1] == renaming.words[0]
        ):  # an insertion belongs to the name beside it
            one, other = before[first - 1 : first], [before[first - 1], *other]
        elif not one:
            one, other = before[first : first + 1], [*other, *before[first : first + 1]]
        yield "".join(one), "".join(other)


def _differing(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    if len(before) == len(after):
        yield from ((at, at + 1, at, at + 1) for at, one in enumerate(before) if one != after[at])
        return
    if max(len(before), len(after)) > _MOST_COMPARED:
        yield 0, len(before), 0, len(after)
        return
    for kind, first, last, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield first, last, start, stop


def _lines(text: str) -> list[str]:
    """With their ends, which a rename leaves alone."""
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", text)
