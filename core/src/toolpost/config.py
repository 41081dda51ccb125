"""Configuration: the harness's sections, and what a file in the workspace may take from them.

A file inside the workspace is untrusted: `toolpost.toml` at its root may only lower (switch plugins off, shrink
numbers); everything else in it is refused, told, and changes nothing (design.md, Configuration). Each field of a
plugin's configuration class says how it may be lowered with `lowerable`; a field that says nothing may not be.

    disable = ["eval"]

    [astgrep]
    workers = 1
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from toolpost.params import InvalidArguments, shown, structurer
from toolpost.problems import told
from toolpost.workspace import Confinement

FILE = "toolpost.toml"
_LIMIT = 64 * 1024
_KEY = "toolpost.lower"

How = Literal["less", "off", "fewer"]


def lowerable(how: How, **field: Any) -> Any:
    """An attrs field that the workspace may lower.

    Args:
        how: `"less"`: a smaller number; `"off"`: False; `"fewer"`: a part of a list.
        field: the arguments of `attrs.field`.
    """
    return attrs.field(metadata={_KEY: how}, **field)


@attrs.frozen(kw_only=True)
class Lowering:
    """What the workspace's own file asks for."""

    disable: frozenset[str] = frozenset()
    sections: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict)
    problems: tuple[str, ...] = ()


def read_lowering(files: Confinement) -> Lowering:
    """The workspace's own file, if it has one. What cannot be read is told and ignored."""
    try:
        text = files.read(FILE, limit=_LIMIT)
    except FileNotFoundError:
        return Lowering()
    except (OSError, ValueError) as error:
        return Lowering(problems=(f"{FILE} in the workspace is ignored: {told(error)}",))
    import tomllib

    try:
        content = tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:
        return Lowering(problems=(f"{FILE} in the workspace is ignored: {told(error)}",))
    disable = content.pop("disable", [])
    problems = []
    if not (isinstance(disable, list) and all(isinstance(name, str) for name in disable)):
        problems.append(f"{FILE} in the workspace: disable must be a list of plugin names, not {shown(disable)}")
        disable = []
    sections = {}
    for name, section in content.items():
        if isinstance(section, dict):
            sections[name] = section
        else:
            problems.append(
                f"{FILE} in the workspace may not set {name!r}: it may only switch plugins off and lower their limits; "
                "set it in your own configuration or in the harness"
            )
    return Lowering(disable=frozenset(disable), sections=sections, problems=tuple(problems))


def section(kind: type | None, given: Any, lower: Mapping[str, Any] | None) -> tuple[Any, list[str]]:
    """One plugin's configuration and what was refused of it.

    Args:
        kind: the plugin's attrs class; None if it has no configuration.
        given: what the harness set: an instance of *kind* or a mapping.
        lower: the workspace's section, if any.

    Raises:
        InvalidArguments: the harness's own section does not fit *kind*.
    """
    if kind is None:
        if given:
            raise InvalidArguments("this plugin has no configuration")
        return None, [f"{FILE} in the workspace: this plugin has no configuration"] if lower else []
    base: Any = given if isinstance(given, kind) else structurer(kind)(given or {})
    refused: list[str] = []
    changes: dict[str, Any] = {}
    for name, value in (lower or {}).items():
        problem = _lowers(base, name, value)
        if problem:
            refused.append(f"{FILE} in the workspace: {problem}; it is ignored")
        else:
            changes[name] = type(getattr(base, name))(value)
    try:
        return attrs.evolve(base, **changes), refused
    except ValueError as error:
        return base, [*refused, f"{FILE} in the workspace: {error}; it is ignored"]


def _lowers(base: Any, name: str, value: Any) -> str | None:
    """Why *value* does not lower the field, or None if it does."""
    field = next((field for field in attrs.fields(type(base)) if field.name == name), None)
    if field is None:
        return f"there is no setting {name!r}"
    now, how = getattr(base, name), field.metadata.get(_KEY)
    match how:
        case "less" if type(value) in (int, type(now)) and 0 < value <= now:
            return None
        case "off" if value is False:
            return None
        case "fewer" if isinstance(value, list) and all(item in now for item in value):
            return None
        case None:
            return f"{name!r} may not be set there"
        case _:
            return f"{name} = {shown(value)} would not lower {shown(now)}, and a workspace may only lower it"
