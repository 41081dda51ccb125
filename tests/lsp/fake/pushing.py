"""The diagnostics that the fake server publishes by itself, in every order that servers were seen to use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
from lsp.fake.modes import Modes
from lsp.fake.texts import Texts, uri_of


@attrs.define(eq=False)
class Pushing:
    """What was published last.

    Args:
        after: does something so many seconds later.
    """

    modes: Modes
    texts: Texts
    notify: Callable[[str, Any], None]
    after: Callable[[float, Callable[[], None]], None]
    _published: dict[str, list[dict[str, Any]]] = attrs.field(factory=dict, init=False)

    def shown(self, path: str, version: int, older: tuple[int, list[dict[str, Any]]]) -> None:
        """A text is there; *older* are the version and the problems of the one before."""
        problems, pause = self.texts.problems(path), self.modes.publishes_after
        first = {"empty": (version, []), "half": (version, problems[:-1]), "older": older}
        if early := first.get(self.modes.publishes_first):
            self.after(pause, lambda: self._publish(path, *early))
            pause *= 2
        self.after(pause, lambda: self.changed({path: version}))

    def changed(self, shown: Mapping[str, int]) -> None:
        """Publish what is said of the texts shown, if they are still so, and of others of which something else is said now."""
        for path, (version, _) in self.texts.open.items():
            problems, new = self.texts.problems(path), shown.get(path) == version
            if (new and self.modes.repeats) or problems != self._published.get(path, None if new else []):
                self._publish(path, version, problems)
        if self.modes.publishes_closed:
            for path in self.texts.all().keys() - self.texts.open.keys():
                if (problems := self.texts.problems(path)) != self._published.get(path, []):
                    self._publish(path, 0, problems)

    def closed(self, path: str) -> None:
        self._published.pop(path, None)

    def _publish(self, path: str, version: int, problems: list[dict[str, Any]]) -> None:
        said = {"own": {"version": version}, "zero": {"version": 0}, "null": {"version": None}, "missing": {}}
        self._published[path] = problems
        params = {"uri": uri_of(path), "diagnostics": problems, **said[self.modes.version]}
        self.notify("textDocument/publishDiagnostics", params)
