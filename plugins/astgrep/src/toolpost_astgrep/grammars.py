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
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from tree_sitter import Language

GROUP = "toolpost.grammars"

BLOCKED: Mapping[str, str] = MappingProxyType({"cobol": "its parser never returns on some input"})

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "py": "python", "js": "javascript", "jsx": "javascript", "ts": "typescript", "rs": "rust", "golang": "go", "sh": "bash",
        "shell": "bash", "c++": "cpp", "c#": "csharp", "c-sharp": "csharp", "cs": "csharp", "rb": "ruby", "kt": "kotlin",
        "yml": "yaml", "hs": "haskell", "ml": "ocaml", "ex": "elixir",
    }
)  # fmt: skip

_ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bash": (".sh", ".bash"), "c": (".c", ".h"), "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), "csharp": (".cs",),
        "css": (".css",), "dart": (".dart",), "elixir": (".ex", ".exs"), "go": (".go",), "haskell": (".hs",), "html": (".html", ".htm"),
        "java": (".java",), "javascript": (".js", ".mjs", ".cjs", ".jsx"), "json": (".json",), "kotlin": (".kt", ".kts"),
        "lua": (".lua",), "ocaml": (".ml",), "php": (".php",), "python": (".py", ".pyi", ".pyw"), "ruby": (".rb",), "rust": (".rs",),
        "scala": (".scala", ".sc"), "sql": (".sql",), "swift": (".swift",), "toml": (".toml",), "tsx": (".tsx",),
        "typescript": (".ts", ".mts", ".cts"), "yaml": (".yaml", ".yml"), "zig": (".zig",),
    }
)  # fmt: skip
_BY_ENDING: Mapping[str, str] = MappingProxyType(
    {ending: name for name, endings in _ENDINGS.items() for ending in endings}
)


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
    if plain not in known():
        raise UnknownLanguage(f"unknown language {name!r}. There are: {', '.join(sorted(known()))}")
    return plain


def known() -> frozenset[str]:
    """The languages by file ending, and those that other distributions bring."""
    return frozenset(_ENDINGS) | {extra.name for extra in _extras()}


def of_path(path: str) -> str | None:
    """The language of a file by its ending; None if there is none."""
    ending = os.path.splitext(path)[1].lower()
    found = _BY_ENDING.get(ending)
    if found is None and ending:
        found = next((extra.name for extra in _extras() if ending in extra.endings), None)
    return found


def endings(name: str) -> tuple[str, ...]:
    """The file endings of a language."""
    for extra in _extras():
        if extra.name == name and extra.endings:
            return extra.endings
    return _ENDINGS.get(name, ())


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
    from toolpost.discovery import extensions

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
    return Language(make()) if make is not None else None


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
