"""What the matcher must know of a language beside its grammar; one module per family of languages."""

from __future__ import annotations

from toolpost_astgrep.profiles import curly, python
from toolpost_astgrep.profiles.profile import GENERIC, Profile, Rung

__all__ = ["GENERIC", "Profile", "Rung", "profile_of"]

_PROFILES = {**python.PROFILES, **curly.PROFILES}


def profile_of(language: str) -> Profile:
    """A language's profile; a generic one for those that nobody described yet."""
    return _PROFILES.get(language, GENERIC)
