"""Checkers that misbehave: what failed is never clean, and nothing hangs (lsp:project-check)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from lsp.checkers.doubles import check, files, script
from toolpost_lsp.checkers.checker import Checker, Item, Parsed, always
from toolpost_lsp.checkers.execution import Limits

pytestmark = pytest.mark.requirement("lsp:project-check")


def parse(output: str, errors: str) -> Parsed:
    said = json.loads(output)
    return Parsed(
        items=tuple(Item.at(*each) for each in said["items"]),
        checked=said.get("checked"),
        failures=tuple(said.get("failures", ())),
    )


FAKE = Checker(
    id="fake",
    language="Fake",
    endings=(".fake",),
    program="fake-check",
    invocations=always(),
    parse=parse,
    root_markers=("fake.toml",),
    stopped=frozenset({7}),
    encoding="utf-16",
    install="nothing",
)
PROBLEM = 'print(\'{"items": [["a.fake", 1, 3, "wrong"]]}\', flush=True)\n'
CLEAN = "print('{\"items\": []}', flush=True)\n"


@pytest.fixture
def told(toolpost_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run the fake checker with a body."""

    def run(body: str, limits: Limits | None = None):
        files(toolpost_workspace, {"fake.toml": "", "a.fake": "😀 x\n"})
        program = script(tmp_path / "programs" / "fake-check", body)
        monkeypatch.setenv("PATH", str(program.parent))
        return check(toolpost_workspace, (FAKE,), limits=limits)

    return run


class TestKnown:
    def test_clean(self, told):
        result = told(CLEAN)
        assert not result.is_error
        assert result.text.startswith("no problems (fake)\n")
        assert result.data["checkers"][0]["state"] == "clean"

    def test_problems_are_lines_with_columns_in_code_points(self, told):
        result = told(PROBLEM + "sys.exit(1)")
        assert result.text.startswith("1 error (fake)\nfake in the workspace (found by fake.toml): 1 error (")
        assert result.text.endswith("\na.fake:1:2: error wrong (fake)")
        assert result.data["problems"][0]["range"]["start"] == {"line": 0, "character": 1}

    def test_fifty_are_shown_and_the_rest_is_counted(self, told):
        result = told("import json; print(json.dumps({'items': [['a.fake', n, 1, 'm'] for n in range(1, 60)]}))")
        assert result.text.count("error m (fake)") == 50
        assert result.text.endswith("fake: … and 9 more problems")
        assert result.data["total"] == 59

    def test_the_same_problem_is_told_once(self, told):
        assert "1 error (fake)" in told('print(\'{"items": [["a.fake", 1, 1, "m"], ["./a.fake", 1, 1, "m"]]}\')').text

    def test_places_outside_are_only_named(self, told, tmp_path: Path):
        (tmp_path / "other").write_text("secret\n")
        result = told('print(\'{"items": [["../../other", 1, 1, "m"], ["a.fake", 1, 1, "here"]]}\')')
        assert "fake: 1 problem outside the workspace, in " in result.text
        assert [each["path"] for each in result.data["problems"]] == ["a.fake"]
        assert "secret" not in result.text

    def test_texts_hold_no_control_characters(self, told):
        result = told(
            'print(\'{"items": [["a\\\\u001b.fake", 1, 1, "m\\\\u001b[31m\\\\nfake: clean"]]}\'); sys.exit(1)'
        )
        assert "\x1b" not in result.text
        assert "\nfake: clean" not in result.text


FAILURES = {
    "ends with a problem's exit code, and tells none": (
        CLEAN + "sys.exit(1)",
        "told no problem, but ended with exit code 1",
    ),
    "ends with an unknown exit code": (CLEAN + "sys.exit(3)", "exit code 3"),
    "says why on standard error": ("print('first\\nno such option', file=sys.stderr); sys.exit(2)", "no such option"),
    "prints half of its JSON": ('print(\'{"items": [["a.fake", 1,\')', "cannot be read"),
    "prints JSON of another form": ("print('[{\"items\": 3}]')", "cannot be read"),
    "prints nothing": ("", "cannot be read"),
    "prints no UTF-8": ("sys.stdout.buffer.write(b'\\xff\\xfe')", "cannot be read"),
    "dies behind its answer": (CLEAN + "os.kill(os.getpid(), 9)", "ended by SIGKILL"),
    "looked at no file": ('print(\'{"items": [], "checked": 0}\')', "no files to check"),
    "tells what kept it from checking": ('print(\'{"items": [], "failures": ["bad option"]}\')', "bad option"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_checker_that(name: str, told):
    body, reason = FAILURES[name]
    result = told(body)
    assert result.is_error
    assert reason in result.text
    assert "no problems" not in result.text
    assert result.data["checkers"][0]["state"] == "failed"


class TestPartial:
    @pytest.mark.parametrize("code", [3, 7])
    def test_problems_found_before_it_failed_are_told_as_such(self, told, code: int):
        result = told(PROBLEM + f"sys.exit({code})")
        assert not result.is_error
        assert result.text.startswith("not everything was checked (fake in the workspace failed); so far 1 error\n")
        assert "before that 1 error" in result.text

    def test_one_that_hangs_is_ended(self, told):
        begun = time.monotonic()
        result = told(PROBLEM + "time.sleep(1000)", Limits(each=1.0))
        assert time.monotonic() - begun < 20
        assert result.text.startswith("not everything was checked")
        assert "did not end within" in result.text

    def test_time_for_all_of_them_is_bounded(self, told):
        result = told(CLEAN, Limits(total=0.0))
        assert result.is_error and "no time left" in result.text

    @pytest.mark.parametrize("stream", ["stdout", "stderr"])
    def test_one_that_floods_is_ended(self, told, stream: str):
        result = told(f"for _ in range(800): sys.{stream}.write('x' * 65536)")
        assert result.is_error
        assert "longer than 16 MB" in result.text
        assert len(result.text) < 2000

    def test_what_it_started_is_ended_with_it(self, told, tmp_path: Path):
        mark = tmp_path / "pid"
        told(
            f"pid = os.fork()\nif not pid: time.sleep(1000)\nopen({str(mark)!r}, 'w').write(str(pid))\ntime.sleep(1000)",
            Limits(each=1.0),
        )
        assert not Path(f"/proc/{mark.read_text()}").exists()
