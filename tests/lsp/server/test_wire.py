"""Every message that a server gets is one of the protocol, by the protocol's own types; and in an order that it allows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lsp.fake.modes import Modes
from lsp.server.serving import Serving, serve
from lsprotocol import converters, types

CONVERTER = converters.get_converter()
WATCHED = "workspace/didChangeWatchedFiles"

MODES = {
    "asked": Modes(watches=("**/*.fake",), asks=(("workspace/workspaceFolders", None),)),
    "asked late, UTF-8": Modes(registers_after=0.0, encoding="utf-8", ids="strings"),
    "by a command": Modes(diagnostics="command"),
    "published, whole texts": Modes(diagnostics="push", sync=1, save=False),
    "mute": Modes(mute=("textDocument/hover",)),
}


def without_nulls(value: Any) -> Any:
    """An absent member and a null are one to the oracle."""
    if isinstance(value, Mapping):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


async def everything(peer: Serving) -> None:
    """What the server's own parts send."""
    server = peer.server
    for text in ("ERROR:one\n", "😀 ERROR:two\r\n", ""):
        await peer.diagnose("a.fake", text)
    await peer.open("b.fake", "def go\n")
    peer.write("c.fake", "")
    await server.documents.changed({"c.fake": "created"})
    await server.ready(5)
    place = {"textDocument": {"uri": (peer.folder / "b.fake").as_uri()}, "position": {"line": 0, "character": 4}}
    try:
        await server.request("textDocument/hover", place, timeout=0.5)
    except TimeoutError:
        assert len(await peer.heard("$/cancelRequest")) == 1
    (peer.folder / "b.fake").unlink()
    await peer.diagnose("a.fake")
    await server.close()


@pytest.mark.parametrize("name", MODES)
def test_every_message_is_one_of_the_protocol(name: str, folder: Path) -> None:
    found: list[Mapping[str, Any]] = []

    async def work(peer: Serving) -> None:
        await everything(peer)
        found.extend(entry for entry in peer.log.entries() if "method" in entry)

    serve(folder, work, MODES[name], settings={"fake.level": 1}, initialization_options={"x": [1]})
    for entry in found:
        read = CONVERTER.structure(entry, types.METHOD_TO_TYPES[entry["method"]][0])
        # What the oracle does not know it leaves out.
        assert without_nulls(CONVERTER.unstructure(read)) == without_nulls(entry)
    methods = [entry["method"] for entry in found]
    assert methods[:2] == ["initialize", "initialized"] and methods[-2:] == ["shutdown", "exit"]
    assert {"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", WATCHED} <= set(methods)
    assert all(entry.get("jsonrpc") == "2.0" for entry in found)
