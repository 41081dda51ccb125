"""Entry points: which plugins and extension records are installed. The one user of importlib_metadata."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import attrs

from toolpost.problems import FAILURES

GROUP = "toolpost"

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class Found:
    """An installed entry point, not imported yet."""

    name: str
    value: str
    group: str = GROUP
    distribution: str = ""
    version: str = ""
    _entry_point: Any = attrs.field(default=None, repr=False, eq=False)

    @property
    def qualified(self) -> str:
        """`distribution:name`, by which a harness picks one of two plugins of one name."""
        return f"{self.distribution}:{self.name}"

    def load(self) -> Any:
        """Import it. Whatever its import raises comes through, `SystemExit` too."""
        return self._entry_point.load()


@attrs.frozen(kw_only=True)
class Extension:
    """One data record of an extension group (a grammar, a language server, …), or why it could not be had."""

    name: str
    distribution: str
    value: Any = None
    error: str | None = None


def installed(group: str = GROUP) -> tuple[Found, ...]:
    """What is installed in an entry-point group, by name then distribution."""
    import importlib_metadata

    found = []
    for entry_point in importlib_metadata.entry_points(group=group):
        name, version = _owner(entry_point)
        found.append(
            Found(
                name=entry_point.name,
                value=entry_point.value,
                group=group,
                distribution=name,
                version=version,
                entry_point=entry_point,
            )
        )
    return tuple(sorted(found, key=lambda each: (each.name, each.distribution)))


def extensions(group: str, kind: type[T]) -> tuple[Extension, ...]:
    """The records of an extension group, each loaded by itself: a broken one costs the others nothing.

    A value may be a *kind*, an iterable of them, or a function without arguments that gives either.
    """
    return tuple(record for found in installed(group) for record in _records(found, kind))


def origin(distribution: str) -> str:
    """Where a distribution came from, for `plugins`: `editable` or nothing."""
    import importlib_metadata

    try:
        told = importlib_metadata.distribution(distribution).origin
    except importlib_metadata.PackageNotFoundError:
        return ""
    editable = getattr(getattr(told, "dir_info", None), "editable", False)
    return "editable" if editable else ""


def _owner(entry_point: Any) -> tuple[str, str]:
    """The distribution's name and version; empty where its own metadata is broken, which costs the others nothing."""
    try:
        return entry_point.dist.name, entry_point.dist.version
    except Exception:
        return "", ""


def _records(found: Found, kind: type[T]) -> Iterator[Extension]:
    try:
        value = found.load()
        value = value() if callable(value) and not isinstance(value, type) else value
        values = [value] if isinstance(value, kind) else list(value)
        for each in values:
            if not isinstance(each, kind):
                raise TypeError(f"gives {type(each).__name__}, not {kind.__name__}")
    except FAILURES as error:
        reason = f"{found.group} entry {found.name!r} of {found.distribution}: {type(error).__name__}: {error}"
        yield Extension(name=found.name, distribution=found.distribution, error=reason)
        return
    for each in values:
        yield Extension(name=found.name, distribution=found.distribution, value=each)
