"""What is wrong with a text is found out right, however a server tells: asked, by a command, published with a version or without."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest
from lsp.fake.modes import Modes
from lsp.server.serving import Serving, codes, serve, serving
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.verdict import Verdict

Found = list[tuple[int, str | None]]

ASKED = {
    "asked": Modes(),
    "asked, UTF-8": Modes(encoding="utf-8"),
    "asked, whole texts": Modes(sync=1, encoding="utf-32"),
    "asked, interrupted": Modes(cancels=5),
    "asked, registered late": Modes(registers_after=0.2),
    "by a command": Modes(diagnostics="command"),
}
PUBLISHED = {
    "a version": Modes(diagnostics="push"),
    "a version, empty first": Modes(diagnostics="push", publishes_first="empty", publishes_after=0.005),
    "a version, half first": Modes(diagnostics="push", publishes_first="half", publishes_after=0.005),
    "a version, late the one before": Modes(diagnostics="push", publishes_first="older", publishes_after=0.005),
    "null": Modes(diagnostics="push", version="null"),
    "zero, half first": Modes(diagnostics="push", version="zero", publishes_first="half", publishes_after=0.005),
    "none, empty first": Modes(diagnostics="push", version="missing", publishes_first="empty", publishes_after=0.005),
    "none, late the one before": Modes(
        diagnostics="push", version="missing", publishes_first="older", publishes_after=0.005
    ),
    "none, and nothing when unchanged": Modes(diagnostics="push", version="missing", repeats=False),
}
LINES = ("", "plain", "ERROR:e1", "WARNING:w1", "NEEDS:x", "MAKES:x", "😀é ERROR:e2", "ERROR:e1 WARNING:w2", "é😀")
PULL = "textDocument/diagnostic"
SLOW = Modes(delays={PULL: 0.1})
ENDS = ("\n", "\n", "\n", "\r\n")
SEED = 5
EDITS = 60


def truth(texts: dict[str, str], name: str) -> Found:
    """The problems of one text: their lines and codes."""
    made = set(re.findall(r"MAKES:(\w+)", "\n".join(texts.values())))
    return [
        (number, "missing" if kind == "NEEDS" else code)
        for number, line in enumerate(texts[name].split("\n"))
        for kind, code in re.findall(r"(ERROR|WARNING|NEEDS):(\w+)", line)
        if kind != "NEEDS" or code not in made
    ]


def found(verdict: Verdict) -> Found:
    return sorted((each.range.start.line, each.code) for each in verdict.items)


def edited(chance: random.Random, text: str) -> str:
    """One line is put in, taken away or replaced."""
    lines = re.findall(r"[^\n]*\n", text)
    at = chance.randrange(len(lines) + 1)
    new = [] if chance.random() < 0.3 else [chance.choice(LINES) + chance.choice(ENDS)]
    return "".join([*lines[:at], *new, *lines[at + chance.randrange(2) :]])


async def every_verdict_is_right(folder: Path, modes: Modes, edits: int, speed: float) -> None:
    """Edit two files at random; after each edit ask of one of them."""
    chance = random.Random(SEED)
    texts = {"a.fake": "ERROR:e1\n", "b.fake": "NEEDS:x\n"}
    async with serving(folder, modes, speed=speed) as peer:
        for name, text in texts.items():
            peer.write(name, text)
        for name in texts:
            await peer.open(name)
        for number in range(edits):
            name = chance.choice(sorted(texts))
            texts[name] = edited(chance, texts[name])
            peer.write(name, texts[name])
            asked = chance.choice(sorted(texts))
            verdict = await peer.diagnose(asked)
            assert verdict.known, (modes, number, verdict)
            assert found(verdict) == sorted(truth(texts, asked)), (modes, number, texts)
            assert peer.server.latest(asked) is not None
    assert peer.log.faults() == []


@pytest.mark.requirement("write:three-answers", "lsp:fresh", "lsp:encoding")
@pytest.mark.parametrize("name", ASKED)
def test_every_verdict_of_a_server_that_is_asked_is_right(name: str, folder: Path) -> None:
    asyncio.run(every_verdict_is_right(folder, ASKED[name], EDITS, 1.0))


@pytest.mark.requirement("write:three-answers", "lsp:fresh")
@pytest.mark.parametrize("edits", [20, pytest.param(EDITS, marks=pytest.mark.slow)])
def test_every_verdict_of_a_server_that_publishes_is_right(edits: int, tmp_path: Path) -> None:
    async def main() -> None:
        async with asyncio.TaskGroup() as tasks:  # they mostly wait for silence, which they can do together
            for number, modes in enumerate(PUBLISHED.values()):
                folder = tmp_path / str(number) / "project"
                folder.mkdir(parents=True)
                (folder / "fake.toml").write_text("")
                tasks.create_task(every_verdict_is_right(folder, modes, edits, 2.0))

    asyncio.run(main())


@pytest.mark.requirement("write:three-answers")
@pytest.mark.parametrize(
    ("modes", "state"),
    [
        (Modes(fails_on=("textDocument/diagnostic",)), "failed"),
        (Modes(diagnostics="command", fails_on=("workspace/executeCommand",)), "failed"),
        (Modes(mute=("textDocument/diagnostic",)), "timeout"),
        (Modes(cancels=1000), "timeout"),
        (Modes(diagnostics="command", mute=("workspace/executeCommand",)), "timeout"),
        (Modes(diagnostics="none"), "timeout"),
        (Modes(diagnostics="push", publishes_after=60), "timeout"),
        (Modes(dies_on="textDocument/diagnostic"), "crashed"),
    ],
)
def test_what_is_not_known_is_never_called_clean(folder: Path, modes: Modes, state: str) -> None:
    async def work(peer: Serving) -> None:
        verdict = await peer.diagnose("a.fake", "ERROR:one\n", wait=3.0)
        assert (verdict.state, verdict.known, verdict.items) == (state, False, ())
        assert verdict.waited <= 3.0 + 1.0 * 10
        assert peer.server.latest("a.fake") is None

    serve(folder, work, modes, speed=10)


@pytest.mark.requirement("write:three-answers")
def test_one_that_still_starts_says_so(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        text = "ERROR:one\n"
        unshown = Document(
            path="a.fake", uri="file:///a.fake", language_id="fake", version=1, text=text, digest="", stamp=None
        )
        assert (await peer.server.diagnose(unshown, until=peer.server.clock.monotonic())).state == "starting"
        assert codes(await peer.diagnose("a.fake", text)) == ["one"]

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
def test_what_was_known_of_another_text_is_not_known_any_more(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        peer.write("b.fake", "")
        assert codes(await peer.diagnose("a.fake", "ERROR:one\n")) == ["one"]
        assert (known := peer.server.latest("a.fake")) and codes(known) == ["one"]
        await peer.open("a.fake", "ERROR:two\n")
        assert peer.server.latest("a.fake") is None
        await peer.diagnose("a.fake")
        await peer.open("b.fake")
        assert peer.server.latest("a.fake") is not None, "a file that was opened is as it was"
        await peer.open("b.fake", "MAKES:x\n")
        assert peer.server.latest("a.fake") is None

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize("modes", [SLOW, Modes(diagnostics="push", publishes_after=0.1)])
def test_a_text_that_changes_while_it_is_looked_at_gets_the_verdict_of_the_new_one(folder: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        waiting = asyncio.create_task(peer.diagnose("a.fake", "ERROR:one\n"))
        method = "textDocument/diagnostic" if modes.diagnostics == "pull" else "textDocument/didOpen"
        while not peer.log.heard(method):
            await asyncio.sleep(0.005)
        document = await peer.open("a.fake", "ERROR:two\n")
        verdict = await waiting
        assert (codes(verdict), verdict.version) == (["two"], document.version)

    serve(folder, work, modes)


@pytest.mark.requirement("write:three-answers")
@pytest.mark.parametrize("after", [0.1, 0.7])
def test_a_server_that_says_late_that_it_can_be_asked_is_asked(folder: Path, after: float) -> None:
    async def work(peer: Serving) -> None:
        assert codes(await peer.diagnose("a.fake", "ERROR:one\n")) == ["one"]
        assert peer.server.diagnosing.kind == "pull"

    serve(folder, work, Modes(registers_after=after), speed=2)


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize("modes", [Modes(), Modes(diagnostics="push"), Modes(diagnostics="command")])
def test_another_file_that_changed_on_disk_changes_the_verdict(folder: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        peer.write("b.fake", "MAKES:x\n")
        assert codes(await peer.diagnose("a.fake", "NEEDS:x\n")) == []
        peer.write("b.fake", "gone\n")
        assert codes(await peer.diagnose("a.fake")) == ["missing"]
        (folder / "b.fake").unlink()
        peer.write("c.fake", "MAKES:x\n")
        assert codes(await peer.diagnose("a.fake")) == []

    serve(folder, work, modes)


async def asked_of(peer: Serving, text: str, number: int = 1) -> asyncio.Task[Verdict]:
    """A question that the server has heard and not answered yet."""
    waiting = asyncio.create_task(peer.diagnose("a.fake", text))
    while len(peer.log.heard(PULL)) < number:
        await asyncio.sleep(0.005)
    return waiting


@pytest.mark.requirement("lsp:fresh", "write:three-answers")
@pytest.mark.parametrize("modes", [SLOW, Modes(diagnostics="push", publishes_after=60)])
def test_a_document_that_is_closed_while_it_is_looked_at_is_not_called_clean(folder: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake", "ERROR:one\n")
        waiting = asyncio.create_task(peer.server.diagnose(document, until=peer.server.clock.monotonic() + 60.0))
        await asyncio.sleep(0)
        while modes is SLOW and not peer.log.heard(PULL):
            await asyncio.sleep(0.005)
        (folder / "a.fake").unlink()
        await peer.server.documents.refresh()
        verdict = await waiting
        assert (verdict.state, verdict.items) == ("failed", ())
        assert verdict.waited < 30

    serve(folder, work, modes)


@pytest.mark.requirement("lsp:fresh")
def test_what_another_file_changed_while_it_was_asked_is_asked_again(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("b.fake", "MAKES:x\n")
        waiting = await asked_of(peer, "NEEDS:x\n")
        await peer.open("b.fake", "gone\n")
        assert codes(await waiting) == ["missing"]
        assert len(peer.log.heard(PULL)) == 2
        assert peer.server.latest("a.fake") is not None

    serve(folder, work, SLOW)


@pytest.mark.requirement("lsp:fresh")
def test_a_server_that_takes_back_what_it_says_while_it_is_asked_is_asked_again(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        waiting = await asked_of(peer, "ERROR:one\n")
        peer.server.diagnosing.outdated()
        assert codes(await waiting) == ["one"]
        assert len(peer.log.heard(PULL)) == 2 and peer.server.latest("a.fake") is not None
        peer.server.diagnosing.outdated()
        assert peer.server.latest("a.fake") is None

    serve(folder, work, SLOW)


def test_a_server_that_always_takes_back_what_it_says_is_not_asked_for_ever(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        waiting = await asked_of(peer, "ERROR:one\n")
        while not waiting.done():
            peer.server.diagnosing.outdated()
            await asyncio.sleep(0.005)
        assert codes(await waiting) == ["one"]
        assert len(peer.log.heard(PULL)) == 4 and peer.server.latest("a.fake") is None

    serve(folder, work, SLOW)
