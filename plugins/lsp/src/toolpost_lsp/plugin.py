"""The plugin: the language servers of a checkout, bound to one run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from toolpost import Scope, Status, Tool, Write, hookimpl

from toolpost_lsp.config import LspConfig
from toolpost_lsp.tools import tools

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor


@hookimpl
def toolpost_tools() -> list[Tool[Any, Any]]:
    return tools()


@hookimpl
def toolpost_config() -> type:
    return LspConfig


@hookimpl
@asynccontextmanager
async def toolpost_resource(run: Scope, config: LspConfig) -> AsyncIterator[Supervisor]:
    from toolpost_lsp.supervisor import Supervisor

    supervisor = Supervisor(scope=run, config=config)
    try:
        yield supervisor
    finally:
        await supervisor.close()


@hookimpl
def toolpost_around_write(handle: Supervisor, write: Write) -> AbstractAsyncContextManager[None] | None:
    if handle.config.diagnostics == "off":
        return None
    served = any(map(handle.serves, write.paths))
    if not served and not handle.running:
        return None  # nobody would want to know
    from toolpost_lsp.writing.wrap import around_others_write, around_write

    return around_write(handle, write) if served else around_others_write(handle, write)


@hookimpl
def toolpost_status(handle: Supervisor) -> Status:
    from toolpost_lsp.status import overview

    return overview(handle)
