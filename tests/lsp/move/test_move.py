"""A file or folder goes elsewhere, with the imports of it: staged, accepted, taken back; or refused (lsp:move)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from lsp.servers import program, search_path
from toolpost import Result, Run, Tier, allow_all
from toolpost.testing import open_run

SECONDS = 60

TYPESCRIPT = {
    "package.json": "{}",
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "es2022", "moduleResolution": "bundler"}}',
    "src/lib/core.ts": "import { plain } from '../plain';\nexport const total = plain + 1;\n",
    "src/lib/other.ts": 'import { total } from "./core";\n\nexport const twice = 2 * total;\n',
    "src/plain.ts": "export const plain = 1;\n",
    "src/use.ts": '\ufeffconst smile = "😀é"; import { total } from "./lib/core";\r\n\r\nexport const used = total + smile.length;\r\n',
    "notes/README.md": "It all begins in src/lib/core.ts, and core is the word.\n",
}
PYTHON = {
    "pyproject.toml": '[project]\nname = "kiosk"\nversion = "1"\n',
    "ty.toml": "",
    "kiosk/__init__.py": "",
    "kiosk/prices.py": "def price() -> int:\n    return 1\n",
    "kiosk/till.py": "from kiosk.prices import price\n\nprint(price())\n",
    "main.py": "import kiosk.prices\n\nprint(kiosk.prices.price())\n",
}


def contents(folder: Path) -> dict[str, bytes]:
    files = (each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


def folders(folder: Path) -> set[str]:
    return {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_dir()}


def play(
    folder: Path, files: Mapping[str, str], work: Callable[[Run, Callable[..., Awaitable[Result]]], Awaitable[None]]
) -> None:
    """Open a run on a project, with the real servers on PATH, and do something in it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())

    async def main() -> None:
        async with (
            asyncio.timeout(SECONDS),
            open_run(folder, ["files", "lsp"], approver=allow_all) as run,
        ):

            async def ask(tool: str, **arguments: Any) -> Result:
                return await run.surface(Tier.WRITE).call(tool, arguments)

            await work(run, ask)

    asyncio.run(main())


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in ("typescript-language-server", "tsc", "ty"):
        program(each)
    monkeypatch.setenv("PATH", search_path())


@pytest.mark.requirement("lsp:move")
@pytest.mark.parametrize(
    ("path", "new_path", "moved", "replaced"),
    [
        (
            "src/lib/core.ts",
            "src/sum.ts",
            {"src/lib/core.ts": "src/sum.ts"},
            {
                "src/use.ts": ("./lib/core", "./sum"),
                "src/lib/other.ts": ("./core", "../sum"),
                "src/sum.ts": ("../plain", "./plain"),
            },
        ),
        (
            "src/lib",
            "kit/new",
            {"src/lib/core.ts": "kit/new/core.ts", "src/lib/other.ts": "kit/new/other.ts"},
            {"src/use.ts": ("./lib/core", "../kit/new/core"), "kit/new/core.ts": ("../plain", "../../src/plain")},
        ),
        ("notes/README.md", "README.md", {"notes/README.md": "README.md"}, {}),
    ],
    ids=["a file", "a folder", "a file of no server"],
)
def test_what_is_moved_takes_its_imports_along(
    servers: None,
    toolpost_workspace: Path,
    path: str,
    new_path: str,
    moved: Mapping[str, str],
    replaced: Mapping[str, tuple[str, str]],
) -> None:
    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        before, there = contents(toolpost_workspace), folders(toolpost_workspace)
        after = {moved.get(name, name): data for name, data in before.items()}
        for name, (old, new) in replaced.items():
            assert after[name].count(old.encode()) == 1
            after[name] = after[name].replace(old.encode(), new.encode())

        staged = await ask("lsp_move", path=path, new_path=new_path)
        assert not staged.is_error, staged.text
        assert contents(toolpost_workspace) == before
        accepted = await ask("resolve", action="accept")
        assert not accepted.is_error, accepted.text
        assert contents(toolpost_workspace) == after
        assert "problem" not in accepted.text or "no new problems" in accepted.text, accepted.text
        undone = await ask("resolve", action="undo", edit_id=accepted.data["undo_id"])
        assert not undone.is_error, undone.text
        assert contents(toolpost_workspace) == before and folders(toolpost_workspace) >= there

    play(toolpost_workspace, TYPESCRIPT, work)


@pytest.mark.requirement("lsp:move")
def test_the_answer_says_who_changed_imports_and_where_the_path_is_still_written(
    servers: None, toolpost_workspace: Path
) -> None:
    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        staged = await ask("lsp_move", path="src/lib/core.ts", new_path="src/lib/sum.ts")
        head = "Staged edit_1: src/lib/core.ts to src/lib/sum.ts with 2 edits in 2 files by typescript-language-server."
        assert staged.text.startswith(head), staged.text
        assert '+import { total } from "./sum";' in staged.text
        assert "notes/README.md:1" in staged.text
        assert staged.data["leftovers"]["files"] == {"notes/README.md": 1}

    play(toolpost_workspace, TYPESCRIPT, work)


