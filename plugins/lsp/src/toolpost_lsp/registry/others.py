"""Dart and Lua."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

DART = ServerDefinition(
    id="dart",
    languages={".dart": "dart"},
    command=("dart", "language-server", "--protocol=lsp"),
    root_markers=("pubspec.yaml",),
    install="the Dart or Flutter SDK",
    runs_project_code=True,  # analysis_options.yaml names plugins, which are programs
    checkers=("dart analyze",),
    indexes=True,
)
LUA = ServerDefinition(
    id="lua-language-server",
    languages={".lua": "lua"},
    command=("lua-language-server",),
    root_markers=(".luarc.json", ".luarc.jsonc", ".luacheckrc", ".stylua.toml", "stylua.toml", "selene.toml", ".git"),
    settings={"Lua": {"workspace": {"checkThirdParty": False}, "telemetry": {"enable": False}}},
    install="brew install lua-language-server",
    runs_project_code=True,  # .luarc.json names a plugin, which is a program
    indexes=True,
)

DEFINITIONS = (DART, LUA)
