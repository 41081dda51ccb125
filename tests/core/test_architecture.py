"""Who may import whom, and what `import toolpost` costs: read from the sources and from a fresh interpreter."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import toolpost

CORE = Path(toolpost.__file__).parent
PLUGINS = CORE.parents[2] / "plugins"
PARTS = {"builtin", "integrations", "cli", "testing", "tour"}
FAMILIES = ("toolpost_lsp", "toolpost_astgrep", "toolpost_debug", "toolpost_eval", "toolpost_vibe")
PUBLIC = {"toolpost", "toolpost.workspace", "toolpost.processes", "toolpost.testing"}


def imports(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each imported module of a source file, absolute, with the names taken from it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1, f"{path}: import over two levels"
            names = [alias.name for alias in node.names]
            yield ("." if node.level else "") + (node.module or ""), names


def framework() -> list[Path]:
    return sorted(CORE.glob("*.py"))


def test_the_framework_never_imports_the_parts_that_are_built_on_it():
    assert len(framework()) > 20
    for path in framework():
        for module, names in imports(path):
            for part in PARTS:
                assert not module.startswith(f"toolpost.{part}"), f"{path.name} imports {module}"
                assert not (module == "toolpost" and part in names), f"{path.name} imports {part}"


@pytest.mark.parametrize("package", ["workspace", "processes"])
def test_the_workspace_and_the_processes_import_nothing_of_toolpost(package: str):
    sources = sorted((CORE / package).rglob("*.py"))
    assert sources
    for path in sources:
        for module, _ in imports(path):
            assert module.split(".")[0] != "toolpost", f"{path} imports {module}"


def test_the_core_never_imports_a_plugin():
    for path in CORE.rglob("*.py"):
        for module, _ in imports(path):
            assert module.split(".")[0] not in FAMILIES, f"{path} imports {module}"


def test_plugins_use_public_names_only_and_never_each_other():
    for path in sorted(PLUGINS.glob("*/src/**/*.py")):
        own = path.relative_to(PLUGINS).parts[2]
        for module, names in imports(path):
            top = module.split(".")[0]
            assert top not in set(FAMILIES) - {own}, f"{path} imports {module}"
            if top == "toolpost":
                assert module in PUBLIC, f"{path} imports {module}: take it from toolpost"
                if module == "toolpost":
                    assert set(names) <= set(toolpost.__all__) | {"workspace", "processes"}, f"{path}: {names}"


def test_importlib_metadata_has_one_user():
    users = {path.name for path in CORE.rglob("*.py") for module, _ in imports(path) if "importlib_metadata" in module}
    assert users == {"discovery.py"}


def fresh(script: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_importing_toolpost_loads_nothing_of_its_own_but_tiers_and_tools():
    own = "print(*sorted(name for name in sys.modules if name.startswith('toolpost')))"
    assert fresh(f"import sys, toolpost; {own}") == "toolpost toolpost.tiers toolpost.tools"
    heavy = "asyncio pluggy cattrs importlib_metadata tomllib logging"
    found = fresh(f"import sys, toolpost; print(*[name for name in {heavy!r}.split() if name in sys.modules])")
    assert found == ""


def test_every_public_name_can_be_had_and_is_listed():
    for name in toolpost.__all__:
        assert getattr(toolpost, name) is not None
    assert sorted(toolpost.__all__) == list(toolpost.__all__)
    assert set(dir(toolpost)) == set(toolpost.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = toolpost.nosuch  # type: ignore[attr-defined]


def test_every_public_object_says_what_it_is_for():
    for name in toolpost.__all__:
        value = getattr(toolpost, name)
        if isinstance(value, type):
            assert value.__doc__, name
            assert not value.__doc__.startswith("Method generated"), name


def test_no_module_is_longer_than_the_house_allows():
    for path in CORE.rglob("*.py"):
        assert path.read_text().count("\n") <= 410, path
