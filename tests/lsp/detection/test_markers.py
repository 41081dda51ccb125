"""Markers: what a folder must hold to be a project, and what a broken or hostile file of it does not do."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from toolpost import Confinement
from toolpost_lsp.detection.markers import Folders

NESTED = "[" * 100_000


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def files(workspace: Path) -> Iterator[Confinement]:
    with Confinement(workspace) as files:
        yield files


def put(workspace: Path, texts: Mapping[str, str | bytes]) -> None:
    for name, text in texts.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.mark.requirement("lsp:intersection")
@pytest.mark.parametrize(
    ("texts", "markers", "found"),
    [
        ({"go.mod": ""}, ("go.mod",), "go.mod"),
        ({"go.mod.bak": ""}, ("go.mod",), None),
        ({"b": "", "a": ""}, ("b", "a"), "b"),
        ({"go.mod/x": ""}, ("go.mod",), "go.mod"),
        ({"requirements-dev.txt": "", "requirements.txt": ""}, ("requirements*.txt",), "requirements-dev.txt"),
        ({"requirements/dev.txt": ""}, ("requirements*.txt",), None),
        ({".eslintrc.json": ""}, (".eslintrc", ".eslintrc.*"), ".eslintrc.json"),
        ({"build/compile_commands.json": ""}, ("build/compile_commands.json",), "build/compile_commands.json"),
        ({"build/x": ""}, ("build/compile_commands.json",), None),
        ({"build": ""}, ("build/compile_commands.json",), None),
        ({}, ("a", "*.b", "c/d", "e.toml#f"), None),
        ({"a": ""}, (), None),
    ],
)
def test_a_folder_holds_the_first_marker_that_is_there(
    workspace: Path, files: Confinement, texts: Mapping[str, str], markers: tuple[str, ...], found: str | None
) -> None:
    put(workspace, texts)
    assert Folders(files).marker(str(workspace), markers) == found


@pytest.mark.requirement("lsp:intersection")
@pytest.mark.parametrize(
    ("marker", "text", "there"),
    [
        ("pyproject.toml#tool.ty", "[tool.ty.rules]\nx = 1\n", True),
        ("pyproject.toml#tool.ty", "tool = {ty = 1}\n", True),
        ("pyproject.toml#tool.ty", "[tool.tyrant]\n", False),
        ("pyproject.toml#tool.ty", "tool = 'ty'\n", False),
        ("pyproject.toml#tool.ty", "# [tool.ty]\n", False),
        ("package.json#workspaces", '{"workspaces": []}', True),
        ("package.json#workspaces", '{"name": "workspaces"}', False),
        ("package.json#workspaces", '["workspaces"]', False),
        ("setup.cfg#mypy", "[mypy]\nstrict = %(nothing)s\n", True),
        ("setup.cfg#mypy", "[mypy-numpy.*]\n", False),
        ("setup.cfg#mypy", "[mypy]\n[mypy]\n", True),
        ("Cargo.toml#workspace", "[package]\n", False),
    ],
)
def test_a_table_or_key_of_a_file_is_a_marker(
    workspace: Path, files: Confinement, marker: str, text: str, there: bool
) -> None:
    put(workspace, {marker.partition("#")[0]: text})
    assert Folders(files).marker(str(workspace), (marker,)) == (marker if there else None)


@pytest.mark.parametrize(
    ("marker", "content"),
    [
        ("pyproject.toml#tool.ty", b"[tool.ty\n"),
        ("pyproject.toml#tool.ty", b"\xff\xfe[tool.ty]\n"),
        ("pyproject.toml#tool.ty", b"[tool.ty]\n" + b"#" * (1024 * 1024)),
        ("pyproject.toml#tool.ty", f"[tool.ty]\na = {NESTED}".encode()),
        ("package.json#workspaces", b'{"workspaces": []'),
        ("package.json#workspaces", f'{{"workspaces": {NESTED}'.encode()),
        ("package.json#workspaces", b""),
        ("setup.cfg#mypy", b"strict = 1\n[mypy]\n"),
        ("setup.cfg#mypy", b"[mypy\n"),
    ],
    ids=["cut", "no text", "huge", "deep toml", "cut json", "deep json", "empty", "no section", "half a section"],
)
def test_a_file_that_cannot_be_read_marks_nothing_and_its_name_still_does(
    workspace: Path, files: Confinement, marker: str, content: bytes
) -> None:
    name = marker.partition("#")[0]
    put(workspace, {name: content})
    assert Folders(files).marker(str(workspace), (marker, name)) == name


def test_a_pipe_that_is_called_as_a_marker_is_not_waited_for(workspace: Path, files: Confinement) -> None:
    os.mkfifo(workspace / "pyproject.toml")
    assert Folders(files).marker(str(workspace), ("pyproject.toml#tool.ty",)) is None


def test_what_lies_outside_marks_nothing(workspace: Path, files: Confinement, tmp_path: Path) -> None:
    put(tmp_path / "outside", {"pyproject.toml": "[tool.ty]\n", "compile_commands.json": "[]"})
    (workspace / "pyproject.toml").symlink_to(tmp_path / "outside" / "pyproject.toml")
    (workspace / "build").symlink_to(tmp_path / "outside")
    folders = Folders(files)
    assert folders.marker(str(workspace), ("pyproject.toml#tool.ty", "build/compile_commands.json")) is None
    assert folders.names(str(tmp_path / "outside")) == frozenset()


def test_a_folder_that_is_not_there_holds_nothing(workspace: Path, files: Confinement) -> None:
    assert Folders(files).names(f"{workspace}/nowhere") == frozenset()


def test_one_look_sees_one_state_and_the_next_look_the_next(workspace: Path, files: Confinement) -> None:
    folders = Folders(files)
    assert folders.marker(str(workspace), ("go.mod",)) is None
    put(workspace, {"go.mod": ""})
    assert folders.marker(str(workspace), ("go.mod",)) is None  # a detection does not change its mind half way
    assert Folders(files).marker(str(workspace), ("go.mod",)) == "go.mod"
