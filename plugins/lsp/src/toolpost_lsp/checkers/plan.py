"""Which checkers run for which projects of a workspace, and why; and which do not (lsp:project-check)."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import attrs
from toolpost import ToolError

from toolpost_lsp.checkers.checker import Checker, Project
from toolpost_lsp.checkers.projects import Found, search
from toolpost_lsp.detection.detect import Usable
from toolpost_lsp.detection.markers import Folders
from toolpost_lsp.detection.trust import Search, interpreter_of, trust_of
from toolpost_lsp.words import listed

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor

MOST_RUNS = 20


@attrs.frozen(kw_only=True)
class Planned:
    """A checker that is to run in a project.

    Attributes:
        program: its absolute path.
        env: the variables that it gets beside those that every child gets.
        why: what makes this checker the project's.
        chosen_by: the marker that chooses it, if one does.
    """

    checker: Checker
    project: Project
    program: str
    version: str
    env: Mapping[str, str]
    why: str
    chosen_by: str | None = None


@attrs.frozen(kw_only=True)
class LeftOut:
    """A checker that does not run, or a whole language; `root` is absolute, and None where there is no project."""

    name: str
    reason: str
    remedy: str = ""
    root: str | None = None


@attrs.frozen(kw_only=True)
class Plan:
    """What is to be done, and what is not.

    Attributes:
        cut: not all files of the workspace were looked at.
    """

    runs: tuple[Planned, ...]
    left_out: tuple[LeftOut, ...]
    cut: bool = False


@attrs.define(eq=False)
class Planner:
    """Makes one plan.

    Args:
        supervisor: of the run.
        checkers: those that are known.
    """

    supervisor: Supervisor
    checkers: tuple[Checker, ...]
    folders: Folders = attrs.field(init=False)
    _runs: list[Planned] = attrs.field(factory=list, init=False)
    _left_out: list[LeftOut] = attrs.field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.folders = Folders(self.supervisor.scope.files)

    async def plan(self) -> Plan:
        """Look at the workspace.

        Raises:
            ToolError: it holds nothing that any checker is for.
        """
        found = await asyncio.to_thread(search, self.supervisor.scope, self.folders, self.checkers)
        for project in sorted(found.projects, key=lambda each: each.root.count("/")):  # outer ones before inner ones
            types = [each for each in project.candidates if each.role == "types"]
            if not self._is_reached(project, types):
                await self._choose(project, await self._ranked(project, types))
            for linter in (each for each in project.candidates if each.role == "lint"):
                if not self._is_reached(project, [linter]):
                    await self._lint(project, linter)
        for language, markers in found.homeless.items():
            reason = f"there are files of it, but none of {listed(list(markers), 6)} in their folders or above"
            self._leave(language, None, reason, "")
        if not self._runs and not self._left_out:
            languages = listed(list(dict.fromkeys(each.language for each in self.checkers)))
            raise ToolError(
                f"nothing to check: the workspace has no files of {languages} outside hidden and vendored folders"
            )
        for each in self._runs[MOST_RUNS:]:
            self._leave(each.checker.id, each.project.root, f"{MOST_RUNS} others run already", "")
        return Plan(runs=tuple(self._runs[:MOST_RUNS]), left_out=tuple(self._left_out), cut=found.cut)

    def _is_reached(self, project: Found, checkers: list[Checker]) -> bool:
        """Whether none of some checkers is chosen in a project, and one that is chosen around it looks at it too."""
        if any(project.candidates[each].chosen_by for each in checkers):
            return False
        return any(
            run.checker in checkers
            and run.checker.reaches_inner
            and run.chosen_by
            and project.root.startswith(f"{run.project.root}/")
            for run in self._runs
        )

    async def _ranked(self, project: Found, checkers: list[Checker]) -> list[tuple[Checker, str]]:
        """Those that could check it, each with what speaks for it; the best first."""
        prefer = self.supervisor.config.prefer
        family = await self._family(project) if len(checkers) > 1 else ""
        found: list[tuple[tuple[int, bool, bool], Checker, str]] = []
        for each in checkers:
            root = project.candidates[each]
            own = each.id == family
            if each.id in prefer:
                why = "preferred by the configuration"
            elif root.chosen_by:
                why = f"chosen by {root.chosen_by}"
            elif own:
                why = "the family of the language server that serves it"
            else:
                why = f"found by {root.marker}"
            preferred = prefer.index(each.id) if each.id in prefer else len(prefer)
            found.append(((preferred, root.chosen_by is None, not own), each, why))
        return [(each, why) for _, each, why in sorted(found, key=lambda one: one[0])]

    async def _family(self, project: Found) -> str:
        """The checker that reports what the language server of the project reports."""
        known = {each.id for each in project.candidates}
        for each in await self.supervisor.detection.of_file(project.sample):
            if isinstance(each, Usable) and each.definition.role == "types":
                return next((name for name in each.definition.checkers if name in known), "")
        return ""

    async def _choose(self, project: Found, ranked: Iterable[tuple[Checker, str]]) -> None:
        chosen: Planned | None = None
        lacking: list[LeftOut] = []
        for checker, why in ranked:
            configured = project.candidates[checker].chosen_by is not None
            if chosen is not None:
                if configured:
                    reason = f"{chosen.checker.id} checks this project, {chosen.why}"
                    self._leave(checker.id, project.root, reason, f"name {checker.id} in prefer in the section lsp")
                continue
            made = await self._usable(project, checker, why)
            if isinstance(made, Planned):
                chosen = made
                self._runs.append(made)
            elif configured:
                self._left_out.append(made)
            else:
                lacking.append(made)
        if chosen is None:
            self._left_out += lacking[:3]

    async def _lint(self, project: Found, checker: Checker) -> None:
        root = project.candidates[checker]
        why = f"chosen by {root.chosen_by}" if root.chosen_by else f"found by {root.marker}"
        made = await self._usable(project, checker, why)
        if isinstance(made, Planned):
            self._runs.append(made)
        elif root.chosen_by:
            self._left_out.append(made)

    async def _usable(self, project: Found, checker: Checker, why: str) -> Planned | LeftOut:
        """The checker's run in a project, or why there is none."""
        scope, name, root = self.supervisor.scope, checker.id, project.root
        if name in self.supervisor.config.disabled:
            return LeftOut(
                name=name,
                root=root,
                reason="the configuration switches it off",
                remedy=f"take {name} out of disabled in the section lsp",
            )
        if checker.runs_project_code and trust_of(scope, root) != "full":
            reason = "it would run code of the checkout, which is not trusted that far"
            return LeftOut(name=name, root=root, reason=reason, remedy='open the run with trust="full"')
        places = Search.of(scope, root)
        install = f"install it: {checker.install}"
        program = places.find(checker.program)
        if program is None:
            barred = places.barred_program(checker.program)
            if barred is None:
                reason = f"{checker.program} is not on PATH"
            else:
                reason = f"{checker.program} was found in the checkout only, whose programs are not run"
                install += '; or open the run with trust="full"'
            return LeftOut(name=name, root=root, reason=reason, remedy=install)
        env = {**checker.env, "PATH": places.path}
        probed = await self.supervisor.detection.probes.of(program, checker.version_probe, env)
        if probed.problem is not None:
            return LeftOut(name=name, root=root, reason=f"{program} does not run: {probed.problem}", remedy=install)
        mark = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
        return Planned(
            checker=checker,
            project=Project(
                root=root,
                folders=self.folders,
                cache=scope.state.file(f"checkers/{name.replace(' ', '-')}/{mark}"),
                interpreter=interpreter_of(scope, root),
            ),
            program=program,
            version=probed.version,
            env=env,
            why=why,
            chosen_by=project.candidates[checker].chosen_by,
        )

    def _leave(self, name: str, root: str | None, reason: str, remedy: str) -> None:
        self._left_out.append(LeftOut(name=name, root=root, reason=reason, remedy=remedy))
