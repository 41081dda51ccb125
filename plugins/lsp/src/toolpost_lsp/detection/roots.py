"""Roots: which folder above a file is the project that a server works in (facts §7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import attrs

from toolpost_lsp.detection.markers import Folders

_VENDORED = frozenset({"node_modules", "site-packages", ".venv", "venv"})


class Marked(Protocol):
    """What works in projects that markers make: a server, or a checker."""

    @property
    def root_markers(self) -> tuple[str, ...]: ...
    @property
    def workspace_markers(self) -> tuple[str, ...]: ...
    @property
    def excluded_by(self) -> tuple[str, ...]: ...
    @property
    def chosen_by(self) -> tuple[str, ...]: ...


@attrs.frozen(kw_only=True)
class Root:
    """A project.

    Attributes:
        path: absolute.
        marker: what makes it one.
        excluded_by: what makes it another server's, if anything does.
        chosen_by: what chooses this server for it, if anything does.
    """

    path: str
    marker: str
    excluded_by: str | None = None
    chosen_by: str | None = None


def above(folder: str, top: str) -> Iterator[str]:
    """A folder and those above it, up to *top*, which holds them all."""
    yield folder
    while folder != top:
        folder = folder.rpartition("/")[0]
        yield folder


def find(folders: Folders, folder: str, top: str, definition: Marked) -> Root | None:
    """The project that a server would work in for files of a folder; None if no marker is there.

    The nearest folder with a marker is it, unless one above it holds a workspace marker; a package (`__init__.py`) and what
    is vendored are no projects.

    Args:
        folder: absolute, links resolved.
        top: the workspace, or the further root, that holds it.
    """
    found = marker = None
    for each in above(folder, top):
        if each != top and (_VENDORED & set(each[len(top) :].split("/")) or "__init__.py" in folders.names(each)):
            continue
        if found is None and (marker := folders.marker(each, definition.root_markers)):
            found = each
        higher = definition.workspace_markers and folders.marker(each, definition.workspace_markers)
        if higher:
            found, marker = each, higher
            break
    if found is None or marker is None:
        return None
    return Root(
        path=found,
        marker=marker,
        excluded_by=_first(folders, folder, found, definition.excluded_by),
        chosen_by=_first(folders, folder, found, definition.chosen_by),
    )


def _first(folders: Folders, folder: str, root: str, markers: tuple[str, ...]) -> str | None:
    """The marker nearest to a folder of a project."""
    if not markers:
        return None
    return next((marker for each in above(folder, root) if (marker := folders.marker(each, markers))), None)
