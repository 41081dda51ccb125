"""How far a checkout is trusted, and what follows for the programs that are looked for (facts §6, core:trust)."""

from __future__ import annotations

import os
from collections.abc import Iterable

import attrs
from toolpost import Scope, Trust

from toolpost_lsp.detection.roots import above

_LOCAL = (".venv/bin", "venv/bin", "node_modules/.bin")
_INTERPRETERS = (".venv/bin/python", "venv/bin/python")


def trust_of(scope: Scope, root: str) -> Trust:
    """How far a project is trusted: as its workspace is, unless it is a clone of its own inside it."""
    top = scope.workspace
    if root != top and not root.startswith(f"{top}/"):
        return "none"  # a further root: the harness trusted the workspace
    if any(folder != top and os.path.lexists(f"{folder}/.git") for folder in above(root, top)):
        return "none"
    return scope.trust


def interpreter_of(scope: Scope, root: str) -> str | None:
    """The interpreter of a project's own environment, if it has one that may run."""
    if trust_of(scope, root) == "none":
        return None
    return next((path for each in _INTERPRETERS if os.access(path := f"{root}/{each}", os.X_OK)), None)


@attrs.frozen(kw_only=True)
class Search:
    """Where the programs of a project's servers are looked for.

    Attributes:
        folders: in this order.
        barred: what lies in these, links resolved, is not run.
        local: folders of the project that are not looked in, but told of.
    """

    folders: tuple[str, ...]
    barred: tuple[str, ...] = ()
    local: tuple[str, ...] = ()

    @classmethod
    def of(cls, scope: Scope, root: str) -> Search:
        """PATH without what the checkout controls; with full trust the project's own folders first."""
        top = next(
            (each for each in (scope.workspace, *scope.roots) if root == each or root.startswith(f"{each}/")), root
        )
        local = tuple(f"{folder}/{each}" for folder in above(root, top) for each in _LOCAL)
        path = tuple(filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep)))
        if trust_of(scope, root) == "full":
            return cls(folders=(*local, *path))
        barred = tuple(os.path.realpath(each) for each in (scope.workspace, *scope.roots))
        outside = tuple(each for each in path if not _within(each, barred))
        return cls(folders=outside, barred=barred, local=local)

    @property
    def path(self) -> str:
        """PATH for the program."""
        return os.pathsep.join(self.folders)

    def find(self, name: str) -> str | None:
        """The absolute path of a program, by which it is started: a shim works only under its own name."""
        candidates = (
            [name] if os.path.isabs(name) else [f"{folder}/{name}" for folder in self.folders if "/" not in name]
        )
        return next((each for each in candidates if _runs(each) and self.allows(each)), None)

    def barred_program(self, name: str) -> str | None:
        """Where the checkout has a program that would be run if it were trusted."""
        candidates = [name] if os.path.isabs(name) else [f"{folder}/{name}" for folder in self.local]
        return next((each for each in candidates if _runs(each)), None)

    def allows(self, path: str) -> bool:
        """Whether a file may be run: neither it nor what it links to is the checkout's."""
        return not _within(path, self.barred)


@attrs.frozen(kw_only=True)
class Context:
    """What a definition's `pinned` may go by.

    Attributes:
        program: the server's program.
        root: the project.
        search: where programs are looked for.
    """

    program: str
    root: str
    search: Search

    def module(self, path: str, beside: Iterable[str] = ()) -> str | None:
        """A file of an npm package that lies beside the server, or beside one of some other programs; never the checkout's.

        Args:
            path: within `node_modules`.
        """
        programs = [self.program, *filter(None, map(self.search.find, beside))]
        for program in map(os.path.realpath, programs):
            for folder in above(os.path.dirname(program), ""):
                modules = folder if os.path.basename(folder) == "node_modules" else f"{folder}/node_modules"
                found = f"{modules}/{path}"
                if os.path.isfile(found) and self.search.allows(found):
                    return found
        return None


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _within(path: str, folders: Iterable[str]) -> bool:
    """Whether a path, or what it links to, lies in one of some folders."""
    names = (os.path.abspath(path), os.path.realpath(path))
    return any(f"{name}/".startswith(f"{folder}/") for folder in folders for name in names)
