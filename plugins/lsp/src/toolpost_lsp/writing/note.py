"""What a write tells of the problems that it made and mended (write:first-line, write:three-answers, write:flood)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from toolpost_lsp.diagnostics.problem import Problem
from toolpost_lsp.words import clean, counted, listed

FLOOD = 20
_ELSEWHERE = 10
_CODES = 20


@attrs.frozen(kw_only=True)
class News:
    """What came of a write, or of a turn.

    Attributes:
        new: problems in its own files.
        elsewhere: errors that it newly causes in other files.
        fixed: how many problems it mended.
        known: names of servers whose verdict on all its files is known.
        pending: paths of which a server's verdict is not known yet, by server.
        beyond: paths that are too many to be looked at, by server.
        missing: names of servers that are not available.
        unreadable: why a file could be shown to no server.
        unbased: paths with problems of which it is not known whether they were there before, by server.
        unchecked: other files that were not looked at in time.
        waited: seconds.
    """

    new: tuple[Problem, ...] = ()
    elsewhere: tuple[Problem, ...] = ()
    fixed: int = 0
    known: tuple[str, ...] = ()
    pending: dict[str, list[str]] = attrs.field(factory=dict)
    beyond: dict[str, list[str]] = attrs.field(factory=dict)
    missing: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    unbased: dict[str, list[str]] = attrs.field(factory=dict)
    unchecked: int = 0
    waited: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether everything is known."""
        return not (self.pending or self.beyond or self.missing or self.unreadable or self.unbased)

    @property
    def text(self) -> str:
        """The lines behind the tool's own answer."""
        lines: list[str] = []
        if self.new:
            lines += [f"{len(self.new)} new", *_problems(self.new)]
        if self.elsewhere:
            lines += [
                f"{counted(len(self.elsewhere), 'new error')} in other files",
                *_problems(self.elsewhere, _ELSEWHERE),
            ]
        if not lines and self.whole:
            lines.append("no new problems")
        elif not lines and self.known:
            lines.append(f"nothing new from {', '.join(self.known)}")
        alone = not self.known and len({*self.pending, *self.beyond, *self.missing, *self.unbased}) == 1
        for server, paths in self.pending.items():
            lines.append(f"{_of(server, alone)}diagnostics not known yet (waited {self.waited:.1f} s){_for(paths)}")
        for server, paths in self.beyond.items():
            lines.append(f"{_of(server, alone)}diagnostics not known{_for(paths)}: too many files for one write")
        for server, paths in self.unbased.items():
            lines.append(
                f"{_of(server, alone)}diagnostics not known yet{_for(paths)}: it has problems now that may have been "
                "there before (lsp diagnostics shows them)"
            )
        lines += [f"{_of(server, alone)}diagnostics not available (see lsp status)" for server in self.missing]
        lines += [f"diagnostics not available: {clean(reason)}" for reason in self.unreadable]
        if self.unchecked:
            lines.append(f"{counted(self.unchecked, 'other file')} not checked in time")
        if self.fixed:
            lines.append(f"fixed: {self.fixed}")
        return "\n".join(lines)

    def data(self) -> dict[str, Any]:
        """The same as structure."""
        return {
            "new": [each.data() for each in self.new],
            "elsewhere": [each.data() for each in self.elsewhere],
            "fixed": self.fixed,
            "known": list(self.known),
            "pending": self.pending,
            "beyond": self.beyond,
            "missing": list(self.missing),
            "unreadable": list(self.unreadable),
            "unbased": self.unbased,
            "unchecked": self.unchecked,
            "waited": self.waited,
        }


def _problems(problems: Sequence[Problem], most: int = FLOOD) -> list[str]:
    """A line each; more than can be read are summed up by code, each with its first."""
    if len(problems) <= most:
        return [str(each) for each in problems]
    groups: dict[tuple[int, str | None], list[Problem]] = {}
    for each in problems:
        groups.setdefault((int(each.severity), each.diagnostic.code), []).append(each)
    ordered = sorted(groups.values(), key=len, reverse=True)
    lines = [str(group[0]) if len(group) == 1 else f"{len(group)} × {group[0]}" for group in ordered[:_CODES]]
    if left := ordered[_CODES:]:
        lines.append(f"… and {sum(map(len, left))} more of {counted(len(left), 'other kind')}")
    return lines


def _of(server: str, alone: bool) -> str:
    return "" if alone else f"{server}: "


def _for(paths: Iterable[str]) -> str:
    named = [clean(path) for path in paths]
    return f" for {listed(named, 5)}" if named else ""
