"""The user's own configuration, `$XDG_CONFIG_HOME/toolpost/config.toml`: unlike a workspace's file it is trusted.

plugins = ["astgrep", "files"]
trust = "interpreter"

[astgrep]
workers = 2
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

import attrs

from toolpost.cli import UsageError
from toolpost.scope import Trust


@attrs.frozen(kw_only=True)
class Settings:
    """What the user set for every run of the command line."""

    plugins: tuple[str, ...] | None = None
    trust: Trust = "none"
    sections: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict)


def user_file() -> Path:
    """Where the user's configuration is, whether it is there or not."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return Path(home) / "toolpost" / "config.toml"


def load() -> Settings:
    """Read it.

    Raises:
        UsageError: it cannot be read, or says something that it cannot say.
    """
    path = user_file()
    try:
        content = tomllib.loads(path.read_text())
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    plugins, trust = content.pop("plugins", None), content.pop("trust", "none")
    if plugins is not None and not (isinstance(plugins, list) and all(isinstance(name, str) for name in plugins)):
        raise UsageError(f"{path}: plugins must be a list of names")
    if trust not in get_args(Trust):
        raise UsageError(f"{path}: trust must be one of {', '.join(get_args(Trust))}")
    for name, section in content.items():
        if not isinstance(section, dict):
            raise UsageError(f"{path}: {name!r} is no setting; plugins, trust and one table per plugin are")
    return Settings(plugins=None if plugins is None else tuple(plugins), trust=cast(Trust, trust), sections=content)
