"""Distributions for a test: a real `dist-info` and a real module, on `sys.path`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

import attrs
import pytest


@attrs.define
class Site:
    """A folder on `sys.path` into which distributions are put."""

    folder: Path
    modules: list[str] = attrs.field(factory=list)

    def install(
        self,
        distribution: str,
        source: str = "",
        *,
        name: str | None = None,
        version: str = "1.0",
        group: str = "toolpost",
        module: str | None = None,
        metadata: str | None = None,
        entry_points: str | None = None,
    ) -> None:
        """Put a distribution there whose one entry point *name* is a module of *source*."""
        module = module or distribution.replace("-", "_")
        self.modules.append(module)
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        described = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        (info / "METADATA").write_text(described if metadata is None else metadata)
        points = f"[{group}]\n{name or distribution} = {module}\n"
        (info / "entry_points.txt").write_text(points if entry_points is None else entry_points)
        (self.folder / f"{module}.py").write_text(dedent(source))


@contextmanager
def site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    made = Site(folder)
    monkeypatch.syspath_prepend(str(folder))
    try:
        yield made
    finally:
        for module in made.modules:
            sys.modules.pop(module, None)
