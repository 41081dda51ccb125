"""Plays tour scripts on a copy of the sample project."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import attrs

from toolpost import Host, Result, Run, Tier, allow_all, discovery
from toolpost.tour.script import CallStep, Outside, Scene, Step, scripts


@attrs.frozen(kw_only=True)
class Played:
    """One step as it went: the step, and the answer if it was a call. `left_out`: a scene whose program is missing."""

    step: Step
    result: Result | None = None
    left_out: bool = False

    @property
    def surprising(self) -> bool:
        """The call did not end as its scene says, so the tour does not show what it claims."""
        return isinstance(self.step, CallStep) and self.result is not None and self.result.is_error != self.step.error

    def lines(self) -> Iterator[str]:
        """The step as an agent's transcript shows it."""
        if isinstance(self.step, Scene):
            yield from ("", f"== {self.step.scene}")
            if self.step.say:
                yield self.step.say
            if self.left_out:
                install = f"; `{self.step.install}` installs it" if self.step.install else ""
                yield f"(left out: it needs {self.step.needs}, which is not on PATH{install})"
        elif isinstance(self.step, Outside):
            yield from ("", f"(somebody else appends to {self.step.outside}: {self.step.append.strip()!r})")
        elif self.result is not None:
            yield from ("", f"> {self.step.call} {json.dumps(dict(self.step.args), ensure_ascii=False)}")
            mark = "!" if self.result.is_error else "|"
            yield from (f"{mark} {line}".rstrip() for line in self.result.text.splitlines())
            if self.surprising:
                yield f"! (this scene expected {'an error' if self.step.error else 'success'})"


async def play(show: Callable[[Played], None]) -> list[Played]:
    """Play the script of every installed plugin that has one; each step is shown as it ends.

    Returns:
        The steps as they went.
    """
    names = [found.name for found in discovery.installed()]
    names = list(dict.fromkeys(names))
    played: list[Played] = []
    with _sample() as folder:
        host = Host(names)
        for script in scripts(names).values():
            async with host.open(folder, conversation="tour", approver=allow_all) as run:
                left_out = False
                for step in script:
                    if isinstance(step, Scene):
                        left_out = bool(step.needs) and shutil.which(step.needs) is None
                    elif left_out:
                        continue
                    played.append(Played(step=step, result=await _take(step, run, folder), left_out=left_out))
                    show(played[-1])
    return played


async def _take(step: Step, run: Run, folder: Path) -> Result | None:
    if isinstance(step, Outside):
        with (folder / step.outside).open("a", encoding="utf-8", newline="") as file:
            file.write(step.append)
    elif isinstance(step, CallStep):
        return await run.surface(Tier(step.tier)).call(step.call, dict(step.args))
    return None


@contextmanager
def _sample() -> Iterator[Path]:
    """A copy of the sample project, gone with the tour."""
    with tempfile.TemporaryDirectory(prefix="toolpost-tour-") as parent, resources.as_file(_source()) as source:
        folder = Path(parent) / "kiosk"
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
        yield folder


def _source() -> Any:
    return resources.files("toolpost.tour").joinpath("sample")
