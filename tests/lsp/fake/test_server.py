"""The fake server does what its script says; a fault that does not happen would prove nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsp.fake.client import Client, client, codes
from lsp.fake.modes import Modes
from lsp.fake.texts import Text, uri_of
from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError

ONE = "def go\nERROR:one\ngo ERROR:two WARNING:three\n"
OTHER = "go go\n"
PUSH = {"diagnostics": "push"}


def meet(workspace: Path, work: Callable[[Client], Awaitable[Any]], **modes: Any) -> Any:
    """Let *work* meet a server of that script, over a root of two files."""
    (workspace / "one.fake").write_text(ONE)
    (workspace / "other.fake").write_text(OTHER)

    async def main() -> Any:
        async with client(workspace, Modes(**modes)) as peer:
            return await work(peer)

    return asyncio.run(main())


async def first(peer: Client) -> Client:
    await peer.initialize()
    peer.show("one.fake", ONE)
    return peer


def test_problems_are_those_that_the_text_says(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        able = await peer.initialize()
        assert able["diagnosticProvider"]["identifier"] == "fake"
        peer.show("one.fake", ONE)
        assert await peer.pull("one.fake") == ["one", "two", "three"]
        peer.show("one.fake", "")
        assert await peer.pull("one.fake") == []
        peer.show("one.fake", "NEEDS:x")
        assert await peer.pull("one.fake") == ["missing"]
        (peer.root / "other.fake").write_text("MAKES:x")
        assert await peer.pull("one.fake") == ["missing"]  # nobody told it
        change = {"uri": peer.uri("other.fake"), "type": 2}
        peer.connection.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        assert await peer.pull("one.fake") == []

    meet(toolpost_workspace, work)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), (None, 4), ("utf-16", 4), ("utf-32", 3)])
def test_columns_are_counted_in_the_encoding_that_it_names(
    toolpost_workspace: Path, encoding: Any, column: int
) -> None:
    async def work(peer: Client) -> None:
        assert (await peer.initialize()).get("positionEncoding") == encoding
        peer.show("one.fake", "😀é go\n")
        hover = await peer.at("textDocument/hover", "one.fake", 0, column)
        assert hover["contents"]["value"] == "go: 3 uses"
        assert hover["range"]["start"] == {"line": 0, "character": column}
        with pytest.raises(ResponseError):  # behind the line's end, which no client should say
            await peer.at("textDocument/hover", "one.fake", 0, column + 3)
        assert len(peer.log.faults()) == 1

    meet(toolpost_workspace, work, encoding=encoding)


def test_ranges_are_replaced(toolpost_workspace: Path) -> None:
    text = Text("a\r\nb\rcé😀d\n", "utf-16")
    start, end = {"line": 2, "character": 1}, {"line": 2, "character": 4}
    assert text.changed({"range": {"start": start, "end": end}, "text": "-"}).text == "a\r\nb\rc-d\n"
    with pytest.raises(ValueError):
        text.offset({"line": 2, "character": 3})  # within a surrogate pair


def test_words_are_found_in_all_files(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        uses = await peer.at("textDocument/references", "one.fake", 0, 4, context={"includeDeclaration": True})
        assert [(each["uri"], each["range"]["start"]["line"]) for each in uses] == [
            (peer.uri("one.fake"), 0),
            (peer.uri("one.fake"), 2),
            (peer.uri("other.fake"), 0),
            (peer.uri("other.fake"), 0),
        ]
        (place,) = await peer.at("textDocument/definition", "one.fake", 2, 0)
        assert (place["uri"], place["range"]["start"]) == (peer.uri("one.fake"), {"line": 0, "character": 4})

    meet(toolpost_workspace, work)


def edited(edit: Any) -> dict[str, list[Any]]:
    return {each["textDocument"]["uri"]: each["edits"] for each in edit["documentChanges"]}


@pytest.mark.parametrize("edits", ["right", "outside", "overlapping", "partial", "shifted", "malformed"])
def test_a_workspace_edit_is_wrong_in_one_way(toolpost_workspace: Path, edits: Any) -> None:
    async def work(peer: Client) -> dict[str, list[Any]]:
        await first(peer)
        found = edited(await peer.at("textDocument/rename", "one.fake", 0, 4, newName="run"))
        return {uri.rpartition("/")[2]: each for uri, each in found.items()}

    found = meet(toolpost_workspace, work, edits=edits)
    named = {"right": ["one.fake", "other.fake"], "outside": ["one.fake", "other.fake", "outside.txt"]}
    assert list(found) == (["one.fake"] if edits == "partial" else named.get(edits, named["right"]))
    assert len(found["one.fake"]) == (3 if edits == "overlapping" else 2)
    assert found["one.fake"][0]["range"]["start"]["character"] == (5 if edits == "shifted" else 4)
    assert ("end" in found.get("other.fake", found["one.fake"])[-1]["range"]) == (edits != "malformed")


@pytest.mark.parametrize(("said", "version"), [("own", 2), ("zero", 0), ("null", None), ("older", 1), ("missing", "-")])
def test_an_edit_names_the_version_that_it_is_told_to(toolpost_workspace: Path, said: Any, version: Any) -> None:
    async def work(peer: Client) -> Any:
        await first(peer)
        peer.show("one.fake", ONE)
        edit = await peer.at("textDocument/rename", "one.fake", 0, 4, newName="run")
        return edit["documentChanges"][0]["textDocument"].get("version", "-")

    assert meet(toolpost_workspace, work, edit_version=said) == version


@pytest.mark.parametrize(("said", "version"), [("own", 1), ("zero", 0), ("null", None), ("missing", "-")])
def test_it_publishes_with_the_version_that_it_is_told_to(toolpost_workspace: Path, said: Any, version: Any) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        (publish,) = await peer.until(1)
        assert codes(publish) == ["one", "two", "three"]
        assert publish.get("version", "-") == version
        with pytest.raises(ResponseError):
            await peer.pull("one.fake")

    meet(toolpost_workspace, work, **PUSH, version=said)


@pytest.mark.parametrize(
    ("early", "published"),
    [
        ("empty", [(1, []), (1, ["one", "two", "three"]), (2, []), (2, ["four"])]),
        ("half", [(1, ["one", "two"]), (1, ["one", "two", "three"]), (2, []), (2, ["four"])]),
        ("older", [(1, []), (1, ["one", "two", "three"]), (1, ["one", "two", "three"]), (2, ["four"])]),
    ],
)
def test_it_publishes_something_else_first(toolpost_workspace: Path, early: Any, published: list[Any]) -> None:
    async def work(peer: Client) -> list[Any]:
        await first(peer)
        await peer.until(2)
        peer.show("one.fake", "ERROR:four")
        return [(each["version"], codes(each)) for each in await peer.until(4)]

    assert meet(toolpost_workspace, work, **PUSH, publishes_first=early, publishes_after=0.02) == published


def test_it_publishes_nothing_when_nothing_changed(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> list[Any]:
        await first(peer)
        await peer.until(1)
        peer.show("one.fake", ONE)
        peer.show("one.fake", "ERROR:four")
        return [each["version"] for each in await peer.until(2)]

    assert meet(toolpost_workspace, work, **PUSH, repeats=False) == [1, 3]


def test_it_publishes_for_another_open_document_too(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await peer.initialize()
        peer.show("other.fake", "MAKES:x")
        peer.show("one.fake", "NEEDS:x")
        await peer.until(2)
        peer.show("other.fake", "")
        *_, one, other = sorted(await peer.until(4), key=lambda each: each["uri"] == peer.uri("other.fake"))
        assert codes(other) == [] and codes(one) == []
        assert ["missing"] in [codes(each) for each in peer.heard("textDocument/publishDiagnostics")]

    meet(toolpost_workspace, work, **PUSH)


def test_it_answers_tsservers_command(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> Any:
        await first(peer)
        arguments = ["semanticDiagnosticsSync", {"file": str(peer.root / "one.fake")}]
        command = {"command": "typescript.tsserverRequest", "arguments": arguments}
        return await peer.connection.request("workspace/executeCommand", command)

    answer = meet(toolpost_workspace, work, diagnostics="command")
    assert [(each["code"], each["start"], each["category"]) for each in answer["body"]] == [
        ("one", {"line": 2, "offset": 1}, "error"),
        ("two", {"line": 3, "offset": 4}, "error"),
        ("three", {"line": 3, "offset": 14}, "warning"),
    ]


def test_it_registers_late_that_it_can_be_asked(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        assert "diagnosticProvider" not in await peer.initialize()
        began = asyncio.get_running_loop().time()
        registered = await peer.until_asked("client/registerCapability")
        assert asyncio.get_running_loop().time() - began > 0.85
        assert registered["registrations"][0]["method"] == "textDocument/diagnostic"

    meet(toolpost_workspace, work, registers_after=0.9)


def test_it_registers_for_watched_files_with_ids_that_are_texts(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        registered = await peer.until_asked("client/registerCapability")
        assert registered["registrations"][0]["registerOptions"] == {"watchers": [{"globPattern": "**/*.fake"}]}
        await peer.pull("one.fake")
        (answer,) = peer.log.answers()
        assert isinstance(answer["id"], str) and answer["result"] is None

    meet(toolpost_workspace, work, watches=("**/*.fake",), ids="strings")


def test_it_cancels_a_question(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        for _ in range(2):
            with pytest.raises(ResponseError) as refused:
                await peer.pull("one.fake")
            assert (refused.value.code, refused.value.data) == (-32802, {"retriggerRequest": True})
        assert await peer.pull("one.fake") == ["one", "two", "three"]

    meet(toolpost_workspace, work, cancels=2)


def test_it_knows_the_first_file_only_while_it_works(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        assert len(edited(await peer.at("textDocument/rename", "one.fake", 0, 4, newName="run"))) == 1
        said = await peer.until(5, "$/progress")
        assert [each["value"].get("message") for each in said][:3] == ["0/4", "1/4", "2/4"]
        assert said[-1]["value"]["kind"] == "end"
        assert len(edited(await peer.at("textDocument/rename", "one.fake", 0, 4, newName="run"))) == 2
        assert peer.heard("window/logMessage")[0]["message"] == "Found 2 source files"

    meet(toolpost_workspace, work, indexes=0.5)


def test_it_asks_for_an_edit_by_itself(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        peer.answer = {"applied": False}
        await first(peer)
        asked = await peer.until_asked("workspace/applyEdit")
        assert list(asked["edit"]["changes"]) == [peer.uri("one.fake")]
        await peer.pull("one.fake")
        assert [each["result"] for each in peer.log.answers()] == [{"applied": False}]

    meet(toolpost_workspace, work, applies_edit=True)


def test_it_dies_in_the_middle_of_an_answer(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        with pytest.raises(ConnectionLost):
            await peer.pull("one.fake")
        assert await peer.process.wait() == 7

    meet(toolpost_workspace, work, dies_on="textDocument/diagnostic")


@pytest.mark.parametrize("modes", [{"mute": ("textDocument/diagnostic",)}, {"hangs_on": "textDocument/diagnostic"}])
def test_it_does_not_answer(toolpost_workspace: Path, modes: dict[str, Any]) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        with pytest.raises(TimeoutError):
            await peer.pull("one.fake", timeout=0.2)
        answering = peer.connection.request(
            "workspace/symbol", {"query": "go"}, timeout=0.2 if "hangs_on" in modes else 20
        )
        if "hangs_on" in modes:
            with pytest.raises(TimeoutError):
                await answering
        else:
            assert [each["name"] for each in await answering] == ["go"]

    meet(toolpost_workspace, work, **modes)


def test_it_ends_at_once(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        with pytest.raises(ConnectionLost):
            await peer.initialize()
        assert await peer.process.wait() == 3

    meet(toolpost_workspace, work, exits=3)


@pytest.mark.parametrize("stubborn", [False, True])
def test_it_can_ignore_that_it_should_end(toolpost_workspace: Path, stubborn: bool) -> None:
    async def work(peer: Client) -> int:
        await first(peer)
        await peer.connection.request("shutdown", None)
        peer.connection.notify("exit", None)
        await peer.connection.flush()
        if stubborn:
            await peer.connection.close()
            peer.process.send_signal(15)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(peer.process.wait(), 0.3)
            await peer.process.terminate(0)
        return await peer.process.wait()

    assert meet(toolpost_workspace, work, stubborn=stubborn) == (-9 if stubborn else 0)


def test_it_floods_standard_error_and_prints_garbage(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> None:
        await first(peer)
        assert await peer.pull("one.fake") == ["one", "two", "three"]
        assert peer.connection.noise.startswith("Welcome!")

    meet(toolpost_workspace, work, floods=3_000_000, garbage="Welcome!\n")


def test_it_behaves_after_so_many_starts(toolpost_workspace: Path) -> None:
    async def dying(peer: Client) -> None:
        await first(peer)
        with pytest.raises(ConnectionLost):
            await peer.pull("one.fake")

    async def well(peer: Client) -> None:
        await first(peer)
        assert await peer.pull("one.fake") == ["one", "two", "three"]
        assert len(peer.log.starts()) == 2

    modes = {"dies_on": "textDocument/diagnostic", "faulty_starts": 1}
    meet(toolpost_workspace, dying, **modes)
    meet(toolpost_workspace, well, **modes)


def test_it_notes_what_the_client_does_wrong(toolpost_workspace: Path) -> None:
    async def work(peer: Client) -> list[str]:
        await first(peer)
        opened = {"uri": peer.uri("one.fake"), "languageId": "fake", "version": 1, "text": ""}
        peer.connection.notify("textDocument/didOpen", {"textDocument": opened})
        saved = {"textDocument": {"uri": peer.uri("one.fake")}, "text": "something else"}
        peer.connection.notify("textDocument/didSave", saved)
        same = {"uri": peer.uri("one.fake"), "version": 1}
        peer.connection.notify("textDocument/didChange", {"textDocument": same, "contentChanges": []})
        absent = {"textDocument": {"uri": uri_of("/not/open.fake")}}
        peer.connection.notify("textDocument/didClose", absent)
        await peer.pull("one.fake")
        return peer.log.faults()

    assert [each.partition(":")[0].rpartition("/")[2] for each in meet(toolpost_workspace, work)] == [
        "didOpen",
        "didSave",
        "didChange",
        "didClose",
    ]
