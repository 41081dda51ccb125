"""What this client can do, as servers are told; and what a server can do, as it says at its start and later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

import attrs

from toolpost_lsp.protocol.types import Encoding

_DYNAMIC = {"dynamicRegistration": True}
_LINKS = {"dynamicRegistration": True, "linkSupport": True}
_EVERY_SYMBOL_KIND = {"valueSet": list(range(1, 27))}
_FILE_OPERATIONS = ("willCreate", "didCreate", "willRename", "didRename", "willDelete", "didDelete")

CLIENT_CAPABILITIES: Mapping[str, Any] = {
    "general": {
        # UTF-16 is every server's; with UTF-8 the quicker ones need not convert.
        "positionEncodings": ["utf-8", "utf-16"],
        "markdown": {"parser": "commonmark"},
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": []},
    },
    "window": {
        "workDoneProgress": True,
        "showMessage": {},
        "showDocument": {"support": False},
    },
    "workspace": {
        "applyEdit": False,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": _DYNAMIC,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "executeCommand": _DYNAMIC,
        "symbol": {"dynamicRegistration": True, "symbolKind": _EVERY_SYMBOL_KIND, "tagSupport": {"valueSet": [1]}},
        "diagnostics": {"refreshSupport": True},
        "fileOperations": {"dynamicRegistration": True, **dict.fromkeys(_FILE_OPERATIONS, True)},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "transactional",
            "normalizesLineEndings": True,
            "changeAnnotationSupport": {"groupsOnLabel": False},
        },
    },
    "textDocument": {
        "synchronization": {"dynamicRegistration": True, "didSave": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        # Pulled diagnostics come several times faster than published ones, and belong to what was asked.
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
        "definition": _LINKS,
        "typeDefinition": _LINKS,
        "implementation": _LINKS,
        "references": _DYNAMIC,
        "hover": {"dynamicRegistration": True, "contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {
            "dynamicRegistration": True,
            "hierarchicalDocumentSymbolSupport": True,
            "symbolKind": _EVERY_SYMBOL_KIND,
            "tagSupport": {"valueSet": [1]},
        },
        "rename": {"dynamicRegistration": True, "prepareSupport": True, "honorsChangeAnnotations": True},
        "codeAction": {
            "dynamicRegistration": True,
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "honorsChangeAnnotations": True,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source", "source.organizeImports"]}
            },
        },
    },
}
"""Sent with `initialize`. Only what is handled is offered: a snippet in an edit, for one, is not."""

_PROVIDERS = {
    "textDocument/definition": ("definitionProvider",),
    "textDocument/typeDefinition": ("typeDefinitionProvider",),
    "textDocument/implementation": ("implementationProvider",),
    "textDocument/references": ("referencesProvider",),
    "textDocument/hover": ("hoverProvider",),
    "textDocument/documentSymbol": ("documentSymbolProvider",),
    "textDocument/rename": ("renameProvider",),
    "textDocument/prepareRename": ("renameProvider", "prepareProvider"),
    "textDocument/codeAction": ("codeActionProvider",),
    "codeAction/resolve": ("codeActionProvider", "resolveProvider"),
    "textDocument/diagnostic": ("diagnosticProvider",),
    "workspace/diagnostic": ("diagnosticProvider", "workspaceDiagnostics"),
    "workspace/symbol": ("workspaceSymbolProvider",),
    "workspace/executeCommand": ("executeCommandProvider",),
    **{f"workspace/{each}Files": ("workspace", "fileOperations", each) for each in _FILE_OPERATIONS},
}
"""Where a server's answer to `initialize` says that it takes a request."""

_PART_OF = {
    "textDocument/prepareRename": ("textDocument/rename", "prepareProvider"),
    "codeAction/resolve": ("textDocument/codeAction", "resolveProvider"),
    "workspace/diagnostic": ("textDocument/diagnostic", "workspaceDiagnostics"),
}
"""Requests that are registered with another one, by an option of it."""

_WATCHED = "workspace/didChangeWatchedFiles"
_NONE: Mapping[str, Any] = MappingProxyType({})
_SYNC_KINDS: Mapping[Any, SyncKind] = {0: 0, 1: 1, 2: 2}

SyncKind = Literal[0, 1, 2]
"""How changed text is told: not at all, whole, or by range."""


@attrs.frozen
class Save:
    """That a server wants to hear of saved documents, and whether with their text."""

    include_text: bool = False


