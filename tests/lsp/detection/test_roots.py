"""Roots: which folder above a file is the project that a server works in (lsp:intersection)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from toolpost import Confinement, allow_all
from toolpost.testing import open_run
from toolpost_lsp.detection.detect import NotUsable, Usable
from toolpost_lsp.detection.markers import Folders
from toolpost_lsp.detection.roots import Root, above, find

pytestmark = pytest.mark.requirement("lsp:intersection")


@attrs.frozen(kw_only=True)
class Marks:
    """What makes a project of one server."""

    root_markers: tuple[str, ...] = ("one.toml",)
    workspace_markers: tuple[str, ...] = ("all.lock",)
    excluded_by: tuple[str, ...] = ("other.json",)
    chosen_by: tuple[str, ...] = ("mine.ini",)


def look(top: Path, names: Sequence[str], folder: str, marks: Marks | None = None) -> Root | None:
    """The root of a folder in a workspace of some files; its path relative to the workspace."""
    for name in (*names, f"{folder}/."):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not name.endswith("."):
            path.touch()
    with Confinement(top) as files:
        inside = os.path.normpath(top / folder)
        root = find(Folders(files), inside, str(top), marks or Marks())
    return root and attrs.evolve(root, path=os.path.relpath(root.path, top))


@pytest.mark.parametrize(
    ("names", "folder", "root"),
    [
        (["one.toml"], ".", "."),
        (["one.toml"], "a/b/c", "."),
        (["one.toml", "a/one.toml"], "a/b", "a"),
        (["one.toml", "a/one.toml"], "b", "."),
        (["a/one.toml"], "b", None),
        (["a/one.toml"], ".", None),
        (["all.lock", "a/one.toml"], "a/b", "."),
        (["all.lock", "a/all.lock", "a/b/one.toml"], "a/b", "a"),
        (["a/all.lock", "one.toml"], "b", "."),
        (["all.lock"], "a", "."),
        (["one.toml", "a/__init__.py", "a/one.toml"], "a", "."),
        (["a/__init__.py", "a/one.toml"], "a", None),
        (["__init__.py", "one.toml"], "a", "."),
        (["one.toml", "node_modules/p/one.toml"], "node_modules/p/src", "."),
        (["one.toml", "a/.venv/lib/site-packages/p/one.toml"], "a/.venv/lib/site-packages/p", "."),
        (["node_modules/p/one.toml"], "node_modules/p", None),
        (["one.toml", "my_node_modules/one.toml"], "my_node_modules", "my_node_modules"),
    ],
    ids=str,
)
def test_the_nearest_project_or_the_workspace_above_it(
    tmp_path: Path, names: Sequence[str], folder: str, root: str | None
) -> None:
    found = look(tmp_path, names, folder)
    assert (found.path if found else None) == root


def test_what_lies_above_the_workspace_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "one.toml").touch()
    (tmp_path / "all.lock").touch()
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    assert look(workspace, [], "a") is None


def test_a_workspace_that_is_itself_vendored_is_one_all_the_same(tmp_path: Path) -> None:
    workspace = tmp_path / "node_modules" / "p"
    workspace.mkdir(parents=True)
    root = look(workspace, ["one.toml"], "src")
    assert root is not None and root.path == "."


def test_what_excludes_or_chooses_a_project_lies_between_the_file_and_its_root(tmp_path: Path) -> None:
    names = ["one.toml", "a/other.json", "b/mine.ini", "c/d/one.toml", "mine.ini"]
    told = {folder: look(tmp_path, names, folder) for folder in ("a", "b", "c/d", ".")}
    assert {folder: root and (root.excluded_by, root.chosen_by) for folder, root in told.items()} == {
        "a": ("other.json", "mine.ini"),
        "b": (None, "mine.ini"),
        "c/d": (None, None),
        ".": (None, "mine.ini"),
    }


def test_two_servers_of_one_file_may_have_two_projects(tmp_path: Path) -> None:
    names = ["one.toml", "a/two.toml"]
    roots = [look(tmp_path, names, "a/b", Marks(root_markers=(marker,))) for marker in ("one.toml", "two.toml")]
    assert [root and (root.path, root.marker) for root in roots] == [(".", "one.toml"), ("a", "two.toml")]


def test_a_folder_and_those_above_it_end_at_the_top() -> None:
    assert list(above("/w/a/b", "/w")) == ["/w/a/b", "/w/a", "/w"]
    assert list(above("/w", "/w")) == ["/w"]


# ---- in a run -------------------------------------------------------------------------------------------------------


def program(folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\necho 1.2.3\n")
    (folder / name).chmod(0o755)


@pytest.mark.requirement("core:trust")
def test_a_further_root_has_projects_of_its_own_and_no_trust(
    toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    further = tmp_path / "further"
    for folder in (toolpost_workspace, further):
        folder.mkdir(exist_ok=True)
        (folder / "go.mod").touch()
        (folder / "Cargo.toml").touch()
    program(tmp_path / "programs", "gopls")
    program(tmp_path / "programs", "rust-analyzer")
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))

    async def main() -> None:
        async with (
            asyncio.timeout(30),
            open_run(toolpost_workspace, ["lsp"], roots=[further], trust="full", approver=allow_all) as run,
        ):
            detection = run.bindings["lsp"].handle.detection
            for folder in (toolpost_workspace, further):
                [gopls] = await detection.of_file(str(folder / "a.go"))
                assert isinstance(gopls, Usable) and gopls.root == str(folder)
                [rust] = await detection.of_file(str(folder / "a.rs"))
                assert isinstance(rust, Usable) == (folder == toolpost_workspace)
                assert isinstance(rust, Usable) or (isinstance(rust, NotUsable) and rust.lack == "not trusted")

    asyncio.run(main())


def test_a_server_whose_finder_of_problems_is_missing_is_usable_and_says_so(
    toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (toolpost_workspace / ".shellcheckrc").touch()
    program(tmp_path / "programs", "bash-language-server")
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))

    async def lacks() -> str:
        async with asyncio.timeout(30), open_run(toolpost_workspace, ["lsp"], approver=allow_all) as run:
            [bash] = await run.bindings["lsp"].handle.detection.of_file("a.sh")
            assert isinstance(bash, Usable)
            return bash.lacks

    assert asyncio.run(lacks()) == "shellcheck is not on PATH"
    program(tmp_path / "programs", "shellcheck")
    assert asyncio.run(lacks()) == ""
