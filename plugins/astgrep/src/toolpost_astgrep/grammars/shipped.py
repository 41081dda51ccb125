"""Which grammars are installed, told by the names of files: nothing is loaded, so no grammar's code runs here."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
from collections.abc import Mapping
from types import MappingProxyType

PACK = "tree_sitter_language_pack"
_WHEELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "csharp": ("tree_sitter_c_sharp", "language"),
        "dtd": ("tree_sitter_xml", "language_dtd"),
        "embeddedtemplate": ("tree_sitter_embedded_template", "language"),
        "ocaml": ("tree_sitter_ocaml", "language_ocaml"),
        "ocaml_interface": ("tree_sitter_ocaml", "language_ocaml_interface"),
        "php": ("tree_sitter_php", "language_php"),
        "tsx": ("tree_sitter_typescript", "language_tsx"),
        "typescript": ("tree_sitter_typescript", "language_typescript"),
        "xml": ("tree_sitter_xml", "language_xml"),
    }
)
"""Wheels of a single grammar that are not called as their language, or hold several."""
_PREFIX = "tree_sitter_"
_NO_GRAMMARS = frozenset({PACK, "tree_sitter_languages"})


def wheel_of(name: str) -> tuple[str, str]:
    """The module of a language's own wheel, and its function that gives the grammar."""
    return _WHEELS.get(name, (_PREFIX + name, "language"))


def pack_version() -> str | None:
    """The language pack's version; None if it is not installed. For messages: a worker starts the sooner without."""
    import importlib.metadata

    try:
        return importlib.metadata.version("tree-sitter-language-pack")
    except importlib.metadata.PackageNotFoundError:
        return None


@functools.cache
def shipped() -> frozenset[str]:
    """The languages whose grammar is in the language pack or in a wheel of its own."""
    return in_pack() | _in_wheels()


@functools.cache
def in_pack() -> frozenset[str]:
    """The languages whose grammar the pack has on this machine. Wheels of 1.x hold none, but fetch them when asked;
    what they fetched earlier counts, and they are asked for nothing else.
    """
    spec = importlib.util.find_spec(PACK)
    if spec is None:
        return frozenset()
    held = frozenset(
        name
        for folder in spec.submodule_search_locations or ()
        for name in _libraries(os.path.join(folder, "bindings"))
    )
    return held or frozenset(getattr(importlib.import_module(PACK), "downloaded_languages", list)())


def _libraries(folder: str) -> set[str]:
    try:
        return {name.partition(".")[0] for name in os.listdir(folder) if name.endswith((".so", ".pyd"))}
    except FileNotFoundError:
        return set()


def _in_wheels() -> frozenset[str]:
    import pkgutil

    there = {module.name for module in pkgutil.iter_modules() if module.name.startswith(_PREFIX)} - _NO_GRAMMARS
    special = {module for module, _ in _WHEELS.values()}
    return frozenset(name for name, (module, _) in _WHEELS.items() if module in there) | {
        module.removeprefix(_PREFIX) for module in there - special
    }
