"""What anybody did to a project's files is noticed at the next look."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolpost_lsp.registry import shipped
from toolpost_lsp.server.tree import Tree, concerning

DEFINITIONS = {each.id: each for each in shipped()}


@pytest.mark.requirement("lsp:fresh")
def test_created_changed_and_deleted_files_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    first, second = tmp_path / "first.py", tmp_path / "folder" / "second.py"
    first.write_text("1")
    tree = Tree(str(tmp_path), concerning(DEFINITIONS["ty"]))
    assert tree.look() == {}
    first.write_text("1, 2")
    second.write_text("2")
    assert tree.look() == {str(first): "changed", str(second): "created"}
    first.unlink()
    assert tree.look() == {str(first): "deleted"}


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize(
    ("server", "name", "concerns"),
    [
        ("ty", "a.py", True),
        ("ty", "pyproject.toml", True),
        ("ty", "requirements-dev.txt", True),
        ("ty", "a.toml", False),
        ("tsgo", "tsconfig.json", True),
        ("tsgo", "pnpm-lock.yaml", True),
        ("tsgo", "a.json", False),
        ("eslint", "eslint.config.mjs", True),
        ("eslint", "package.json", True),
        ("clangd", "compile_commands.json", True),
        ("clangd", "a.py", False),
    ],
)
def test_files_that_configure_a_server_are_looked_at_too(server: str, name: str, concerns: bool) -> None:
    assert concerning(DEFINITIONS[server])(name) is concerns
