"""What a write tells of what it newly broke, whichever tool writes (contracts §3)."""

from __future__ import annotations

import asyncio

import pytest
from lsp.writing.fakes import NONE, Fakes, error, told


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
