"""A package outside this repository, installed as a wheel beside the core alone (core:third-party, core:alone)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from thirdparty.environments import fresh, run

HERE = Path(__file__).resolve().parent
SHELF = HERE / "toolpost-shelf"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the core and the outsider's wheel, and nothing of this repository besides."""
    return fresh(tmp_path_factory.mktemp("thirdparty"), SHELF, "pytest>=8", "hypothesis")


@pytest.mark.requirement("core:third-party", "pending:custom")
def test_one_entry_point_and_one_short_module_add_tools_to_a_harness_that_names_them(programs: Path, tmp_path: Path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "a.txt").write_text("a")
    (folder / "b.txt").write_text("bb")
    told = run(programs / "python", HERE / "harness.py", folder, folder=tmp_path)
    lines = told.splitlines()
    assert lines[:3] == ["plugins: shelf resolve", "read: sizes", "write: sizes batch_rename resolve"]
    assert "a.txt: 1" in lines
    assert "proposed edit_1" in lines
    assert [line for line in lines if line.startswith("files:")] == [
        "files: a.txt b.txt",
        "files: a.txt.bak b.txt.bak",
        "files: a.txt b.txt",
    ]
    assert "renamed 2 files" in lines
    assert "the shelf saw 4 files" in lines


@pytest.mark.requirement("core:third-party")
def test_the_whole_module_is_about_30_lines():
    source = (SHELF / "src/toolpost_shelf/__init__.py").read_text()
    documented = sum(
        1 for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    lines = [line for line in source.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert len(lines) - documented <= 35, "the bar is about 30 lines of code"


@pytest.mark.requirement("core:third-party")
def test_the_commands_find_it_by_its_entry_point(programs: Path, tmp_path: Path):
    (tmp_path / "a.txt").write_text("abc")
    assert "toolpost-shelf 0.1.0" in run(programs / "toolpost", "plugins", folder=tmp_path)
    assert "sizes" in run(programs / "toolpost", "tools", folder=tmp_path)
    assert run(programs / "toolpost", "call", "sizes", 'paths=["a.txt"]', folder=tmp_path) == "a.txt: 3\n"
    assert "0 problems" in run(programs / "toolpost", "doctor", folder=tmp_path)


@pytest.mark.requirement("core:third-party")
def test_it_passes_the_conformance_suite(programs: Path, tmp_path: Path):
    (tmp_path / "test_shelf.py").write_text(
        "from toolpost.testing import PluginConformance\n\n\n"
        "class TestShelf(PluginConformance):\n"
        '    plugin = "shelf"\n'
        '    files = {"a.txt": "a", "b.txt": "b"}\n'
        '    samples = {"sizes": {"paths": ["a.txt"]}, "batch_rename": {"paths": ["a.txt"], "suffix": ".bak"}}\n'
    )
    told = run(programs / "python", "-m", "pytest", "-q", "-W", "error", "test_shelf.py", folder=tmp_path)
    assert "16 passed" in told


@pytest.mark.requirement("cli:new")
def test_a_scaffolded_plugin_passes_the_suite_as_it_is(programs: Path, tmp_path: Path):
    run(programs / "toolpost", "new", "weather", folder=tmp_path)
    package = tmp_path / "toolpost-weather"
    assert sorted(path.name for path in package.iterdir()) == ["README.md", "pyproject.toml", "src", "tests"]
    run("uv", "pip", "install", "--quiet", "--python", programs / "python", package, folder=tmp_path)
    told = run(programs / "python", "-m", "pytest", "-q", "-W", "error", folder=package)
    assert "passed" in told
    assert "failed" not in told
    assert "weather" in run(programs / "toolpost", "plugins", folder=tmp_path)