@pytest.mark.requirement("lsp:move")
def test_a_module_of_python_is_moved_with_its_imports(servers: None, toolpost_workspace: Path) -> None:
    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        staged = await ask("lsp_move", path="kiosk/prices.py", new_path="kiosk/costs.py")
        assert not staged.is_error and "by ty" in staged.text, staged.text
        await ask("resolve", action="accept")
        assert (toolpost_workspace / "kiosk/till.py").read_text().startswith("from kiosk.costs import price\n")

    play(toolpost_workspace, PYTHON, work)


@pytest.mark.requirement("lsp:move")
def test_a_server_that_cannot_tell_is_named_and_what_it_leaves_is_listed(
    toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("pyright-langserver")
    monkeypatch.setenv("PATH", search_path())
    files = {name: text for name, text in PYTHON.items() if name != "ty.toml"} | {"pyrightconfig.json": "{}"}

    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        staged = await ask("lsp_move", path="kiosk/prices.py", new_path="kiosk/costs.py")
        assert "Imports are not updated by pyright" in staged.text
        for line in ("kiosk/till.py:1", "main.py:1", "main.py:3"):
            assert line in staged.text

    play(toolpost_workspace, files, work)


def test_without_a_server_it_says_that_imports_stay_and_what_would_help(
    toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        staged = await ask("lsp_move", path="kiosk/prices.py", new_path="kiosk/costs.py")
        assert not staged.is_error
        assert "Imports are not updated: no language server is usable" in staged.text and "install" in staged.text

    play(toolpost_workspace, PYTHON, work)


@pytest.mark.requirement("lsp:move", "core:confined")
@pytest.mark.parametrize(
    ("path", "new_path", "says"),
    [
        ("src/use.ts", "src/plain.ts", "src/plain.ts is there already"),
        ("src/use.ts", "src/lib", "give src/lib/use.ts"),
        ("src/lib", "src/lib/inner", "into itself"),
        ("src/use.ts", "src/use.ts", "has that name already"),
        ("src/nothing.ts", "src/some.ts", "is not there"),
        (".", "elsewhere", "the workspace itself"),
        ("src/use.ts", ".", "with its new name"),
        ("src/use.ts", "../out.ts", "out.ts"),
        ("../in.ts", "src/in.ts", "in.ts"),
        (".git/config", "config", "version control"),
        ("src/use.ts", ".git/hooks/pre-commit", "version control"),
        ("empty", "full", "holds no files"),
        ("link.ts", "linked.ts", "link"),
        ("src/use.ts", "src/plain.ts/use.ts", "src/plain.ts"),
    ],
)
def test_what_cannot_be_moved_is_refused_and_nothing_is_staged(
    toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch, path: str, new_path: str, says: str
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (toolpost_workspace / "empty").mkdir()
    (toolpost_workspace / "link.ts").symlink_to("/etc/hostname")

    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        before = contents(toolpost_workspace)
        refused = await ask("lsp_move", path=path, new_path=new_path)
        assert refused.is_error and says in refused.text, refused.text
        assert not run.pending.has_pending and contents(toolpost_workspace) == before

    play(toolpost_workspace, {**TYPESCRIPT, ".git/config": ""}, work)


@pytest.mark.requirement("lsp:move", "resolve:stale")
def test_a_file_that_changes_before_the_move_is_accepted_refuses_all_of_it(
    servers: None, toolpost_workspace: Path
) -> None:
    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        await ask("lsp_move", path="src/lib", new_path="kit")
        (toolpost_workspace / "src/use.ts").write_text("// a person was here\n")
        before = contents(toolpost_workspace)
        refused = await ask("resolve", action="accept")
        assert refused.is_error and "src/use.ts" in refused.text
        assert contents(toolpost_workspace) == before

    play(toolpost_workspace, TYPESCRIPT, work)


@pytest.mark.requirement("lsp:move")
@pytest.mark.parametrize("path", ["caf\udce9.ts", "odd"])
def test_a_name_that_is_no_utf_8_is_refused(
    toolpost_workspace: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (toolpost_workspace / "odd").mkdir()
    for name in ("caf\udce9.ts", "odd/caf\udce9.ts"):
        (toolpost_workspace / name).touch()

    async def work(run: Run, ask: Callable[..., Awaitable[Result]]) -> None:
        refused = await ask("lsp_move", path=path, new_path="cafe")
        assert refused.is_error and "UTF-8" in refused.text, refused.text

    play(toolpost_workspace, {}, work)
