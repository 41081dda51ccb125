"""Answers to what a server asks of its client."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from toolpost_lsp.protocol.errors import INVALID_PARAMS, METHOD_NOT_FOUND, ResponseError
from toolpost_lsp.protocol.uris import uri_of

if TYPE_CHECKING:
    from .server import Server


@attrs.frozen(eq=False)
class Answering:
    """Answers the requests of one server. Nothing that it asks for changes a file or asks a person."""

    server: Server

    async def answer(self, method: str, params: Any) -> Any:
        """The result of a request.

        Raises:
            ResponseError: it is unknown, or malformed.
        """
        match method:
            case "workspace/configuration":
                return self._configuration(params)
            case "client/registerCapability":
                self.server.capabilities.register(params)
                self.server.bell.ring()
            case "client/unregisterCapability":
                self.server.capabilities.unregister(params)
                self.server.bell.ring()
            case "workspace/workspaceFolders":
                return workspace_folders(self.server.root)
            case "workspace/applyEdit":
                # Contract lsp:untrusted: files change by a tool's call only.
                return {"applied": False, "failureReason": "this client applies no edits on a server's initiative"}
            case "workspace/diagnostic/refresh":
                self.server.diagnosing.outdated()
            case "window/showDocument":
                return {"success": False}
            case "window/workDoneProgress/create" | "window/showMessageRequest":
                pass
            case _ if method in self.server.definition.answers:
                return self.server.definition.answers[method]
            case _ if method.startswith("workspace/") and method.endswith("/refresh"):
                pass  # nothing of it is kept
            case _:
                raise ResponseError(METHOD_NOT_FOUND, f"this client does not know {method}", None)
        return None

    def _configuration(self, params: Any) -> list[Any]:
        items = params.get("items") if isinstance(params, Mapping) else None
        if not isinstance(items, list):
            raise ResponseError(INVALID_PARAMS, "workspace/configuration without a list of items", None)
        settings = nested(self.server.settings)
        return [section(settings, item.get("section") if isinstance(item, Mapping) else None) for item in items]


def workspace_folders(root: str) -> list[dict[str, str]]:
    """The one folder that a server works in."""
    return [{"uri": uri_of(root), "name": os.path.basename(root) or root}]


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings whose keys may hold dots, as objects within objects: `{"a.b": 1}` is `{"a": {"b": 1}}`."""
    whole: dict[str, Any] = {}
    for key, value in settings.items():
        value = nested(value) if isinstance(value, Mapping) else value
        for name in reversed(key.split(".")):
            value = {name: value}
        _merge(whole, value)
    return whole


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value


def section(settings: Mapping[str, Any], name: Any) -> Any:
    """One section of nested settings; null where there is none, which makes the server use its own defaults."""
    value: Any = settings
    for part in name.split(".") if isinstance(name, str) and name else ():
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value
