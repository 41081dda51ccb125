"""Markers: what a folder holds that makes it the root of a project."""

from __future__ import annotations

import configparser
import fnmatch
import json
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
from toolpost import Confinement

_LIMIT = 1024 * 1024
_MOST_NAMES = 20_000


@attrs.define(eq=False)
class Folders:
    """What is in the folders of a workspace, looked up once each: for one detection, not longer.

    Args:
        files: what confines them.
    """

    files: Confinement
    _names: dict[str, frozenset[str]] = attrs.field(factory=dict, init=False)
    _tables: dict[str, Mapping[str, Any]] = attrs.field(factory=dict, init=False)

    def names(self, folder: str) -> frozenset[str]:
        """The names in a folder; none where it is not there, or is outside."""
        if folder not in self._names:
            self._names[folder] = frozenset(self._listed(folder))
        return self._names[folder]

    def marker(self, folder: str, markers: Iterable[str]) -> str | None:
        """The first of *markers* that a folder holds.

        A marker is a name, a glob, a path such as `build/compile_commands.json`, or `pyproject.toml#tool.ty`: a file and a
        table or key in it.
        """
        names = self.names(folder)
        for marker in markers:
            file, _, table = marker.partition("#")
            if table:
                if file in names and self._has(f"{folder}/{file}", table):
                    return marker
            elif "/" in file:
                inner, _, name = file.rpartition("/")
                if inner.partition("/")[0] in names and name in self.names(f"{folder}/{inner}"):
                    return marker
            elif file in names:
                return marker
            elif "*" in file and (found := sorted(fnmatch.filter(names, file))):
                return found[0]
        return None

    def _listed(self, folder: str) -> list[str]:
        try:
            descriptor = self.files.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return []
        try:
            with os.scandir(descriptor) as entries:
                return [entry.name for _, entry in zip(range(_MOST_NAMES), entries, strict=False)]
        finally:
            os.close(descriptor)

    def _has(self, path: str, table: str) -> bool:
        if path not in self._tables:
            self._tables[path] = self._read(path)
        inside: Any = self._tables[path]
        for name in table.split("."):
            if not isinstance(inside, Mapping) or name not in inside:
                return False
            inside = inside[name]
        return True

    def _read(self, path: str) -> Mapping[str, Any]:
        """A TOML, INI or JSON file; nothing where it cannot be read, which is its owner's affair."""
        try:
            text = self.files.read(path, limit=_LIMIT).decode()
            content = _parser_of(path)(text)
        except (OSError, ValueError, RecursionError, configparser.Error):
            return {}
        return content if isinstance(content, Mapping) else {}


def _parser_of(path: str) -> Callable[[str], Any]:
    if path.endswith(".json"):
        return json.loads
    return _ini if path.endswith((".ini", ".cfg")) else tomllib.loads


def _ini(text: str) -> Mapping[str, Any]:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    return {name: dict(section) for name, section in parser.items()}
