"""A server's workspace edit made into Changes: byte for byte, confined, all or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp.navigation.doubles import ScriptedServer, ScriptedSupervisor, in_run, span
from toolpost import Call, Change, Result, Run, ToolError
from toolpost_lsp.protocol.uris import uri_of
from toolpost_lsp.rename.preview import preview
from toolpost_lsp.rename.workspace_edit import Plan, plan


def planned(
    folder: Path, *edits: Any, encoding: str = "utf-16", opened: tuple[str, ...] = (), apply: bool = False
) -> Plan:
    """The plan of workspace edits, one for each of several servers; applied if wanted."""
    plans: list[Plan] = []

    async def handler(params: Any, call: Call[ScriptedSupervisor]) -> Result:
        for server in call.handle.servers:
            for path in opened:
                await server.documents.open(path)
        made = await plan(call, *zip(edits, call.handle.servers, strict=True))
        plans.append(made)
        if apply:
            await call.apply(made.changes, label="test")
        return Result.of(made.words, data=[])

    async def work(run: Run, surface: Any, supervisor: Any) -> Result:
        return await surface.call("act", {})

    def script(supervisor: ScriptedSupervisor) -> list[ScriptedServer]:
        return [ScriptedServer(scope=supervisor.scope, name=f"s{n}", encoding=encoding) for n in range(len(edits))]

    result = in_run(folder, {"act": handler}, script, work)
    if result.is_error:
        raise ToolError(result.text)
    return plans[0]


def refusal(folder: Path, *edits: Any, **more: Any) -> str:
    before = snapshot(folder)
    with pytest.raises(ToolError) as raised:
        planned(folder, *edits, apply=True, **more)
    assert snapshot(folder) == before
    return str(raised.value)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def uri(folder: Path, name: str) -> str:
    return uri_of(str(folder / name))


def edit(line: int, start: int, end: int, new: str, last: int | None = None, **more: Any) -> dict[str, Any]:
    return {"range": span(line, start, end, last), "newText": new, **more}


def changes(folder: Path, **files: list[Any]) -> dict[str, Any]:
    return {"changes": {uri(folder, name.replace("_", ".")): edits for name, edits in files.items()}}


def document(folder: Path, name: str, edits: list[Any], version: Any = None) -> dict[str, Any]:
    return {"textDocument": {"uri": uri(folder, name), "version": version}, "edits": edits}


def steps(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"documentChanges": list(operations)}


def after(made: Plan, path: str = "a.py") -> bytes | None:
    (found,) = [each.after for each in made.files if each.path == path]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_bytes(b"old = 1\nprint(old)\n")
    return tmp_path


@pytest.mark.requirement("rename:project-wide")
class TestText:
    def test_edits_are_made_in_the_order_of_the_text_whatever_their_own(self, folder: Path):
        made = planned(folder, changes(folder, a_py=[edit(1, 6, 9, "fresh"), edit(0, 0, 3, "fresh")]))
        assert after(made) == b"fresh = 1\nprint(fresh)\n"
        assert [(each.line, each.old, each.new) for each in made.files[0].replacements] == [
            (1, "old", "fresh"),
            (2, "old", "fresh"),
        ]
        assert made.words == "2 edits in 1 file"

    def test_document_changes_count_before_changes(self, folder: Path):
        both = changes(folder, a_py=[edit(0, 0, 3, "wrong")]) | steps(
            document(folder, "a.py", [edit(0, 0, 3, "right")])
        )
        assert after(planned(folder, both)).startswith(b"right")

    def test_null_and_empty_change_nothing(self, folder: Path):
        for raw in (None, {}, {"changes": {}}, {"documentChanges": []}, changes(folder, a_py=[edit(0, 0, 3, "old")])):
            made = planned(folder, raw)
            assert made.changes == ()
            assert made.words == "nothing changes"

    @pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_mark_and_line_ends_stay(self, folder: Path, end: bytes, mark: bytes):
        (folder / "a.py").write_bytes(mark + b"old" + end + b"old  " + end + b"\x0c\xe2\x80\xa8old")
        made = planned(folder, changes(folder, a_py=[edit(0, 0, 3, "new"), edit(2, 2, 5, "new")]))
        assert after(made) == mark + b"new" + end + b"old  " + end + b"\x0c\xe2\x80\xa8new"

    def test_new_lines_take_the_files_own_ends(self, folder: Path):
        (folder / "a.py").write_bytes(b"a\r\nb\r\n")
        assert after(planned(folder, changes(folder, a_py=[edit(0, 0, 0, "x\ny\r\n")]))) == b"x\r\ny\r\na\r\nb\r\n"

    def test_mixed_ends_are_left_as_the_server_says(self, folder: Path):
        (folder / "a.py").write_bytes(b"a\r\nb\n")
        assert after(planned(folder, changes(folder, a_py=[edit(0, 0, 0, "x\n")]))) == b"x\na\r\nb\n"

    def test_a_whole_document_may_be_replaced(self, folder: Path):
        (folder / "a.py").write_bytes(b"\xef\xbb\xbfa\r\nold\r\n")
        made = planned(folder, changes(folder, a_py=[edit(0, 0, 0, "\ufeffa\nnew\n", last=2**31)]))
        assert after(made) == b"\xef\xbb\xbfa\r\nnew\r\n"

    @pytest.mark.requirement("lsp:encoding")
    @pytest.mark.parametrize(("encoding", "start"), [("utf-8", 10), ("utf-16", 7), ("utf-32", 6)])
    def test_columns_are_the_servers(self, folder: Path, encoding: str, start: int):
        (folder / "a.py").write_bytes("'😀é'; old\n".encode())
        made = planned(folder, changes(folder, a_py=[edit(0, start, start + 3, "new")]), encoding=encoding)
        assert after(made) == "'😀é'; new\n".encode()

    def test_equal_replacements_are_one_and_equal_insertions_of_one_list_are_two(self, folder: Path):
        twice = [edit(0, 0, 3, "new")] * 2 + [edit(0, 7, 7, ")")] * 2
        assert after(planned(folder, changes(folder, a_py=twice))).startswith(b"new = 1))\n")

    def test_what_several_lists_tell_is_one(self, folder: Path):
        told = document(folder, "a.py", [edit(0, 0, 0, "# x\n"), edit(0, 0, 3, "new")])
        assert after(planned(folder, steps(told, told))) == b"# x\nnew = 1\nprint(old)\n"

    def test_insertions_at_one_place_keep_their_order_and_come_before_a_replacement(self, folder: Path):
        edits = [edit(0, 0, 3, "c"), edit(0, 0, 0, "a"), edit(0, 0, 0, "b")]
        assert after(planned(folder, changes(folder, a_py=edits))).startswith(b"abc = 1")

    def test_several_servers_edit_the_same_text(self, folder: Path):
        one, other = changes(folder, a_py=[edit(0, 0, 3, "longer")]), changes(folder, a_py=[edit(0, 6, 7, "2")])
        assert after(planned(folder, one, other)).startswith(b"longer = 2\n")

    @pytest.mark.parametrize("second", [edit(0, 2, 5, "x"), edit(0, 1, 1, "x"), edit(0, 0, 3, "other")])
    def test_overlaps_are_refused(self, folder: Path, second: dict[str, Any]):
        assert "a.py:1 overlap" in refusal(folder, changes(folder, a_py=[edit(0, 0, 3, "new"), second]))

    def test_the_applied_bytes_are_the_planned_ones(self, folder: Path):
        made = planned(folder, changes(folder, a_py=[edit(0, 0, 3, "new")]), apply=True)
        assert (folder / "a.py").read_bytes() == after(made)

    def test_the_preview_shows_changed_lines_only(self, folder: Path):
        made = planned(folder, changes(folder, a_py=[edit(1, 6, 9, "new"), edit(0, 0, 3, "new"), edit(1, 0, 5, "log")]))
        assert preview(made).splitlines() == [
            "--- a.py",
            "@@ 1 @@",
            "-old = 1",
            "+new = 1",
            "@@ 2 @@",
            "-print(old)",
            "+log(new)",
        ]

    def test_the_preview_of_a_whole_document_is_what_differs(self, folder: Path):
        (folder / "a.py").write_text("x\n" * 3000 + "old\n" + "x\n" * 3000)
        new = "x\n" * 3000 + "new\n" + "x\n" * 3000
        made = planned(folder, changes(folder, a_py=[edit(0, 0, 0, new, last=9999)]))
        assert preview(made).splitlines() == ["--- a.py", "@@ 3001 @@", "-old", "+new"]


@pytest.mark.requirement("rename:project-wide")
class TestVersions:
    @pytest.mark.parametrize("version", [None, 0, 1])
    def test_no_version_or_ours_is_taken(self, folder: Path, version: Any):
        raw = steps(document(folder, "a.py", [edit(0, 0, 3, "new")], version))
        assert planned(folder, raw, opened=("a.py",)).edits == 1

    def test_a_missing_version_is_none(self, folder: Path):
        raw = steps({"textDocument": {"uri": uri(folder, "a.py")}, "edits": [edit(0, 0, 3, "new")]})
        assert planned(folder, raw, opened=("a.py",)).edits == 1

    def test_another_version_is_refused(self, folder: Path):
        raw = steps(document(folder, "a.py", [edit(0, 0, 3, "new")], 7))
        assert "version 7 of a.py, ours is 1" in refusal(folder, raw, opened=("a.py",))
        assert "ours is none that is open" in refusal(folder, raw)

    def test_a_text_that_changed_since_it_was_shown_is_refused(self, folder: Path):
        async def handler(params: Any, call: Call[ScriptedSupervisor]) -> Result:
            (server,) = call.handle.servers
            await server.documents.open("a.py")
            (folder / "a.py").write_text("# more\nold = 1\n")
            await plan(call, (changes(folder, a_py=[edit(0, 0, 3, "new")]), server))
            return Result.of("planned")

        async def work(run: Run, surface: Any, supervisor: Any) -> Result:
            return await surface.call("act", {})

        result = in_run(folder, {"act": handler}, lambda each: [ScriptedServer(scope=each.scope)], work)
        assert result.is_error
        assert "a.py has changed since the server was shown it" in result.text


@pytest.mark.requirement("lsp:untrusted")
class TestRefused:
    def test_paths_outside_refuse_everything(self, folder: Path, tmp_path_factory: pytest.TempPathFactory):
        outside = tmp_path_factory.mktemp("outside") / "b.py"
        outside.write_text("old\n")
        good = document(folder, "a.py", [edit(0, 0, 3, "new")])
        (folder / "link.py").symlink_to(outside)
        (folder / "inner.py").symlink_to(folder / "a.py")
        (folder / ".git" / "hooks").mkdir(parents=True)
        for bad in (
            uri_of(str(outside)),
            uri(folder, "..") + "/" + outside.parent.name + "/b.py",
            uri(folder, "") + "%2e%2e/%2e%2e/etc/passwd",
            uri(folder, "link.py"),
            uri(folder, "inner.py"),
            uri(folder, ".git/hooks/post-commit"),
            "untitled:new.py",
            "file://elsewhere/a.py",
            uri(folder, "") + "a%00.py",
        ):
            told = refusal(folder, steps(good, {"textDocument": {"uri": bad}, "edits": [edit(0, 0, 3, "new")]}))
            assert "nothing is changed" in told
            assert "nothing is changed" in refusal(folder, steps(good, {"kind": "create", "uri": bad}))
        assert outside.read_text() == "old\n"

    @pytest.mark.parametrize(
        "bad",
        [
            7,
            [],
            {"changes": []},
            {"documentChanges": {}},
            {"documentChanges": [None]},
            {"documentChanges": [{"kind": "explode", "uri": "file:///x"}]},
            {"documentChanges": [{"kind": "rename", "oldUri": "file:///x"}]},
            {"documentChanges": [{"edits": []}]},
            {"documentChanges": [{"textDocument": {"uri": "file:///x", "version": "1"}, "edits": []}]},
        ],
    )
    def test_malformed_edits_are_refused_whole(self, folder: Path, bad: Any):
        assert "malformed" in refusal(folder, bad)

    @pytest.mark.parametrize(
        "bad",
        [
            None,
            {"newText": "x"},
            {"range": span(0, 0, 1)},
            {"range": span(0, 3, 1), "newText": "x"},
            {"range": span(-1, 0, 1), "newText": "x"},
            {"range": {"start": {"line": 0}, "end": {"line": 0, "character": 1}}, "newText": "x"},
            {"range": span(0, 0, True), "newText": "x"},
        ],
    )
    def test_one_bad_edit_among_good_ones_refuses_all(self, folder: Path, bad: Any):
        assert "malformed" in refusal(folder, changes(folder, a_py=[edit(0, 0, 3, "new"), bad]))

    @pytest.mark.parametrize("more", [{"snippet": {"kind": "snippet", "value": "$1"}}, {"insertTextFormat": 2}])
    def test_snippets_are_refused(self, folder: Path, more: dict[str, Any]):
        assert "snippet" in refusal(folder, changes(folder, a_py=[edit(0, 0, 3, "new", **more)]))

    def test_files_that_are_no_text_are_refused(self, folder: Path):
        (folder / "a.py").write_bytes(b"\xff\xfe")
        assert "not UTF-8" in refusal(folder, changes(folder, a_py=[edit(0, 0, 0, "x")]))
        (folder / "b.py").mkdir()
        assert "b.py" in refusal(folder, changes(folder, b_py=[edit(0, 0, 0, "x")]))
        assert "c.py, which is not there" in refusal(folder, changes(folder, c_py=[edit(0, 0, 0, "x")]))

    def test_a_text_that_is_none_is_refused(self, folder: Path):
        assert "no text" in refusal(folder, changes(folder, a_py=[edit(0, 0, 0, "\ud800")]))

    def test_what_wants_to_be_confirmed_is_told(self, folder: Path):
        raw = changes(folder, a_py=[edit(0, 0, 3, "new", annotationId="r"), edit(1, 6, 9, "new", annotationId="s")])
        raw["changeAnnotations"] = {"r": {"label": "In a\ncomment", "needsConfirmation": True}, "s": {"label": "Sure"}}
        assert planned(folder, raw).confirmations == ("In a comment",)


@pytest.mark.requirement("rename:project-wide")
class TestFiles:
    def test_a_file_is_created_and_filled(self, folder: Path):
        raw = steps(
            {"kind": "create", "uri": uri(folder, "p/b.py")}, document(folder, "p/b.py", [edit(0, 0, 0, "x = 1\n")])
        )
        made = planned(folder, raw, apply=True)
        assert (folder / "p" / "b.py").read_text() == "x = 1\n"
        assert made.words == "1 edit in 1 file; creates p/b.py"

    def test_creating_what_is_there(self, folder: Path):
        create = {"kind": "create", "uri": uri(folder, "a.py")}
        assert "there already" in refusal(folder, steps(create))
        assert planned(folder, steps(create | {"options": {"ignoreIfExists": True}})).changes == ()
        assert after(planned(folder, steps(create | {"options": {"overwrite": True, "ignoreIfExists": True}}))) == b""

    def test_a_file_is_moved_and_edited_under_its_new_name(self, folder: Path):
        (folder / "a.py").chmod(0o755)
        raw = steps(
            document(folder, "a.py", [edit(0, 0, 3, "new")], 1),
            {"kind": "rename", "oldUri": uri(folder, "a.py"), "newUri": uri(folder, "b.py")},
            document(folder, "b.py", [edit(1, 6, 9, "new")]),
        )
        made = planned(folder, raw, opened=("a.py",), apply=True)
        assert snapshot(folder) == {"b.py": b"new = 1\nprint(new)\n"}
        assert (folder / "b.py").stat().st_mode & 0o777 == 0o755
        assert "moves a.py to b.py" in made.words
        assert "+new = 1" in preview(made).splitlines()
        assert "a.py → b.py" in preview(made).splitlines()

    def test_moving_over_what_is_there(self, folder: Path):
        (folder / "b.py").write_text("b\n")
        move = {"kind": "rename", "oldUri": uri(folder, "a.py"), "newUri": uri(folder, "b.py")}
        assert "there already" in refusal(folder, steps(move))
        assert planned(folder, steps(move | {"options": {"ignoreIfExists": True}})).changes == ()
        made = planned(folder, steps(move | {"options": {"overwrite": True}}), apply=True)
        assert snapshot(folder) == {"b.py": b"old = 1\nprint(old)\n"}
        assert len(made.changes) == 2

    def test_a_folder_is_moved_with_all_its_files_and_goes(self, folder: Path):
        (folder / "p" / "q").mkdir(parents=True)
        (folder / "p" / "x.py").write_text("x\n")
        (folder / "p" / "q" / "y.bin").write_bytes(b"\xff\x00")
        raw = steps({"kind": "rename", "oldUri": uri(folder, "p"), "newUri": uri(folder, "r/s")})
        made = planned(folder, raw, apply=True)
        assert snapshot(folder) == {"a.py": b"old = 1\nprint(old)\n", "r/s/x.py": b"x\n", "r/s/q/y.bin": b"\xff\x00"}
        assert not (folder / "p").exists()
        assert all(isinstance(each, Change) for each in made.changes)

    def test_a_folder_is_not_moved_into_itself_nor_with_links_in_it(self, folder: Path):
        (folder / "p").mkdir()
        (folder / "p" / "x.py").write_text("x\n")
        move = {"kind": "rename", "oldUri": uri(folder, "p"), "newUri": uri(folder, "p/q")}
        assert "into itself" in refusal(folder, steps(move))
        (folder / "p" / "link").symlink_to(folder / "a.py")
        assert "no regular file" in refusal(folder, steps(move | {"newUri": uri(folder, "r")}))

    def test_a_file_is_deleted(self, folder: Path):
        raw = steps({"kind": "delete", "uri": uri(folder, "a.py"), "options": {"recursive": True}})
        assert planned(folder, raw, apply=True).words == "deletes a.py"
        assert snapshot(folder) == {}

    def test_deleting_what_is_not_there_and_folders(self, folder: Path):
        delete = {"kind": "delete", "uri": uri(folder, "b.py")}
        assert "not there" in refusal(folder, steps(delete))
        assert planned(folder, steps(delete | {"options": {"ignoreIfNotExists": True}})).changes == ()
        (folder / "p").mkdir()
        assert "p" in refusal(
            folder, steps({"kind": "delete", "uri": uri(folder, "p"), "options": {"recursive": True}})
        )
