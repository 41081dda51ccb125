"""Which language servers are known: the ones described here, as data, and those that other distributions add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs
from toolpost import Extension, Scope

from toolpost_lsp.server.definition import ServerDefinition

GROUP = "toolpost.language_servers"


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
    """What keeps a record from being used."""
    if not definition.languages:
        return "it names no files that it takes (languages)"
    if not definition.command or not definition.command[0]:
        return "it has no command"
    if not definition.root_markers:
        return "it has no root_markers, and without one it would be started everywhere"
    if definition.role not in ("types", "lint"):
        return f'its role is {definition.role!r}, not "types" or "lint"'
    return None
