"""Programs: does one answer when it is asked for its version, or is it a stub? Asked once for each state of the file."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping

import attrs
from toolpost import Scope
from toolpost.processes import DEVNULL, PIPE, SpawnError, child_environment

from toolpost_lsp.words import clean

SECONDS = 10.0
"""How long a version may take: a program of Node's on a busy machine takes some."""
_AGAIN = 30.0
_MOST = 64 * 1024
_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.+-]*")


@attrs.frozen(kw_only=True)
class Probed:
    """What came of a probe.

    Attributes:
        version: what it calls itself; nothing where that is not known.
        problem: why it is no server that could run.
        until: when a problem that may pass is looked at again, by the run's clock.
    """

    version: str = ""
    problem: str | None = None
    until: float = float("inf")


@attrs.define(eq=False)
class Probes:
    """The probes of one run."""

    scope: Scope
    _known: dict[tuple[object, ...], asyncio.Task[Probed]] = attrs.field(factory=dict, init=False)

    async def of(self, program: str, arguments: tuple[str, ...] | None, env: Mapping[str, str]) -> Probed:
        """Probe a program; cancelling this does not stop the probe, which somebody else may wait for too.

        Args:
            program: its absolute path.
            arguments: None: it cannot be asked.
            env: variables beside those that every child gets.
        """
        if arguments is None:
            return Probed()
        try:
            about = os.stat(program)
        except OSError as error:
            return Probed(problem=f"{program}: {error.strerror}")
        key = (program, about.st_mtime_ns, about.st_size, about.st_ino, arguments)
        task = self._known.get(key)
        if task is None or (task.done() and (task.cancelled() or task.result().until < self.scope.clock.monotonic())):
            self._known[key] = task = asyncio.create_task(self._probe(program, arguments, env))
        return await asyncio.shield(task)

    def forget(self) -> None:
        """Ask again from now on."""
        self._known = {key: task for key, task in self._known.items() if not task.done()}

    async def close(self) -> None:
        """Stop what is under way."""
        tasks = [task for task in self._known.values() if not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _probe(self, program: str, arguments: tuple[str, ...], env: Mapping[str, str]) -> Probed:
        asked = clean(" ".join((os.path.basename(program), *arguments)), 100)
        try:
            # Not in the checkout: a version manager would take its configuration from there.
            process = await self.scope.processes.spawn(
                (program, *arguments),
                cwd="/",
                env=child_environment(env),
                stdin=DEVNULL,
                stdout=PIPE,
                deadline=2 * SECONDS,
            )
        except SpawnError as error:
            return Probed(problem=clean(str(error)), until=self.scope.clock.monotonic() + _AGAIN)
        assert process.stdout  # it is a pipe
        output = b""
        try:
            async with asyncio.timeout(SECONDS):
                while len(output) < _MOST and (block := await process.stdout.read(_MOST)):
                    output += block
                code = await process.wait()
        except TimeoutError:
            return Probed(
                problem=f"`{asked}` did not answer within {SECONDS:g} s",
                until=self.scope.clock.monotonic() + _AGAIN,
            )
        finally:
            await asyncio.shield(process.kill())
        said = (
            output.decode(errors="replace") if code == 0 else process.stderr_tail() or output.decode(errors="replace")
        )
        lines = [line for line in said.splitlines() if line.strip()]
        if code != 0:
            told = f": {clean(lines[0], 200)}" if lines else ""
            return Probed(problem=f"`{asked}` ends with exit code {code}{told}")
        number = _VERSION.search(said)
        return Probed(version=number[0] if number else clean(lines[0], 40) if lines else "")
