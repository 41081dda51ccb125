"""`ast_grep` and `ast_edit`: the tools, from their arguments to their answers (contracts §5)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Annotated, Any

import attrs
from attrs.validators import ge, le, min_len
from toolpost import Call, Change, Result, Tier, Tool, ToolError

from toolpost_astgrep import answers
from toolpost_astgrep.diff import Diff
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.places import Target, locate
from toolpost_astgrep.pool import EngineError, JobError
from toolpost_astgrep.search import Found, Query, ReadingInfo, Rewritten

_PATTERN = (
    "Code to look for. $NAME stands for one node, $$$NAME for any number of siblings, $_ and $$$ for the same without a name; "
    "a name used twice must be the same text. \\$NAME is a literal one."
)
_PATH = "A file or folder, relative to the workspace (default: all of it)."
_LANGUAGE = "A language id such as python; needed for a folder, told by the ending for a file."
_GLOBS = "Only files that match one of these, such as *.py or src/**; ! excludes."
_CONTEXT = "Read the pattern as this, such as expression or class member; the answer to a search names them."


@attrs.frozen(kw_only=True)
class AstGrep:
    """Search code by its shape: the pattern is code, matched by the language's own grammar.

    It matches however the code is spaced, wrapped or commented, and never inside a string or a comment:
    `if ($X != null) $X.dispose()` finds the guard that frees what it tested. Code that the pattern does not mention
    (an else, a decorator, a return type) must not be there. Write `$$$BODY` for a whole body.
    """

    pattern: Annotated[str, _PATTERN] = attrs.field(validator=min_len(1))
    path: Annotated[str, _PATH] = "."
    language: Annotated[str | None, _LANGUAGE] = None
    max_results: Annotated[int, "How many matches to show; all are counted."] = attrs.field(
        default=50, validator=[ge(1), le(1000)]
    )
    globs: Annotated[list[str], _GLOBS] = attrs.field(factory=list)
    context: Annotated[str | None, _CONTEXT] = None


@attrs.frozen(kw_only=True)
class AstEdit:
    """Rewrite code by its shape. Nothing is written: the change is staged and shown, and resolve accepts it.

    The rewrite is literal text with the pattern's metavariables; an empty one deletes. Files keep their encoding,
    line ends and indentation, and a change that would not parse is not staged.
    """

    pattern: Annotated[str, _PATTERN] = attrs.field(validator=min_len(1))
    rewrite: Annotated[str, "What to put in its place, with the pattern's metavariables."]
    path: Annotated[str, _PATH] = "."
    language: Annotated[str | None, _LANGUAGE] = None
    globs: Annotated[list[str], _GLOBS] = attrs.field(factory=list)
    context: Annotated[str | None, _CONTEXT] = None


async def ast_grep(params: AstGrep, call: Call[Engine]) -> Result:
    target, query, readings = await _asked(params, call)
    found = await _told(call.handle.search(query, most=params.max_results))
    if found.total == 0:
        return await _nothing(call.handle, target, query, readings, found, params.globs)
    return Result.of(answers.listing(found, target), data=answers.data(found, target, readings[0]))


async def ast_edit(params: AstEdit, call: Call[Engine]) -> Result:
    target, query, readings = await _asked(params, call)
    found, files = await _told(call.handle.rewrite(query, params.rewrite))
    if found.total == 0:
        return await _nothing(call.handle, target, query, readings, found, params.globs)
    broken = [each for each in files if each.facts["problem"]]
    if broken:
        raise ToolError(answers.refused(broken, target), data=answers.data(found, target, readings[0]))
    changed = [each for each in files if each.facts["changed"]]
    if not changed:
        text = f"The rewrite changes nothing: {found.total} matches in {found.files} files are as it would make them. Nothing is staged."
        return Result.of(text, data=answers.data(found, target, readings[0]))
    return await _stage(call, target, found, changed, readings[0])


async def _stage(
    call: Call[Engine], target: Target, found: Found, changed: list[Rewritten], reading: ReadingInfo
) -> Result:
    count = sum(each.facts["replaced"] for each in changed)
    changes = [Change(path=target.shown(each.path), seen=each.facts["seen"], after=each.after) for each in changed]
    diff = await asyncio.to_thread(Diff.of, [(target.shown(each.path), each.before, each.after) for each in changed])
    label = f"{answers.counted(count, 'replacement')} in {answers.counted(len(changed), 'file')}"
    edit_id = call.stage_edit(changes, label=f"ast_edit: {label}", details=diff.text)
    text = answers.proposed(label, edit_id, changed, found, diff, target)
    data = {
        **answers.data(found, target, reading),
        "edit_id": edit_id,
        "replacements": count,
        "changed": [{"path": target.shown(each.path), "replacements": each.facts["replaced"]} for each in changed],
    }
    return Result.of(text, data=data)


async def _asked(params: AstGrep | AstEdit, call: Call[Engine]) -> tuple[Target, Query, tuple[ReadingInfo, ...]]:
    """Where to look and how the pattern reads there."""
    target = await locate(call, params.path, params.language, params.globs)
    readings = await _told(call.handle.readings(params.pattern, target.language, params.context))
    query = Query(
        pattern=params.pattern,
        language=target.language,
        context=params.context,
        root=target.root,
        files=tuple(target.listing.files),
    )
    return target, query, readings


async def _told(work: Any) -> Any:
    """A job's refusal, in the tool's own error."""
    try:
        return await work
    except JobError as error:
        raise ToolError(str(error)) from error
    except EngineError as error:
        raise ToolError(f"{error}; write the pattern another way, or search another language") from error


async def _nothing(
    engine: Engine,
    target: Target,
    query: Query,
    readings: tuple[ReadingInfo, ...],
    found: Found,
    globs: Sequence[str],
) -> Result:
    """No match: what else the pattern could mean, and what nearly matches (ast:readings, ast:zero-explained)."""
    others: list[tuple[ReadingInfo, Found]] = []
    near: list[dict[str, Any]] = []
    query = attrs.evolve(query, files=tuple(file for file in query.files if file[0] not in found.skipped))
    # A file that costs the worker now was none too much for the search itself: it goes without these hints.
    with contextlib.suppress(EngineError, JobError):
        for index, reading in enumerate(readings[1:], 1):
            other = await engine.search(query, reading=index, most=1)
            if other.total:
                others.append((reading, other))
        if not others:
            near = await engine.near(query)
    text = answers.nothing(target, query, readings[0], found, others, near, globs)
    data = answers.data(found, target, readings[0]) | {
        "readings": [
            {"context": reading.context, "kind": reading.kind, "total": other.total} for reading, other in others
        ],
        "near": near,
    }
    return Result.of(text, data=data)


def tools() -> list[Tool[Any, Engine]]:
    """The declarations."""
    return [
        Tool(name="ast_grep", params=AstGrep, handler=ast_grep, tier=Tier.READ),
        Tool(name="ast_edit", params=AstEdit, handler=ast_edit, tier=Tier.WRITE, stages=True),
    ]
