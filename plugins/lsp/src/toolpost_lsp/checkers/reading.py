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
    """Each run's problems; safe in a thread.

    What is found in a file of another project, inside this one or beside it, is left to that one's own run.

    Args:
        most: so many problems of a checker are to be shown, in all its projects.
    """
    paths, texts = _Paths(scope), _Texts(scope)
    left: dict[str, int] = {}
    sights = []
    for outcome in outcomes:
        checker = outcome.run.checker
        found, outside = _found(outcome, outcomes, paths)
        every = sorted(found, key=lambda each: (each.severity, each.path, each.range))
        shown = every[: left.get(checker.id, most)]
        left[checker.id] = left.get(checker.id, most) - len(shown)
        sights.append(
            Sight(
                outcome=outcome,
                every=tuple(every),
                problems=tuple(
                    attrs.evolve(each, range=texts.points(each.path, each.range, checker.encoding)) for each in shown
                ),
                outside=tuple(dict.fromkeys(outside)),
                outside_total=len(outside),
            )
        )
    return tuple(sights)


def _found(outcome: Outcome, outcomes: Sequence[Outcome], paths: _Paths) -> tuple[dict[Problem, None], list[str]]:
    """A run's own problems, each once, and the path of each that is outside the workspace."""
    roots = [each.run.project.root for each in outcomes if each is outcome or _answers_for(each, outcome)]
    found: dict[Problem, None] = {}
    outside = []
    for item in outcome.items:
        owner = max((root for root in roots if item.path.startswith(f"{root}/")), key=len, default=None)
        path = paths.shown(item)
        if path is None:
            outside.append(item.path)
        elif owner in (None, outcome.run.project.root):
            span, servers = item.diagnostic.range, (outcome.run.checker.id,)
            found[Problem(path=path, range=span, diagnostic=item.diagnostic, servers=servers)] = None
    return found, outside


def _answers_for(one: Outcome, other: Outcome) -> bool:
    """Whether a run tells of its project's files what another would."""
    mine, its = one.run.checker, other.run.checker
    same = mine is its or (mine.role == its.role == "types" and mine.language == its.language)
    return same and one.state in ("clean", "problems")


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
