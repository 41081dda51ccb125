"""The commands, as a user types them (contracts §10)."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time

import pytest
from endtoend.commands import PROGRAM, CommandLine


@pytest.mark.requirement("cli:call")
class TestCall:
    def test_prints_the_result_and_exits_0(self, toolpost: CommandLine):
        (toolpost.folder / "a.txt").write_text("one\ntwo\n")
        ended = toolpost("call", "read", "path=a.txt", "start_line=2")
        assert (ended.code, ended.out) == (0, "two\n")

    def test_a_tools_error_exits_1(self, toolpost: CommandLine):
        ended = toolpost("call", "read", "path=missing.txt")
        assert ended.code == 1
        assert "missing.txt" in ended.out

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("call", "read", "a.txt"), "key=value"),
            (("call", "read", "path=a", "path=b"), "twice"),
            (("call", "read", "path=a", "--json", "{}"), "not both"),
            (("call", "read", "path=a", "--workspace", "nowhere"), "no such folder"),
            (("call", "read", "path=a", "--plugins", "nosuch"), "nosuch"),
            (("call", "read", "path=a", "--allow", "all"), "--allow"),
            (("frobnicate",), "frobnicate"),
        ],
    )
    def test_wrong_usage_exits_2_and_says_what(self, toolpost: CommandLine, words: tuple[str, ...], told: str):
        ended = toolpost(*words)
        assert ended.code == 2
        assert told in ended.err
        assert "Traceback" not in ended.err

    def test_arguments_as_json_and_from_standard_input(self, toolpost: CommandLine):
        (toolpost.folder / "a.txt").write_text("one\n")
        assert toolpost("call", "read", "--json", '{"path": "a.txt"}').out == "one\n"
        assert toolpost("call", "read", "--json", "-", stdin='{"path": "a.txt"}').out == "one\n"

    def test_a_staged_call_says_that_it_ends_with_its_run(self, toolpost: CommandLine):
        (toolpost.folder / "a.py").write_text("if x == None:\n    pass\n")
        words = ("call", "ast_edit", "pattern=$A == None", "rewrite=$A is None", "language=python", "--allow", "write")
        ended = toolpost(*words)
        assert ended.code == 0
        assert "toolpost run" in ended.err
        assert "== None" in (toolpost.folder / "a.py").read_text()
        assert toolpost(*words, "--accept").code == 0
        assert (toolpost.folder / "a.py").read_text() == "if x is None:\n    pass\n"

    def test_data_prints_the_whole_result(self, toolpost: CommandLine):
        (toolpost.folder / "a.txt").write_text("one\n")
        answer = toolpost("call", "read", "path=a.txt", "--data").answers[0]
        assert set(answer) == {"is_error", "text", "images", "data"}
        assert answer["is_error"] is False


@pytest.mark.requirement("cli:run")
class TestRun:
    def test_answers_each_line_with_its_id(self, toolpost: CommandLine):
        (toolpost.folder / "a.txt").write_text("one\n")
        ended = toolpost(
            "run", stdin='{"id": "x", "tool": "read", "args": {"path": "a.txt"}}\n\n{"id": 2, "tool": "nosuch"}\n'
        )
        answers = {answer["id"]: answer for answer in ended.answers}
        assert ended.code == 0
        assert answers["x"]["text"] == "one\n"
        assert answers[2]["is_error"]
        assert "No tool named 'nosuch'" in answers[2]["text"]

    @pytest.mark.parametrize(
        ("line", "id"),
        [
            ("nonsense", None),
            ("[1]", None),
            ('{"id": 7}', 7),
            ('{"id": 7, "tool": 5}', 7),
            ('{"id": 7, "tool": "read", "arguments": {}}', 7),
            ("[" * 100_000, None),
        ],
    )
    def test_a_line_that_is_no_call_gets_an_error_line(self, toolpost: CommandLine, line: str, id: object):  # noqa: A002
        ended = toolpost("run", stdin=line + "\n")
        assert ended.code == 0
        (answer,) = ended.answers
        assert answer["id"] == id
        assert answer["is_error"]

    def test_a_staged_edit_lives_between_calls(self, toolpost: CommandLine):
        (toolpost.folder / "a.py").write_text("f(1)\nf(2)\n")
        staged, accepted, undone = toolpost.session(
            [
                ("ast_edit", {"pattern": "f($X)", "rewrite": "g($X)", "language": "python"}),
                ("resolve", {"action": "accept"}),
                ("resolve", {"action": "undo", "edit_id": "undo_1"}),
            ],
            "--allow",
            "write",
        )
        assert "edit_1" in staged["text"]
        assert "undo_1" in accepted["text"]
        assert not undone["is_error"]
        assert (toolpost.folder / "a.py").read_text() == "f(1)\nf(2)\n"

    def test_the_end_of_input_waits_for_running_calls(self, toolpost: CommandLine):
        for number in range(20):
            (toolpost.folder / f"{number}.py").write_text(f"f({number})\n")
        lines = "".join(
            f'{{"id": {n}, "tool": "ast_grep", "args": {{"pattern": "f($X)", "path": "{n}.py"}}}}\n' for n in range(20)
        )
        ended = toolpost("run", stdin=lines)
        assert sorted(answer["id"] for answer in ended.answers) == list(range(20))
        assert not any(answer["is_error"] for answer in ended.answers)


@pytest.mark.requirement("cli:options")
class TestOptions:
    def test_without_a_terminal_the_default_is_read(self, toolpost: CommandLine):
        shown = toolpost("tools").out
        assert "ast_grep" in shown
        assert "ast_edit" not in shown
        ended = toolpost("call", "write", "path=a", "content=b")
        assert ended.code == 1
        assert "No tool named 'write'" in ended.out
        assert not (toolpost.folder / "a").exists()

    def test_allow_shows_and_approves_up_to_a_tier(self, toolpost: CommandLine):
        assert "ast_edit" in toolpost("tools", "--allow", "write").out
        assert toolpost("call", "write", "path=a", "content=b", "--allow", "write").code == 0
        assert (toolpost.folder / "a").read_text() == "b"

    def test_plugins_compose_only_what_is_named_and_the_builtins(self, toolpost: CommandLine):
        assert "ast_grep" not in toolpost("tools", "--plugins", "files").out
        assert "read" in toolpost("tools", "--plugins", "astgrep").out

    def test_another_workspace(self, toolpost: CommandLine):
        (toolpost.home / "a.txt").write_text("there")
        assert toolpost("call", "read", "path=a.txt", "--workspace", str(toolpost.home)).out == "there\n"

    def test_on_a_terminal_calls_above_the_allowed_tier_ask(self, toolpost: CommandLine):
        refused = on_a_terminal(toolpost, ["call", "write", "path=a", "content=b"], answer=b"\n")
        assert "asks for permission" in refused
        assert "refused" in refused
        assert not (toolpost.folder / "a").exists()
        on_a_terminal(toolpost, ["call", "write", "path=a", "content=b"], answer=b"y\n")
        assert (toolpost.folder / "a").read_text() == "b"

    def test_the_users_own_file_sets_plugins_and_an_error_in_it_is_told(self, toolpost: CommandLine):
        folder = toolpost.home / "config" / "toolpost"
        folder.mkdir(parents=True)
        (folder / "config.toml").write_text('plugins = ["files"]\n')
        assert "ast_grep" not in toolpost("tools").out
        (folder / "config.toml").write_text("plugins = 5\n")
        ended = toolpost("tools")
        assert ended.code == 2
        assert "plugins must be a list" in ended.err


@pytest.mark.requirement("cli:explain")
class TestExplain:
    def test_tools_leaves_resolve_out_of_lists_for_people(self, toolpost: CommandLine):
        def names(*options: str) -> list[str]:
            return [line.split()[0] for line in toolpost("tools", "--allow", "write", *options).out.splitlines()]

        assert "resolve" not in names()
        assert "resolve" in names("--all")

    def test_one_tool_in_full(self, toolpost: CommandLine):
        shown = toolpost("tools", "ast_grep").out
        assert "pattern" in shown
        assert "required" in shown

    def test_explain_names_the_layer_and_the_remedy(self, toolpost: CommandLine):
        shown = toolpost("explain").out
        assert "absent: ceiling" in shown
        assert "there" in shown
        one = toolpost("explain", "write")
        assert one.code == 1
        assert "ceiling" in one.out

    def test_doctor_finds_nothing_wrong_here(self, toolpost: CommandLine):
        ended = toolpost("doctor")
        assert ended.code == 0
        assert "0 problems" in ended.out
        assert "astgrep" in ended.out

    def test_doctor_tells_a_workspace_file_that_tries_to_widen(self, toolpost: CommandLine):
        (toolpost.folder / "toolpost.toml").write_text(
            'trust = "full"\nplugins = ["eval"]\n[astgrep]\nworkers = 9999\n'
        )
        ended = toolpost("doctor")
        assert ended.code == 1
        for word in ("trust", "plugins", "workers"):
            assert word in ended.out

    def test_plugins_lists_metadata(self, toolpost: CommandLine):
        shown = toolpost("plugins").out
        assert "toolpost-astgrep" in shown
        assert "toolpost_astgrep.plugin" in shown


@pytest.mark.requirement("cli:tour")
class TestTour:
    def test_plays_every_scene_as_it_says(self, toolpost: CommandLine):
        page = toolpost.home / "tour.html"
        ended = toolpost("tour", "--html", str(page))
        assert ended.code == 0, ended.out
        for word in ("ast_grep", "ast_edit", "resolve", "1 new error in other files", "undo_1", "not as they were"):
            assert word in ended.out
        assert "error[missing-argument]" in ended.out and "fixed: 1" in ended.out
        assert page.read_text().startswith("<!doctype html>")
        assert list(toolpost.folder.iterdir()) == []


def test_control_c_ends_a_command_with_130(toolpost: CommandLine):
    with subprocess.Popen(
        [PROGRAM, "run"],
        cwd=toolpost.folder,
        env=toolpost.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write('{"id": 1, "tool": "nosuch"}\n')
        process.stdin.flush()
        process.stdout.readline()  # it is up
        process.send_signal(2)
        assert process.wait(20) == 130
        assert "Traceback" not in process.stderr.read()


def on_a_terminal(toolpost: CommandLine, words: list[str], *, answer: bytes) -> str:
    """What a person sees who starts the command on a terminal and types *answer* when asked."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, *words],
        cwd=toolpost.folder,
        env=toolpost.environment,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    seen, answered, until = b"", False, time.monotonic() + 30
    try:
        while time.monotonic() < until:
            if select.select([leader], [], [], 0.1)[0]:
                try:
                    seen += os.read(leader, 4096)
                except OSError:
                    break
            if not answered and b"anything else = no" in seen:
                os.write(leader, answer)
                answered = True
        process.wait(10)
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    return seen.decode()
