"""Which language servers are known: the ones described here, as data, and those that other distributions add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs
from toolpost import Extension, Scope

from toolpost_lsp.server.definition import ServerDefinition

GROUP = "toolpost.language_servers"

_ID = re.compile(r"\w[\w.+-]*", re.ASCII)
_TEXTS = ("command", "root_markers", "workspace_markers", "excluded_by", "chosen_by", "checkers", "announces")
_MAPPINGS = ("languages", "settings", "env", "answers")


@attrs.frozen(kw_only=True)
class Registry:
    """The servers that are known in a run.

    Attributes:
        definitions: by id.
        origins: the distribution that each one of a third party comes from, by its id.
        problems: what was not taken, and why.
    """

    definitions: Mapping[str, ServerDefinition]
    origins: Mapping[str, str] = attrs.field(factory=dict)
    problems: tuple[str, ...] = ()
    _by_ending: dict[str, tuple[ServerDefinition, ...]] = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        found: dict[str, list[ServerDefinition]] = {}
        for definition in self.definitions.values():
            for ending in definition.languages:
                found.setdefault(ending, []).append(definition)
        object.__setattr__(self, "_by_ending", {ending: tuple(each) for ending, each in found.items()})

    def takers(self, path: str) -> tuple[ServerDefinition, ...]:
        """The servers that take a file of this name."""
        name = path[path.rfind("/") + 1 :]
        found = self._by_ending.get(name, ())
        at = name.find(".")
        while at >= 0:
            found += tuple(each for each in self._by_ending.get(name[at:], ()) if each not in found)
            at = name.find(".", at + 1)
        return found


def shipped() -> tuple[ServerDefinition, ...]:
    """The servers that are described here."""
    from toolpost_lsp.registry import go, jvm, native, others, python, rust, shell, typescript, web

    families = (python, typescript, web, shell, native, go, rust, jvm, others)
    return tuple(definition for family in families for definition in family.DEFINITIONS)


def registry(scope: Scope) -> Registry:
    """All servers that are known in a run."""
    return compose(shipped(), scope.extensions(GROUP, ServerDefinition))


def compose(own: Iterable[ServerDefinition], extensions: Iterable[Extension] = ()) -> Registry:
    """*own* and what other distributions add; an id that is taken is told and not used."""
    definitions = {each.id: each for each in own}
    origins: dict[str, str] = {}
    problems: list[str] = []
    for extension in extensions:
        if extension.error is not None:
            problems.append(extension.error)
            continue
        definition: ServerDefinition = extension.value
        whose = extension.distribution or "an unnamed distribution"
        if problem := _fault(definition):
            problems.append(f"server {definition.id!r} of {whose} is not used: {problem}")
        elif definition.id in definitions:
            other = origins.get(definition.id, "toolpost-lsp")
            problems.append(f"server {definition.id!r} of {whose} is not used: {other} has one of that id")
        else:
            definitions[definition.id] = definition
            origins[definition.id] = whose
    return Registry(definitions=definitions, origins=origins, problems=tuple(problems))


def _fault(definition: ServerDefinition) -> str | None:
    """What keeps a record from being used: nothing has checked its types, and a text would be taken for its letters."""
    if not isinstance(definition.id, str) or not _ID.fullmatch(definition.id):
        return "its id is not a word of letters, digits, and - . _ + between them"
    for name in _TEXTS:
        if not _texts(getattr(definition, name)):
            return f"{name} is not a tuple of texts"
    if definition.version_probe is not None and not _texts(definition.version_probe):
        return "version_probe is not a tuple of texts"
    if not isinstance(definition.alternatives, tuple) or not all(map(_texts, definition.alternatives)):
        return "alternatives is not a tuple of commands"
    for name in _MAPPINGS:
        value = getattr(definition, name)
        if not isinstance(value, Mapping) or not _texts(tuple(value)):
            return f"{name} is not a mapping by texts"
    if not _texts((*definition.languages.values(), *definition.env.values())):
        return "a value of languages or env is no text"
    if not definition.languages:
        return "it names no files that it takes (languages)"
    if not definition.command or not definition.command[0]:
        return "it has no command"
    if not definition.root_markers:
        return "it has no root_markers, and without one it would be started everywhere"
    if definition.role not in ("types", "lint"):
        return f'its role is {definition.role!r}, not "types" or "lint"'
    return None


def _texts(values: object) -> bool:
    return isinstance(values, tuple) and all(isinstance(each, str) for each in values)
