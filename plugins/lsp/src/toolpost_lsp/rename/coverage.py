"""Whether a rename reaches every use: what the server itself calls a reference, and does not edit, makes it half a rename.

Only references that read the old name count: a use through an alias keeps its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs
from toolpost import ToolError

from toolpost_lsp.navigation.asking import LONG, Answer, NotOffered, ask
from toolpost_lsp.navigation.places import Spot, by_file, listing, spots
from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.navigation.target import Target
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.rename.checks import Renaming, edited_ranges
from toolpost_lsp.rename.workspace_edit import Plan
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import counted

_SHOWN = 20


@attrs.frozen(kw_only=True)
class Coverage:
    """How a rename was compared with the references.

    Attributes:
        known: whether the server gives references at all.
        kept: how many keep the old name, because their file takes the new one in under the old.
    """

    known: bool
    kept: int = 0


class LeftOut(ToolError):
    """There are uses that an edit does not reach.

    Attributes:
        files: those that the server may not have looked at, or long ago.
    """

    def __init__(self, text: str, missed: Sequence[Spot], files: Iterable[str]) -> None:
        super().__init__(text, data={"left_out": [each.data() for each in missed[:100]], "total": len(missed)})
        self.files = frozenset(files)


async def cover(
    target: Target, server: Server, plan: Plan, renaming: Renaming, keeping: frozenset[str]
) -> tuple[Answer | None, Coverage]:
    """Compare a plan with the server's references; gives what it answered too.

    Args:
        keeping: the files in which the old name goes on to be one.

    Raises:
        LeftOut: there are references that the plan leaves out.
        ToolError: they are not known.
    """
    try:
        answer = await ask(
            target, server, "textDocument/references", {"context": {"includeDeclaration": True}}, timeout=LONG
        )
    except NotOffered:
        return None, Coverage(known=False)
    read = locations(answer.raw)
    if read.skipped:
        raise ToolError(
            f"{counted(read.skipped, 'reference')} could not be read, so the edit cannot be checked; nothing is changed"
        )
    found = await spots(read.items, answer.server, Sources(target.call.scope.files))
    left = list(_left_out(found, plan, renaming))
    kept = [each for each in left if each.path in keeping]
    missed = by_file(each for each in left if each.path not in keeping)
    if missed:
        places = "\n".join(f"  {line}" for line in listing(missed, _SHOWN, "place"))
        raise LeftOut(
            f"the rename would leave out {counted(len(missed), 'use')} of {renaming.old}, so nothing is changed:\n{places}",
            missed,
            (each.path for each in missed if each.inside),
        )
    return answer, Coverage(known=True, kept=len(kept))


def _left_out(found: Iterable[Spot], plan: Plan, renaming: Renaming) -> Iterator[Spot]:
    """The references that no edit touches."""
    edited = edited_ranges(plan)
    for spot in found:
        if not _reads(spot, renaming):
            continue
        if not any(each.start <= spot.range.end and spot.range.start <= each.end for each in edited.get(spot.path, ())):
            yield spot


def _reads(spot: Spot, renaming: Renaming) -> bool:
    """Whether a reference is written as the old name; one whose text is not known may be."""
    if spot.text is None or spot.unit != "utf-32":
        return True
    end = spot.range.end.character if spot.range.end.line == spot.range.start.line else None
    return renaming.words[0] in renaming.tokens(spot.text[spot.range.start.character : end])
