"""What is offered to servers, and what they can do: from the start, and later."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import converters, types
from toolpost_lsp.protocol.capabilities import CLIENT_CAPABILITIES, Capabilities, Save


def server(**capabilities: Any) -> Capabilities:
    made = Capabilities()
    made.set_static({"capabilities": capabilities})
    return made


def registering(number: str, method: str, options: Any = None) -> dict[str, Any]:
    return {"registrations": [{"id": number, "method": method, "registerOptions": options}]}


class TestWhatIsOffered:
    def test_it_is_what_the_protocol_describes_and_nothing_is_misspelt(self) -> None:
        oracle = converters.get_converter()
        understood = oracle.structure(CLIENT_CAPABILITIES, types.ClientCapabilities)
        assert oracle.unstructure(understood) == CLIENT_CAPABILITIES

    @pytest.mark.requirement("lsp:encoding")
    def test_columns_are_offered_as_bytes_and_as_every_server_counts_them(self) -> None:
        assert set(CLIENT_CAPABILITIES["general"]["positionEncodings"]) == {"utf-8", "utf-16"}

    @pytest.mark.requirement("lsp:untrusted")
    def test_no_edit_on_a_servers_own_initiative_is_offered(self) -> None:
        assert CLIENT_CAPABILITIES["workspace"]["applyEdit"] is False


class TestHas:
    @pytest.mark.parametrize(
        ("method", "capabilities"),
        [
            ("textDocument/hover", {"hoverProvider": True}),
            ("textDocument/hover", {"hoverProvider": {}}),
            ("textDocument/definition", {"definitionProvider": {"workDoneProgress": True}}),
            ("textDocument/prepareRename", {"renameProvider": {"prepareProvider": True}}),
            ("codeAction/resolve", {"codeActionProvider": {"resolveProvider": True}}),
            ("workspace/diagnostic", {"diagnosticProvider": {"workspaceDiagnostics": True}}),
            ("workspace/willRenameFiles", {"workspace": {"fileOperations": {"willRename": {"filters": []}}}}),
        ],
    )
    def test_what_it_said_at_its_start(self, method: str, capabilities: Any) -> None:
        assert server(**capabilities).has(method)

    @pytest.mark.parametrize(
        ("method", "capabilities"),
        [
            ("textDocument/hover", {}),
            ("textDocument/hover", {"hoverProvider": False}),
            ("textDocument/hover", {"hoverProvider": None}),
            ("textDocument/hover", {"hoverProvider": "yes"}),
            ("textDocument/prepareRename", {"renameProvider": True}),
            ("textDocument/prepareRename", {"renameProvider": {"prepareProvider": False}}),
            ("workspace/willRenameFiles", {"workspace": {"fileOperations": None}}),
            ("workspace/willRenameFiles", {"workspace": 5}),
            ("something/else", {"hoverProvider": True}),
            ("workspace/didChangeWatchedFiles", {"": True}),
        ],
    )
    def test_what_it_did_not_say(self, method: str, capabilities: Any) -> None:
        assert not server(**capabilities).has(method)
        assert server(**capabilities).options(method) == {}

    def test_one_that_has_not_said_anything_yet_can_do_nothing(self) -> None:
        made = Capabilities()
        assert not made.has("textDocument/hover")
        assert (made.encoding, made.opens, made.sync_kind, made.save) == ("utf-16", False, 0, None)

    @pytest.mark.parametrize("said", [None, [], "x", {"capabilities": None}, {"capabilities": []}])
    def test_a_malformed_answer_says_nothing(self, said: Any) -> None:
        made = Capabilities()
        made.set_static(said)
        assert not made.has("textDocument/hover")


class TestRegistering:
    def test_what_it_registers_later_counts_until_it_takes_it_back(self) -> None:
        made = server()
        made.register(registering("1", "textDocument/diagnostic", {"identifier": "one"}))
        made.register(registering("2", "textDocument/diagnostic", {"identifier": "two", "workspaceDiagnostics": True}))
        assert [each["identifier"] for each in made.all_options("textDocument/diagnostic")] == ["one", "two"]
        assert made.has("workspace/diagnostic")
        made.unregister({"unregisterations": [{"id": "1", "method": "textDocument/diagnostic"}]})
        assert made.options("textDocument/diagnostic")["identifier"] == "two"
        made.unregister({"unregistrations": [{"id": "2", "method": "textDocument/diagnostic"}]})
        assert not made.has("textDocument/diagnostic")

    def test_what_it_said_at_its_start_comes_first(self) -> None:
        made = server(diagnosticProvider={"identifier": "static"})
        made.register(registering("1", "textDocument/diagnostic", {"identifier": "later"}))
        assert [each["identifier"] for each in made.all_options("textDocument/diagnostic")] == ["static", "later"]

    def test_a_registration_before_the_answer_to_initialize_is_kept(self) -> None:
        made = Capabilities()
        made.register(registering("1", "textDocument/hover"))
        made.set_static({"capabilities": {}})
        assert made.has("textDocument/hover")

    def test_an_id_that_is_registered_again_is_replaced(self) -> None:
        made = server()
        made.register(registering("1", "textDocument/diagnostic", {"identifier": "old"}))
        made.register(registering("1", "textDocument/diagnostic", {"identifier": "new"}))
        assert made.all_options("textDocument/diagnostic") == ({"identifier": "new"},)

    @pytest.mark.requirement("lsp:fresh")
    def test_watched_files_that_are_registered_again_are_added(self) -> None:
        made = server()
        made.register(registering("1", "workspace/didChangeWatchedFiles", {"watchers": [1, 2]}))
        made.register(registering("1", "workspace/didChangeWatchedFiles", {"watchers": [2, 3]}))
        assert made.all_options("workspace/didChangeWatchedFiles") == ({"watchers": [1, 2, 3]},)
        made.unregister({"unregisterations": [{"id": "1", "method": "workspace/didChangeWatchedFiles"}]})
        assert not made.has("workspace/didChangeWatchedFiles")

    def test_options_of_a_registration_that_has_none_are_empty(self) -> None:
        made = server()
        made.register(registering("1", "textDocument/hover", None))
        assert made.has("textDocument/hover")
        assert made.all_options("textDocument/hover") == ({},)

    @pytest.mark.parametrize(
        "params",
        [
            None,
            [],
            {},
            {"registrations": None},
            {"registrations": [None, 5, {}, {"id": 1, "method": "x"}, {"id": "1"}]},
        ],
    )
    def test_a_malformed_one_is_passed_over(self, params: Any) -> None:
        made = server()
        made.register(params)
        made.unregister(params)
        assert not made.has("x")

    def test_a_bad_registration_costs_itself_only(self) -> None:
        made = server()
        made.register({"registrations": [None, {"id": "1", "method": "textDocument/hover"}]})
        assert made.has("textDocument/hover")


class TestSynchronising:
    @pytest.mark.parametrize(
        ("said", "opens", "kind", "save"),
        [
            (None, False, 0, None),
            (0, False, 0, None),
            (1, True, 1, None),
            (2, True, 2, None),
            (9, False, 0, None),
            (True, False, 0, None),
            ({}, False, 0, None),
            ({"openClose": True, "change": 2}, True, 2, None),
            ({"openClose": True, "change": 1, "save": True}, True, 1, Save()),
            ({"openClose": True, "change": 1, "save": False}, True, 1, None),
            ({"openClose": True, "change": 1, "save": {}}, True, 1, Save()),
            ({"openClose": True, "change": 2, "save": {"includeText": True}}, True, 2, Save(include_text=True)),
            ({"openClose": "x", "change": "x", "save": "x"}, False, 0, None),
        ],
    )
    def test_every_form(self, said: Any, opens: bool, kind: int, save: Save | None) -> None:
        made = server(textDocumentSync=said)
        assert (made.opens, made.sync_kind, made.save) == (opens, kind, save)

    def test_registered_later(self) -> None:
        made = server(textDocumentSync=0)
        made.register(registering("1", "textDocument/didOpen"))
        made.register(registering("2", "textDocument/didChange", {"syncKind": 2}))
        made.register(registering("3", "textDocument/didSave", {"includeText": True}))
        assert (made.opens, made.sync_kind, made.save) == (True, 2, Save(include_text=True))


@pytest.mark.requirement("lsp:encoding")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("utf-8", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        (None, "utf-16"),
        ("utf-7", "utf-16"),
        ([], "utf-16"),
    ],
)
def test_a_server_that_names_no_encoding_counts_as_all_did_once(said: Any, expected: str) -> None:
    assert server(positionEncoding=said).encoding == expected
