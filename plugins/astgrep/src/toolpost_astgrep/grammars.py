"""Grammars by name, from what is installed, never from the network.

A grammar comes from the first of: an entry point of the group `toolpost.grammars`, a single wheel
(`tree_sitter_python`), the language pack. Loaded in worker processes only: a grammar may hang or crash
(facts/structural-search.md §1).
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from toolpost_astgrep.languages import ALIASES, BLOCKED, BY_ENDING, ENDINGS, FILE_NAMES

if TYPE_CHECKING:
    from tree_sitter import Language

GROUP = "toolpost.grammars"


class UnknownLanguage(ValueError):
    """A language for which there is no grammar here; the text lists what there is."""


class GrammarMissing(RuntimeError):
    """A grammar that is known but cannot be loaded; the text says how to mend it."""


@attrs.frozen(kw_only=True)
class ExtraGrammar:
    """A grammar that another distribution brings, as a record of the group `toolpost.grammars`.

    Attributes:
        name: the language's id.
        load: gives its tree-sitter Language or the capsule of one; runs in the workers.
        endings: file endings, with the dot.
    """

    name: str
    load: Callable[[], object]
    endings: tuple[str, ...] = ()


def canonical(name: str) -> str:
    """The id of a language that may be called by another name.

    Raises:
        UnknownLanguage: no grammar of that name is known.
    """
    plain = name.strip().lower()
    plain = ALIASES.get(plain, plain)
    if plain in BLOCKED:
        raise UnknownLanguage(f"language {name!r} is switched off: {BLOCKED[plain]}")
    there_are = known()
    if plain not in there_are:
        raise UnknownLanguage(f"unknown language {name!r}. There are: {', '.join(sorted(there_are))}")
    return plain


def known() -> frozenset[str]:
    """The languages there are: those with files of their own, and those that other distributions bring."""
    return frozenset(ENDINGS) | {extra.name for extra in _extras()}


def of_path(path: str) -> str | None:
    """The language of a file by its name or its ending; None if there is none."""
    name = os.path.basename(path)
    ending = os.path.splitext(name)[1].lower()
    found = FILE_NAMES.get(name) or BY_ENDING.get(ending)
    if found is None and ending:
        found = next((extra.name for extra in _extras() if ending in extra.endings), None)
    return found


def endings(name: str) -> tuple[str, ...]:
    """The file endings of a language."""
    for extra in _extras():
        if extra.name == name and extra.endings:
            return extra.endings
    return ENDINGS.get(name, ())


def load(name: str) -> Language:
    """The grammar of a language, by its id.

    Raises:
        GrammarMissing: it cannot be loaded here.
    """
    from tree_sitter import Language

    for extra in _extras():
        if extra.name == name:
            given = extra.load()
            return given if isinstance(given, Language) else Language(given)
    return _from_wheel(name) or _from_pack(name)


@functools.cache
def _extras() -> tuple[ExtraGrammar, ...]:
    from toolpost import extensions

    return tuple(record.value for record in extensions(GROUP, ExtraGrammar) if record.error is None)


def _from_wheel(name: str) -> Language | None:
    from tree_sitter import Language

    module, function = {"typescript": ("typescript", "language_typescript"), "tsx": ("typescript", "language_tsx")}.get(
        name, (name, "language")
    )
    try:
        found = importlib.import_module(f"tree_sitter_{module}")
    except ImportError:
        return None
    make = getattr(found, function, None)
    try:
        return Language(make()) if make is not None else None
    except (ValueError, TypeError):
        return None  # made for another version of tree-sitter: the pack's will do


def _from_pack(name: str) -> Language:
    import tree_sitter_language_pack as pack

    version = importlib.metadata.version("tree-sitter-language-pack")
    if not version.startswith("0."):
        # 1.x wheels hold no grammar; asking for one would go to the network.
        have = set(getattr(pack, "downloaded_languages", list)())
        if name not in have:
            raise GrammarMissing(
                f"tree-sitter-language-pack {version} ships no grammars and {name!r} is not downloaded; "
                "install 'tree-sitter-language-pack<1', or the package of that grammar alone"
            )
    try:
        return pack.get_language(name)  # type: ignore[arg-type]
    except (LookupError, ImportError, OSError) as error:
        raise GrammarMissing(f"the grammar of {name!r} cannot be loaded: {error}") from error
