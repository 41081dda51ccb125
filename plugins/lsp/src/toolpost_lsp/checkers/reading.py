"""What the runs found, as an answer shows it: confined paths, columns in code points, each problem once."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from toolpost import Scope

from toolpost_lsp.checkers.checker import Item
from toolpost_lsp.checkers.execution import Outcome
from toolpost_lsp.diagnostics.problem import Problem
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Encoding, Range

_LIMIT = 4 * 1024 * 1024


@attrs.frozen(kw_only=True)
class Sight:
    """A run's problems in the workspace.

    Attributes:
        every: all of them, worst first; the columns of those that are not shown are the checker's.
        problems: those that are shown.
        outside: files outside the workspace that it found problems in.
        outside_total: how many problems.
    """

    outcome: Outcome
    every: tuple[Problem, ...]
    problems: tuple[Problem, ...]
    outside: tuple[str, ...] = ()
    outside_total: int = 0

    @property
    def total(self) -> int:
        return len(self.every)

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.problems)


def see(outcomes: Sequence[Outcome], scope: Scope, most: int) -> tuple[Sight, ...]:
    """Each run's problems, at most that many of them to be shown; safe in a thread.

    A file of a project inside another one is left to the checker of its own project, if that ran.
    """
    paths = _Paths(scope)
    texts = _Texts(scope)
    return tuple(_see(each, outcomes, paths, texts, most) for each in outcomes)


def _see(outcome: Outcome, outcomes: Sequence[Outcome], paths: _Paths, texts: _Texts, most: int) -> Sight:
    checker = outcome.run.checker
    inner = [f"{each.run.project.root}/" for each in outcomes if _inside(each, outcome)]
    found: dict[Problem, None] = {}
    outside: dict[str, int] = {}
    for item in outcome.items:
        if any(item.path.startswith(each) for each in inner):
            continue
        path = paths.shown(item)
        if path is None:
            outside[item.path] = outside.get(item.path, 0) + 1
        else:
            span = item.diagnostic.range
            found[Problem(path=path, range=span, diagnostic=item.diagnostic, servers=(checker.id,))] = None
    every = sorted(found, key=lambda each: (each.severity, each.path, each.range))
    shown = [attrs.evolve(each, range=texts.points(each.path, each.range, checker.encoding)) for each in every[:most]]
    return Sight(
        outcome=outcome,
        every=tuple(every),
        problems=tuple(shown),
        outside=tuple(outside),
        outside_total=sum(outside.values()),
    )


def _inside(inner: Outcome, outer: Outcome) -> bool:
    """Whether a run is of a project inside another's, and for the same files and ends."""
    one, other = inner.run.checker, outer.run.checker
    same = one is other if "lint" in (one.role, other.role) else one.language == other.language
    return same and inner.run.project.root.startswith(f"{outer.run.project.root}/") and inner.state != "skipped"


@attrs.define
class _Paths:
    """Paths as the workspace shows them; each is looked up once."""

    scope: Scope
    _known: dict[str, str | None] = attrs.field(factory=dict, init=False)

    def shown(self, item: Item) -> str | None:
        """None if it is outside, or no path at all."""
        if item.path not in self._known:
            try:
                self._known[item.path] = self.scope.files.resolve(item.path, missing_ok=True).shown
            except (OSError, ValueError):
                self._known[item.path] = None
        return self._known[item.path]


@attrs.define
class _Texts:
    """The texts of files, each read once: for columns that are counted in bytes or UTF-16."""

    scope: Scope
    _known: dict[str, LineIndex | None] = attrs.field(factory=dict, init=False)

    def points(self, path: str, span: Range, encoding: Encoding) -> Range:
        """A range in code points; as it is, where the file cannot be read."""
        if encoding == "utf-32":
            return span
        if path not in self._known:
            try:
                data = self.scope.files.read(path, limit=_LIMIT)
                self._known[path] = LineIndex.of(data.decode("utf-8-sig"))
            except (OSError, ValueError):
                self._known[path] = None
        index = self._known[path]
        return span if index is None else index.range(*index.offsets(span, encoding), "utf-32")
