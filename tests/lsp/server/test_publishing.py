"""When what a server published is believed: by its version, by silence, and never by half (facts §0.2, §0.3, §4)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.publishing import Publishing
from toolpost_lsp.server.verdict import Verdict

pytestmark = pytest.mark.requirement("write:three-answers")

PATH, URI = "/project/a.x", "file:///project/a.x"
SETTLE = 0.15
SILENCE = 0.4  # the least after which nothing more is expected


def document(version: int, text: str = "one\ntwo\nthree\n") -> Document:
    return Document(path="a.x", uri=URI, language_id="x", version=version, text=text, digest=text, stamp=None)


def problem(line: int, code: str = "e") -> dict[str, Any]:
    place = {"line": line, "character": 0}
    return {"range": {"start": place, "end": place}, "message": code, "code": code}


@attrs.define
class Scene:
    """The published diagnostics of a server, and a clock that goes when it is told to."""

    now: float = 100.0
    progress: Any = attrs.field(factory=lambda: SimpleNamespace(active=False))
    published: Publishing = attrs.field(init=False)
    document: Document = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        server: Any = SimpleNamespace(
            clock=SimpleNamespace(monotonic=lambda: self.now),
            definition=SimpleNamespace(settle=SETTLE),
            progress=self.progress,
        )
        self.published = Publishing(server)

    def shows(self, version: int, text: str = "one\ntwo\nthree\n") -> None:
        """Another text of the one document, which may change what is wrong with every other."""
        self.document = document(version, text)
        self.published.shown(self.document)
        self.published.changed_at = self.now

    def hears(self, *lines: int, uri: str = URI, **more: Any) -> None:
        self.published.heard({"uri": uri, "diagnostics": [problem(line) for line in lines], **more})

    def after(self, seconds: float) -> Verdict | None:
        """The verdict so many seconds later."""
        self.now += seconds
        return self.published.look(self.document)[0]

    def knows(self, *lines: int, **more: Any) -> None:
        """The document's first text was shown, and its problems are known."""
        self.shows(1)
        self.hears(*lines, **more)
        assert found(self.after(1.0)) == ("fresh", list(lines))


def found(verdict: Verdict | None) -> tuple[str, list[int]] | None:
    return (verdict.state, [each.range.start.line for each in verdict.items]) if verdict else None


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_a_publish_of_this_version_is_believed_after_a_short_silence(scene: Scene) -> None:
    scene.shows(1)
    assert scene.after(0.0) is None
    scene.hears(1, version=1)
    assert scene.after(SETTLE / 2) is None
    assert found(scene.after(SETTLE)) == ("fresh", [1])


def test_each_further_publish_of_the_version_begins_the_silence_anew(scene: Scene) -> None:
    scene.shows(1)
    scene.hears(version=1)
    scene.now += SETTLE * 0.9
    scene.hears(1, 2, version=1)
    assert scene.after(SETTLE * 0.9) is None
    assert found(scene.after(SETTLE)) == ("fresh", [1, 2])


def test_when_to_look_again_is_said(scene: Scene) -> None:
    scene.shows(1)
    assert scene.published.look(scene.document) == (None, None)
    scene.hears(version=1)
    assert scene.published.look(scene.document) == (None, scene.now + SETTLE)


def test_a_publish_of_an_older_version_says_nothing(scene: Scene) -> None:
    scene.knows(0, version=1)
    scene.shows(2)
    scene.hears(1, version=1)
    assert scene.after(100.0) is None
    scene.hears(2, version=2)
    assert found(scene.after(1.0)) == ("fresh", [2])


def test_the_silence_of_a_server_that_gives_versions_says_nothing(scene: Scene) -> None:
    scene.knows(1, version=1)
    scene.shows(2)
    assert scene.after(100.0) is None


@pytest.mark.parametrize("version", [{}, {"version": None}, {"version": 0}])
def test_without_versions_a_publish_is_believed_after_a_longer_silence(scene: Scene, version: dict[str, Any]) -> None:
    scene.shows(1)
    scene.hears(1, **version)
    assert scene.after(SETTLE + 0.05) is None
    assert found(scene.after(0.1)) == ("fresh", [1])


def test_without_versions_the_late_answer_to_an_earlier_text_is_not_this_ones(scene: Scene) -> None:
    scene.knows()
    scene.shows(2)
    scene.shows(3)
    scene.now += 0.05
    scene.hears(1)  # of version 2
    assert scene.after(0.3) is None
    scene.hears(2)
    assert found(scene.after(SILENCE)) == ("fresh", [2])


def test_without_versions_silence_means_that_nothing_changed(scene: Scene) -> None:
    scene.knows(1)
    scene.shows(2, "new\none\ntwo\nthree\n")
    assert scene.after(SILENCE / 2) is None
    assert found(scene.after(SILENCE)) == ("inferred", [2]), "a line lower than before"


