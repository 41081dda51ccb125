"""What the tools say: short for a model, whole in `data`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolpost_astgrep.diff import Diff
from toolpost_astgrep.hints import looks_like_regex
from toolpost_astgrep.places import Target
from toolpost_astgrep.search import Found, Query, ReadingInfo, Rewritten

_LINES = 12
_LINE = 240
_CAPTURE = 80
_LISTED = 5
_EXPECTED = ("binary", "UTF-16", "too large")
"""Why a file may be left out that is no surprise: such files are told of last."""


def counted(count: int, what: str) -> str:
    """`1 file`, `2 files`, `3 matches`."""
    ending = "es" if what.endswith(("ch", "s")) else "s"
    return f"{count} {what}{'' if count == 1 else ending}"


def listing(found: Found, target: Target) -> str:
    """All matches that are shown, and what was left out."""
    lines = [
        f"{counted(found.total, 'match')} in {counted(found.files, 'file')} ({counted(found.searched, f'{target.language} file')} searched)"
    ]
    for match in found.matches:
        lines += _match(match, target)
    if found.total > len(found.matches):
        lines.append(
            f"… {counted(found.total - len(found.matches), 'more match')}; narrow path, globs or pattern, or raise max_results"
        )
    return "\n".join([*lines, *_left_out(found, target)])


def nothing(
    target: Target,
    query: Query,
    reading: ReadingInfo,
    found: Found,
    others: Sequence[tuple[ReadingInfo, Found]],
    near: Sequence[dict[str, Any]],
    globs: Sequence[str],
) -> str:
    """Why there is no match."""
    if found.searched:
        files = counted(found.searched, f"{target.language} file")
        lines = [f"No match. The pattern was read as {reading.context} ({reading.kind}), in {files}."]
    else:
        lines = [f"Nothing was searched. The pattern reads as {reading.context} ({reading.kind})."]
        lines += _none_there(target, found, globs)
    for other, result in others:
        first = result.matches[0]
        place = f"{target.shown(first['path'])}:{first['range']['start']['line'] + 1}"
        lines.append(
            f'Read as {other.context} ({other.kind}) it matches {result.total} times, first at {place}; give context "{other.context}".'
        )
    lines += [_nearly(each, target) for each in near]
    hint = looks_like_regex(query.pattern)
    if hint:
        lines.append(hint)
    return "\n".join([*lines, *_left_out(found, target)])


def _none_there(target: Target, found: Found, globs: Sequence[str]) -> list[str]:
    """That there is no file to search, unless there are some that could not be."""
    if found.skipped or target.listing.too_large or target.listing.unreadable:
        return []
    that = f"globs {list(globs)} choose" if globs else "is not ignored"
    return [f"{target.shown_path} holds no {target.language} file that {that}."]


def proposed(label: str, edit_id: str, changed: Sequence[Rewritten], found: Found, diff: Diff, target: Target) -> str:
    """A staged rewrite (edit:staged)."""
    lines = [f'(proposed) {label}; nothing is written yet: call resolve with edit_id "{edit_id}"']
    nested = sum(each.facts["nested"] for each in changed)
    comments = sum(each.facts["comments"] for each in changed)
    parentheses = sum(each.facts["parenthesised"] for each in changed)
    still = sum(each.facts["still"] for each in changed)
    if nested:
        lines.append(f"{counted(nested, 'match')} inside other matches left as they are; run it again for them")
    if comments:
        lines.append(f"{counted(comments, 'comment')} in what is replaced would be lost")
    if parentheses:
        lines.append(f"{counted(parentheses, 'pair')} of parentheses put, so that nothing falls apart")
    if still:
        lines.append(f"the pattern still matches {counted(still, 'place')} of what it put")
    return "\n".join([*lines, *_left_out(found, target), diff.text])


def refused(broken: Sequence[Rewritten], target: Target) -> str:
    """A rewrite that would break code is not staged (edit:reparse)."""
    lines = [f"Nothing is staged: the rewrite would break {counted(len(broken), 'file')}."]
    lines += [f"{target.shown(each.path)}: {each.facts['problem']}" for each in broken[:_LISTED]]
    if len(broken) > _LISTED:
        lines.append(f"… and {len(broken) - _LISTED} more")
    lines.append("Change the rewrite, or leave these files out with path or globs.")
    return "\n".join(lines)


def data(found: Found, target: Target, reading: ReadingInfo) -> dict[str, Any]:
    """The same facts as structure (ast:data)."""
    matches = []
    for match in found.matches:
        captures = match["captures"]
        matches.append(
            {"path": target.shown(match["path"]), "range": match["range"], "text": match["text"], "captures": captures}
        )
    skipped = {target.shown(path): reason for path, reason in sorted(found.skipped.items())}
    skipped |= {target.shown(path): "too large" for path in target.listing.too_large}
    skipped |= {target.shown(path): "unreadable" for path in target.listing.unreadable}
    return {
        "total": found.total,
        "files": found.files,
        "searched": found.searched,
        "skipped": skipped,
        "context": reading.context,
        "kind": reading.kind,
        "language": target.language,
        "syntax_errors": [target.shown(path) for path in found.broken],
        "matches": matches,
    }


def _match(match: dict[str, Any], target: Target) -> list[str]:
    text = match["text"].splitlines() or [""]
    line = match["range"]["start"]["line"] + 1
    shown = [each[:_LINE] + ("…" if len(each) > _LINE else "") for each in text[:_LINES]]
    lines = [f"{target.shown(match['path'])}:{line}: {shown[0]}", *(f"    {each}" for each in shown[1:])]
    more = match["range"]["end"]["line"] + 2 - line - len(shown)
    if more > 0:
        lines.append(f"    … {counted(more, 'more line')}")
    captures = []
    for name, capture in match["captures"].items():
        value = " ".join(capture["text"].split())
        value = value[:_CAPTURE] + ("…" if len(value) > _CAPTURE else "")
        captures.append(f"${name}={value}" if "nodes" not in capture else f"$$${name}={value or '(none)'}")
    if captures:
        lines.append("    " + "  ".join(captures))
    return lines


def _nearly(match: dict[str, Any], target: Target) -> str:
    """A place that all but matches, and what keeps it from it."""
    place = " ".join(_match(match, target)[0].split())
    if match["differs"] is None:
        return f"Nearly: {place} (it has parts that the pattern does not mention; name them, or put $$$ where they are)"
    return f"Nearly: {place} (differs at {match['differs']!r})"


def _left_out(found: Found, target: Target) -> list[str]:
    """What was not searched, and what was searched although it has syntax errors."""
    reasons = sorted(found.skipped.items(), key=lambda item: (item[1] in _EXPECTED, item[0]))
    reasons += [(path, "unreadable") for path in target.listing.unreadable]
    reasons += [(path, "too large for a walk; name it as path") for path in target.listing.too_large]
    lines = [f"not searched: {target.shown(path)}: {reason}" for path, reason in reasons[:_LISTED]]
    if len(reasons) > _LISTED:
        lines.append(f"not searched: {counted(len(reasons) - _LISTED, 'more file')}; see data")
    if found.broken:
        names = ", ".join(target.shown(path) for path in found.broken[:3])
        more = f" and {len(found.broken) - 3} more" if len(found.broken) > 3 else ""
        lines.append(f"{counted(len(found.broken), 'file')} with syntax errors: {names}{more}")
    return lines
