"""JSON, CSS, HTML and YAML: they need no project, so a repository is enough of one."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

_MARKERS = ("package.json", ".git")
# A schema that a file names by its URL is asked for, and not fetched: an empty one lets everything be.
_NO_SCHEMAS = {"vscode/content": "{}"}
_INSTALL = "npm install -g vscode-langservers-extracted"

JSON = ServerDefinition(
    id="vscode-json-language-server",
    languages={".json": "json", ".jsonc": "jsonc"},
    command=("vscode-json-language-server", "--stdio"),
    root_markers=_MARKERS,
    initialization_options={"provideFormatter": False, "handledSchemaProtocols": ["file"]},
    answers=_NO_SCHEMAS,
    settings={"json": {"validate": {"enable": True}, "schemas": []}},
    version_probe=None,
    install=_INSTALL,
)
CSS = ServerDefinition(
    id="vscode-css-language-server",
    reach="this file only",
    languages={".css": "css", ".scss": "scss", ".less": "less"},
    command=("vscode-css-language-server", "--stdio"),
    root_markers=_MARKERS,
    initialization_options={"provideFormatter": False},
    settings={"css": {"validate": True}, "scss": {"validate": True}, "less": {"validate": True}},
    version_probe=None,
    install=_INSTALL,
)
HTML = ServerDefinition(
    id="vscode-html-language-server",
    reach="this file only",
    finds="errors of embedded styles and scripts, none of the markup",
    languages={".html": "html", ".htm": "html"},
    command=("vscode-html-language-server", "--stdio"),
    root_markers=_MARKERS,
    initialization_options={
        "provideFormatter": False,
        "embeddedLanguages": {"css": True, "javascript": True},
    },
    settings={  # it fails on one that is missing
        "css": {"validate": True},
        "html": {},
        "javascript": {},
        "js/ts": {"implicitProjectConfig": {}},
    },
    version_probe=None,
    install=_INSTALL,
)
YAML = ServerDefinition(
    id="yaml-language-server",
    languages={".yaml": "yaml", ".yml": "yaml"},
    command=("yaml-language-server", "--stdio"),
    root_markers=_MARKERS,
    settings={"yaml": {"schemaStore": {"enable": False}, "validate": True}},
    announces=("yaml/registerContentRequest",),  # otherwise it fetches the schema that a file names
    answers=_NO_SCHEMAS,
    settle=0.25,
    version_probe=None,
    install="npm install -g yaml-language-server",
)

DEFINITIONS = (JSON, CSS, HTML, YAML)