def test_silence_means_nothing_while_work_is_under_way(scene: Scene) -> None:
    scene.knows(1)
    scene.shows(2)
    scene.progress.active = True
    assert scene.after(100.0) is None
    scene.progress.active = False
    assert found(scene.after(0.0)) == ("inferred", [1])


def test_silence_means_nothing_before_the_first_publish(scene: Scene) -> None:
    scene.shows(1)
    assert scene.after(100.0) is None


def test_a_slow_server_is_given_more_time(scene: Scene) -> None:
    scene.shows(1)
    scene.now += 0.3
    scene.hears(1)
    scene.after(1.0)
    scene.shows(2)
    assert scene.after(0.85) is None
    assert found(scene.after(0.1)) == ("inferred", [1])


@pytest.mark.requirement("lsp:fresh")
def test_what_was_published_before_another_file_changed_holds_after_a_silence(scene: Scene) -> None:
    scene.knows(1, version=1)
    scene.published.changed_at = scene.now
    assert scene.after(SILENCE / 2) is None
    assert found(scene.after(SILENCE)) == ("inferred", [1])
    scene.hears(0, version=1)
    assert found(scene.after(1.0)) == ("fresh", [0])


def test_a_publish_is_recognised_however_its_uri_is_escaped() -> None:
    scene = Scene()
    odd = Document(
        path="é (1).x",
        uri="file:///project/%C3%A9%20%281%29.x",
        language_id="x",
        version=1,
        text="",
        digest="",
        stamp=None,
    )
    scene.document = odd
    scene.published.shown(odd)
    scene.hears(0, uri="file:///project/%c3%a9%20(1).x", version=1)
    assert found(scene.after(1.0)) == ("fresh", [0])


def test_what_is_published_of_files_that_are_not_open_is_kept(scene: Scene) -> None:
    scene.shows(1)
    scene.hears(3, uri="file:///project/other.x")
    assert [each.range.start.line for each in scene.published.of_closed("/project/other.x")] == [3]
    assert list(scene.published.closed) == ["/project/other.x"]
    assert scene.published.of_closed(PATH) == ()


def test_what_was_published_of_a_file_before_it_was_opened_is_no_verdict_on_it(scene: Scene) -> None:
    scene.hears(3)
    scene.shows(1)
    assert scene.after(100.0) is None


def test_a_closed_document_is_forgotten(scene: Scene) -> None:
    scene.knows(1, version=1)
    scene.published.forget(URI)
    assert scene.after(1.0) is None and scene.published.said(URI) == ()


@pytest.mark.parametrize(
    "params",
    [None, [], {}, {"uri": 1}, {"uri": "untitled:1", "diagnostics": []}, {"uri": "file://%zz"}],
)
def test_a_malformed_publish_is_passed_over(scene: Scene, params: Any) -> None:
    scene.shows(1)
    scene.published.heard(params)
    assert scene.after(100.0) is None


def test_a_document_that_is_opened_again_is_not_what_was_said_of_it_when_it_was_closed(scene: Scene) -> None:
    scene.knows(1)
    scene.published.forget(URI)
    scene.shows(2)
    scene.hears()  # since it was closed
    assert scene.after(0.3) is None
    scene.hears(1)
    assert found(scene.after(SILENCE)) == ("fresh", [1])


def test_only_what_has_a_version_is_of_the_present_text_for_certain(scene: Scene) -> None:
    scene.shows(1)
    scene.hears(1)
    assert scene.published.said(URI) == ()
    scene.hears(1, version=1)
    assert len(scene.published.said(URI)) == 1


def test_null_is_no_problem(scene: Scene) -> None:
    scene.shows(1)
    scene.published.heard({"uri": URI, "version": 1, "diagnostics": None})
    assert found(scene.after(1.0)) == ("fresh", []), "so servers written in Go write an empty list"


@pytest.mark.parametrize("diagnostics", [{}, "no list", [{"message": "nowhere"}]])
def test_a_publish_whose_problems_cannot_be_read_says_not_that_there_are_none(scene: Scene, diagnostics: Any) -> None:
    scene.shows(1)
    scene.hears(1, version=1)
    scene.published.heard({"uri": URI, "version": 1, "diagnostics": diagnostics})
    assert found(scene.after(1.0)) == ("fresh", [1])


def test_a_problem_that_cannot_be_read_does_not_hide_the_others(scene: Scene) -> None:
    scene.shows(1)
    scene.published.heard({"uri": URI, "version": 1, "diagnostics": [None, problem(1), {"message": 1}]})
    assert found(scene.after(1.0)) == ("fresh", [1])
