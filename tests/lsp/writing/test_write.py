"""What a write tells of what it newly broke, whichever tool writes (contracts §3)."""

from __future__ import annotations

import asyncio

import pytest
from lsp.fakes import NONE, Fakes, error, told


@pytest.mark.requirement("write:new-only", "write:ledger", "write:first-line", "write:fixed", "write:sync")
def test_only_what_is_new_is_told(fakes: Fakes) -> None:
    fakes.put({"a.fake": "ERROR:old\nx\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            result = await agent.call("write", path="a.fake", content="ERROR:old\nERROR:one\n")
            assert result.text.startswith("Wrote a.fake"), "the tool's own success stays the first line"
            assert told(result) == f"1 new\n{error('a.fake', 2, 'one')}"
            assert await agent.write("a.fake", "\n\nERROR:old\nERROR:one\n") == NONE, "they moved"
            second = await agent.write("a.fake", "\n\nERROR:old\nERROR:one\nERROR:one\n")
            assert second == f"1 new\n{error('a.fake', 5, 'one')}", "a second one of the same kind is new"
            assert await agent.write("a.fake", "x\nERROR:one\n") == f"{NONE}\nfixed: 2"
            again = await agent.write("a.fake", "ERROR:old\nERROR:one\n")
            assert again == f"1 new\n{error('a.fake', 1, 'old')}", "it was mended, so it is new again"

    asyncio.run(main())
    saved = fakes.logs["fake"].heard("textDocument/didSave")
    assert [each["text"] for each in saved][-1] == "ERROR:old\nERROR:one\n"


@pytest.mark.requirement("write:wraps")
def test_every_tool_that_writes_tells_it(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x = 1\n", "b.fake": "ERROR:old\n", "c.fake": "x = 1\n"})

    async def harness_write(path: str, text: str) -> str:
        (fakes.workspace / path).write_text(text)
        return "harness done"

    async def main() -> None:
        async with fakes.open(plugins=["files", "resolve", "lsp"]) as agent:
            assert await agent.write("a.fake", "x = 2\n") == NONE
            edited = await agent.call("edit", path="a.fake", old="x = 2", new="ERROR:edit")
            assert told(edited) == f"1 new\n{error('a.fake', 1, 'edit')}"

            patched = await agent.patch(
                *("*** Update File: a.fake", "@@", "-ERROR:edit", "+ERROR:patch"),
                *("*** Update File: c.fake", "@@", "-x = 1", "+  ERROR:patch"),
            )
            assert patched.splitlines() == [
                "2 new",
                error("a.fake", 1, "patch"),
                error("c.fake", 1, "patch", column=3),
                "fixed: 1",
            ], "all files of a write are looked at together"

            staged = await agent.call("lsp_fix", file="b.fake", line=1, symbol="ERROR", title="Fix old")
            assert not told(staged), "nothing is written yet"
            accepted = await agent.call("resolve", action="accept")
            assert told(accepted) == f"{NONE}\nfixed: 1"
            assert (fakes.workspace / "b.fake").read_text() == "fixed\n"
            undone = await agent.call("resolve", action="undo", edit_id=accepted.data["undo_id"])
            assert told(undone) == f"1 new\n{error('b.fake', 1, 'old')}"
            (fakes.workspace / "b.fake").write_text("fixed\n")

            wrapped = agent.run.wrap_write(
                harness_write,
                paths=lambda path, text: [path],
                merge=lambda answer, notes: "\n".join([answer, *(note.text for note in notes)]),
            )
            assert await wrapped("b.fake", "ERROR:harness\n") == f"harness done\n1 new\n{error('b.fake', 1, 'harness')}"

    asyncio.run(main())


@pytest.mark.requirement("write:new-only", "write:ledger")
def test_files_that_come_go_and_move(fakes: Fakes) -> None:
    fakes.put({"old/a.fake": "ERROR:old\n1\n2\n3\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            created = await agent.write("new.fake", "ERROR:one\nERROR:one\n")
            assert created == f"2 new\n{error('new.fake', 1, 'one')}\n{error('new.fake', 2, 'one')}"

            moved = await agent.patch(
                "*** Update File: old/a.fake", "*** Move to: a.fake", "@@", " 1", "-2", "+ERROR:two"
            )
            assert moved == f"1 new\n{error('a.fake', 3, 'two')}", "what came along is not new"
            assert await agent.patch("*** Update File: a.fake", "*** Move to: b/a.fake") == NONE
            assert await agent.write("b/a.fake", "ERROR:old\nERROR:two\n") == NONE

            assert await agent.patch("*** Delete File: new.fake") == NONE
            again = await agent.write("new.fake", "ERROR:one\n")
            assert again == f"1 new\n{error('new.fake', 1, 'one')}", "it is another file now"

    asyncio.run(main())
    changes = [
        each["type"] for told in fakes.logs["fake"].heard("workspace/didChangeWatchedFiles") for each in told["changes"]
    ]
    assert {1, 2, 3} <= set(changes), "created, changed and deleted"


@pytest.mark.requirement("write:ledger")
def test_what_lsp_diagnostics_shows_is_reported(fakes: Fakes) -> None:
    fakes.put({"a.fake": "x\n"})

    async def main() -> None:
        async with fakes.open() as agent:
            assert await agent.write("a.fake", "y\n") == NONE
            # Somebody else changes the file, and the agent hears of it by asking, not by a write.
            fakes.put({"a.fake": "ERROR:theirs\nWARNING:theirs\n"})
            assert "1 error, 1 warning" in (await agent.call("lsp", action="diagnostics", file="a.fake")).text
            fakes.put({"a.fake": "x\n"})
            assert await agent.write("a.fake", "ERROR:theirs\nWARNING:theirs\n") == NONE, "it is known to the agent"
            second = await agent.write("a.fake", "ERROR:theirs\nWARNING:theirs\nERROR:theirs\n")
            assert second == f"1 new\n{error('a.fake', 3, 'theirs')}"

    asyncio.run(main())
