"""Whether a symbol is the project's own to rename: defined in it, and not in what was installed or copied into it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from toolpost import Confinement, ToolError

from toolpost_lsp.navigation.asking import NotOffered, ask
from toolpost_lsp.navigation.places import spots
from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.navigation.target import Target
from toolpost_lsp.project_files import VENDORED
from toolpost_lsp.protocol.structure import locations
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean

_INSTALLED = VENDORED | {"dist-packages", "bower_components", "vendor", "venv"}


async def check_own(target: Target, server: Server, name: str) -> None:
    """Refuse a symbol that is defined elsewhere.

    Raises:
        ToolError: it is, or where it is defined is not known.
    """
    files = target.call.scope.files
    if folder := vendored(files, target.path):
        raise ToolError(f"{target.path} lies in {folder}, whose files are not the project's own; nothing is changed")
    try:
        answer = await ask(target, server, "textDocument/definition")
    except NotOffered:
        return
    for spot in await spots(locations(answer.raw).items, answer.server, Sources(files)):
        where = f"{name} is defined in {clean(spot.path, 500)}"
        if not spot.inside:
            raise ToolError(f"{where}, outside the workspace, so it cannot be renamed; nothing is changed")
        if folder := vendored(files, spot.path):
            raise ToolError(f"{where}; {folder} is not the project's own, so it cannot be renamed; nothing is changed")


def check_edited(files: Confinement, paths: Iterable[str]) -> None:
    """Refuse an edit of files that are not the project's own.

    Raises:
        ToolError: a path leads to one.
    """
    for path in paths:
        if folder := vendored(files, path):
            raise ToolError(
                f"the server edits {clean(path, 500)}, but {folder} is not the project's own; nothing is changed"
            )


def vendored(files: Confinement, path: str) -> str | None:
    """The folder that makes a file somebody else's: of installed packages, hidden, or a virtual environment."""
    folders = path.split("/")[:-1]
    for number, name in enumerate(folders, 1):
        folder = "/".join(folders[:number])
        if not folder:
            continue
        if name in _INSTALLED or (name.startswith(".") and not path.startswith("/")):
            return folder
        try:
            files.stat(os.path.join(folder, "pyvenv.cfg"))
        except OSError:
            continue
        return folder
    return None
