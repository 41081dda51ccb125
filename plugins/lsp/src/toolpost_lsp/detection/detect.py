"""Which servers serve a file: a marker, a program that answers, and the trust that it needs (lsp:intersection).

Either half alone starts nothing, and what is missing is named with what would bring it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs
from toolpost import Scope

from toolpost_lsp.config import LspConfig
from toolpost_lsp.detection.binaries import Probes
from toolpost_lsp.detection.markers import Folders
from toolpost_lsp.detection.roots import Root, find
from toolpost_lsp.detection.trust import Context, Search, interpreter_of, trust_of
from toolpost_lsp.registry import Registry
from toolpost_lsp.server.definition import ServerDefinition
from toolpost_lsp.words import listed

Lack = Literal["switched off", "no project", "another's project", "no program", "stub", "not trusted", "not chosen"]


@attrs.frozen(kw_only=True)
class Usable:
    """A server that may be started.

    Attributes:
        command: the program's absolute path, and its arguments.
        root: the project's absolute path.
        marker: what makes it one.
        chosen_by: what chose this server of several, if the project did.
        version: of the program, if it could be asked.
        env: variables that it gets beside the usual ones.
        lacks: what keeps it from finding any problems; nothing if nothing does.
    """

    definition: ServerDefinition
    command: tuple[str, ...]
    root: str
    marker: str
    chosen_by: str | None = None
    version: str = ""
    env: Mapping[str, str] = attrs.field(factory=dict)
    settings: Mapping[str, Any] = attrs.field(factory=dict)
    initialization_options: Any = None
    lacks: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """By which a live server is known."""
        return self.definition.id, self.root


@attrs.frozen(kw_only=True)
class NotUsable:
    """A server that is not, why, and what would change that."""

    definition: ServerDefinition
    lack: Lack
    reason: str
    remedy: str = ""
    root: str | None = None


Finding = Usable | NotUsable


@attrs.define(eq=False, kw_only=True)
class Detection:
    """Finds the servers of files. What a probe told is kept; everything else is looked at anew each time."""

    scope: Scope
    config: LspConfig
    registry: Registry
    probes: Probes = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.probes = Probes(self.scope)

    async def of_file(self, path: str) -> tuple[Finding, ...]:
        """What is found for each server that takes a file of this name; at most one usable one has the role "types".

        Raises:
            OSError: the path leads out of the workspace.
        """
        place = self.scope.files.resolve(path, missing_ok=True)
        folder = "/".join((place.root, *place.parts[:-1]))
        return await self._of(self.registry.takers(place.shown), folder, place.root)

    async def of_folder(self, path: str) -> tuple[Finding, ...]:
        """What is found for every server, were a file of its kind in this folder.

        Raises:
            OSError: the path leads out of the workspace.
        """
        place = self.scope.files.resolve(path, missing_ok=True)
        every = tuple(self.registry.definitions.values())
        return await self._of(every, "/".join((place.root, *place.parts)), place.root)

    async def _of(self, definitions: Sequence[ServerDefinition], folder: str, top: str) -> tuple[Finding, ...]:
        folders = Folders(self.scope.files)
        found = await asyncio.gather(*(self._look(folders, folder, top, each) for each in definitions))
        return self._choose(found)

    async def _look(self, folders: Folders, folder: str, top: str, definition: ServerDefinition) -> Finding:
        name = definition.id
        if name in self.config.disabled:
            return NotUsable(
                definition=definition,
                lack="switched off",
                reason="the configuration switches it off",
                remedy=f"take {name} out of disabled in the section lsp",
            )
        root = find(folders, folder, top, definition)
        command, searched = self._command(definition, root.path if root else top)
        if root is None:
            markers = f"none of {listed(list(definition.root_markers), 6)} is in {_shown(folder, top)} or above it"
            also = "" if command else f"; and its program {definition.command[0]} was not found either"
            return NotUsable(definition=definition, lack="no project", reason=markers + also)
        if root.excluded_by:
            return NotUsable(
                definition=definition,
                lack="another's project",
                reason=f"{root.excluded_by} says that the project is not one of its kind",
                root=root.path,
            )
        if command is None:
            return self._without_program(definition, root, searched)
        return await self._with_program(definition, root, command, searched)

    def _command(self, definition: ServerDefinition, root: str) -> tuple[tuple[str, ...] | None, Search]:
        search = Search.of(self.scope, root)
        own = self.config.commands.get(definition.id)
        for words in (tuple(own),) if own else (definition.command, *definition.alternatives):
            if words and (program := search.find(os.path.expanduser(words[0]))):
                return (program, *words[1:]), search
        return None, search

    def _without_program(self, definition: ServerDefinition, root: Root, search: Search) -> NotUsable:
        words = self.config.commands.get(definition.id) or list(definition.command)
        what = words[0]
        barred = search.barred_program(what)
        if barred is not None:
            return NotUsable(
                definition=definition,
                lack="not trusted",
                reason=f"{what} was found in the checkout only ({barred}), whose programs are not run",
                remedy=f'{_install(definition)}; or open the run with trust="full"',
                root=root.path,
            )
        where = "it is not there" if os.path.isabs(what) else "it is not on PATH"
        return NotUsable(
            definition=definition,
            lack="no program",
            reason=f"{root.marker} is there, but its program {what} was not found: {where}",
            remedy=_install(definition),
            root=root.path,
        )

    async def _with_program(
        self, definition: ServerDefinition, root: Root, command: tuple[str, ...], search: Search
    ) -> Finding:
        trust = trust_of(self.scope, root.path)
        options = definition.initialization_options
        if trust != "full":
            if definition.runs_project_code:
                return NotUsable(
                    definition=definition,
                    lack="not trusted",
                    reason="it would run code of the checkout, which is not trusted that far",
                    remedy='open the run with trust="full"',
                    root=root.path,
                )
            if definition.pinned is not None:
                pins = definition.pinned(Context(program=command[0], root=root.path, search=search))
                if pins is None:
                    return NotUsable(
                        definition=definition,
                        lack="not trusted",
                        reason="it would run code of the checkout, and what would keep it from that was not found",
                        remedy=f'{_install(definition)}; or open the run with trust="full"',
                        root=root.path,
                    )
                options = {**(options or {}), **pins}
        env = {**definition.env, "PATH": search.path}
        probed = await self.probes.of(command[0], definition.version_probe, env)
        if probed.problem is not None:
            return NotUsable(
                definition=definition,
                lack="stub",
                reason=f"{command[0]} is there, but is no server: {probed.problem}",
                remedy=_install(definition),
                root=root.path,
            )
        settings = dict(definition.settings)
        finder = definition.finds_with
        interpreter = definition.interpreter_setting and interpreter_of(self.scope, root.path)
        if interpreter and definition.interpreter_setting:
            settings[definition.interpreter_setting] = interpreter
        return Usable(
            definition=definition,
            command=command,
            root=root.path,
            marker=root.marker,
            chosen_by=root.chosen_by,
            version=probed.version,
            env=env,
            settings=settings,
            initialization_options=options,
            lacks=f"{finder} is not on PATH" if finder and search.find(finder) is None else "",
        )

    def _choose(self, found: Sequence[Finding]) -> tuple[Finding, ...]:
        """Leave one server with the role "types" for each language: the one that is preferred."""
        prefer = self.config.prefer
        usable = [each for each in found if isinstance(each, Usable)]

        def rank(each: Usable) -> tuple[int, bool, int, str]:
            name = each.definition.id
            preferred = prefer.index(name) if name in prefer else len(prefer)
            return preferred, each.chosen_by is None, each.definition.priority, name

        chosen: list[Usable] = []
        instead: dict[str, Usable] = {}
        for each in sorted((each for each in usable if each.definition.role == "types"), key=rank):
            rival = next((other for other in chosen if _same_language(each, other)), None)
            if rival is None:
                chosen.append(each)
            else:
                instead[each.definition.id] = rival
        linters = sorted((each for each in usable if each.definition.role != "types"), key=rank)
        others = [
            _not_chosen(each, instead[each.definition.id])
            if isinstance(each, Usable) and each.definition.id in instead
            else each
            for each in found
            if not isinstance(each, Usable) or each.definition.id in instead
        ]
        return (*chosen, *linters, *others)


def _same_language(one: Usable, other: Usable) -> bool:
    return not one.definition.languages.keys().isdisjoint(other.definition.languages)


def _not_chosen(usable: Usable, rival: Usable) -> NotUsable:
    why = f", which {rival.chosen_by} chooses" if rival.chosen_by else ""
    return NotUsable(
        definition=usable.definition,
        lack="not chosen",
        reason=f"{rival.definition.id} serves these files{why}",
        remedy=f"name {usable.definition.id} in prefer in the section lsp",
        root=usable.root,
    )


def _install(definition: ServerDefinition) -> str:
    return f"install it: {definition.install}" if definition.install else "install it"


def _shown(folder: str, top: str) -> str:
    return folder[len(top) + 1 :] or "the workspace"
