"""What a server is at, from its `$/progress`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from toolpost import Clock

from toolpost_lsp.words import clean


@attrs.define(eq=False)
class Progress:
    """The work that a server has begun and not ended.

    Attributes:
        begun: whether it ever began any.
        changed: when the last piece began or ended, by the run's clock.
    """

    clock: Clock
    changed: float = attrs.field(default=float("-inf"), init=False)
    begun: bool = attrs.field(default=False, init=False)
    _work: dict[str, dict[str, Any]] = attrs.field(factory=dict, init=False)

    def heard(self, params: Any) -> None:
        """Take one `$/progress`; what is malformed is passed over."""
        if not isinstance(params, Mapping) or not isinstance(value := params.get("value"), Mapping):
            return
        token = repr(params.get("token"))
        match value.get("kind"):
            case "begin":
                self.begun, self.changed = True, self.clock.monotonic()
                self._work[token] = dict(value)
            case "report" if token in self._work:
                self._work[token].update(value)
            case "end":
                self._work.pop(token, None)
                self.changed = self.clock.monotonic()

    @property
    def active(self) -> bool:
        """Whether something is under way."""
        return bool(self._work)

    @property
    def text(self) -> str:
        """What is under way, such as "indexing 13/51"; nothing if it is idle."""
        return ", ".join(_shown(work) for work in self._work.values())


def _shown(work: Mapping[str, Any]) -> str:
    words = [str(work[name]) for name in ("title", "message") if work.get(name)]
    percentage = work.get("percentage")
    if isinstance(percentage, int | float) and not any(character.isdigit() for word in words for character in word):
        words.append(f"{percentage:.0f} %")
    return clean(" ".join(words), 80) or "work"
