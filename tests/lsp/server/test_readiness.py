"""Whether a server's answers are whole: it must prove it, and says what it is at until then."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.fake.definition import definition
from lsp.fake.modes import Modes
from lsp.server.serving import SECONDS, Serving, serve
from toolpost.testing import FakeClock
from toolpost_lsp.server.progress import Progress

TEXTS = {"a.fake": "def go\n", "b.fake": "go\n", "c.fake": "go go\n"}


@pytest.fixture
def project(folder: Path) -> Path:
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    return folder


def of(folder: Path, modes: Modes, **fields: Any) -> Any:
    """The fake one's record with other fields."""
    return definition(attrs.evolve(modes, log=str(folder.parent / "fake.log")), **fields)


async def uses(peer: Serving) -> int:
    document = await peer.open("a.fake")
    place = {"textDocument": {"uri": document.uri}, "position": {"line": 0, "character": 4}}
    return len(await peer.server.request("textDocument/references", place))


@pytest.mark.requirement("lsp:readiness")
@pytest.mark.parametrize(
    "modes",
    [
        Modes(),
        Modes(indexes=0.3),
        Modes(indexes=0.3, says_progress=False),
        Modes(indexes=0.3, registers_after=0.1),
        Modes(indexes=0.3, diagnostics="command"),
        Modes(indexes=0.3, diagnostics="push"),
        Modes(indexes=0.3, diagnostics="none", fails_on=("textDocument/documentSymbol",)),
    ],
)
def test_a_server_that_is_ready_answers_in_whole(project: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake")
        assert await peer.server.ready(10) is None
        assert await uses(peer) == 4
        assert await peer.server.ready(0) is None, "what was proven once stays so"

    serve(project, work, modes)


@pytest.mark.requirement("lsp:readiness")
def test_one_that_proves_it_by_its_progress_alone_is_waited_for(project: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake")
        assert await peer.server.ready(10) is None
        assert await uses(peer) == 4

    serve(project, work, of=of(project, Modes(indexes=0.3), ready_log=None, indexes=True))


@pytest.mark.requirement("lsp:readiness")
@pytest.mark.parametrize(
    ("modes", "fields", "said"),
    [
        (Modes(indexes=100), {"ready_log": None}, "indexing 0/4"),
        (Modes(indexes=100, says_progress=False), {}, "finding the project's files"),
        (Modes(mute=("textDocument/diagnostic",)), {}, "reading the project"),
        (Modes(starts_after=100), {}, "starting"),
        (Modes(exits=1), {}, "crashed"),
    ],
)
def test_one_that_is_not_ready_says_what_it_is_at(project: Path, modes: Modes, fields: Any, said: str) -> None:
    async def work(peer: Serving) -> None:
        opening = asyncio.create_task(peer.open("a.fake"))
        await asyncio.wait({opening}, timeout=0.3 if said == "starting" else SECONDS)
        assert await peer.server.ready(0.3) == said
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    serve(project, work, of=of(project, modes, **fields))


@pytest.mark.requirement("lsp:readiness")
def test_one_whose_log_says_nothing_known_is_believed_after_a_while(project: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake")
        assert await peer.server.ready(30) is None

    serve(project, work, of=of(project, Modes(), ready_log="never said"), speed=30)


@pytest.mark.requirement("lsp:readiness", "lsp:crash")
@pytest.mark.parametrize("ready_log", [None, "Found"])
def test_one_that_ends_while_it_works_is_not_ready(project: Path, ready_log: str | None) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake")
        waiting = asyncio.create_task(peer.server.ready(20))
        await peer.until(lambda: peer.server.progress.active)
        await peer.server.close()
        async with asyncio.timeout(2):
            assert await waiting == "closed"

    serve(project, work, of=of(project, Modes(indexes=100), ready_log=ready_log))


def progress(token: Any, **value: Any) -> dict[str, Any]:
    return {"token": token, "value": value}


def test_progress_is_told_in_the_servers_words() -> None:
    told = Progress(FakeClock())
    assert not told.active and not told.begun and told.text == ""
    told.heard(progress(1, kind="begin", title="indexing", percentage=0))
    assert told.text == "indexing 0 %"
    told.heard(progress(1, kind="report", message="13/51", percentage=25))
    assert told.text == "indexing 13/51"
    told.heard(progress("1", kind="begin", title="loading", cancellable=True))
    assert told.text == "indexing 13/51, loading"
    told.heard(progress(1, kind="end"))
    told.heard(progress("1", kind="end", message="done"))
    assert not told.active and told.begun and told.text == ""


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        progress(1),
        progress(1, kind="report", message="x"),
        progress(1, kind="end"),
        progress(None, kind="other"),
        {"token": 1, "value": "begin"},
    ],
)
def test_progress_that_says_nothing_is_none(params: Any) -> None:
    told = Progress(FakeClock())
    told.heard(params)
    assert not told.active and not told.begun


def test_progress_holds_no_control_characters_and_has_an_end() -> None:
    told = Progress(FakeClock())
    told.heard(progress(1, kind="begin", title="a\x1b[31m\nb" + "x" * 1000))
    assert told.text.isprintable() and len(told.text) <= 80
    told.heard(progress(2, kind="begin", title=None, percentage="x"))
    assert told.text.endswith(", work")
