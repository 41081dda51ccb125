"""What each grammar has cost in this run, so that nothing costs twice what it cost once."""

from __future__ import annotations

import os
from collections import Counter

import attrs

LOSSES = 3
"""Files of one search that may cost a worker before the rest of its share is left out, and of one run, before a grammar that
has parsed fewer is not used again: one that hangs on most files hangs on the next one too."""


@attrs.frozen
class _Costly:
    version: tuple[int, int] | None
    reason: str


@attrs.define(eq=False)
class Losses:
    """The files that cost a run's workers, by language, and the grammars that do little else.

    A few files that are too much for a grammar cost just themselves, once each, however often they are searched.
    """

    _files: dict[str, dict[tuple[str, str], _Costly]] = attrs.field(factory=dict, init=False)
    _lost: dict[str, dict[str, str]] = attrs.field(factory=dict, init=False)
    _parsed: Counter[str] = attrs.field(factory=Counter, init=False)

    def lost(self, language: str, what: str, reason: str) -> None:
        """The grammar cost a worker.

        Args:
            what: a path, or a pattern as it is shown. The same one again tells nothing new of the grammar.
            reason: `took over 5 s`.
        """
        self._lost.setdefault(language, {})[what] = reason

    def parsed(self, language: str, files: int) -> None:
        """The grammar did its work on that many files."""
        self._parsed[language] += files

    def remember(self, language: str, root: str, path: str, reason: str) -> None:
        """The file is too much for the grammar: until it changes it is not tried again."""
        self._files.setdefault(language, {})[root, path] = _Costly(_version(root, path), reason)

    def costly(self, language: str, root: str) -> dict[str, str]:
        """The files that are not tried again, with the reason."""
        return {
            path: costly.reason
            for (below, path), costly in self._files.get(language, {}).items()
            if below == root and costly.version == _version(root, path)
        }

    def switched_off(self, language: str) -> str | None:
        """Why a grammar is not used again in this run, if it is not."""
        lost, parsed = self._lost.get(language, {}), self._parsed[language]
        if len(lost) < LOSSES or parsed >= len(lost):
            return None
        some = "; ".join(f"{what}: {reason}" for what, reason in list(lost.items())[:LOSSES])
        return (
            f"the {language} grammar is not used again in this run: it cost {len(lost)} parser processes and parsed "
            f"{parsed} files ({some}). Search another language, or read the files as text"
        )


def _version(root: str, path: str) -> tuple[int, int] | None:
    """What tells that a file has changed."""
    try:
        about = os.stat(os.path.join(root, path))
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns
