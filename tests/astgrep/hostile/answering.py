"""Answers to bad input, with the bounds that every one of them keeps."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from astgrep.harness import calls
from toolpost import Result

TEXT = 60_000
"""Bytes of text that an answer may take."""
DATA = 2_000_000
"""Bytes of data, as JSON."""
SECONDS = 25.0
"""How long an answer may take: the deadline of a file, and that of one more for the hints, on a loaded machine."""


def answers(folder: Path, *wanted: tuple[str, dict[str, Any]], **options: Any) -> list[Result]:
    """Calls one after the other in one run. Each answer is bounded, and so is the time that all of them take."""
    began = time.monotonic()
    results = calls(folder, *wanted, **options)
    assert time.monotonic() - began < SECONDS * len(wanted)
    for result in results:
        assert len(result.text.encode()) < TEXT
        assert len(json.dumps(result.data)) < DATA
        assert "Traceback" not in result.text
        assert "Error:" not in result.text, "an exception of ours is no answer"
    return results


def answer(folder: Path, name: str, **arguments: Any) -> Result:
    """One call in a run of its own."""
    return answers(folder, (name, arguments))[0]


def found(folder: Path, pattern: str = "f($X)", **arguments: Any) -> Result:
    """One search in a run of its own."""
    return answer(folder, "ast_grep", pattern=pattern, **arguments)


def accepted(folder: Path, pattern: str, rewrite: str, **arguments: Any) -> list[Result]:
    """A rewrite that is staged, accepted and undone; the answers to all three."""
    edit = {"pattern": pattern, "rewrite": rewrite, **arguments}
    undo = {"action": "undo", "edit_id": "undo_1"}
    return answers(folder, ("ast_edit", edit), ("resolve", {"action": "accept"}), ("resolve", undo))
