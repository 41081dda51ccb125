"""`lsp_rename` with scripted servers: every reason not to rename, and that nothing is written then (contracts rename:*)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsp.navigation.doubles import ScriptedServer, ScriptedSupervisor, in_run, place
from toolpost import Result, Run
from toolpost_lsp.protocol.errors import ConnectionLost, ResponseError
from toolpost_lsp.protocol.uris import path_of, uri_of
from toolpost_lsp.rename.rename import lsp_rename

FILES = {
    "a.py": b"old = 1\nprint(old)\n",
    "b.py": b'\xef\xbb\xbffrom a import old\r\nx = "\xf0\x9f\x98\x80"; old\r\n',
    "README.md": b"about old things\n",
}
RENAME, REFERENCES, DEFINITION = "textDocument/rename", "textDocument/references", "textDocument/definition"
PREPARE = "textDocument/prepareRename"
DONE = {name: data.replace(b"old", b"fresh") for name, data in FILES.items() if name != "README.md"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace beside other people's files."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name, data in FILES.items():
        (workspace / name).write_bytes(data)
    return workspace


def uses(folder: Path, word: str = "old") -> list[dict[str, Any]]:
    """Every use of a word in Python files, by UTF-16 units."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        for row, line in enumerate(re.split(r"\r\n|\n|\r", path.read_bytes().decode("utf-8-sig"))):
            for use in re.finditer(rf"\b{word}\b", line.partition("#")[0]):
                start, end = (len(line[:at].encode("utf-16-le")) // 2 for at in use.span())
                found.append(place(path, row, start, end))
    return found


def edit(places: list[dict[str, Any]], new: str = "fresh") -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for each in places:
        changes.setdefault(each["uri"], []).append({"range": each["range"], "newText": new})
    return {"changes": changes}


def truth(folder: Path) -> dict[str, Any]:
    """What a server that knows everything answers."""
    return {
        RENAME: lambda params: edit(uses(folder), params["newName"]),
        REFERENCES: lambda params: uses(folder),
        DEFINITION: lambda params: [place(folder / "a.py", 0, 0, 3)],
        PREPARE: lambda params: {"defaultBehavior": True},
    }


@attrs.frozen
class Done:
    result: Result
    servers: list[ScriptedServer]

    @property
    def asked(self) -> list[str]:
        return [method for server in self.servers for method, _ in server.asked]


def rename(
    folder: Path,
    answers: Mapping[str, Any] | None = None,
    *,
    without: tuple[str, ...] = (),
    python: bool = True,
    also: Callable[[Any], Any] | None = None,
    restarts: bool = False,
    more: list[dict[str, Any]] | None = None,
    server: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Done:
    """One rename.

    Args:
        answers: what differs from the truth.
        without: methods that the server does not offer.
        also: done in the run afterwards.
        restarts: a server that is lost is followed by one that tells the truth.
        more: answers of further servers, before this one.
    """
    said = {**truth(folder), **(answers or {})}
    made: list[ScriptedServer] = []

    def start(supervisor: ScriptedSupervisor, name: str, answers: Mapping[str, Any], **fields: Any) -> ScriptedServer:
        one = ScriptedServer(scope=supervisor.scope, name=name, answers=answers, **fields)
        if python:
            one.definition = attrs.evolve(one.definition, languages={".py": "python"})
        made.append(one)
        return one

    def script(supervisor: ScriptedSupervisor) -> list[ScriptedServer]:
        if restarts:
            supervisor.restarts = lambda lost: start(supervisor, lost.name, truth(folder))
        others = [start(supervisor, f"s{number}", each) for number, each in enumerate(more or [])]
        own = {method: answer for method, answer in said.items() if method not in without}
        return [*others, start(supervisor, "fake", own, **(server or {}))]

    async def work(run: Run, surface: Any, supervisor: Any) -> Done:
        asked = {"file": "a.py", "line": 1, "symbol": "old", "new_name": "fresh", **arguments}
        result = await surface.call("act", asked)
        if also is not None:
            await also(surface)
        return Done(result, made)

    return in_run(folder, {"act": lsp_rename}, script, work)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def refusal(folder: Path, *args: Any, **more: Any) -> str:
    """What a refused rename says; nothing has changed."""
    before = snapshot(folder.parent)
    done = rename(folder, *args, **more)
    assert done.result.is_error, done.result.text
    after = snapshot(folder.parent)
    assert {name: data for name, data in after.items() if before.get(name) != data} == {}
    assert after.keys() == before.keys()
    return done.result.text


@pytest.mark.requirement("rename:project-wide")
class TestRenaming:
    def test_all_uses_change_and_every_other_byte_stays(self, folder: Path):
        result = rename(folder).result
        assert not result.is_error, result.text
        assert snapshot(folder) == {**FILES, **DONE}
        assert result.text.splitlines()[:3] == [
            "Renamed old to fresh: 4 edits in 2 files (fake)",
            "  a.py: 2",
            "  b.py: 2",
        ]
        assert result.data["edits"] == 4
        assert result.data["files"] == {"a.py": 2, "b.py": 2}

    def test_it_can_be_undone(self, folder: Path):
        async def undo(surface: Any) -> None:
            undone = await surface.call("resolve", {"action": "undo", "edit_id": "undo_1"})
            assert not undone.is_error, undone.text

        done = rename(folder, also=undo)
        assert "undo_1" in done.result.text
        assert done.result.data["undo_id"] == "undo_1"
        assert snapshot(folder) == FILES

    def test_files_that_come_move_and_go_belong_to_it(self, folder: Path):
        uri = {name: uri_of(str(folder / name)) for name in ("a.py", "b.py", "c.py", "old.py")}
        (folder / "old.py").write_bytes(b"")

        def answer(params: Any) -> Any:
            documents = [
                {"textDocument": {"uri": key, "version": None}, "edits": edits}
                for key, edits in edit(uses(folder))["changes"].items()
            ]
            return {
                "documentChanges": [
                    *documents,
                    {"kind": "rename", "oldUri": uri["a.py"], "newUri": uri["c.py"]},
                    {"kind": "delete", "uri": uri["old.py"]},
                ]
            }

        result = rename(folder, {RENAME: answer}).result
        assert not result.is_error, result.text
        assert snapshot(folder) == {"README.md": FILES["README.md"], "b.py": DONE["b.py"], "c.py": DONE["a.py"]}
        assert "moves a.py to c.py; deletes old.py" in result.text

    def test_only_the_first_server_that_offers_it_is_asked(self, folder: Path):
        lint = {"textDocument/codeAction": []}
        done = rename(folder, more=[lint])
        assert not done.result.is_error, done.result.text
        assert done.servers[0].asked == []
        twice = rename(folder, more=[{**truth(folder), RENAME: None}], symbol="fresh", new_name="old")
        assert "s0 gives no edits" in twice.result.text
        assert twice.servers[1].asked == []

    def test_a_server_that_gives_no_references_is_named(self, folder: Path):
        result = rename(folder, without=(REFERENCES,)).result
        assert not result.is_error
        assert "fake gives no references, so nothing says whether that is every use." in result.text
        assert result.data["references_known"] is False

    def test_a_use_under_another_name_keeps_it(self, folder: Path):
        (folder / "c.py").write_bytes(b"from a import old as other\nother\n")
        result = rename(folder, {REFERENCES: lambda _: [*uses(folder), place(folder / "c.py", 1, 0, 5)]}).result
        assert not result.is_error, result.text
        assert (folder / "c.py").read_bytes() == b"from a import fresh as other\nother\n"

    def test_uses_behind_a_companion_keep_the_name_and_are_counted(self, folder: Path):
        (folder / "c.py").write_bytes(b"f(old)\nold\n")

        def answer(params: Any) -> Any:
            mine, others = split(folder, "c.py")
            made = edit(others)
            made["changes"][uri_of(str(folder / "c.py"))] = [{"range": mine[0]["range"], "newText": "fresh=old"}]
            return made

        result = rename(folder, {RENAME: answer}).result
        assert not result.is_error, result.text
        assert (folder / "c.py").read_bytes() == b"f(fresh=old)\nold\n"
        assert "1 use keeps the old name" in result.text
        assert result.data["kept"] == 1


def split(folder: Path, name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The uses in one file, and those in others."""
    every = uses(folder)
    return [each for each in every if each["uri"].endswith(name)], [
        each for each in every if not each["uri"].endswith(name)
    ]


@pytest.mark.requirement("rename:preview")
class TestPreview:
    def test_it_is_staged_with_its_lines_and_accepted(self, folder: Path):
        seen: list[Any] = []

        async def accept(surface: Any) -> None:
            seen.append(snapshot(folder))
            seen.append(await surface.call("resolve", {"action": "accept"}))

        result = rename(folder, preview=True, also=accept).result
        assert not result.is_error, result.text
        assert "Staged edit_1: old to fresh, 4 edits in 2 files" in result.text
        assert "-from a import old\n+from a import fresh" in result.text
        assert result.data["edit_id"] == "edit_1"
        assert seen[0] == FILES
        assert not seen[1].is_error, seen[1].text
        assert snapshot(folder) == {**FILES, **DONE}

    def test_a_file_that_changes_before_it_is_accepted_refuses_all_of_it(self, folder: Path):
        answers: list[Result] = []

        async def accept(surface: Any) -> None:
            (folder / "b.py").write_bytes(b"old\n")
            answers.append(await surface.call("resolve", {"action": "accept"}))

        rename(folder, preview=True, also=accept)
        assert answers[0].is_error and "b.py" in answers[0].text
        assert snapshot(folder) == {**FILES, "b.py": b"old\n"}

    def test_what_the_server_wants_confirmed_is_only_staged(self, folder: Path):
        def answer(params: Any) -> Any:
            made = edit(uses(folder))
            made["changeAnnotations"] = {"x": {"label": "Rename a public name", "needsConfirmation": True}}
            next(iter(made["changes"].values()))[0]["annotationId"] = "x"
            return made

        assert "Rename a public name" in refusal(folder, {RENAME: answer})
        assert (
            "wants this confirmed: Rename a public name" in rename(folder, {RENAME: answer}, preview=True).result.text
        )


@pytest.mark.requirement("rename:zero-is-error")
class TestLeftovers:
    def test_mentions_that_are_left_are_listed_behind_it(self, folder: Path):
        (folder / "c.py").write_bytes(b"# old news\n")
        result = rename(folder).result
        assert "  c.py:1  # old news\n  README.md:1  about old things" in result.text
        assert result.data["leftovers"]["total"] == 2

    @pytest.mark.parametrize("nothing", [None, {}, {"changes": {}}, {"documentChanges": []}])
    def test_no_edits_are_an_error(self, folder: Path, nothing: Any):
        assert "gives no edits" in refusal(folder, {RENAME: nothing})


@pytest.mark.requirement("rename:valid-name")
class TestNames:
    @pytest.mark.parametrize("name", ["1bad", "a b", "class", "a.b", "f()", " fresh", "old", "#x"])
    def test_a_name_that_is_none_is_refused_before_the_server_is_asked(self, folder: Path, name: str):
        done = rename(folder, new_name=name)
        assert done.result.is_error
        assert done.asked == []
        assert snapshot(folder) == FILES

    def test_a_symbol_defined_outside_is_refused(self, folder: Path):
        outside = folder.parent / "builtins.pyi"
        outside.write_text("old = 1\n")
        said = refusal(folder, {DEFINITION: [place(outside, 0, 0, 3)]})
        assert "builtins.pyi, outside the workspace" in said

    @pytest.mark.parametrize(
        "where", ["node_modules/x", ".venv/lib", "venv/lib", "lib/site-packages", "vendor/x", ".tox"]
    )
    def test_a_symbol_defined_in_a_vendored_folder_is_refused(self, folder: Path, where: str):
        (folder / where).mkdir(parents=True)
        (folder / where / "m.py").write_text("old = 1\n")
        said = refusal(folder, {DEFINITION: [place(folder / where / "m.py", 0, 0, 3)]})
        assert "not the project's own" in said
        assert RENAME not in rename(folder, file=f"{where}/m.py").asked

    def test_a_virtual_environment_of_any_name_is_vendored(self, folder: Path):
        (folder / "env" / "lib").mkdir(parents=True)
        (folder / "env" / "pyvenv.cfg").write_text("")
        (folder / "env" / "lib" / "m.py").write_text("old = 1\n")
        assert "env is not the project's own" in refusal(
            folder, {DEFINITION: [place(folder / "env/lib/m.py", 0, 0, 3)]}
        )

    def test_an_edit_in_a_vendored_folder_is_refused(self, folder: Path):
        (folder / "node_modules").mkdir()
        (folder / "node_modules" / "m.py").write_text("old = 1\n")
        assert "node_modules is not the project's own" in refusal(folder)


def without(folder: Path, name: str) -> list[dict[str, Any]]:
    return split(folder, name)[1]


def shifted(folder: Path) -> dict[str, Any]:
    made = edit(uses(folder))
    for position in made["changes"][uri_of(str(folder / "b.py"))][1]["range"].values():
        position["character"] -= 1
    return made


def outside(folder: Path) -> dict[str, Any]:
    (folder.parent / "theirs.py").touch()
    return edit([*uses(folder), place(folder.parent / "theirs.py", 0, 0, 0)])


REFUSALS: Mapping[str, tuple[Callable[[Path], Mapping[str, Any]], str]] = {
    "leaves out a file": (lambda folder: {RENAME: edit(without(folder, "b.py"))}, "leave out 2 uses of old"),
    "leaves out a file and its references": (
        lambda folder: {RENAME: edit(without(folder, "b.py")), REFERENCES: without(folder, "b.py")},
        "does not call them references",
    ),
    "leaves out one use": (lambda folder: {RENAME: edit(uses(folder)[1:])}, "a.py:1  old = 1"),
    "is used outside": (
        lambda folder: {REFERENCES: [*uses(folder), place(folder.parent / "x.py", 0, 0, 3)]},
        "outside the workspace",
    ),
    "edits the wrong place": (lambda folder: {RENAME: shifted(folder)}, "not read 'old'"),
    "edits something else": (
        lambda folder: {RENAME: edit([*uses(folder), place(folder / "a.py", 1, 0, 5)])},
        "'print' → 'fresh'",
    ),
    "writes something else": (lambda folder: {RENAME: edit(uses(folder), "other")}, "'old' → 'other'"),
    "edits outside": (lambda folder: {RENAME: outside(folder)}, "outside the workspace"),
    "edits no file": (lambda folder: {RENAME: {"changes": {"untitled:1": []}}}, "is no file"),
    "edits twice": (
        lambda folder: {RENAME: edit([*uses(folder), place(folder / "a.py", 0, 0, 5)])},
        "overlap",
    ),
    "is malformed": (lambda folder: {RENAME: {"changes": {uri_of(str(folder / "a.py")): [{}]}}}, "malformed"),
    "says that it cannot": (lambda folder: {PREPARE: None}, "cannot be renamed"),
    "refuses to prepare": (
        lambda folder: {PREPARE: ResponseError(1, "a keyword\x1b[2J")},
        "fake: a keyword [2J; nothing is changed",
    ),
    "fails": (lambda folder: {RENAME: ResponseError(-32603, "no")}, "fake: no; nothing is changed"),
    "is too slow": (lambda folder: {RENAME: TimeoutError()}, "did not answer within 30 s; nothing is changed"),
    "knows no references": (lambda folder: {REFERENCES: ResponseError(-32603, "no")}, "fake: no; nothing is changed"),
    "crashes": (lambda folder: {RENAME: ConnectionLost("exit 1")}, "exit 1"),
    "gives references that cannot be read": (lambda folder: {REFERENCES: [*uses(folder), {}]}, "could not be read"),
}


@pytest.mark.requirement("rename:project-wide", "lsp:untrusted")
class TestRefusals:
    @pytest.mark.parametrize("name", REFUSALS)
    @pytest.mark.parametrize("preview", [False, True])
    def test_a_server_that(self, folder: Path, name: str, preview: bool):
        answers, words = REFUSALS[name]
        assert words in refusal(folder, answers(folder), preview=preview)

    @pytest.mark.requirement("lsp:readiness")
    def test_a_server_that_still_indexes_is_not_asked(self, folder: Path):
        done = rename(folder, server={"unready": ["indexing 13/51"]})
        assert "indexing 13/51" in done.result.text and "nothing is changed" in done.result.text
        assert done.asked == []
        assert snapshot(folder) == FILES

    def test_a_server_without_renaming_is_named(self, folder: Path):
        assert "no server of a.py offers renaming (asked: fake)" in refusal(folder, without=(RENAME,))

    @pytest.mark.requirement("lsp:symbol-required", "lsp:symbol-ambiguous", "lsp:line-symbol")
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"symbol": None}, "give symbol"),
            ({"line": None}, "give line"),
            ({"line": 99}, "no line 99"),
            ({"symbol": "absent"}, "is not on a.py:1"),
            ({"file": "../x.py"}, "x.py"),
            ({"file": "gone.py"}, "gone.py"),
        ],
    )
    def test_a_symbol_that_is_not_there_is_told(self, folder: Path, arguments: dict[str, Any], words: str):
        assert words in refusal(folder, **arguments)

    @pytest.mark.requirement("lsp:symbol-ambiguous")
    def test_a_symbol_that_means_two_things_is_refused(self, folder: Path):
        (folder / "a.py").write_bytes(b"old = old.old\n")
        both = [[place(folder / "a.py", 0, 0, 3)], [place(folder / "b.py", 0, 0, 3)]]
        answer = lambda params: both[params["position"]["character"] > 5]  # noqa: E731
        assert "old#2" in refusal(folder, {DEFINITION: answer})

    def test_a_file_that_changes_while_the_server_answers_is_shown_to_it_and_asked_about_again(self, folder: Path):
        done = rename(folder, {RENAME: self.writing(folder, 1)})
        assert not done.result.is_error, done.result.text
        assert snapshot(folder) == {**FILES, **DONE, "b.py": DONE["b.py"] + b"#"}

    def test_a_file_that_changes_whenever_the_server_answers_refuses_all_of_it(self, folder: Path):
        done = rename(folder, {RENAME: self.writing(folder, 2)})
        assert done.result.is_error and "b.py has changed" in done.result.text
        assert snapshot(folder) == {**FILES, "b.py": FILES["b.py"] + b"##"}

    def writing(self, folder: Path, times: int) -> Callable[[Any], Any]:
        left = list(range(times))

        def answer(params: Any) -> Any:
            made = edit(uses(folder))
            if left:
                left.pop()
                (folder / "b.py").write_bytes((folder / "b.py").read_bytes() + b"#")
            return made

        return answer

    @pytest.mark.requirement("lsp:crash")
    def test_a_server_that_crashes_is_restarted_and_asked_all_of_it_again(self, folder: Path):
        done = rename(folder, {RENAME: ConnectionLost("exit 1")}, restarts=True)
        assert not done.result.is_error, done.result.text
        assert snapshot(folder) == {**FILES, **DONE}
        assert [method for method, _ in done.servers[-1].asked].count(REFERENCES) == 1

    def test_an_old_edit_of_a_closed_file_is_asked_for_again_with_the_file_shown(self, folder: Path):
        opened: list[bool] = []

        def answer(params: Any) -> Any:
            opened.append(True)
            return shifted(folder) if len(opened) == 1 else edit(uses(folder))

        done = rename(folder, {RENAME: answer})
        assert not done.result.is_error, done.result.text
        assert "b.py" in done.servers[0].documents.shown
        assert snapshot(folder) == {**FILES, **DONE}


@pytest.mark.requirement("rename:project-wide")
class TestUsesThatTheServerDoesNotKnow:
    """Its references are as partial as its edit."""

    def test_they_are_found_by_their_definition_and_named(self, folder: Path):
        known = without(folder, "b.py")
        said = refusal(folder, {RENAME: edit(known), REFERENCES: known})
        assert "b.py:1  from a import old" in said and "b.py:2" in said

    def test_a_server_that_knows_what_it_is_shown_is_asked_again(self, folder: Path):
        asked: list[str] = []

        def answer(method: str) -> Callable[[Any], Any]:
            def answer(params: Any) -> Any:
                asked.append(method)
                whole = asked.count(RENAME) > 1
                places = uses(folder) if whole else without(folder, "b.py")
                return edit(places) if method == RENAME else places

            return answer

        done = rename(folder, {RENAME: answer(RENAME), REFERENCES: answer(REFERENCES)})
        assert not done.result.is_error, done.result.text
        assert asked == [RENAME, REFERENCES, RENAME, REFERENCES]
        assert "b.py" in done.servers[0].documents.shown
        assert snapshot(folder) == {**FILES, **DONE}

    @pytest.mark.parametrize("text", ["x = 1  # as old\n", "# old\n", "  * old\n", "x(); // old\n", "x['old']\n"])
    def test_a_word_in_a_comment_or_alone_in_quotes_is_none(self, folder: Path, text: str):
        (folder / "c.py").write_text(text)
        answers = {RENAME: edit(_in(folder, "a.py", "b.py")), REFERENCES: _in(folder, "a.py", "b.py")}
        result = rename(folder, answers).result
        assert not result.is_error, result.text
        assert f"c.py:1  {' '.join(text.split())}" in result.text

    def test_a_word_that_cannot_be_renamed_is_none(self, folder: Path):
        (folder / "c.py").write_text('"""\nold\n"""\n')
        known = _in(folder, "a.py", "b.py")
        prepare = lambda params: None if params["textDocument"]["uri"].endswith("c.py") else {"defaultBehavior": True}  # noqa: E731
        result = rename(folder, {RENAME: edit(known), REFERENCES: known, PREPARE: prepare}).result
        assert not result.is_error, result.text
        assert "c.py:2  old" in result.text

    def test_a_word_that_is_defined_elsewhere_is_none(self, folder: Path):
        (folder / "c.py").write_text("old = 2\nold\n")
        known = _in(folder, "a.py", "b.py")
        define = lambda params: [  # noqa: E731
            place(folder / ("c.py" if params["textDocument"]["uri"].endswith("c.py") else "a.py"), 0, 0, 3)
        ]
        result = rename(folder, {RENAME: edit(known), REFERENCES: known, DEFINITION: define}).result
        assert not result.is_error, result.text
        assert (folder / "c.py").read_text() == "old = 2\nold\n"


def _in(folder: Path, *names: str) -> list[dict[str, Any]]:
    return [each for name in names for each in split(folder, name)[0]]


@pytest.mark.requirement("rename:project-wide")
class TestAliases:
    """Servers that stop at an alias."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        workspace = tmp_path / "workspace"
        workspace.mkdir()
        (workspace / "a.py").write_bytes(b"old\n")
        (workspace / "b.py").write_bytes(b"export old from a\n")
        (workspace / "c.py").write_bytes(b"import old from b\nold\n")
        return workspace

    def server(self, folder: Path) -> dict[str, Any]:
        def answer(params: Any) -> Any:
            asked = Path(path_of(params["textDocument"]["uri"]) or "").name
            a, b, c = (split(folder, name)[0] for name in ("a.py", "b.py", "c.py"))
            match asked:
                case "a.py":
                    return merged(edit(a), edit(b, "fresh as old"))
                case "b.py":
                    return merged(edit(b, "old as fresh"), edit(c))
            return merged(edit(c[:1], "old as fresh"), edit(c[1:]))

        return {RENAME: answer, DEFINITION: [place(folder / "a.py", 0, 0, 3)]}

    @pytest.mark.parametrize(("file", "line"), [("a.py", 1), ("c.py", 2)])
    def test_it_goes_on_behind_them_wherever_it_begins(self, folder: Path, file: str, line: int):
        result = rename(folder, self.server(folder), file=file, line=line).result
        assert not result.is_error, result.text
        assert snapshot(folder) == {
            "a.py": b"fresh\n",
            "b.py": b"export fresh from a\n",
            "c.py": b"import fresh from b\nfresh\n",
        }

    def test_a_chain_without_an_end_is_left(self, folder: Path):
        def answer(params: Any) -> Any:
            return merged(*(edit(split(folder, name)[0], "fresh as old") for name in ("a.py", "b.py", "c.py")))

        done = rename(folder, {**self.server(folder), RENAME: answer})
        assert done.asked.count(RENAME) == 1 + len(uses(folder))


def merged(*edits: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for each in edits:
        for uri, items in each["changes"].items():
            changes.setdefault(uri, []).extend(items)
    return {"changes": changes}
