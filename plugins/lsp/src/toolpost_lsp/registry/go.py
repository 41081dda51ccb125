"""Go."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

GOPLS = ServerDefinition(
    id="gopls",
    languages={".go": "go", "go.mod": "go.mod", "go.sum": "go.sum", "go.work": "go.work"},
    command=("gopls",),
    root_markers=("go.mod",),
    workspace_markers=("go.work",),
    settle=0.35,  # its second pass publishes the same version again a quarter of a second later
    version_probe=("version",),
    env={"GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"},  # it fetches nothing and changes no go.mod
    install="go install golang.org/x/tools/gopls@latest",
    checkers=("go vet",),
    indexes=True,
)

DEFINITIONS = (GOPLS,)
