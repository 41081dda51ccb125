"""Write wrapping: a write's servers are asked what it newly broke (write:wraps, write:bounded)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from toolpost import Write

from toolpost_lsp.writing.state import Writing
from toolpost_lsp.writing.touched import UNREADABLE, Touched, content, moved

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor


@asynccontextmanager
async def around_write(supervisor: Supervisor, write: Write) -> AsyncIterator[None]:
    """The manager of one write: takes the texts before, and tells what is new after.

    A write that fails is told nothing of: whatever it left on disk is noticed by the next question.
    """
    writing = Writing.of(supervisor)
    files = supervisor.scope.files
    before = {path: content(files, path) for path in write.paths}
    looking = asyncio.create_task(writing.servers(tuple(filter(supervisor.serves, before))))
    try:
        yield
    except BaseException:
        looking.cancel()
        raise
    # A path that came along later, or too late, has no text before that is known.
    late = set(write.late)
    touched = moved(
        [
            Touched(
                path=path,
                before=UNREADABLE if path in late else before.get(path, UNREADABLE),
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
