"""`ast_grep` and `ast_edit`: the tools, from their arguments to their answers (contracts §5)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import attrs
from toolpost import Call, Change, Result, Tier, Tool, ToolError

from toolpost_astgrep.answering import answers
from toolpost_astgrep.answering.diff import Diff
from toolpost_astgrep.answering.nothing import explained
from toolpost_astgrep.arguments import AstEdit, AstGrep
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.places import Target, locate, with_line
from toolpost_astgrep.search import Found, Query, ReadingInfo, Rewritten, Rule
from toolpost_astgrep.workers.pool import EngineError, JobError

_EXPLAINED_RULES = 5


async def ast_grep(params: AstGrep, call: Call[Engine]) -> Result:
    line = None
    if params.explain:
        path, line = with_line(params.path)
        params = attrs.evolve(params, path=path)
    target, query = await _asked(params, params.pattern, call)
    readings = await _told(call.handle.readings(query))
    tree = answers.explained(await _told(call.handle.explain(query, line)), target, line) if params.explain else ""
    found = await _told(call.handle.search(query, most=params.max_results))
    if found.total:
        return Result.of(tree + answers.listing(found, target), data=answers.data(found, target, readings[0]))
    nothing = await explained(call.handle, query, readings, found)
    data = answers.data(found, target, readings[0]) | nothing.data
    return Result.of(tree + answers.nothing(target, nothing, found, params.globs), data=data)


async def ast_edit(params: AstEdit, call: Call[Engine]) -> Result:
    rules = _rules(params)
    target, query = await _asked(params, rules[0].pattern, call)
    queries = [attrs.evolve(query, pattern=rule.pattern) for rule in rules]
    readings = [
        await _told(call.handle.readings(each), f"rule {number}: " if len(rules) > 1 else "")
        for number, each in enumerate(queries, 1)
    ]
    found, files = await _told(call.handle.rewrite(query, rules))
    data = answers.data(found, target, readings[0][0])
    if len(rules) > 1:
        data["rules"] = answers.by_rule(rules, [each[0] for each in readings], files)
    if found.total == 0:
        return await _nothing(call.handle, target, queries, readings, found, params.globs, data)
    broken = [each for each in files if each.facts["problem"]]
    if broken:
        raise ToolError(answers.refused(broken, target), data=data)
    changed = [each for each in files if each.facts["changed"]]
    if not changed:
        text = f"The rewrite changes nothing: {found.total} matches in {found.files} files are as it would make them. Nothing is staged."
        return Result.of(text, data=data)
    return await _stage(call, target, found, changed, rules, data)


async def _stage(
    call: Call[Engine],
    target: Target,
    found: Found,
    changed: list[Rewritten],
    rules: Sequence[Rule],
    data: dict[str, Any],
) -> Result:
    count = sum(each.replaced for each in changed)
    changes = [Change(path=target.shown(each.path), seen=each.facts["seen"], after=each.after) for each in changed]
    diff = await asyncio.to_thread(Diff.of, [(target.named(each.path), each.before, each.after) for each in changed])
    label = f"{answers.counted(count, 'replacement')} in {answers.counted(len(changed), 'file')}"
    edit_id = call.stage_edit(changes, label=f"ast_edit: {label}", details=diff.text)
    text = answers.proposed(label, edit_id, changed, found, diff, target, rules)
    data |= {
        "edit_id": edit_id,
        "replacements": count,
        "changed": [{"path": target.shown(each.path), "replacements": each.replaced} for each in changed],
    }
    return Result.of(text, data=data)


def _rules(params: AstEdit) -> list[Rule]:
    """The rules that were given, one way or the other."""
    if params.rules:
        if params.pattern is not None or params.rewrite is not None:
            raise ToolError("give pattern and rewrite, or rules, not both")
        return [Rule(pattern=rule.pattern, rewrite=rule.rewrite) for rule in params.rules]
    if params.pattern is None or params.rewrite is None:
        missing = " and ".join(name for name in ("pattern", "rewrite") if getattr(params, name) is None)
        raise ToolError(f"{missing} missing: give pattern and rewrite (empty deletes), or rules with several of both")
    return [Rule(pattern=params.pattern, rewrite=params.rewrite)]


async def _asked(params: AstGrep | AstEdit, pattern: str, call: Call[Engine]) -> tuple[Target, Query]:
    """Where to look, and for what."""
    target = await locate(call, params.path, params.language, params.globs)
    query = Query(
        pattern=pattern,
        language=target.language,
        context=params.context,
        root=target.root,
        files=tuple(target.listing.files),
        inside=params.inside,
        not_inside=params.not_inside,
    )
    return target, query


async def _told(work: Any, whose: str = "") -> Any:
    """A job's refusal, in the tool's own error."""
    try:
        return await work
    except JobError as error:
        raise ToolError(f"{whose}{error}") from error
    except EngineError as error:
        raise ToolError(f"{whose}{error}; write the pattern another way, or search another language") from error


async def _nothing(
    engine: Engine,
    target: Target,
    queries: Sequence[Query],
    readings: Sequence[Sequence[ReadingInfo]],
    found: Found,
    globs: Sequence[str],
    data: dict[str, Any],
) -> Result:
    """No rule matches: why, for each of them."""
    told = []
    for query, each in list(zip(queries, readings, strict=True))[:_EXPLAINED_RULES]:
        nothing = await explained(engine, query, each, found)
        told.append(answers.nothing(target, nothing, found, globs))
        data = data | nothing.data
    if len(queries) > 1:
        told = [f"rule {number}: {text}" for number, text in enumerate(told, 1)]
    return Result.of("\n".join(told), data=data)


def tools() -> list[Tool[Any, Engine]]:
    """The declarations."""
    return [
        Tool(name="ast_grep", params=AstGrep, handler=ast_grep, tier=Tier.READ),
        Tool(name="ast_edit", params=AstEdit, handler=ast_edit, tier=Tier.WRITE, stages=True),
    ]
