"""What was reported in this run, and what is new against it (write:ledger, write:new-only)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from toolpost_lsp.protocol.types import Diagnostic
from toolpost_lsp.writing.keys import Key, counted_keys, key_of


@attrs.define
class Ledger:
    """For each file and server, what it last said and was told: counted, so that a second instance is new."""

    _said: dict[str, dict[str, Counter[Key]]] = attrs.field(factory=dict, init=False)

    def of(self, path: str, server: str) -> Counter[Key]:
        """What is already reported."""
        return self._said.get(path, {}).get(server, Counter())

    def replace(self, path: str, server: str, now: Counter[Key]) -> None:
        """A verdict that is known takes the place of what was said before."""
        self._said.setdefault(path, {})[server] = now

    def move(self, old: str, new: str) -> None:
        """A file has another name."""
        if old in self._said:
            self._said[new] = self._said.pop(old)

    def forget(self, path: str) -> None:
        """A file is gone."""
        self._said.pop(path, None)


def introduced(now: Sequence[Diagnostic], known: Counter[Key], lines: tuple[int, int]) -> list[Diagnostic]:
    """Those of *now* that are more than *known* of their kind; of several alike, those nearest to the changed lines.

    Args:
        known: what was there before the write, or is reported already: the larger count of the two.
        lines: the first and the last line that changed, 0-based.
    """
    more = counted_keys(now) - known
    if not more:
        return []
    chosen = []
    for item in sorted(now, key=lambda item: _distance(item.range.start.line, lines)):
        key = key_of(item)
        if more[key] > 0:
            more[key] -= 1
            chosen.append(item)
    return sorted(chosen, key=lambda item: item.range)


def repaired(before: Counter[Key], now: Counter[Key], worst: int) -> int:
    """How many of the problems that were there are not there any more.

    Args:
        worst: up to which severity they count: 1 for errors only, 2 for warnings too.
    """
    return sum(count for key, count in (before - now).items() if key[0] <= worst)


def known_of(counters: Iterable[Counter[Key]]) -> Counter[Key]:
    """The larger count of each."""
    known: Counter[Key] = Counter()
    for each in counters:
        known |= each
    return known


def _distance(line: int, lines: tuple[int, int]) -> int:
    first, last = lines
    return max(first - line, line - last, 0)
