"""What a server asks of its client is answered, and none of it changes a file or asks a person."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from lsp.fake.definition import definition
from lsp.fake.modes import Modes
from lsp.server.serving import Serving, codes, serve
from lsprotocol import converters, types
from toolpost_lsp.server.answering import nested, section

SETTINGS = {"python.analysis": {"mode": "open", "deep": {"x": None}}, "python.path": "/bin/python", "flat": [1]}


def answers(folder: Path, *asks: tuple[str, Any], **terms: Any) -> list[Any]:
    """What a server gets for its requests: results, or the errors' codes."""
    found: list[Any] = []

    async def work(peer: Serving) -> None:
        await peer.server.started()
        while len(said := peer.log.answers()) < len(asks):
            await peer.heard("initialized")
        found.extend(each["error"]["code"] if "error" in each else each["result"] for each in said)

    serve(folder, work, Modes(asks=asks), **terms)
    return found


def items(*sections: Any) -> dict[str, Any]:
    return {"items": [{"section": each} for each in sections]}


def test_configuration_is_answered_section_by_section(folder: Path) -> None:
    asked = items("python", "python.analysis", "python.analysis.mode", "python.path", "flat", "absent", "flat.x", "")
    (said,) = answers(folder, ("workspace/configuration", asked), settings=SETTINGS)
    analysis = {"mode": "open", "deep": {"x": None}}
    python = {"analysis": analysis, "path": "/bin/python"}
    assert said == [python, analysis, "open", "/bin/python", [1], None, None, {"python": python, "flat": [1]}]
    converters.get_converter().structure({"id": 1, "result": said}, types.ConfigurationResponse)


def test_what_is_no_section_gets_nothing(folder: Path) -> None:
    asked = {"items": [{}, {"scopeUri": "file:///a"}, None, {"section": 3}, {"section": None}]}
    (said,) = answers(folder, ("workspace/configuration", asked), settings={"a": 1})
    assert said == [{"a": 1}] * 5


@pytest.mark.parametrize("params", [None, {}, {"items": None}, [], "x"])
def test_configuration_that_asks_nothing_is_refused(folder: Path, params: Any) -> None:
    assert answers(folder, ("workspace/configuration", params)) == [-32602]


@pytest.mark.requirement("lsp:untrusted")
def test_nothing_is_done_on_a_servers_initiative(folder: Path) -> None:
    (folder / "a.fake").write_text("mine\n")
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 4}}
    edit = {"changes": {(folder / "a.fake").as_uri(): [{"range": place, "newText": "its"}]}}
    create = {"documentChanges": [{"kind": "create", "uri": (folder / "new.fake").as_uri()}]}
    question = {"type": 1, "message": "Delete everything?", "actions": [{"title": "Yes"}]}
    said = answers(
        folder,
        ("workspace/applyEdit", {"edit": edit}),
        ("workspace/applyEdit", {"label": "?", "edit": create}),
        ("workspace/applyEdit", None),
        ("window/showMessageRequest", question),
        ("window/showDocument", {"uri": "https://example.org", "external": True}),
    )
    assert [each.get("applied", each.get("success")) if each else each for each in said] == [
        False,
        False,
        False,
        None,
        False,
    ]
    assert sorted(each.name for each in folder.iterdir()) == ["a.fake", "fake.toml"]
    assert (folder / "a.fake").read_text() == "mine\n"


def test_the_rest_is_answered_as_the_protocol_wants_it(folder: Path) -> None:
    said = answers(
        folder,
        ("workspace/workspaceFolders", None),
        ("window/workDoneProgress/create", {"token": 1}),
        ("workspace/diagnostic/refresh", None),
        ("workspace/semanticTokens/refresh", None),
        ("workspace/inlayHint/refresh", None),
        ("client/unregisterCapability", {"unregisterations": [{"id": "x", "method": "y"}]}),
        ("own/question", {}),
        ("workspace/nonsense", {}),
    )
    folders = [{"uri": folder.as_uri(), "name": "project"}]
    assert said == [folders, None, None, None, None, None, -32601, -32601]


def test_a_request_that_its_record_answers_is_answered_so(folder: Path) -> None:
    asks = (("own/question", {"a": 1}), ("own/other", None))
    log = str(folder.parent / "fake.log")
    record = definition(Modes(log=log, asks=asks), answers={"own/question": [1]})
    assert answers(folder, *asks, of=record) == [[1], -32601]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/publishDiagnostics", None),
        ("textDocument/publishDiagnostics", {"uri": None, "diagnostics": []}),
        ("textDocument/publishDiagnostics", {"uri": "untitled:1", "diagnostics": []}),
        ("textDocument/publishDiagnostics", {"uri": "file:///a.fake", "diagnostics": None}),
        ("textDocument/publishDiagnostics", {"uri": "file:///a.fake", "version": "1", "diagnostics": [{}, None, 3]}),
        ("$/progress", None),
        ("$/progress", {"token": [], "value": {"kind": "begin"}}),
        ("$/progress", {"token": 1, "value": {"kind": "report"}}),
        ("$/progress", {"token": 1, "value": 3}),
        ("$/progress", {"token": 2, "value": {"kind": "end"}}),
        ("window/logMessage", {"message": 3}),
        ("window/logMessage", "x"),
        ("$/unknown", {"a": [{}]}),
        ("client/registerCapability", {}),
    ],
)
def test_a_malformed_notification_disturbs_nothing(folder: Path, method: str, params: Any) -> None:
    async def work(peer: Serving) -> None:
        assert codes(await peer.diagnose("a.fake", "ERROR:one\n")) == ["one"]

    serve(folder, work, Modes(tells=((method, params),)))


@pytest.mark.parametrize(
    "params",
    [
        None,
        {"registrations": None},
        {"registrations": [None, {"id": 1}, {"id": "a", "method": None}]},
        {
            "registrations": [
                {"id": "a", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": 3}}
            ]
        },
        {"registrations": [{"id": "a", "method": "textDocument/didChange", "registerOptions": {"syncKind": "x"}}]},
    ],
)
def test_a_malformed_registration_disturbs_nothing(folder: Path, params: Any) -> None:
    async def work(peer: Serving) -> None:
        assert codes(await peer.diagnose("a.fake", "ERROR:one\n")) == ["one"]
        assert codes(await peer.diagnose("a.fake", "ERROR:two\n")) == ["two"]

    serve(folder, work, Modes(asks=(("client/registerCapability", params),)))


def test_settings_with_dots_are_objects_within_objects() -> None:
    settings = {"a.b": 1, "a": {"c.d": 2}, "a.c": {"e": 3}, "a.c.f.g": 4, "a.c.f": {"h": 5}}
    before = copy.deepcopy(settings)
    assert nested(settings) == {"a": {"b": 1, "c": {"d": 2, "e": 3, "f": {"g": 4, "h": 5}}}}
    assert settings == before
    assert section(nested(settings), "a.c.f") == {"g": 4, "h": 5}


def test_a_setting_below_one_that_is_no_object_replaces_it() -> None:
    assert nested({"a": 1, "a.b": 2}) == {"a": {"b": 2}}
