"""Every distribution of this repository in one host."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from toolpost import Host, Tier, allow_all, discovery


@pytest.mark.requirement("core:tier-table")
def test_all_installed_plugins_load_and_their_tiers_are_as_the_table_says(tmp_path: Path):
    (tmp_path / "a.py").write_text("f(1)\n")

    async def main() -> None:
        host = Host.installed(strict=True)
        assert [plugin.name for plugin in host.plugins] == sorted({found.name for found in discovery.installed()})
        async with asyncio.timeout(60), host.open(tmp_path, approver=allow_all) as run:
            surface = run.surface(Tier.EXEC)
            tiers = {tool.name: surface.get(tool.name).tier for tool in surface.tools}
            assert tiers == {
                "ast_grep": Tier.READ,
                "ast_edit": Tier.WRITE,
                "lsp": Tier.READ,
                "lsp_rename": Tier.WRITE,
                "lsp_fix": Tier.WRITE,
                "lsp_move": Tier.WRITE,
                "read": Tier.READ,
                "write": Tier.WRITE,
                "edit": Tier.WRITE,
                "apply_patch": Tier.WRITE,
                "resolve": Tier.WRITE,
            }
            assert [tool.name for tool in surface.tools][-1] == "resolve"
            assert run.problems == []

    asyncio.run(main())


@pytest.mark.requirement("resolve:diagnostics", "write:wraps")
def test_accepting_a_rewrite_and_every_file_tool_pass_one_write_wrapper(tmp_path: Path):
    from contextlib import asynccontextmanager
    from types import SimpleNamespace

    from toolpost import hookimpl

    seen: list[list[str]] = []

    @asynccontextmanager
    async def watched(write):
        yield
        seen.append(sorted(write.paths))
        write.note("1 new\na.py:1:1: error[x] made up (check)")

    def toolpost_around_write(write):
        return watched(write)

    check = SimpleNamespace(toolpost_around_write=hookimpl(toolpost_around_write))
    (tmp_path / "a.py").write_text("f(1)\n")
    (tmp_path / "b.py").write_text("f(2)\n")

    async def main() -> None:
        host = Host(["astgrep", "files", ("check", check)], strict=True)
        async with asyncio.timeout(60), host.open(tmp_path, approver=allow_all) as run:
            surface = run.surface(Tier.WRITE)
            answers = [
                await surface.call(name, arguments)
                for name, arguments in [
                    ("ast_edit", {"pattern": "f($X)", "rewrite": "g($X)", "language": "python"}),
                    ("resolve", {"action": "accept"}),
                    ("write", {"path": "c.py", "content": "x"}),
                    ("edit", {"path": "c.py", "old": "x", "new": "y"}),
                    ("apply_patch", {"patch": "*** Begin Patch\n*** Update File: c.py\n@@\n-y\n+z\n*** End Patch\n"}),
                    ("resolve", {"action": "undo", "edit_id": "undo_1"}),
                ]
            ]
            assert not any(answer.is_error for answer in answers)
            assert "1 new" not in answers[0].text
            for answer in answers[1:]:
                assert "1 new\na.py:1:1: error[x] made up (check)" in answer.text
                assert not answer.text.startswith("1 new")
            assert seen == [["a.py", "b.py"], ["c.py"], ["c.py"], ["c.py"], ["a.py", "b.py"]]

    asyncio.run(main())
