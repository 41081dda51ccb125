"""TypeScript and JavaScript: three servers of one compiler, of which a project uses one, and eslint beside any of them."""

from __future__ import annotations

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
_DENO = ("deno.json", "deno.jsonc")


def _own_compiler(context: Context) -> Any:
    """The server loads the checkout's own `typescript` unless it is told another one."""
    found = context.module("typescript/lib/tsserver.js", beside=("tsc", "tsserver"))
    return None if found is None else {"tsserver": {"path": found}}


TSGO = ServerDefinition(
    id="tsgo",
    languages=LANGUAGES,
    command=("tsgo", "--lsp", "--stdio"),
    root_markers=_MARKERS,
    workspace_markers=_LOCKS,
    excluded_by=_DENO,
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
    excluded_by=_DENO,
    priority=11,
    settle=0.25,
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
    excluded_by=_DENO,
    priority=12,
    settle=0.25,
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
)

DEFINITIONS = (TSGO, TYPESCRIPT_LANGUAGE_SERVER, VTSLS, ESLINT)
