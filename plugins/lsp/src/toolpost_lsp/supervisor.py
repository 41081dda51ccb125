"""The run's servers: started when a file asks for them, ended when they are not used, left alone when they do not answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import attrs
from toolpost import OutsideError, Scope, ToolError

from toolpost_lsp.config import LspConfig
from toolpost_lsp.detection.detect import Detection, Finding, NotUsable, Usable
from toolpost_lsp.lives import Life, Lives
from toolpost_lsp.registry import Registry, registry
from toolpost_lsp.server.definition import Role
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean

_FRESH_SECONDS = 5.0
"""How long a finding is believed; one without a usable server, for a tenth of it."""


@attrs.frozen
class _Found:
    """What was found for the files of one kind in one folder."""

    findings: tuple[Finding, ...]
    until: float

    @property
    def usable(self) -> tuple[Usable, ...]:
        return tuple(each for each in self.findings if isinstance(each, Usable))


@attrs.define(eq=False, kw_only=True)
class Supervisor:
    """The plugin's handle in one run. It starts nothing until a file asks for it.

    Args:
        scope: the run.
        config: this plugin's section.
        registry: which servers are known; those that are installed unless given.

    Attributes:
        writing: what the write wrapper keeps for the run.
    """

    scope: Scope
    config: LspConfig = attrs.field(factory=LspConfig)
    registry: Registry = attrs.field()
    writing: Any = attrs.field(default=None, init=False)
    lives: Lives = attrs.field(init=False)
    detection: Detection = attrs.field(init=False)
    _found: dict[tuple[str, tuple[str, ...]], _Found] = attrs.field(factory=dict, init=False)

    @registry.default
    def _installed(self) -> Registry:
        return registry(self.scope)

    def __attrs_post_init__(self) -> None:
        self.lives = Lives(scope=self.scope, config=self.config)
        self.detection = Detection(scope=self.scope, config=self.config, registry=self.registry)

    # ---- servers ----

    def serves(self, path: str) -> bool:
        """Whether any server takes files of this name; looks at nothing but the name."""
        return bool(self.registry.takers(path))

    async def servers_for(self, path: str, *, role: Role | None = None, start: bool = True) -> list[Server]:
        """The servers of a file, those with the role "types" first; none if none is usable (`unavailable` says why).

        It waits for no start: `Server.started` does. A server that crashed is started anew; one that may not be, or that is
        left alone because it did not answer, is given as it is, so that asking it tells why nothing is known.

        Args:
            path: relative to the workspace, or absolute in one of the run's directories.
            role: only these.
            start: False gives only those that were started before.
        """
        found = await self._findings(path)
        wanted = [each for each in found.usable if role is None or each.definition.role == role]
        if not start:
            wanted = [each for each in wanted if each.key in self.lives]
        return [self.lives.of(each) for each in wanted]

    async def servers_for_workspace(self) -> list[Server]:
        """The servers with the role "types" of the languages that the workspace has files of, and those that run."""
        from toolpost_lsp.detection.samples import samples

        paths = await asyncio.to_thread(samples, self.scope.workspace, self.registry)
        found = {each.key: each for path in paths for each in (await self._findings(path)).usable}
        servers = [self.lives.of(each) for each in found.values() if each.definition.role == "types"]
        return [*servers, *(each for each in self.running if each.definition.role == "types" and each not in servers)]

    def known_for(self, path: str) -> list[Server]:
        """The servers that run already in a project that holds the file, and take it."""
        absolute = path if path.startswith("/") else f"{self.scope.workspace}/{path}"
        ids = {each.id for each in self.registry.takers(path)}
        known = [each for each in self.running if each.definition.id in ids and absolute.startswith(f"{each.root}/")]
        return sorted(known, key=lambda each: each.definition.role != "types")

    @property
    def running(self) -> tuple[Server, ...]:
        """The servers that run, or start."""
        return tuple(each.server for each in self.lives if each.server.state in ("starting", "running"))

    # ---- what became of asking them ----

    def answered(self, server: Server) -> None:
        """It gave an answer."""
        if life := self.lives.find(server):
            life.answered()

    def timed_out(self, server: Server) -> None:
        """It gave none in time: after the second time in a row it is left alone for a while."""
        if life := self.lives.find(server):
            life.timed_out()

    def resting(self, server: Server) -> float:
        """Seconds for which a server is still left alone because it did not answer; 0 for one that may be asked."""
        life = self.lives.find(server)
        return life.rest if life else 0.0

    def failed(self, server: Server, error: BaseException) -> None:
        """Its connection was lost: `servers_for` gives a new one."""
        self.scope.log.info("language server %s (%s): %s", server.definition.id, server.root, clean(str(error)))
        if life := self.lives.find(server):
            life.lost = True

    # ---- why not ----

    def unavailable(self, path: str) -> ToolError:
        """Why `servers_for` gave nothing for a file, and what would change that."""
        takers = self.registry.takers(path)
        found = self._found.get(self._key(path))
        reasons = [each for each in found.findings if isinstance(each, NotUsable)] if found else []
        if not takers or not reasons:
            what = "this workspace" if path == "." else path
            return ToolError(f"no language server that is known serves {what}; lsp status lists those that are known")
        # What needs the least to change first: a program before a project.
        order: dict[str, int] = {"stub": 0, "not trusted": 1, "no program": 2, "switched off": 3}
        reasons.sort(
            key=lambda each: (order.get(each.lack, 4), each.definition.role != "types", each.definition.priority)
        )
        told = "; ".join(
            f"{each.definition.id}: {each.reason}{f' ({each.remedy})' if each.remedy else ''}" for each in reasons[:3]
        )
        more = f"; and {len(reasons) - 3} more, see lsp status" if len(reasons) > 3 else ""
        return ToolError(
            f"no language server is usable for {path}: {told}{more}",
            data={"servers": {each.definition.id: each.lack for each in reasons}},
        )

    async def explain(self, path: str | None = None) -> tuple[Finding, ...]:
        """What is found for each server: of a file, or of a folder, or of the whole workspace. Starts no server.

        Raises:
            ToolError: the path leads out of the workspace.
        """
        try:
            if path is not None and self.serves(path):
                return await self.detection.of_file(path)
            return await self.detection.of_folder(path or ".")
        except OSError as error:
            raise ToolError(str(error)) from error

    # ---- their ends ----

    async def reload(self, path: str | None = None) -> list[Server]:
        """End the servers of a file's project, or all, and start those again; what was known of them is forgotten."""
        self._found.clear()
        self.detection.probes.forget()
        if path is None:
            lives: Iterable[Life] = tuple(self.lives)
            usable = [each.usable for each in lives]
            await self.lives.end(lives)
        else:
            usable = list((await self._findings(path)).usable)
            roots = {each.root for each in usable}
            await self.lives.end([each for each in self.lives if each.usable.root in roots])
        servers = [self.lives.of(each) for each in usable]
        for server in servers:
            server.start()
        return servers

    async def close(self) -> None:
        """End everything."""
        if self.writing is not None:
            await self.writing.close()
        await self.detection.probes.close()
        await self.lives.close()

    # ---- inside ----

    def _key(self, path: str) -> tuple[str, tuple[str, ...]]:
        return path.rpartition("/")[0], tuple(each.id for each in self.registry.takers(path))

    async def _findings(self, path: str) -> _Found:
        key = self._key(path)
        known = self._found.get(key)
        now = self.scope.clock.monotonic()
        if known is not None and known.until > now:
            return known
        try:
            findings = await self.detection.of_file(path) if key[1] else ()
        except OutsideError as error:
            raise ToolError(str(error)) from error
        found = _Found(findings, 0.0)
        found = attrs.evolve(found, until=self.scope.clock.monotonic() + _FRESH_SECONDS * (1 if found.usable else 0.1))
        self._found[key] = found
        return found
