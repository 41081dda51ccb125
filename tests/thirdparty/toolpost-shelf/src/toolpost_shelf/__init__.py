"""A shelf: finds files by suffix, renames several at once when somebody agrees, and remarks on what is written."""

from contextlib import asynccontextmanager
from typing import Annotated

import attrs
from toolpost import Change, PendingAction, Result, Tier, Tool, digest, hookimpl


@attrs.frozen(kw_only=True)
class Paths:
    """Say how large files are."""
    paths: Annotated[list[str], "Files of the workspace."]

@attrs.frozen(kw_only=True)
class Rename(Paths):
    """Propose to put a suffix behind the names of files."""
    suffix: Annotated[str, "The suffix."]

async def sizes(params, call):
    found = {path: call.scope.files.stat(path).st_size for path in params.paths}
    return Result.of("\n".join(f"{path}: {size}" for path, size in found.items()), data=found)

async def rename(params, call):
    read = {path: call.scope.files.read(path) for path in params.paths}
    changes = [Change(path=path, seen=digest(data), after=None) for path, data in read.items()]
    changes += [Change(path=path + params.suffix, seen=None, after=data, like=path) for path, data in read.items()]
    async def apply(reason):
        await call.apply(changes, label="batch rename")
        return f"renamed {len(read)} files"
    return "proposed " + call.stage(PendingAction(label=f"rename {len(read)} files", apply=apply, source_tool="batch_rename"))

@hookimpl
def toolpost_tools():
    return [Tool(name="sizes", params=Paths, handler=sizes, tier=Tier.READ),
            Tool(name="batch_rename", params=Rename, handler=rename, tier=Tier.WRITE, stages=True)]

@hookimpl
@asynccontextmanager
async def toolpost_around_write(write):
    yield
    write.note(f"the shelf saw {len(write.paths)} files")
