"""The text of what a write tells: every form of it."""

from __future__ import annotations

import attrs
import pytest
from lsp.writing.values import problem
from toolpost_lsp.writing.note import FLOOD, News

LINE = "a.py:1:1: error[code] wrong (checker)"


@pytest.mark.requirement("write:first-line", "write:fixed")
def test_all_is_known_and_nothing_is_new() -> None:
    assert News(known=("checker",)).text == "no new problems"
    assert News(known=("checker",), fixed=3).text == "no new problems\nfixed: 3"


@pytest.mark.requirement("write:first-line")
def test_what_is_new_has_a_line_each_behind_its_number() -> None:
    news = News(new=(problem(), problem("odd", 6, code=None)), known=("checker",), fixed=1)
    assert news.text == f"2 new\n{LINE}\na.py:7:1: error odd (checker)\nfixed: 1"


@pytest.mark.requirement("write:elsewhere")
def test_other_files_have_a_number_of_their_own() -> None:
    other = problem(path="b.py")
    assert News(elsewhere=(other,)).text == "1 new error in other files\nb.py:1:1: error[code] wrong (checker)"
    both = News(new=(problem(),), elsewhere=(other, other), unchecked=1).text.splitlines()
    assert both[:3] == ["1 new", LINE, "2 new errors in other files"]
    assert both[-1] == "1 other file not checked in time"
    assert News(known=("checker",), unchecked=3).text == "no new problems\n3 other files not checked in time"


@pytest.mark.requirement("write:three-answers")
def test_of_one_server_unknown_and_unavailable_are_told_without_its_name() -> None:
    assert News(pending={"checker": []}, waited=1.5).text == "diagnostics not known yet (waited 1.5 s)"
    assert News(missing=("checker",)).text == "diagnostics not available (see lsp status)"
    unbased = News(unbased={"checker": []}).text
    assert unbased.startswith("diagnostics not known yet: it has problems now that may have been there before")


@pytest.mark.requirement("write:three-answers")
def test_of_several_files_those_that_are_not_known_are_named() -> None:
    paths = [f"{name}.py" for name in "abcdefg"]
    assert News(pending={"checker": paths}, waited=1.5).text == (
        "diagnostics not known yet (waited 1.5 s) for a.py, b.py, c.py, d.py, e.py and 2 more"
    )
    assert " for a.py: it has problems now" in News(unbased={"checker": ["a.py"]}).text


@pytest.mark.requirement("write:three-answers")
def test_of_two_servers_each_is_named() -> None:
    assert News(known=("ruff",), pending={"ty": []}, waited=1.5).text == (
        "nothing new from ruff\nty: diagnostics not known yet (waited 1.5 s)"
    )
    assert News(known=("ruff",), missing=("ty",)).text == (
        "nothing new from ruff\nty: diagnostics not available (see lsp status)"
    )
    assert News(pending={"ty": []}, missing=("ruff",), waited=1.5).text == (
        "ty: diagnostics not known yet (waited 1.5 s)\nruff: diagnostics not available (see lsp status)"
    )
    assert News(new=(problem(),), known=("checker",), pending={"ty": []}, waited=0.3).text == (
        f"1 new\n{LINE}\nty: diagnostics not known yet (waited 0.3 s)"
    )


@pytest.mark.requirement("write:three-answers")
@pytest.mark.parametrize(
    "unknown",
    [
        {"pending": {"checker": []}},
        {"pending": {"checker": ["a.py"]}},
        {"missing": ("checker",)},
        {"unbased": {"checker": []}},
        {"unreadable": ("a.py: it is binary",)},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_nothing_unknown_is_told_as_clean(unknown: dict[str, object]) -> None:
    for known in ((), ("other",)):
        news = News(known=known, **unknown)  # type: ignore[arg-type]
        assert not news.whole
        assert "no new problems" not in news.text
        assert "not known yet" in news.text or "not available" in news.text


@pytest.mark.requirement("write:three-answers")
def test_a_file_that_no_server_can_be_shown_says_why() -> None:
    assert News(unreadable=("a.py: it is binary",)).text == "diagnostics not available: a.py: it is binary"
    assert len(News(unreadable=("a\nb.py: it is binary",), pending={"ty": ["a\nb.py"]}).text.splitlines()) == 2


@pytest.mark.requirement("write:flood")
def test_more_than_twenty_are_summed_up_by_code_each_with_its_first() -> None:
    assert FLOOD == 20
    few = [problem(line=line) for line in range(FLOOD)]
    assert len(News(new=tuple(few)).text.splitlines()) == 1 + FLOOD
    many = [*few, problem("odd", 50, code="rare"), problem(line=60)]
    assert News(new=tuple(many)).text.splitlines() == [
        "22 new",
        f"21 × {LINE}",
        "a.py:51:1: error[rare] odd (checker)",
    ]


@pytest.mark.requirement("write:flood")
def test_a_flood_of_kinds_is_bounded_too() -> None:
    many = tuple(problem(line=line, code=f"c{line}") for line in range(200))
    lines = News(new=many).text.splitlines()
    assert len(lines) == 1 + 20 + 1
    assert lines[-1] == "… and 180 more of 180 other kinds"


@pytest.mark.requirement("write:elsewhere", "write:flood")
def test_errors_in_other_files_are_capped() -> None:
    many = tuple(problem(path=f"{number:02}.py") for number in range(15))
    assert News(elsewhere=many).text.splitlines() == [
        "15 new errors in other files",
        "15 × 00.py:1:1: error[code] wrong (checker)",
    ]


@pytest.mark.requirement("write:first-line")
def test_what_a_server_says_stays_in_its_line() -> None:
    evil = problem("wrong\n\x1b[31mno new problems\u2028fixed: 9", path="a\nb.py", code="x]\ny")
    assert News(new=(evil,)).text.splitlines() == [
        "1 new",
        "a b.py:1:1: error[x] y] wrong [31mno new problems fixed: 9 (checker)",
    ]
    long = News(new=(problem("x" * 10_000),)).text
    assert len(long) < 700


@pytest.mark.requirement("write:first-line")
def test_the_structure_has_everything_that_the_text_has() -> None:
    news = News(
        new=(problem(),),
        elsewhere=(problem(path="b.py"),),
        fixed=2,
        known=("checker",),
        pending={"ty": ["a.py"]},
        missing=("ruff",),
        unreadable=("c.py: it is binary",),
        unbased={"pyright": ["b.py"]},
        unchecked=4,
        waited=1.5,
    )
    data = news.data()
    assert set(data) == {each.name for each in attrs.fields(News)}
    assert data["new"][0]["message"] == "wrong"
    assert data["new"][0]["unit"] == "utf-32"
    assert (data["elsewhere"][0]["path"], data["fixed"], data["missing"]) == ("b.py", 2, ["ruff"])
