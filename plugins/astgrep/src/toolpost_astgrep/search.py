"""What is asked of the workers, and what they answer: values only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs


@attrs.frozen(kw_only=True)
class Query:
    """A pattern, and where to look for it.

    Attributes:
        root: the directory, a run's workspace or further root, that `files` are relative to.
        files: paths and sizes, sorted.
        context: the reading of the pattern that is meant.
        inside, not_inside: patterns of what a match must be inside of, and must not.
    """

    pattern: str
    language: str
    root: str = ""
    files: tuple[tuple[str, int], ...] = ()
    context: str | None = None
    inside: str | None = None
    not_inside: str | None = None


@attrs.frozen(kw_only=True)
class Rule:
    """What to look for, and what to put in its place."""

    pattern: str
    rewrite: str


@attrs.frozen(kw_only=True)
class Explained:
    """How a pattern is read, as trees, and how the code at a line is.

    Attributes:
        pattern: the tree of the pattern's meaning.
        code: the tree of the code there; empty if no line was asked for.
        verdict: whether the pattern matches there, and where they part if not.
    """

    pattern: str
    code: str = ""
    verdict: str = ""


@attrs.frozen(kw_only=True)
class ReadingInfo:
    """How a pattern can be read, without the grammar's objects."""

    context: str
    kind: str
    variables: tuple[str, ...]


@attrs.define(kw_only=True)
class Found:
    """What a search found.

    Attributes:
        total: all matches, also beyond those that are shown.
        files: how many files hold them.
        matches: the first ones, by path and place, as plain data with their `path`.
        searched: how many files were looked at.
        parsed: bytes that had to be parsed.
        skipped: files that were not searched, with the reason.
        broken: files with syntax errors, among those that were parsed.
    """

    total: int = 0
    files: int = 0
    searched: int = 0
    parsed: int = 0
    matches: list[dict[str, Any]] = attrs.field(factory=list)
    skipped: dict[str, str] = attrs.field(factory=dict)
    broken: list[str] = attrs.field(factory=list)


@attrs.frozen(kw_only=True)
class Rewritten:
    """What a rewrite made of one file: its facts as the worker gives them, and the bytes before and after."""

    path: str
    facts: Mapping[str, Any]
    before: bytes
    after: bytes

    @property
    def replaced(self) -> int:
        """How many matches were replaced, by all rules together."""
        return sum(self.facts["replaced"])
