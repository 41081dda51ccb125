"""What the fake server answers, computed from its texts; what is wrong with its answers is said by its modes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import attrs
from lsp.fake.modes import Modes
from lsp.fake.texts import Texts, path_of, uri_of

COMMAND = "typescript.tsserverRequest"
INVALID_PARAMS, METHOD_NOT_FOUND, REQUEST_FAILED, SERVER_CANCELLED, CONTENT_MODIFIED = (
    -32602,
    -32601,
    -32803,
    -32802,
    -32801,
)
_CATEGORIES = {1: "error", 2: "warning"}


class Refused(Exception):
    """The error that a request is answered with."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


@attrs.define(eq=False)
class Answers:
    """The results of requests.

    Attributes:
        indexing: it knows the first file only, for the time being.
    """

    modes: Modes
    texts: Texts
    indexing: bool = False
    _cancelled: int = attrs.field(default=0, init=False)
    _modified: int = attrs.field(default=0, init=False)

    def capabilities(self) -> dict[str, Any]:
        modes = self.modes
        able: dict[str, Any] = {
            "textDocumentSync": {
                "openClose": True,
                "change": modes.sync,
                **({"save": {"includeText": True}} if modes.save else {}),
            },
            "hoverProvider": True,
            "definitionProvider": True,
            "typeDefinitionProvider": True,
            "implementationProvider": True,
            "referencesProvider": True,
            "documentSymbolProvider": True,
            "workspaceSymbolProvider": True,
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "renameProvider": {"prepareProvider": True},
            "workspace": {"fileOperations": {"willRename": {"filters": [{"pattern": {"glob": "**/*"}}]}}},
        }
        if modes.encoding:
            able["positionEncoding"] = modes.encoding
        if modes.diagnostics == "pull" and modes.registers_after is None:
            able["diagnosticProvider"] = self.diagnostic_options()
        if modes.diagnostics == "command":
            able["executeCommandProvider"] = {"commands": [COMMAND]}
        return able

    @staticmethod
    def diagnostic_options() -> dict[str, Any]:
        return {"identifier": "fake", "interFileDependencies": True, "workspaceDiagnostics": False}

    def to(self, method: str, params: Any) -> Any:
        """The result.

        Raises:
            Refused: there is none.
        """
        if method in self.modes.fails_on:
            raise Refused(REQUEST_FAILED, f"{method} failed, as the script says")
        if self._modified < self.modes.modified:
            self._modified += 1
            raise Refused(CONTENT_MODIFIED, "content modified")
        match method:
            case "textDocument/hover":
                return self._hover(params)
            case "textDocument/definition" | "textDocument/typeDefinition" | "textDocument/implementation":
                return self._definitions(self._word(params)[0])
            case "textDocument/references":
                return self._uses(self._word(params)[0])
            case "textDocument/documentSymbol":
                return self._outline(path_of(params["textDocument"]["uri"]))
            case "workspace/symbol":
                return self._symbols(params["query"])
            case "textDocument/codeAction":
                return self._fixes(params)
            case "textDocument/diagnostic":
                return self._pulled(params)
            case "workspace/executeCommand":
                return self._commanded(params)
            case "textDocument/prepareRename":
                return self._word(params)[1]
            case "textDocument/rename":
                return self._edit(self._word(params)[0], params["newName"])
            case "workspace/willRenameFiles":
                return self._moved(params["files"])
        raise Refused(METHOD_NOT_FOUND, f"no {method}")

    def _word(self, params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        path = path_of(params["textDocument"]["uri"])
        if path not in self.texts.open:
            raise Refused(INVALID_PARAMS, f"{path} is not open")
        text = self.texts.open[path][1]
        found = text.word_at(params["position"])
        if found is None:
            raise Refused(INVALID_PARAMS, "there is no word")
        word, start, end = found
        return word, text.range(start, end)

    def _uses(self, word: str) -> list[dict[str, Any]]:
        """Everywhere, or in the first file only."""
        found = [
            {"uri": uri_of(path), "range": place}
            for path, text in self.texts.all().items()
            for place in text.uses(word)
        ]
        return [each for each in found if each["uri"] == found[0]["uri"]] if self.indexing else found

    def _definitions(self, word: str) -> list[dict[str, Any]]:
        found = (
            {"uri": uri_of(path), "range": place}
            for path, text in self.texts.all().items()
            for name, place in text.definitions()
            if name == word
        )
        return list(found)

    def _hover(self, params: Mapping[str, Any]) -> dict[str, Any]:
        word, place = self._word(params)
        return {"contents": {"kind": "plaintext", "value": f"{word}: {len(self._uses(word))} uses"}, "range": place}

    def _outline(self, path: str) -> list[dict[str, Any]]:
        return [
            {"name": name, "kind": 12, "range": place, "selectionRange": place}
            for name, place in self.texts.all()[path].definitions()
        ]

    def _symbols(self, query: str) -> list[dict[str, Any]]:
        return [
            {"name": name, "kind": 12, "location": {"uri": uri_of(path), "range": place}}
            for path, text in self.texts.all().items()
            for name, place in text.definitions()
            if query in name
        ]

    def _fixes(self, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """For each problem in the lines asked about: to take its mark away, and a fix that is only a command."""
        uri, asked = params["textDocument"]["uri"], params["range"]
        lines = range(asked["start"]["line"], asked["end"]["line"] + 1)
        found: list[dict[str, Any]] = []
        for problem in self.texts.problems(path_of(uri)):
            if problem["range"]["start"]["line"] in lines:
                edits = {uri: [{"range": problem["range"], "newText": "fixed"}]}
                title = f"Fix {problem['code']}"
                found.append({"title": title, "kind": "quickfix", "diagnostics": [problem], "edit": self._edits(edits)})
                found.append(
                    {"title": f"{title} later", "kind": "quickfix", "command": {"title": title, "command": "x"}}
                )
        return found

    def _pulled(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if self.modes.diagnostics != "pull":
            raise Refused(METHOD_NOT_FOUND, "no textDocument/diagnostic")
        if params.get("identifier") != "fake":
            raise Refused(INVALID_PARAMS, "asked without the identifier")
        if self._cancelled < self.modes.cancels:
            self._cancelled += 1
            raise Refused(SERVER_CANCELLED, "cancelled", {"retriggerRequest": True})
        return {"kind": "full", "items": self.texts.problems(path_of(params["textDocument"]["uri"]))}

    def _commanded(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """As tsserver writes it: lines and columns count from 1."""
        question, arguments = params["arguments"][:2]
        problems = self.texts.problems(arguments["file"]) if question == "semanticDiagnosticsSync" else []

        def place(position: Mapping[str, int]) -> dict[str, int]:
            return {"line": position["line"] + 1, "offset": position["character"] + 1}

        body = [
            {
                "start": place(each["range"]["start"]),
                "end": place(each["range"]["end"]),
                "text": each["message"],
                "code": each["code"],
                "category": _CATEGORIES[each["severity"]],
            }
            for each in problems
        ]
        return {"success": True, "body": body}

    def _moved(self, files: list[Mapping[str, str]]) -> dict[str, Any] | None:
        """Whoever names a moved file by its stem names the new one instead."""
        edits: dict[str, list[dict[str, Any]]] = {}
        for file in files:
            old, new = (os.path.splitext(os.path.basename(path_of(file[key])))[0] for key in ("oldUri", "newUri"))
            if old != new:
                for use in self._uses(old):
                    edits.setdefault(use["uri"], []).append({"range": use["range"], "newText": new})
        return self._edits(edits) if edits else None

    def _edit(self, word: str, new: str) -> dict[str, Any]:
        edits: dict[str, list[dict[str, Any]]] = {}
        for use in self._uses(word):
            edits.setdefault(use["uri"], []).append({"range": use["range"], "newText": new})
        first, last = next(iter(edits)), list(edits)[-1]
        match self.modes.edits:
            case "outside":
                place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
                outside = os.path.join(os.path.dirname(self.texts.root), "outside.txt")
                edits[uri_of(outside)] = [{"range": place, "newText": new}]
            case "overlapping":
                start, end = edits[first][0]["range"]["start"], edits[first][0]["range"]["end"]
                longer = {"start": start, "end": {"line": end["line"] + 1, "character": 0}}
                edits[first].append({"range": longer, "newText": new})
            case "partial":
                del edits[last]
            case "shifted":
                start, end = edits[first][0]["range"]["start"], edits[first][0]["range"]["end"]
                for position in (start, end):
                    position["character"] += 1
            case "malformed":
                del edits[last][-1]["range"]["end"]
        return self._edits(edits)

    def _edits(self, edits: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
        if self.modes.edit_form == "changes":
            return {"changes": edits}
        return {
            "documentChanges": [
                {"textDocument": {"uri": uri, **self._version(path_of(uri))}, "edits": each}
                for uri, each in edits.items()
            ]
        }

    def _version(self, path: str) -> dict[str, Any]:
        own = self.texts.open[path][0] if path in self.texts.open else None
        match self.modes.edit_version:
            case "missing":
                return {}
            case "zero":
                return {"version": 0}
            case "null":
                return {"version": None}
            case "older":
                return {"version": None if own is None else own - 1}
        return {"version": own}
