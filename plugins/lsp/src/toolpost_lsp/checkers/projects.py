"""The projects of a workspace: for each language the folders in which a checker of it would run."""

from __future__ import annotations

import itertools
import os

import attrs
from toolpost import Scope

from toolpost_lsp.checkers.checker import Checker
from toolpost_lsp.detection.markers import Folders
from toolpost_lsp.detection.roots import Root, find
from toolpost_lsp.project_files import project_files

MOST_FILES = 20_000


@attrs.frozen(kw_only=True)
class Found:
    """A project of one language.

    Attributes:
        root: absolute.
        sample: one of its files, absolute.
        candidates: the checkers that it could have, each with its marker and what chooses it.
    """

    root: str
    sample: str
    candidates: dict[Checker, Root] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Survey:
    """What there is in a workspace.

    Attributes:
        projects: those nearest to the top first.
        homeless: languages of files that belong to no project, with the markers that would make one.
        cut: there are more files than were looked at.
    """

    projects: tuple[Found, ...]
    homeless: dict[str, tuple[str, ...]]
    cut: bool


def search(scope: Scope, folders: Folders, checkers: tuple[Checker, ...]) -> Survey:
    """Look at the workspace's first 20,000 files that any checker is for; safe in a thread."""
    endings = tuple({ending for each in checkers for ending in each.endings})
    entries = project_files(scope.workspace, lambda name: name.endswith(endings))
    paths = [entry.path for entry in itertools.islice(entries, MOST_FILES)]
    # One file stands for those with its ending in its folder.
    kinds = {(os.path.dirname(path), os.path.splitext(path)[1]): path for path in reversed(paths)}
    found: dict[tuple[str, str], Found] = {}
    homeless: dict[str, tuple[str, ...]] = {}
    for (folder, _), path in reversed(kinds.items()):
        for checker in (each for each in checkers if path.endswith(each.endings)):
            root = find(folders, folder, scope.workspace, checker)
            if root is None:
                homeless.setdefault(checker.language, checker.root_markers)
            elif root.excluded_by is None:
                project = found.setdefault((checker.language, root.path), Found(root=root.path, sample=path))
                known = project.candidates.get(checker)
                if known is None or known.chosen_by is None:
                    project.candidates[checker] = root
    at_home = {language for language, _ in found}
    return Survey(
        projects=tuple(found.values()),
        homeless={language: markers for language, markers in homeless.items() if language not in at_home},
        cut=len(paths) == MOST_FILES,
    )
