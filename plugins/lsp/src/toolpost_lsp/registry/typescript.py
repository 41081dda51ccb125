"""TypeScript and JavaScript: three servers of one compiler, of which a project uses one, and eslint beside any of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolpost_lsp.server.definition import ServerDefinition

if TYPE_CHECKING:
    from toolpost_lsp.detection.trust import Context

LANGUAGES = {
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "typescriptreact",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascriptreact",
}
_MARKERS = ("tsconfig.json", "jsconfig.json", "package.json")
_LOCKS = (
    "pnpm-workspace.yaml",
    "package.json#workspaces",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
)
_ESLINT_OK = 1
DENO = ("deno.json", "deno.jsonc")


def _own_compiler(context: Context) -> Any:
    """The server loads the checkout's own `typescript` unless it is told another one."""
    found = context.module("typescript/lib/tsserver.js", beside=("tsc", "tsserver"))
    return None if found is None else {"tsserver": {"path": found}}


def _eslint_unable(method: str, params: Any) -> tuple[str, str] | None:
    """It answers with no problems where it cannot check at all, and tells its editor by messages of its own."""
    if not isinstance(params, Mapping):
        return None
    match method:
        case "eslint/status":  # after each check
            able = params.get("state") == _ESLINT_OK
            uri, reason = (
                params.get("uri"),
                "" if able else "its configuration cannot be used for a file of this project",
            )
        case "eslint/noLibrary":
            uri, reason = _uri(params.get("source")), "the project has no eslint installed"
        case "eslint/noConfig":
            uri, reason = _uri(params.get("document")), "the project has no configuration of eslint for a file"
        case _:
            return None
    return (uri, reason) if isinstance(uri, str) else None


def _uri(document: Any) -> Any:
    return document.get("uri") if isinstance(document, Mapping) else None


TSGO = ServerDefinition(
    id="tsgo",
    languages=LANGUAGES,
    command=("tsgo", "--lsp", "--stdio"),
    root_markers=_MARKERS,
    workspace_markers=_LOCKS,
    excluded_by=DENO,
    priority=10,
    install="npm install -g @typescript/native-preview",
    checkers=("tsgo",),
)
TYPESCRIPT_LANGUAGE_SERVER = ServerDefinition(
    id="typescript-language-server",
    languages=LANGUAGES,
    command=("typescript-language-server", "--stdio"),
    root_markers=_MARKERS,
    workspace_markers=_LOCKS,
    excluded_by=DENO,
    priority=11,
    settle=0.25,
    reconfigures=3.0,
    install="npm install -g typescript-language-server typescript@5.9",
    pinned=_own_compiler,
    checkers=("tsc",),
)
VTSLS = ServerDefinition(
    id="vtsls",
    languages=LANGUAGES,
    command=("vtsls", "--stdio"),
    root_markers=_MARKERS,
    workspace_markers=_LOCKS,
    excluded_by=DENO,
    priority=12,
    settle=0.25,
    reconfigures=3.0,
    install="npm install -g @vtsls/language-server",
    checkers=("tsc",),
)
ESLINT = ServerDefinition(
    id="eslint",
    languages={**LANGUAGES, ".vue": "vue", ".svelte": "svelte"},
    command=("vscode-eslint-language-server", "--stdio"),
    root_markers=("eslint.config.*", ".eslintrc", ".eslintrc.*", "package.json#eslintConfig"),
    role="lint",
    settings={  # it asks for all of them, and fails where one of these is missing
        "validate": "on",
        "run": "onType",
        "nodePath": None,
        "workingDirectory": {"mode": "location"},
        "options": {},
        "rulesCustomizations": [],
        "onIgnoredFiles": "off",
        "problems": {"shortenToSingleLine": False},
        "codeAction": {
            "disableRuleComment": {"enable": True, "location": "separateLine", "commentStyle": "line"},
            "showDocumentation": {"enable": False},
        },
        "codeActionOnSave": {"enable": False, "mode": "all"},
        "experimental": {},
    },
    version_probe=None,
    install="npm install -g vscode-langservers-extracted",
    runs_project_code=True,  # its configuration is a program
    unable=_eslint_unable,
)

DEFINITIONS = (TSGO, TYPESCRIPT_LANGUAGE_SERVER, VTSLS, ESLINT)
