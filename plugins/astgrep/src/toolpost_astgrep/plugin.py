"""The plugin: structural search and rewrite, bound to a run's parser processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import attrs
from toolpost import Scope, Status, Tool, Unavailable, hookimpl, lowerable

from toolpost_astgrep.tools import tools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolpost_astgrep.engine import Engine


@attrs.frozen(kw_only=True)
class AstGrepConfig:
    """This plugin's section of the configuration.

    Attributes:
        workers: parser processes; 0 means one for each processor.
        cache_mb: megabytes that parsed trees may take, in all workers together.
        deadline: seconds that one file may take.
    """

    workers: int = lowerable("less", default=0, validator=attrs.validators.ge(0))
    cache_mb: int = lowerable("less", default=1024, validator=attrs.validators.ge(1))
    deadline: float = lowerable("less", default=5.0, validator=attrs.validators.gt(0))


@hookimpl
def toolpost_tools() -> list[Tool[Any, Any]]:
    return tools()


@hookimpl
def toolpost_config() -> type:
    return AstGrepConfig


@hookimpl
@asynccontextmanager
async def toolpost_resource(run: Scope, config: AstGrepConfig) -> AsyncIterator[Engine | Unavailable]:
    try:
        import tree_sitter  # noqa: F401 - it is the resource: without the parser there are no tools
    except ImportError as error:
        yield Unavailable(f"the tree-sitter parser cannot be loaded: {error}", "reinstall toolpost-astgrep")
        return
    from toolpost.processes import child_environment

    from toolpost_astgrep.engine import Engine
    from toolpost_astgrep.workers.pool import Pool

    # The workers import what the harness can import: grammars of other distributions too.
    environment = child_environment(keep=("PYTHONPATH",))

    async def spawn(argv: Sequence[str], descriptors: Sequence[int]) -> Any:
        return await run.processes.spawn(argv, pass_fds=descriptors, cwd="/", env=environment)

    pool = Pool(
        spawn,
        cache_bytes=config.cache_mb << 20,
        deadline=config.deadline,
        **({"workers": config.workers} if config.workers else {}),
    )
    try:
        yield Engine(pool)
    finally:
        await pool.close()


@hookimpl
def toolpost_status(handle: Engine) -> Status:
    from toolpost_astgrep import grammars
    from toolpost_astgrep.grammars.extra import extras

    pool, known, extra = handle.pool, sorted(grammars.known()), extras()
    own = [name for name in known if grammars.has_files(name)]
    further = [name for name in known if not grammars.has_files(name)]
    return Status(
        usable=True,
        lines=(
            f"{pool.started} of {pool.workers} parser processes running; they start at the first search",
            f"trees are kept as long as all together grow by less than {pool.cache_bytes >> 20} MB",
            f"languages: {', '.join(own)}",
            *([f"for a file that is named, also: {', '.join(further)}"] if further else []),
            *(f"grammar {name} comes from {origin}" for name, origin in sorted(extra.origins.items())),
            *(f"problem: {problem}" for problem in extra.problems),
        ),
        data={
            "workers": pool.workers,
            "running": pool.started,
            "cache_bytes": pool.cache_bytes,
            "languages": known,
            "extra": dict(extra.origins),
            "problems": list(extra.problems),
        },
    )
