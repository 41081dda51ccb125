"""For a harness: what all writes of a turn newly broke, told at its end (write:modes, `end_of_turn`)."""

from __future__ import annotations

from toolpost import Run

from toolpost_lsp.writing.note import News
from toolpost_lsp.writing.state import Writing

SECONDS = 5.0


async def end_of_turn(run: Run, *, wait: float = SECONDS) -> News | None:
    """Ask the servers of every file that was written since the last such question, once, for all of its writes together.

    With `diagnostics = "end_of_turn"` a write itself says nothing; a harness calls this when its agent is done, and hands
    `News.text` to it. What was broken and mended within the turn is not told.

    Args:
        run: in which the plugin `lsp` is alive.
        wait: seconds at most.

    Returns:
        None if no file that a server handles is other than it was.
    """
    binding = run.bindings.get("lsp")
    if binding is None:
        return None
    return await Writing.of(binding.handle).end_turn(wait)
