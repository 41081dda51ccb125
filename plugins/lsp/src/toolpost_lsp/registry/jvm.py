"""Java."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

JDTLS = ServerDefinition(
    id="jdtls",
    languages={".java": "java"},
    command=("jdtls",),
    root_markers=("pom.xml", "build.gradle", "build.gradle.kts", ".project"),
    workspace_markers=("settings.gradle", "settings.gradle.kts", "mvnw", "gradlew"),
    settle=0.5,
    version_probe=("--help",),  # it has no version; --help alone starts no Java
    install="brew install jdtls (it needs Java 21)",
    runs_project_code=True,  # it imports the project with gradle or maven
    indexes=True,
)

DEFINITIONS = (JDTLS,)
