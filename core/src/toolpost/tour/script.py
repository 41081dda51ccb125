"""A tour script: its steps, read strictly, since a misspelt step would silently show nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import attrs

from toolpost import discovery

FILE = "tour.jsonl"


@attrs.frozen(kw_only=True)
class Scene:
    """A heading, and what a person should look at.

    Attributes:
        needs: a program without which the scene cannot be played; it is left out then.
        install: the command that installs it.
    """

    scene: str
    say: str = ""
    needs: str = ""
    install: str = ""


@attrs.frozen(kw_only=True)
class CallStep:
    """One call; `error` says whether the scene shows an error, `tier` the ceiling of the surface that calls."""

    call: str
    args: Mapping[str, Any] = attrs.field(factory=dict)
    error: bool = False
    tier: str = "exec"


@attrs.frozen(kw_only=True)
class Outside:
    """Somebody else appends to a file of the sample project."""

    outside: str
    append: str


Step = Scene | CallStep | Outside
_KINDS: Mapping[str, type[Scene] | type[CallStep] | type[Outside]] = {
    "scene": Scene,
    "call": CallStep,
    "outside": Outside,
}


def read(text: str, where: str) -> tuple[Step, ...]:
    """The steps of a script.

    Raises:
        ValueError: a line that is no step, with its place.
    """
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            members = json.loads(line)
            kind = next(kind for name, kind in _KINDS.items() if name in members)
            steps.append(kind(**members))
        except (ValueError, TypeError, StopIteration) as error:
            raise ValueError(f"{where}:{number}: no step of a tour: {error or line[:80]}") from error
    return tuple(steps)


def scripts(plugins: list[str]) -> dict[str, tuple[Step, ...]]:
    """The scripts of these installed plugins, by plugin, in their order; one package's script is played once."""
    values = {found.name: found.value for found in discovery.installed()}
    found: dict[str, tuple[Step, ...]] = {}
    seen: set[str] = set()
    for name in plugins:
        package = values.get(name, "").partition(":")[0].rpartition(".")[0]
        if not package or package in seen:
            continue
        seen.add(package)
        script = resources.files(package).joinpath(FILE)
        if script.is_file():
            found[name] = read(script.read_text(encoding="utf-8"), f"{package}/{FILE}")
    return found
