"""The diagnostics of typescript-language-server, asked for: it publishes none when they did not change (facts §0.2).

Source: its README, "workspace/executeCommand", `typescript.tsserverRequest`; tsserver's `protocol.d.ts`, `DiagnosticsSync`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

COMMAND = "typescript.tsserverRequest"

_QUESTIONS = ("syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync")
_SEVERITIES = {"error": 1, "warning": 2, "message": 3, "suggestion": 4}
_UNNECESSARY, _DEPRECATED = 1, 2  # DiagnosticTag

Request = Callable[[str, Any], Awaitable[Any]]


async def ask(request: Request, file: str) -> list[dict[str, Any]] | None:
    """Ask three times: for the syntax, the types and the hints.

    Args:
        request: sends a request to the server.
        file: absolute.

    Returns:
        Diagnostics as the protocol writes them, or None if the server had no answer.
    """
    found = []
    for question in _QUESTIONS:
        arguments = [question, {"file": file, "includeLinePosition": False}]
        answer = await request("workspace/executeCommand", {"command": COMMAND, "arguments": arguments})
        body = answer.get("body") if isinstance(answer, Mapping) and answer.get("success", True) else None
        if not isinstance(body, list):
            return None
        found += [diagnostic for each in body if (diagnostic := _diagnostic(each))]
    return found


def _diagnostic(said: Any) -> dict[str, Any] | None:
    """What tsserver said in the protocol's own terms; None if it is malformed."""
    try:
        tags = [
            tag
            for name, tag in (("reportsUnnecessary", _UNNECESSARY), ("reportsDeprecated", _DEPRECATED))
            if said.get(name)
        ]
        return {
            "range": {"start": _position(said["start"]), "end": _position(said["end"])},
            "severity": _SEVERITIES.get(said.get("category"), 1),
            "code": said.get("code"),
            "source": said.get("source") or "typescript",
            "message": str(said["text"]),
            **({"tags": tags} if tags else {}),
        }
    except (AttributeError, KeyError, TypeError):
        return None


def _position(said: Mapping[str, Any]) -> dict[str, int]:
    """tsserver counts lines and UTF-16 units from 1."""
    return {"line": said["line"] - 1, "character": said["offset"] - 1}
