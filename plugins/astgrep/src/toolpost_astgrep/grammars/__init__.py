"""Grammars by name, from what is installed, never from the network.

A grammar comes from the first of: an entry point of the group `toolpost.grammars`, a single wheel
(`tree_sitter_python`), the language pack. Loaded in worker processes only: a grammar may hang or crash
(facts/structural-search.md §1).
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from toolpost_astgrep.grammars.extra import GROUP, ExtraGrammar, extra_grammar, extras
from toolpost_astgrep.grammars.languages import ALIASES, BLOCKED, BY_ENDING, ENDINGS, FILE_NAMES
from toolpost_astgrep.grammars.shipped import PACK, in_pack, pack_version, shipped, wheel_of

if TYPE_CHECKING:
    from tree_sitter import Language

__all__ = [
    "GROUP",
    "ExtraGrammar",
    "GrammarMissing",
    "UnknownLanguage",
    "canonical",
    "endings",
    "has_files",
    "known",
    "load",
    "of_path",
]


class UnknownLanguage(ValueError):
    """A language for which there is no grammar here; the text lists what there is."""


class GrammarMissing(RuntimeError):
    """A grammar that is known but cannot be loaded; the text says how to mend it."""


def canonical(name: str) -> str:
    """The id of a language that may be called by another name.

    Raises:
        UnknownLanguage: no grammar of that name is known, or it is switched off.
    """
    plain = name.strip().lower()
    plain = ALIASES.get(plain, plain)
    there_are = known()
    # One with files of its own has a name even where its grammar is not installed: loading it says how to mend that.
    if plain in there_are or (plain in ENDINGS and plain not in BLOCKED):
        return plain
    if plain in BLOCKED:
        raise UnknownLanguage(f"language {name!r} is switched off: {BLOCKED[plain]}")
    own = sorted(each for each in there_are if has_files(each))
    further = sorted(each for each in there_are if not has_files(each))
    more = f"; for a file that is named, also: {', '.join(further)}" if further else ""
    raise UnknownLanguage(f"unknown language {name!r}. There are: {', '.join(own)}{more}")


def known() -> frozenset[str]:
    """The languages whose grammar is installed, those that other distributions bring included."""
    return (shipped() - BLOCKED.keys()) | extras().by_name.keys()


def of_path(path: str) -> str | None:
    """The language of a file by its name or its ending; None if there is none."""
    name = os.path.basename(path)
    ending = os.path.splitext(name)[1].lower()
    return FILE_NAMES.get(name) or BY_ENDING.get(ending) or (extras().by_ending.get(ending) if ending else None)


def endings(name: str) -> tuple[str, ...]:
    """The file endings of a language."""
    own = ENDINGS.get(name, ())
    return own or tuple(ending for ending, language in extras().by_ending.items() if language == name)


def has_files(name: str) -> bool:
    """Whether files are known to be in a language by their names; one without is searched in files that are named."""
    return bool(endings(name)) or name in FILE_NAMES.values()


def load(name: str) -> Language:
    """The grammar of a language, by its id.

    Raises:
        GrammarMissing: it cannot be loaded here.
    """
    extra = extra_grammar(name)
    if extra is not None:
        return _from_extra(extra)
    return _from_wheel(name) or _from_pack(name)


def _from_extra(extra: ExtraGrammar) -> Language:
    from tree_sitter import Language

    try:
        given = extra.load()
        return given if isinstance(given, Language) else Language(given)
    except Exception as error:
        origin = extras().origins[extra.name]
        raise GrammarMissing(
            f"the grammar of {extra.name!r}, which {origin} brings, cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def _from_wheel(name: str) -> Language | None:
    from tree_sitter import Language

    module, function = wheel_of(name)
    try:
        found = importlib.import_module(module)
    except ImportError:
        return None
    make = getattr(found, function, None)
    try:
        return Language(make()) if make is not None else None
    except (ValueError, TypeError):
        return None  # made for another version of tree-sitter: the pack's will do


def _from_pack(name: str) -> Language:
    if name not in in_pack():
        version = pack_version()
        if version is None:
            raise GrammarMissing(f"no grammar of {name!r} is installed; install 'tree-sitter-language-pack<1'")
        if version.startswith("0."):
            raise GrammarMissing(
                f"tree-sitter-language-pack {version} has no grammar of {name!r}; install that grammar's package"
            )
        # 1.x wheels hold no grammar; asking for one would go to the network.
        raise GrammarMissing(
            f"tree-sitter-language-pack {version} ships no grammars and {name!r} is not downloaded; "
            "install 'tree-sitter-language-pack<1', or the package of that grammar alone"
        )
    try:
        found: Language = importlib.import_module(PACK).get_language(name)
    except (LookupError, ImportError, OSError, ValueError) as error:
        raise GrammarMissing(f"the grammar of {name!r} cannot be loaded: {error}") from error
    return found
