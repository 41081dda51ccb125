"""Rust."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

RUST_ANALYZER = ServerDefinition(
    id="rust-analyzer",
    languages={".rs": "rust"},
    command=("rust-analyzer",),
    root_markers=("Cargo.toml", "rust-project.json"),
    workspace_markers=("Cargo.toml#workspace",),
    initialization_options={"check": {"workspace": False}},
    install="rustup component add rust-analyzer",
    runs_project_code=True,  # build scripts, procedural macros, and the toolchain that rust-toolchain.toml names
    checkers=("cargo check",),
    indexes=True,
)

DEFINITIONS = (RUST_ANALYZER,)
