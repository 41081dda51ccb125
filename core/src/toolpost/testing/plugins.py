"""Plugins made in a test, and runs opened on them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

from toolpost import Host, Run, Tool, hookimpl


def plugin(name: str, *tools: Tool[Any, Any], **hooks: Any) -> ModuleType:
    """A plugin module that declares *tools* and implements *hooks*: `plugin("p", tool("t"), resource=lambda: 1)`.

    Args:
        name: the plugin's name.
        tools: its tools.
        hooks: implementations by the hook's name without `toolpost_`; each may take fewer arguments than its
            specification.
    """
    module = ModuleType(name)
    if tools:
        hooks.setdefault("tools", lambda: tools)
    for hook, function in hooks.items():
        setattr(module, f"toolpost_{hook}", hookimpl(function))
    return module


@asynccontextmanager
async def open_run(
    workspace: str | os.PathLike[str], plugins: Iterable[Any] = (), /, *, strict: bool = True, **terms: Any
) -> AsyncIterator[Run]:
    """A run on *workspace* with *plugins*, in a host of its own that hides no failure; *terms* go to `Host.open`."""
    async with Host(plugins, strict=strict).open(workspace, **terms) as run:
        yield run
