"""Where a search looks: a path of the workspace made a list of files, and the language they are in."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Sequence
from typing import Any

import attrs
from toolpost import Call, OutsideError, ToolError

from toolpost_astgrep import grammars
from toolpost_astgrep.files.walk import Listing, list_files
from toolpost_astgrep.workers.limits import LARGEST_NAMED

_LINE = re.compile(r"(.+?):(\d{1,9})(?::\d+)?")


@attrs.frozen(kw_only=True)
class Target:
    """What a search looks at.

    Attributes:
        root: the directory that the listing's paths are relative to: the workspace, or a further root.
        prefix: what stands before such a path when it is shown: nothing for the workspace.
        shown_path: the path that was asked for, as shown.
    """

    root: str
    prefix: str
    shown_path: str
    language: str
    listing: Listing

    def shown(self, path: str) -> str:
        """A listed path as people see it."""
        return self.prefix + path

    def named(self, path: str) -> str:
        """The same in one line of text, whatever the name holds."""
        return self.shown(path).replace("\r", "\\r").replace("\n", "\\n")


def with_line(path: str) -> tuple[str, int | None]:
    """A path with a line behind it, `src/a.py:12`, in two; a column behind that does not count."""
    match = _LINE.fullmatch(path)
    return (match[1], int(match[2])) if match else (path, None)


async def locate(call: Call[Any], path: str, language: str | None, globs: Sequence[str]) -> Target:
    """The files that *path* stands for.

    Raises:
        ToolError: the path is not there or not inside; the language is unknown, or cannot be told.
    """
    if language is not None:
        try:
            language = grammars.canonical(language)
        except grammars.UnknownLanguage as error:
            raise ToolError(str(error)) from error
    return await asyncio.to_thread(_locate, call, path, language, globs)


def _locate(call: Call[Any], path: str, language: str | None, globs: Sequence[str]) -> Target:
    files = call.scope.files
    try:
        place = files.resolve(path)
        about = files.stat(place)
        prefix = "" if place.root == call.scope.workspace else place.root.rstrip("/") + "/"
        if stat.S_ISDIR(about.st_mode):
            return _folder(call, place.root, place.path, place.shown, prefix, language, globs)
    except OutsideError as error:
        raise ToolError(str(error)) from error
    except FileNotFoundError:
        hint = "; a line goes with explain" if with_line(path)[1] is not None else ""
        raise ToolError(f"{path}: there is no such file or folder{hint}") from None
    except OSError as error:
        raise ToolError(f"{path}: {error.strerror or error}") from error
    if not stat.S_ISREG(about.st_mode):
        raise ToolError(f"{path} is no regular file")
    if about.st_size > LARGEST_NAMED:
        raise ToolError(f"{place.shown} has {about.st_size} bytes, over the limit of {LARGEST_NAMED} for a search")
    language = language or grammars.of_path(place.path)
    if language is None:
        ending = os.path.splitext(place.path)[1]
        raise ToolError(
            f"{place.shown}: no language is known for {ending or 'a file without an ending'}; give language"
        )
    listing = Listing(files=[(place.path, about.st_size)])
    return Target(root=place.root, prefix=prefix, shown_path=place.shown, language=language, listing=listing)


def _folder(
    call: Call[Any], root: str, path: str, shown: str, prefix: str, language: str | None, globs: Sequence[str]
) -> Target:
    if language is not None and not grammars.has_files(language):
        raise ToolError(
            f"{shown} is a folder, and no file is known to be {language} by its name; name one file as path"
        )
    descriptor = call.scope.files.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        listing = list_files(descriptor, path, language, globs)
    finally:
        os.close(descriptor)
    if language is None:
        counts = sorted(listing.languages.items(), key=lambda item: (-item[1], item[0]))
        found = ", ".join(f"{name} ({count} file{'s' if count > 1 else ''})" for name, count in counts)
        raise ToolError(
            f"{shown} is a folder, so language must say which files are meant. In it: {found or 'no file of a known language'}"
        )
    return Target(root=root, prefix=prefix, shown_path=shown, language=language, listing=listing)
