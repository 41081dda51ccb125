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
    """

    pattern: str
    language: str
    root: str
    files: tuple[tuple[str, int], ...]
    context: str | None = None


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
