"""Uses that a server does not know of, found by looking: a server whose references are partial leaves out the same ones.

A word that reads the old name and whose definition is at a place that the rename edits is a use of it. A few are asked about,
those in files that the rename does not touch first.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import attrs

from toolpost_lsp.navigation.asking import NotOffered, Unanswered, ask_with
from toolpost_lsp.navigation.places import Spot, listing, spots
from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.navigation.target import Target
from toolpost_lsp.project_files import project_files
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Range
from toolpost_lsp.rename.checks import Renaming, edited_ranges
from toolpost_lsp.rename.coverage import LeftOut
from toolpost_lsp.rename.workspace_edit import Plan
from toolpost_lsp.server.documents import MOST_OPEN
from toolpost_lsp.server.errors import Unreadable
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import counted

_ASKED = 12
_EACH_FILE = 2
_SECONDS = 3.0
_MOST_BYTES = 1024 * 1024
_MOST_FILES = 20_000
_COMMENT = re.compile(r"\s*(?:\*|--|;)|.*(?://|/\*|#(?!\s*(?:define|if|elif)\b))")
"""What a line begins with, or has in it before the word, if that is in a comment; also where that is in a text: no matter."""
_QUOTED = ('""', "''", "``")


@attrs.frozen
class _Word:
    path: str
    range: Range
    line: str


async def check_reached(
    target: Target, server: Server, plan: Plan, renaming: Renaming, keeping: frozenset[str]
) -> None:
    """Look for uses that the plan leaves out.

    Args:
        keeping: the files in which the old name goes on to be one.

    Raises:
        LeftOut: there are some; they are named.
    """
    edited = edited_ranges(plan)
    words = await asyncio.to_thread(_words, target, server, renaming, edited, keeping)
    sources = Sources(target.call.scope.files)
    missed: list[Spot] = []
    try:
        async with asyncio.timeout(_SECONDS):
            for word in words[:_ASKED]:
                defined = await _ask(target, server, word, "textDocument/definition")
                places = await spots(locations(defined).items, server, sources)
                if any(_within(each, edited) for each in places) and await _is_name(target, server, word):
                    missed.append(Spot(path=word.path, inside=True, range=word.range, unit="utf-32", text=word.line))
    except (TimeoutError, Unanswered, Unreadable):
        pass  # what is known is known; the answer lists the mentions that are left
    if missed:
        shown = "\n".join(f"  {line}" for line in listing(missed, _ASKED, "place"))
        raise LeftOut(
            f"{server.definition.id} would leave out uses of {renaming.old} and does not call them references, so nothing is "
            f"changed; {counted(len(missed), 'place')} of those that were looked at:\n{shown}",
            missed,
            (each.path for each in words),
        )


def _words(
    target: Target,
    server: Server,
    renaming: Renaming,
    edited: dict[str, tuple[Range, ...]],
    keeping: frozenset[str],
) -> list[_Word]:
    """The words that may be uses, on the disk as it is; of so many files as a server can be shown."""
    files = target.call.scope.files
    language = server.definition.language_of
    root, word = files.workspace.rstrip("/") + "/", renaming.words[0]
    untouched: list[_Word] = []
    touched: list[_Word] = []
    for number, entry in enumerate(project_files(server.root, lambda name: language(name) is not None)):
        path = entry.path.removeprefix(root)
        if number > _MOST_FILES or len(untouched) + len(touched) >= MOST_OPEN * _EACH_FILE:
            break
        if path in keeping:
            continue
        try:
            data = files.read(path, limit=_MOST_BYTES)
            if word.encode() not in data:
                continue
            index = LineIndex.of(data.decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError):
            continue
        found = [each for each in _in_text(path, index, word) if not _touches(each.range, edited.get(path, ()))]
        (touched if path in edited else untouched).extend(found[:_EACH_FILE])
    return [*untouched, *touched]


def _in_text(path: str, index: LineIndex, word: str) -> Iterator[_Word]:
    for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", index.text):
        span = index.range(found.start(), found.end(), "utf-32")
        line = index.line(span.start.line)
        quoted = "".join(index.text[at : at + 1] for at in (found.start() - 1, found.end()) if at >= 0) in _QUOTED
        if not quoted and not _COMMENT.match(line[: span.start.character]):
            yield _Word(path, span, line)


async def _is_name(target: Target, server: Server, word: _Word) -> bool:
    """Whether it is more than a word: clangd finds definitions of words in comments and texts too."""
    try:
        return await _ask(target, server, word, "textDocument/prepareRename") is not None
    except NotOffered:
        return True
    except Unanswered:
        return False


async def _ask(target: Target, server: Server, word: _Word, method: str) -> Any:
    async def params(server: Server) -> dict[str, Any]:
        document = await server.documents.open(word.path)
        start = document.index.offset(word.range.start, "utf-32")
        return {
            "textDocument": {"uri": document.uri},
            "position": document.index.position(start, server.encoding).json(),
        }

    answer = await ask_with(target.call, word.path, server, method, params, timeout=_SECONDS)
    if answer.server is not server:
        raise Unanswered(f"{server.definition.id} crashed")
    return answer.raw


def _within(spot: Spot, edited: dict[str, tuple[Range, ...]]) -> bool:
    """Whether a definition is one that is renamed; it may be given as the whole declaration."""
    return spot.inside and any(each.start == spot.range.start for each in edited.get(spot.path, ()))


def _touches(span: Range, edited: tuple[Range, ...]) -> bool:
    return any(each.start <= span.end and span.start <= each.end for each in edited)
