"""Why a server, or a document of it, cannot be used; each text is for the model."""

from __future__ import annotations

from toolpost import ToolError


class Unavailable(ToolError):
    """A server did not start, or is gone. `reason` is one line; details are in `lsp status`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(ToolError):
    """A file that no server can be shown: not there, binary, too large, or not UTF-8."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
