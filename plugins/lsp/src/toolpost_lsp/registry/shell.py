"""Shells."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

BASH = ServerDefinition(
    id="bash-language-server",
    languages={".sh": "shellscript", ".bash": "shellscript", ".bats": "shellscript", ".bashrc": "shellscript"},
    command=("bash-language-server", "start"),
    root_markers=(".shellcheckrc", ".git"),
    own_text=True,
    reach="whatever has that name",
    finds_with="shellcheck",
    ready_log=r"BackgroundAnalysis: (Completed|stopped after|failed|skipping as)",
    install="npm install -g bash-language-server (and shellcheck)",
)

DEFINITIONS = (BASH,)
