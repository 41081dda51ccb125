"""ruby."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import GENERIC

PROFILES = {"ruby": GENERIC}
