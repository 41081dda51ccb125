"""What the matcher must know of a language beside its grammar; one module a language, or a family of them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType

from toolpost_astgrep.profiles.profile import GENERIC, Profile, Rung

__all__ = ["DESCRIBED", "GENERIC", "Profile", "Rung", "profile_of"]

_ALONE = ("bash", "csharp", "css", "dart", "elixir", "go", "haskell", "html", "java", "json", "kotlin", "lua", "ocaml", "php",
          "python", "ruby", "rust", "scala", "sql", "swift", "toml", "yaml", "zig")  # fmt: skip
_MODULES: Mapping[str, str] = MappingProxyType(
    {name: name for name in _ALONE}
    | {"javascript": "javascript", "typescript": "javascript", "tsx": "javascript", "c": "c", "cpp": "c"}
)
DESCRIBED = frozenset(_MODULES)
"""The languages that have a profile of their own."""


def profile_of(language: str) -> Profile:
    """A language's profile, its own or the one that came with its grammar; a generic one for those that nobody described."""
    module = _MODULES.get(language)
    if module is None:
        from toolpost_astgrep.grammars.extra import extra_grammar

        extra = extra_grammar(language)
        return (extra and extra.profile) or GENERIC
    # Imported when it is needed, so that a worker starts the sooner.
    profiles: Mapping[str, Profile] = importlib.import_module(f"toolpost_astgrep.profiles.{module}").PROFILES
    return profiles[language]
