"""Asking a server for problems: as it says that it wants to be asked, and again when it was interrupted (facts §2, §4)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from toolpost_lsp.protocol.capabilities import Capabilities
from toolpost_lsp.protocol.errors import CONTENT_MODIFIED, SERVER_CANCELLED, ResponseError
from toolpost_lsp.server.documents import Document
from toolpost_lsp.server.pulling import METHOD, Pulling

pytestmark = pytest.mark.requirement("write:three-answers")

A = Document(path="a.x", uri="file:///a.x", language_id="x", version=1, text="", digest="", stamp=None)
B = attrs.evolve(A, path="b.x", uri="file:///b.x")


def report(*codes: str, name: str | None = None) -> dict[str, Any]:
    place = {"line": 0, "character": 0}
    items = [{"range": {"start": place, "end": place}, "message": code, "code": code} for code in codes]
    return {"kind": "full", "items": items, **({"resultId": name} if name else {})}


def unchanged(name: str) -> dict[str, Any]:
    return {"kind": "unchanged", "resultId": name}


@attrs.define
class Asked:
    """A server that gives these answers, one after the other; its clock goes by what it is slept."""

    answers: list[Any]
    offers: tuple[dict[str, Any], ...] = ({},)
    params: list[Any] = attrs.field(factory=list)
    now: float = 0.0
    pulling: Pulling = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        capabilities = Capabilities()
        entries = [
            {"id": str(number), "method": METHOD, "registerOptions": each} for number, each in enumerate(self.offers)
        ]
        capabilities.register({"registrations": entries})
        clock = SimpleNamespace(monotonic=lambda: self.now, sleep=self._sleep)
        server: Any = SimpleNamespace(capabilities=capabilities, clock=clock, ask=self._ask)
        self.pulling = Pulling(server)

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds

    async def _ask(self, method: str, params: Any, *, timeout: float) -> Any:
        assert method == METHOD and timeout > 0
        self.params.append(params)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        answer = answer() if isinstance(answer, Callable) else answer
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask(self, document: Document = A) -> list[str | None]:
        """The codes of a document's problems."""
        return [each.code for each in asyncio.run(self.pulling.ask(document, self.now + 5.0))]


def test_each_source_is_asked_once_by_its_name() -> None:
    server = Asked(
        [report("one"), report("two")],
        offers=({"identifier": "syntax"}, {"identifier": "types"}, {"identifier": "types"}),
    )
    assert server.ask() == ["one", "two"]
    assert [each["identifier"] for each in server.params] == ["syntax", "types"]


def test_a_server_without_sources_is_asked_without_a_name() -> None:
    server = Asked([report("one")])
    assert server.ask() == ["one"]
    assert server.params == [{"textDocument": {"uri": A.uri}}]


def test_a_source_for_another_language_is_not_asked() -> None:
    server = Asked(
        [report("one")],
        offers=(
            {"identifier": "x", "documentSelector": [{"language": "x"}]},
            {"identifier": "y", "documentSelector": [{"language": "y"}]},
            {"identifier": "all", "documentSelector": None},
            {"identifier": "files", "documentSelector": [{"scheme": "file"}]},
        ),
    )
    server.ask()
    assert [each["identifier"] for each in server.params] == ["x", "all", "files"]


def test_a_server_that_is_for_other_languages_only_has_not_called_it_clean() -> None:
    with pytest.raises(ResponseError, match="not to be asked of x"):
        Asked([report()], offers=({"documentSelector": [{"language": "y"}]},)).ask()


def test_null_items_are_none() -> None:
    assert Asked([{"kind": "full", "items": None}]).ask() == [], "so servers written in Go write an empty list"


def test_no_report_is_referred_to_once_its_document_was_closed() -> None:
    server = Asked([report("a", name="1"), report("b", name="2"), report("a"), report("b")])
    server.ask(A), server.ask(B)
    server.pulling.forget(A.uri)
    server.ask(A), server.ask(B)
    assert [each.get("previousResultId") for each in server.params] == [None, None, None, "2"]


def test_an_unchanged_report_is_the_one_before() -> None:
    server = Asked([report("one", name="1"), unchanged("2"), unchanged("3"), report("two")])
    assert [server.ask() for _ in range(4)] == [["one"], ["one"], ["one"], ["two"]]
    assert [each.get("previousResultId") for each in server.params] == [None, "1", "2", "3"]
    server.ask()
    assert "previousResultId" not in server.params[-1], "the last report had no name"


def test_reports_are_kept_for_each_document_and_source() -> None:
    offers = ({"identifier": "p"}, {"identifier": "q"})
    answers = [report("ap", name="1"), report("aq", name="2"), report("bp", name="3"), report("bq", name="4")]
    server = Asked([*answers, unchanged("1"), unchanged("2"), unchanged("3"), unchanged("4")], offers=offers)
    assert [server.ask(each) for each in (A, B, A, B)] == [["ap", "aq"], ["bp", "bq"]] * 2
    assert [each["previousResultId"] for each in server.params[4:]] == ["1", "2", "3", "4"]


def test_after_a_refresh_no_earlier_report_is_referred_to() -> None:
    server = Asked([report("one", name="1"), report("two", name="2")])
    server.ask()
    server.pulling.outdated()
    assert server.ask() == ["two"]
    assert "previousResultId" not in server.params[-1]


def test_a_refresh_while_an_unchanged_report_is_on_its_way_loses_nothing() -> None:
    def refreshed() -> Any:
        server.pulling.outdated()
        return unchanged("2")

    server = Asked([report("one", name="1"), refreshed])
    assert [server.ask(), server.ask()] == [["one"], ["one"]]


def test_an_unchanged_report_without_one_before_is_no_answer() -> None:
    with pytest.raises(ResponseError, match="earlier"):
        Asked([unchanged("1")]).ask()


@pytest.mark.parametrize(
    "answer", [None, [], "clean", 1, {}, {"kind": "other"}, {"kind": "full", "items": [{"message": "nowhere"}]}]
)
def test_what_is_no_report_is_no_clean_one(answer: Any) -> None:
    with pytest.raises(ResponseError, match="report"):
        Asked([answer]).ask()


@pytest.mark.parametrize(
    "error",
    [
        ResponseError(CONTENT_MODIFIED, "modified", None),
        ResponseError(SERVER_CANCELLED, "cancelled", {"retriggerRequest": True}),
        ResponseError(SERVER_CANCELLED, "cancelled", None),
    ],
)
def test_an_interrupted_question_is_asked_again_until_the_time_is_up(error: ResponseError) -> None:
    assert Asked([error, error, error, error, error, report("one")]).ask() == ["one"]
    server = Asked([error])
    with pytest.raises(TimeoutError):
        server.ask()
    assert server.now == pytest.approx(5.0) and len(server.params) < 40, "with pauses between"


@pytest.mark.parametrize(
    "error",
    [ResponseError(SERVER_CANCELLED, "cancelled", {"retriggerRequest": False}), ResponseError(-32603, "panic", None)],
)
def test_an_error_that_is_no_interruption_is_passed_on(error: ResponseError) -> None:
    server = Asked([error])
    with pytest.raises(ResponseError, match=error.message):
        server.ask()
    assert len(server.params) == 1


def test_malformed_options_do_not_keep_a_server_from_being_asked() -> None:
    assert Asked([report("one")], offers=({"documentSelector": "x", "identifier": None},)).ask() == ["one"]
