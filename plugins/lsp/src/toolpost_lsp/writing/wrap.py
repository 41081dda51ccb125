"""Write wrapping: a write's servers are asked what it newly broke (write:wraps, write:bounded)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from toolpost import Write

from toolpost_lsp.server.watching import Kind
from toolpost_lsp.writing.state import Writing
from toolpost_lsp.writing.touched import UNREADABLE, Content, Touched, content, moved

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor


@asynccontextmanager
async def around_others_write(supervisor: Supervisor, write: Write) -> AsyncIterator[None]:
    """The manager of a write to files that no server takes: those that run hear of it before their next question."""
    before = _there(supervisor, write)
    yield
    after = _there(supervisor, write)
    happened: dict[str, Kind] = dict.fromkeys(before - after, "deleted")
    happened |= {path: "changed" if path in before else "created" for path in after}
    for server in supervisor.running:
        server.documents.changed_meanwhile(happened)


@asynccontextmanager
async def around_write(supervisor: Supervisor, write: Write) -> AsyncIterator[None]:
    """The manager of one write: takes the texts before, and tells what is new after.

    A write that fails is told nothing of: whatever it left on disk is noticed by the next question.
    """
    writing = Writing.of(supervisor)
    before = {path: content(supervisor.scope.files, path) for path in write.paths}
    writing.under_way.update(before)
    try:
        async with _told(writing, write, before):
            yield
    finally:
        writing.under_way.difference_update(before)


@asynccontextmanager
async def _told(writing: Writing, write: Write, before: Mapping[str, Content]) -> AsyncIterator[None]:
    supervisor = writing.supervisor
    files = supervisor.scope.files
    served = tuple(filter(supervisor.serves, before))
    looking = asyncio.create_task(writing.servers(served))
    await writing.prepare(served)
    try:
        yield
    except BaseException as error:
        looking.cancel()
        if isinstance(error, asyncio.CancelledError):  # its files may change all the same
            writing.interrupted.update({**before, **writing.interrupted})
        raise
    # A path that came along later, or too late, has no text before that is known.
    late = set(write.late)
    touched = moved(
        [
            Touched(
                path=path,
                before=writing.interrupted.pop(path, UNREADABLE if path in late else before.get(path, UNREADABLE)),
                after=content(files, path),
            )
            for path in write.paths
        ]
    )
    if supervisor.config.diagnostics == "end_of_turn":
        looking.cancel()
        await writing.remember(touched)
        return
    news = await writing.look(touched, looking)
    if news is not None:
        write.note(news.text, data=news.data())


def _there(supervisor: Supervisor, write: Write) -> set[str]:
    """Which of a write's files are there."""
    return {path for path in write.paths if os.path.lexists(os.path.join(supervisor.scope.workspace, path))}
