"""Answers of servers, also odd ones: one bad item costs itself only, and is counted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import converters, types
from toolpost_lsp.protocol import structure
from toolpost_lsp.protocol.structure import Read, code_actions, diagnostics, hover, locations, symbols
from toolpost_lsp.protocol.types import (
    CodeAction,
    Diagnostic,
    DocumentSymbol,
    Hover,
    Location,
    Position,
    Range,
    Related,
    Severity,
    SymbolInformation,
)

ORACLE = converters.get_converter()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "range",
                    "start",
                    "end",
                    "line",
                    "character",
                    "uri",
                    "location",
                    "message",
                    "severity",
                    "code",
                    "value",
                    "tags",
                    "name",
                    "kind",
                    "children",
                    "title",
                    "contents",
                    "language",
                    "targetUri",
                    "targetSelectionRange",
                    "selectionRange",
                    "relatedInformation",
                    "codeDescription",
                    "disabled",
                    "command",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=40,
)


def span(line: Any = 1, character: Any = 2, end: Any = 9) -> dict[str, Any]:
    return {"start": {"line": line, "character": character}, "end": {"line": line, "character": end}}


HERE = Range(Position(1, 2), Position(1, 9))


class TestLocations:
    PLACE = Location("file:///a", HERE)

    @pytest.mark.parametrize(
        ("raw", "expected"),
        [
            (None, Read()),
            ([], Read()),
            ({"uri": "file:///a", "range": span()}, Read((PLACE,))),
            ([{"uri": "file:///a", "range": span()}] * 2, Read((PLACE, PLACE))),
            (
                [{"targetUri": "file:///a", "targetRange": span(0, 0, 99), "targetSelectionRange": span(), "x": 1}],
                Read((PLACE,)),
            ),
            ([{"targetUri": "file:///a", "targetRange": span()}], Read((PLACE,))),
            ([None, {"uri": "file:///a"}, {"range": span()}, {"uri": "file:///a", "range": span()}], Read((PLACE,), 3)),
            ([{"uri": 5, "range": span()}, {"uri": "", "range": span()}, 7, "x", []], Read((), 5)),
            ("nonsense", Read((), 1)),
        ],
    )
    def test_every_form_is_a_list(self, raw: Any, expected: Any) -> None:
        assert locations(raw) == expected

    @pytest.mark.parametrize(
        ("line", "character", "expected"),
        [
            (-1, 0, Position(0, 0)),
            (0, -1, Position(0, 0)),
            (3.0, 4.0, Position(3, 4)),
            (0, 2**31, Position(0, 2**31)),
            (2**31 - 1, 2**53, Position(2**31 - 1, 2**53)),
            (-1.0, 0, Position(0, 0)),
        ],
    )
    def test_a_position_out_of_range_is_brought_into_it(self, line: Any, character: Any, expected: Position) -> None:
        ends = {"line": line, "character": character}
        assert locations({"uri": "u", "range": {"start": ends, "end": ends}}).items[0].range.start == expected

    @pytest.mark.parametrize("odd", [None, "1", True, 1.5, float("nan"), float("inf"), [], {}])
    def test_what_is_no_number_is_no_position(self, odd: Any) -> None:
        assert locations({"uri": "u", "range": span(odd)}) == Read((), 1)

    def test_a_range_that_runs_backwards_is_turned(self) -> None:
        raw = {"start": span()["end"], "end": span()["start"]}
        assert locations({"uri": "u", "range": raw}).items[0].range == HERE


class TestDiagnostics:
    def test_one_with_everything(self) -> None:
        raw = {
            "range": span(),
            "message": "no such name",
            "severity": 2,
            "code": "F821",
            "codeDescription": {"href": "https://example.org/F821"},
            "source": "ruff",
            "tags": [1, 2],
            "relatedInformation": [{"location": {"uri": "file:///b", "range": span()}, "message": "here"}],
            "data": {"fix": 1},
        }
        (read,) = diagnostics([raw]).items
        assert read == Diagnostic(
            range=HERE,
            message="no such name",
            severity=Severity.WARNING,
            code="F821",
            source="ruff",
            unnecessary=True,
            deprecated=True,
            link="https://example.org/F821",
            related=(Related(location=Location("file:///b", HERE), message="here"),),
        )
        assert read.raw == raw  # goes back to the server as it came

    @pytest.mark.parametrize("nothing", [None, []])
    def test_none_at_all(self, nothing: Any) -> None:
        assert diagnostics(nothing) == Read()

    @pytest.mark.parametrize("severity", [None, 0, 9, -1, "error", True, [], 1.5])
    def test_an_unknown_severity_is_not_overlooked(self, severity: Any) -> None:
        assert (
            diagnostics([{"range": span(), "message": "m", "severity": severity}]).items[0].severity == Severity.ERROR
        )

    @pytest.mark.parametrize(
        ("message", "expected"),
        [
            ({"kind": "markdown", "value": "**bold**"}, "**bold**"),
            (None, "(no message)"),
            ("", "(no message)"),
            (5, "(no message)"),
            ({"kind": "markdown"}, "(no message)"),
            ("half \ud83d of a pair", "half \ufffd of a pair"),
        ],
    )
    def test_every_form_of_a_message(self, message: Any, expected: str) -> None:
        read = diagnostics([{"range": span(), "message": message}])
        assert (read.items[0].message, read.skipped) == (expected, 0)
        read.items[0].message.encode()

    @pytest.mark.parametrize(
        ("code", "expected"),
        [(2322, "2322"), ("E1", "E1"), ({"value": "E1", "target": "x"}, "E1"), (None, None), ("", None), ([], None)],
    )
    def test_every_form_of_a_code(self, code: Any, expected: str | None) -> None:
        assert diagnostics([{"range": span(), "message": "m", "code": code}]).items[0].code == expected

    def test_a_bad_one_costs_itself_only(self) -> None:
        good = {"range": span(), "message": "m"}
        odd = {**good, "severity": 9, "tags": [7], "relatedInformation": [None, {"message": "x"}], "codeDescription": 3}
        read = diagnostics([good, {"message": "nowhere"}, None, odd, {**good, "range": span(-1, 2**31)}])
        assert [each.message for each in read.items] == ["m"] * 3
        assert read.skipped == 4  # two problems without a place, two related ones that are none


class TestSymbols:
    def test_an_outline(self) -> None:
        inner = {"name": "f", "kind": 12, "range": span(), "selectionRange": span(), "tags": [1], "detail": "()"}
        bad = {"name": "g", "kind": 12, "children": []}
        read = symbols([{"name": "C", "kind": 5, "range": span(), "children": [inner, bad, None]}])
        function = DocumentSymbol(name="f", kind=12, range=HERE, selection_range=HERE, deprecated=True, detail="()")
        assert read.items == (DocumentSymbol(name="C", kind=5, range=HERE, selection_range=HERE, children=(function,)),)
        assert read.skipped == 2

    def test_a_search(self) -> None:
        read = symbols(
            [
                {"name": "f", "kind": 12, "location": {"uri": "u", "range": span()}, "containerName": "C"},
                {"name": "g", "kind": None, "location": {"uri": "u"}, "deprecated": True},
                {"name": "h", "kind": 12, "location": None},
            ]
        )
        start = Range(Position(0, 0), Position(0, 0))
        assert read.items == (
            SymbolInformation(name="f", kind=12, location=Location("u", HERE), container="C"),
            SymbolInformation(name="g", kind=0, location=Location("u", start), deprecated=True),
        )
        assert read.skipped == 1

    def test_an_outline_without_end_is_cut(self) -> None:
        raw: dict[str, Any] = {"name": "f", "kind": 12, "range": span()}
        for _ in range(5_000):
            raw = {**raw, "children": [raw]}
        read = symbols([raw])
        depth, inside = 0, read.items
        while inside:
            depth, inside = depth + 1, inside[0].children
        assert (depth, read.skipped) == (100, 1)


def test_code_actions_and_commands() -> None:
    action = {
        "title": "Add import",
        "kind": "quickfix",
        "isPreferred": True,
        "edit": {"changes": {}},
        "command": {"title": "t", "command": "do"},
        "data": 1,
    }
    read = code_actions(
        [
            action,
            {"title": "Run", "command": "run.it", "arguments": [1]},
            {"title": "Not now", "disabled": {"reason": "no selection"}},
            {"title": "Nor this", "disabled": True},
            {"kind": "quickfix"},
            None,
        ]
    )
    assert read.items == (
        CodeAction(title="Add import", kind="quickfix", preferred=True, command="do"),
        CodeAction(title="Run", command="run.it"),
        CodeAction(title="Not now", disabled="no selection"),
        CodeAction(title="Nor this", disabled="the server does not say why"),
    )
    assert read.skipped == 2
    assert read.items[0].edit == {"changes": {}}
    assert read.items[0].raw == action


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, None),
        ({}, None),
        ({"contents": ""}, None),
        ({"contents": []}, None),
        ({"contents": {"kind": "markdown", "value": "  \n"}}, None),
        ({"contents": "text", "range": span()}, Hover(text="text", range=HERE)),
        ({"contents": {"kind": "markdown", "value": "**x**"}, "range": {}}, Hover(text="**x**")),
        ({"contents": {"language": "python", "value": "def f()"}}, Hover(text="```python\ndef f()\n```")),
        (
            {"contents": [{"language": "python", "value": "def f()"}, "", "It does.", 5, None]},
            Hover(text="```python\ndef f()\n```\n\nIt does."),
        ),
    ],
)
def test_every_form_of_a_hover(raw: Any, expected: Hover | None) -> None:
    assert hover(raw) == expected


@given(JSON)
def test_nothing_that_a_server_sends_raises(raw: Any) -> None:
    for read in (locations, diagnostics, symbols, code_actions):
        found = read(raw)
        for each in found.items:
            json.dumps(repr(each))
        count = len(raw) if isinstance(raw, list) else raw is not None
        assert len(found.items) <= count <= len(found.items) + found.skipped
    hover(raw)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (types.Diagnostic(types.Range(types.Position(1, 2), types.Position(1, 9)), "m"), structure.diagnostics),
        (types.Location("file:///a", types.Range(types.Position(1, 2), types.Position(1, 9))), structure.locations),
        (types.Command("Run", "run.it"), structure.code_actions),
    ],
)
def test_what_the_protocol_says_is_understood(value: Any, read: Any) -> None:
    found = read([ORACLE.unstructure(value)])
    assert len(found.items) == 1
    assert found.skipped == 0


def test_ranges_go_back_as_the_protocol_writes_them() -> None:
    assert ORACLE.structure(HERE.json(), types.Range) == types.Range(types.Position(1, 2), types.Position(1, 9))
