"""What the tools say: short for a model, whole in `data`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolpost_astgrep.answering.diff import Diff
from toolpost_astgrep.answering.nothing import Nothing
from toolpost_astgrep.patterns.hints import quoted
from toolpost_astgrep.patterns.regular_expression import what_to_write
from toolpost_astgrep.places import Target
from toolpost_astgrep.search import Explained, Found, ReadingInfo, Rewritten, Rule

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


def explained(tree: Explained, target: Target, line: int | None) -> str:
    """A pattern's tree, the code's beside it, and whether they match, to stand before the answer itself."""
    parts = [f"The pattern's tree:\n{tree.pattern}"]
    if line is not None:
        parts += [f"The code at {target.shown_path}:{line}:\n{tree.code or '(nothing begins there)'}", tree.verdict]
    return "\n\n".join(part for part in parts if part) + "\n\n"


def nothing(target: Target, why: Nothing, found: Found, globs: Sequence[str]) -> str:
    """Why there is no match."""
    reading = why.reading
    if found.searched:
        files = counted(found.searched, f"{target.language} file")
        lines = [f"No match. The pattern was read as {reading.context} ({reading.kind}), in {files}."]
    else:
        lines = [f"Nothing was searched. The pattern reads as {reading.context} ({reading.kind})."]
        lines += _none_there(target, found, globs)
    if why.anywhere is not None and why.anywhere.total:
        around = " and ".join(
            f"{name} {quoted(pattern)}"
            for name, pattern in (("inside", why.query.inside), ("not_inside", why.query.not_inside))
            if pattern is not None
        )
        lines.append(
            f"Without {around} it matches {counted(why.anywhere.total, 'time')}, first at {_first(why.anywhere, target)}."
        )
    lines += [
        f"Read as {other.context} ({other.kind}) it matches {counted(result.total, 'time')}, first at {_first(result, target)}; "
        f'give context "{other.context}".'
        for other, result in why.others
    ]
    lines += [_nearly(each, target) for each in why.near]
    if why.meant is not None:
        lines.append(what_to_write(why.meant))
    return "\n".join([*lines, *_left_out(found, target)])


def _first(found: Found, target: Target) -> str:
    match = found.matches[0]
    return f"{target.named(match['path'])}:{match['range']['start']['line'] + 1}"


def _none_there(target: Target, found: Found, globs: Sequence[str]) -> list[str]:
    """That there is no file to search, unless there are some that could not be."""
    if found.skipped or target.listing.too_large or target.listing.unreadable:
        return []
    that = f"globs {list(globs)} choose" if globs else "is not ignored"
    return [f"{target.shown_path} holds no {target.language} file that {that}."]


def proposed(
    label: str,
    edit_id: str,
    changed: Sequence[Rewritten],
    found: Found,
    diff: Diff,
    target: Target,
    rules: Sequence[Rule],
) -> str:
    """A staged rewrite (edit:staged)."""
    lines = [f'(proposed) {label}; nothing is written yet: call resolve with edit_id "{edit_id}"']
    nested, overlapping, comments, parentheses, still = (
        sum(each.facts[name] for each in changed)
        for name in ("nested", "overlapping", "comments", "parenthesised", "still")
    )
    if len(rules) > 1:
        for number, rule in enumerate(rules):
            count = sum(each.facts["replaced"][number] for each in changed)
            lines.append(f"rule {number + 1}, {quoted(rule.pattern)}: {counted(count, 'replacement')}")
    if nested:
        lines.append(f"{counted(nested, 'match')} inside other matches left as they are; run it again for them")
    if overlapping:
        lines.append(
            f"{counted(overlapping, 'match')} left as they are, since an earlier rule changes something of them; run it again for them"
        )
    if comments:
        lines.append(f"{counted(comments, 'comment')} in what is replaced would be lost")
    if parentheses:
        lines.append(f"{counted(parentheses, 'pair')} of parentheses put, so that nothing falls apart")
    if still:
        lines.append(f"the pattern still matches {counted(still, 'place')} of what it put")
    return "\n".join([*lines, *_left_out(found, target), diff.text])


def by_rule(rules: Sequence[Rule], readings: Sequence[ReadingInfo], files: Sequence[Rewritten]) -> list[dict[str, Any]]:
    """What each of several rules found, as structure."""
    return [
        {
            "pattern": rule.pattern,
            "context": reading.context,
            "kind": reading.kind,
            "total": sum(each.facts["matches"][number] for each in files),
            "replacements": sum(each.facts["replaced"][number] for each in files),
        }
        for number, (rule, reading) in enumerate(zip(rules, readings, strict=True))
    ]


def refused(broken: Sequence[Rewritten], target: Target) -> str:
    """A rewrite that would break code is not staged (edit:reparse)."""
    lines = [f"Nothing is staged: the rewrite would break {counted(len(broken), 'file')}."]
    lines += [f"{target.named(each.path)}: {each.facts['problem']}" for each in broken[:_LISTED]]
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
    lines = [f"{target.named(match['path'])}:{line}: {shown[0]}", *(f"    {each}" for each in shown[1:])]
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
    lines = [f"not searched: {target.named(path)}: {reason}" for path, reason in reasons[:_LISTED]]
    if len(reasons) > _LISTED:
        lines.append(f"not searched: {counted(len(reasons) - _LISTED, 'more file')}; see data")
    if found.broken:
        names = ", ".join(target.named(path) for path in found.broken[:3])
        more = f" and {len(found.broken) - 3} more" if len(found.broken) > 3 else ""
        lines.append(f"{counted(len(found.broken), 'file')} with syntax errors: {names}{more}")
    return lines
