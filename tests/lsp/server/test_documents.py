"""What a server is shown is what the files hold, told as the protocol wants it, whoever changes them."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsp.fake.modes import Modes
from lsp.server.serving import Serving, codes, serve
from toolpost import OutsideError
from toolpost_lsp.server.documents import MOST_BYTES, MOST_OPEN
from toolpost_lsp.server.errors import Unavailable, Unreadable

OPENED, CHANGED, CLOSED = "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"
SAVED, WATCHED = "textDocument/didSave", "workspace/didChangeWatchedFiles"
TRICKY = ["", "a", "é", "e\u0301", "😀", "👨‍👩‍👧", "\u2028", "\x0c", "\x85", "\t", "ERROR:one ", "\n", "\r\n", "\r"]
FAST = Modes(watches=("**/*.fake",))


def ranged(change: dict[str, Any]) -> bool:
    (content,) = change["contentChanges"]
    return "range" in content


async def watched(peer: Serving, number: int = 1) -> dict[str, int]:
    """The events of the last message about watched files, by name."""
    changes = (await peer.heard(WATCHED, number))[-1]["changes"]
    return {os.path.basename(each["uri"]): each["type"] for each in changes}


@pytest.mark.requirement("lsp:fresh", "lsp:encoding")
@pytest.mark.parametrize("sync", [1, 2])
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-32"])
def test_the_server_has_the_text_of_the_file_after_any_change(folder: Path, sync: Any, encoding: Any) -> None:
    """The fake compares each saved text with the one that it made of the changes."""
    chance = random.Random(f"{sync} {encoding}")

    async def work(peer: Serving) -> None:
        before = await peer.open("a.fake", "")
        for _ in range(40):
            text = "".join(chance.choices(TRICKY, k=chance.randrange(12)))
            if chance.random() < 0.5:
                text = before.text + text if chance.random() < 0.5 else text + before.text[: chance.randrange(20)]
            after = await peer.open("a.fake", text)
            assert after.text == text
            assert after.version == before.version + (text != before.text)
            assert peer.server.documents.get("a.fake") == after
            before = after
        changes = await peer.heard(CHANGED)
        assert len(changes) == before.version - 1
        assert {ranged(each) for each in changes} == {sync == 2}
        assert len(peer.log.heard(SAVED)) == len(changes)

    serve(folder, work, Modes(sync=sync, encoding=encoding))


def test_a_document_is_opened_with_its_text_and_language(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        document = await peer.open("below/ä b.fake", "one\r\ntwo")
        (said,) = await peer.heard(OPENED)
        assert said == {
            "textDocument": {
                "uri": (folder / "below" / "ä b.fake").as_uri(),
                "languageId": "fake",
                "version": 1,
                "text": "one\r\ntwo",
            }
        }
        assert (document.path, document.text, document.version) == ("below/ä b.fake", "one\r\ntwo", 1)

    serve(folder, work)


def test_a_byte_order_mark_is_no_part_of_the_text(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        verdict = await peer.diagnose("a.fake", b"\xef\xbb\xbfERROR:one\n")
        (item,) = verdict.items
        assert item.range.start.character == 0
        await peer.open("a.fake", b"ERROR:one\n")
        assert (await peer.open("a.fake")).text == "ERROR:one\n"

    serve(folder, work)


def test_a_server_that_wants_no_saves_hears_of_none(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "one\n")
        await peer.open("a.fake", "two\n")
        assert len(await peer.heard(CHANGED)) == 1
        assert peer.log.heard(SAVED) == []

    serve(folder, work, Modes(save=False))


@pytest.mark.requirement("write:sync")
def test_a_file_of_the_run_that_was_not_open_is_saved_once_it_is(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "")
        peer.write("b.fake", "new\n")
        await peer.server.documents.changed({"b.fake": "created"})
        assert await watched(peer) == {"b.fake": 1}
        await peer.open("b.fake")
        (saved,) = await peer.heard(SAVED)
        assert saved["textDocument"]["uri"].endswith("/b.fake") and saved["text"] == "new\n"

    serve(folder, work)


@pytest.mark.requirement("write:sync")
def test_what_the_run_changed_is_told_at_once(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        for name in ("a.fake", "b.fake", "c.fake"):
            await peer.open(name, "ERROR:old\n")
        peer.write("a.fake", "ERROR:new\n")
        (folder / "b.fake").unlink()
        peer.write("d.fake", "")
        await peer.server.documents.changed({"a.fake": "changed", "b.fake": "deleted", "d.fake": "created"})
        assert await watched(peer) == {"a.fake": 2, "b.fake": 3, "d.fake": 1}
        assert len(peer.log.heard(CHANGED)) == len(peer.log.heard(SAVED)) == len(peer.log.heard(CLOSED)) == 1
        assert [each.path for each in peer.server.documents] == ["a.fake", "c.fake"]
        assert codes(await peer.diagnose("a.fake")) == ["new"]

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
def test_what_anybody_changes_is_noticed_with_the_next_question(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        for name in ("a.fake", "b.fake"):
            peer.write(name, "one\n")
            await peer.open(name)
        peer.write("a.fake", "uno\n")  # as long, and likely within one step of the file system's clock
        peer.write("closed.fake", "new\n")
        os.replace(folder / "b.fake", folder / "moved.fake")
        document = await peer.open("closed.fake")
        assert document.text == "new\n"
        a = peer.server.documents.get("a.fake")
        assert a is not None and (a.text, a.version) == ("uno\n", 2)
        assert peer.server.documents.get("b.fake") is None
        assert await watched(peer) == {"a.fake": 2, "b.fake": 3, "closed.fake": 1, "moved.fake": 1}
        (closed,) = peer.log.heard(CLOSED)
        assert closed["textDocument"]["uri"].endswith("/b.fake")

    serve(folder, work, FAST)


def same_size_and_time(path: Path) -> None:
    """As a tool that keeps times does it."""
    about = path.stat()
    path.write_text("uno\n")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def replaced(path: Path) -> None:
    about = path.stat()
    other = path.with_suffix(".new")
    other.write_text("uno\n")
    os.utime(other, ns=(about.st_atime_ns, about.st_mtime_ns))
    os.replace(other, path)


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize("change", [same_size_and_time, replaced])
def test_a_change_that_hides_is_noticed(folder: Path, change: Callable[[Path], None]) -> None:
    path = folder / "a.fake"
    path.write_text("one\n")
    os.utime(path, (1_000_000_000.5, 1_000_000_000.5))

    async def work(peer: Serving) -> None:
        await peer.open("a.fake")
        change(path)
        assert (await peer.open("a.fake")).text == "uno\n"

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
def test_nothing_is_told_of_what_did_not_change(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "one\n")
        os.utime(folder / "a.fake")
        peer.write("a.fake", "one\n")
        assert (await peer.open("a.fake")).version == 1
        await peer.server.documents.refresh()
        await peer.heard(OPENED)
        assert peer.log.heard(CHANGED) == []

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
def test_a_file_that_comes_again_is_opened_again_with_a_later_version(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        first = await peer.open("a.fake", "ERROR:one\n")
        (folder / "a.fake").unlink()
        with pytest.raises(Unreadable, match="a.fake: no such file"):
            await peer.open("a.fake")
        assert len(peer.server.documents) == 0
        again = await peer.open("a.fake", "ERROR:two\n")
        assert again.version > first.version
        assert codes(await peer.diagnose("a.fake")) == ["two"]

    serve(folder, work)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"a\0b", "it is binary"),
        (b"caf\xe9\n", "it is not UTF-8 .byte 3."),
        (b"\xff\xfea\0", "it is binary"),
        (b"x" * (MOST_BYTES + 1), f"{MOST_BYTES + 1} bytes"),
    ],
)
@pytest.mark.parametrize("shown_before", [True, False])
def test_a_file_that_is_no_text_is_not_shown(folder: Path, data: bytes, why: str, shown_before: bool) -> None:
    async def work(peer: Serving) -> None:
        if shown_before:
            await peer.open("a.fake", "text\n")
        with pytest.raises(Unreadable, match=why) as refused:
            await peer.open("a.fake", data)
        assert "\n" not in str(refused.value)
        assert peer.server.documents.get("a.fake") is None
        assert len(await peer.heard(CLOSED, 0)) == shown_before
        assert codes(await peer.diagnose("b.fake", "ERROR:one\n")) == ["one"]

    serve(folder, work)


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_secret(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.requirement("lsp:untrusted")
@pytest.mark.parametrize(
    ("make", "error"),
    [(make_fifo, Unreadable), (make_folder, Unreadable), (make_secret, OutsideError), (make_loop, Unreadable)],
)
def test_what_is_no_file_of_the_workspace_is_not_shown(
    folder: Path, make: Callable[[Path], None], error: type[Exception]
) -> None:
    make(folder / "a.fake")

    async def work(peer: Serving) -> None:
        with pytest.raises(error):
            await peer.open("a.fake")
        await peer.open("b.fake", "one\n")
        assert len(await peer.heard(OPENED)) == 1

    serve(folder, work)


@pytest.mark.requirement("lsp:untrusted")
def test_an_open_file_that_becomes_a_link_out_of_the_workspace_is_closed(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "mine\n")
        (folder / "a.fake").unlink()
        (folder / "a.fake").symlink_to("/etc/passwd")
        await peer.open("b.fake", "one\n")
        assert len(await peer.heard(CLOSED)) == 1
        assert [each.path for each in peer.server.documents] == ["b.fake"]
        assert all("root:" not in str(each) for each in peer.log.entries())

    serve(folder, work)


def test_one_file_under_two_names_is_one_document(folder: Path) -> None:
    (folder / "link.fake").symlink_to("a.fake")

    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake", "one\n")
        for name in ("link.fake", "./a.fake", str(folder / "a.fake"), str(folder / "link.fake")):
            again = await peer.server.documents.open(name)
            assert (again.path, again.version) == (document.path, 1)
        assert len(await peer.heard(OPENED)) == 1

    serve(folder, work)


def test_a_file_of_another_language_is_refused(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        with pytest.raises(Unreadable, match=r"a\.txt: fake takes no files of this kind"):
            await peer.open("a.txt", "one\n")

    serve(folder, work)


def test_the_least_recently_used_documents_are_closed(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        for number in range(MOST_OPEN):
            await peer.open(f"{number}.fake", "one\n")
        await peer.open("0.fake")
        await peer.open("more.fake", "one\n")
        assert len(peer.server.documents) == MOST_OPEN
        assert peer.server.documents.get("0.fake") is not None
        assert peer.server.documents.get("1.fake") is None
        (closed,) = await peer.heard(CLOSED)
        assert closed["textDocument"]["uri"].endswith("/1.fake")
        assert (await peer.open("1.fake")).version == 2

    serve(folder, work)


def test_a_document_that_is_needed_is_not_closed_for_others(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        documents = peer.server.documents
        await peer.open("a.fake", "one\n")
        await peer.open("b.fake", "one\n")
        documents.show("held.fake", b"before\n")
        with documents.kept("a.fake"):
            for number in range(MOST_OPEN):
                await peer.open(f"{number}.fake", "one\n")
            assert documents.get("a.fake") is not None and documents.get("held.fake") is not None
            assert documents.get("b.fake") is None
            assert len(documents) == MOST_OPEN
        await peer.open("c.fake", "one\n")
        assert documents.get("a.fake") is None

    serve(folder, work)


@pytest.mark.requirement("write:new-only")
def test_a_text_that_the_disk_does_not_hold_can_be_shown_for_a_while(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        documents = peer.server.documents
        await peer.open("a.fake", "ERROR:after\n")
        shown = documents.show("a.fake", b"ERROR:before\n")
        assert documents.holds("a.fake")
        await documents.refresh()
        assert documents.get("a.fake") == shown
        assert codes(await peer.server.diagnose(shown, until=peer.server.clock.monotonic() + 10)) == ["before"]
        documents.let_go(["a.fake"])
        await documents.refresh()
        assert codes(await peer.diagnose("a.fake")) == ["after"]
        assert not documents.holds("a.fake")

    serve(folder, work)


def test_many_questions_at_once_open_a_document_once(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        peer.write("a.fake", "one\n")
        documents = await asyncio.gather(*(peer.open("a.fake") for _ in range(20)))
        assert len({each.version for each in documents}) == 1
        assert len(await peer.heard(OPENED)) == 1

    serve(folder, work)


def test_a_server_that_ended_is_shown_nothing(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "one\n")
        await peer.server.close()
        with pytest.raises(Unavailable):
            await peer.open("a.fake")
        await peer.server.documents.changed({"a.fake": "changed"})
        await peer.server.documents.refresh()

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
def test_the_server_hears_only_of_the_files_that_it_asked_for(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "one\n")
        await peer.until(lambda: peer.server.capabilities.has(WATCHED))
        peer.write("src/b.fake", "")
        peer.write("src/deep/c.fake", "")
        peer.write("test/d.fake", "")
        await peer.server.documents.changed(
            {"src/b.fake": "created", "src/deep/c.fake": "deleted", "test/d.fake": "created", "src/x.txt": "created"}
        )
        assert await watched(peer) == {"b.fake": 1, "c.fake": 3}

    serve(folder, work, Modes(watches=("src/**/*.fake",)))


@pytest.mark.requirement("lsp:fresh")
def test_files_of_other_projects_are_not_its_business(folder: Path) -> None:
    (folder / "own").mkdir()

    async def work(peer: Serving) -> None:
        await peer.open("own/a.fake", "one\n")
        peer.write("other/b.fake", "")
        peer.write("own/c.fake", "")
        changes = {"other/b.fake": "created", "own/c.fake": "created", "../out.fake": "created"}
        await peer.server.documents.changed(changes)
        assert await watched(peer) == {"c.fake": 1}

    serve(folder, work, root=str(folder / "own"))


@pytest.mark.requirement("lsp:fresh")
def test_what_became_of_whole_folders_is_told_file_by_file(folder: Path) -> None:
    async def work(peer: Serving) -> None:
        await peer.open("gone/deep/a.fake", "one\n")
        await peer.open("file/b.fake", "one\n")
        for name in ("gone", "file"):
            shutil.rmtree(folder / name)
        peer.write("file", "no folder any more")
        make_loop(folder / "loop")
        changes = {"gone/deep/a.fake": "deleted", "file/b.fake": "deleted", "loop/c.fake": "deleted"}
        await peer.server.documents.changed(changes)
        await peer.server.documents.refresh()
        assert (await watched(peer)).keys() >= {"a.fake", "b.fake"}
        assert len(peer.server.documents) == 0
        with pytest.raises(Unreadable):
            await peer.open("file/b.fake")

    serve(folder, work)


@pytest.mark.requirement("lsp:fresh")
def test_a_name_that_is_no_utf_8_disturbs_nobody(folder: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.fake")

    async def work(peer: Serving) -> None:
        await peer.open("a.fake", "one\n")
        peer.write(odd, "one\n")
        assert codes(await peer.diagnose("a.fake", "ERROR:two\n")) == ["two"]
        with pytest.raises(Unreadable, match="not UTF-8"):
            await peer.open(odd)
        await peer.server.documents.changed({odd: "changed", "a.fake": "changed"})
        assert (await watched(peer)).keys() == {"a.fake"}

    serve(folder, work)


PUBLISHED = ("textDocument/publishDiagnostics", {"uri": "file:///elsewhere", "diagnostics": []})


@pytest.mark.requirement("write:three-answers")
@pytest.mark.parametrize(
    "modes",
    [
        Modes(diagnostics="push", publishes_after=100, tells=(PUBLISHED,)),
        Modes(delays={"textDocument/diagnostic": 0.3}),
    ],
)
def test_a_document_that_is_closed_while_it_is_looked_at_is_not_called_clean(folder: Path, modes: Modes) -> None:
    async def work(peer: Serving) -> None:
        document = await peer.open("a.fake", "ERROR:one\n")
        waiting = asyncio.create_task(peer.server.diagnose(document, until=peer.server.clock.monotonic() + 20))
        await peer.heard(OPENED)
        (folder / "a.fake").unlink()
        await peer.server.documents.refresh()
        async with asyncio.timeout(5):
            assert (await waiting).state == "failed"

    serve(folder, work, modes)