@attrs.define(eq=False)
class Capabilities:
    """What one server can do now. What is malformed in its words counts as not said.

    Attributes:
        encoding: how it counts characters.
    """

    encoding: Encoding = attrs.field(default="utf-16", init=False)
    _static: Mapping[str, Any] = attrs.field(default=_NONE, init=False)
    _registered: dict[str, tuple[str, Mapping[str, Any]]] = attrs.field(factory=dict, init=False)

    def set_static(self, initialized: Any) -> None:
        """Take the result of `initialize`."""
        self._static = _mapping(_mapping(initialized).get("capabilities"))
        encoding = self._static.get("positionEncoding")
        self.encoding = encoding if encoding in ("utf-8", "utf-16", "utf-32") else "utf-16"

    def register(self, params: Any) -> None:
        """Take a `client/registerCapability`."""
        for number, method, options in _entries(params, "registrations"):
            if self._registered.get(number, ("", _NONE))[0] == method == _WATCHED:
                options = _together(self._registered[number][1], options)  # pyrefly adds to what it watches so
            self._registered[number] = (method, options)

    def unregister(self, params: Any) -> None:
        """Take a `client/unregisterCapability`."""
        for name in ("unregisterations", "unregistrations"):  # the first is the protocol's own spelling
            for number, _, _ in _entries(params, name):
                self._registered.pop(number, None)

    def has(self, method: str) -> bool:
        """Whether it takes that request, or wants that notification."""
        return any(True for _ in self._offers(method))

    def options(self, method: str) -> Mapping[str, Any]:
        """The options of a method; what it said at its start comes before what it registered; none if it has none."""
        return next(self._offers(method), _NONE)

    def all_options(self, method: str) -> tuple[Mapping[str, Any], ...]:
        """The options of every offer of a method: it may be registered several times, for different documents."""
        return tuple(self._offers(method))

    @property
    def opens(self) -> bool:
        """Whether it wants to hear of opened and closed documents."""
        sync = self._static.get("textDocumentSync")
        if isinstance(sync, Mapping):
            return sync.get("openClose") is True or self._is_registered("textDocument/didOpen")
        return bool(self.sync_kind) or self._is_registered("textDocument/didOpen")

    @property
    def sync_kind(self) -> SyncKind:
        """How it wants to hear of changed text: a registration counts before what it said at its start."""
        sync = self._static.get("textDocumentSync")
        said = [sync.get("change") if isinstance(sync, Mapping) else sync]
        said += [options.get("syncKind") for options in self._registrations("textDocument/didChange")]
        return next((_SYNC_KINDS[kind] for kind in reversed(said) if _is_sync_kind(kind)), 0)

    @property
    def save(self) -> Save | None:
        """Whether, and how, it wants to hear of saved documents."""
        sync = self._static.get("textDocumentSync")
        said = sync.get("save") if isinstance(sync, Mapping) else None
        offers = [_mapping(said)] if said is True or isinstance(said, Mapping) else []
        offers += self._registrations("textDocument/didSave")
        if not offers:
            return None
        return Save(include_text=any(options.get("includeText") is True for options in offers))

    def _offers(self, method: str) -> Iterator[Mapping[str, Any]]:
        if method in _PROVIDERS:
            value: Any = self._static
            for part in _PROVIDERS[method]:
                value = _mapping(value).get(part)
            if value is True or isinstance(value, Mapping):
                yield _mapping(value)
        yield from self._registrations(method)
        if method in _PART_OF:
            whole, option = _PART_OF[method]
            yield from (options for options in self._registrations(whole) if options.get(option) is True)

    def _registrations(self, method: str) -> list[Mapping[str, Any]]:
        return [options for name, options in self._registered.values() if name == method]

    def _is_registered(self, method: str) -> bool:
        return any(name == method for name, _ in self._registered.values())


def _is_sync_kind(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in _SYNC_KINDS


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else _NONE


def _together(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The watchers of both: an event too many does no harm."""
    watchers = [each for options in (one, other) if isinstance(each := options.get("watchers"), list)]
    found: list[Any] = []
    for watcher in (watcher for each in watchers for watcher in each):
        if watcher not in found:
            found.append(watcher)
    return {"watchers": found}


def _entries(params: Any, name: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The id, method and options of each (un)registration."""
    entries = _mapping(params).get(name)
    for entry in entries if isinstance(entries, list) else ():
        number, method = _mapping(entry).get("id"), _mapping(entry).get("method")
        if isinstance(number, str) and isinstance(method, str):
            yield number, method, _mapping(entry.get("registerOptions"))
