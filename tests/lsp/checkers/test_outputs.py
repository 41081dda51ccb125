"""What checkers print, recorded once: read whole, and never read as clean when it is cut (lsp:project-check)."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from lsp.checkers.doubles import files
from toolpost import Confinement
from toolpost_lsp.checkers.checker import UNEXPECTED, Parsed, Project
from toolpost_lsp.checkers.known import CHECKERS
from toolpost_lsp.detection.markers import Folders

pytestmark = pytest.mark.requirement("lsp:project-check")

BY_ID = {each.id: each for each in CHECKERS}


@attrs.frozen(kw_only=True)
class Recording:
    """What a checker printed, and what that says: `path:line:column severity code message`, counted from 1."""

    checker: str
    output: str = ""
    errors: str = ""
    says: list[str]
    checked: int | None = None
    failures: tuple[str, ...] = ()


def span(line: int, start: int, end: int) -> dict[str, dict[str, int]]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


CARGO = {
    "reason": "compiler-message",
    "message": {
        "message": "mismatched types",
        "code": {"code": "E0308", "explanation": "…"},
        "level": "error",
        "spans": [
            {
                "file_name": "src/lib.rs",
                "line_start": 1,
                "line_end": 1,
                "column_start": 35,
                "column_end": 36,
                "is_primary": True,
                "label": "expected `u32`, found `&str`",
                "expansion": None,
            },
            {"file_name": "src/lib.rs", "line_start": 1, "is_primary": False},
        ],
    },
}
NOTE = {"reason": "compiler-message", "message": {"message": "For more…", "level": "failure-note", "spans": []}}
LINKER = {
    "reason": "compiler-message",
    "message": {"message": "linker `cc` not found", "code": None, "level": "error", "spans": []},
}


def json_lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


RECORDINGS = {
    "pyright": Recording(
        checker="pyright",
        output=json.dumps(
            {
                "version": "1.1.414",
                "generalDiagnostics": [
                    {
                        "file": "/w/a.py",
                        "severity": "error",
                        "message": "no\n  \u00a0why",
                        "range": span(0, 20, 21),
                        "rule": "reportX",
                    },
                    {"file": "/w/a.py", "severity": "warning", "message": "hm", "range": span(1, 0, 1)},
                    {"file": "/w/a.py", "severity": "information", "message": "i", "range": span(1, 0, 1)},
                ],
                "summary": {"filesAnalyzed": 41},
            },
            indent=4,
        ),
        says=[
            "/w/a.py:1:21 ERROR reportX no\n  \u00a0why",
            "/w/a.py:2:1 WARNING None hm",
            "/w/a.py:2:1 INFORMATION None i",
        ],
        checked=41,
    ),
    "ty": Recording(
        checker="ty",
        output="""[
  {"check_name": "invalid-assignment", "description": "invalid-assignment: Object of type `Literal[\\"x\\"]`",
   "severity": "major", "fingerprint": "77", "location": {"path": "a.py", "positions": {
   "begin": {"line": 1, "column": 20}, "end": {"line": 1, "column": 21}}}},
  {"check_name": "possibly-missing", "description": "possibly-missing: hm", "severity": "minor", "fingerprint": "78",
   "location": {"path": "b/a.py", "positions": {"begin": {"line": 2, "column": 1}, "end": {"line": 2, "column": 1}}}}
]""",
        says=[
            'a.py:1:20 ERROR invalid-assignment Object of type `Literal["x"]`',
            "b/a.py:2:1 WARNING possibly-missing hm",
        ],
    ),
    "ty without files": Recording(
        checker="ty", output="[]", errors="WARN No python files found under the given path(s)\n", says=[], checked=0
    ),
    "ruff": Recording(
        checker="ruff",
        output='[{"cell": null, "code": "F401", "end_location": {"column": 10, "row": 1}, "filename": "/w/b.py", "fix": null,'
        ' "location": {"column": 8, "row": 1}, "message": "`os` imported but unused", "noqa_row": 1, "severity": "error"}]',
        says=["/w/b.py:1:8 ERROR F401 `os` imported but unused"],
    ),
    "pyrefly": Recording(
        checker="pyrefly",
        output='{"errors": [{"line": 1, "column": 7, "stop_line": 1, "stop_column": 8, "path": "a.py", "code": -2,'
        ' "name": "parse-error", "description": "Parse error: x", "concise_description": "x", "severity": "error"}]}',
        says=["a.py:1:7 ERROR parse-error Parse error: x"],
    ),
    "pyrefly without files": Recording(
        checker="pyrefly", errors="No Python files matched patterns `/w/**/*.py*`\n", says=[], checked=0
    ),
    "zuban": Recording(
        checker="zuban",
        output='a.py:1:20: error: Incompatible types (expression has type "str")  [assignment]\n'
        "a.py:2:1: note: See there\nFound 1 error in 1 file (checked 2 source files)\n",
        says=[
            'a.py:1:20 ERROR assignment Incompatible types (expression has type "str")',
            "a.py:2:1 INFORMATION None See there",
        ],
        checked=2,
    ),
    "zuban, clean": Recording(
        checker="zuban", output="Success: no issues found in 3 source files\n", says=[], checked=3
    ),
    "mypy": Recording(
        checker="mypy",
        output='{"file": "b.py", "line": 3, "column": 13, "end_line": 3, "end_column": 15, "message": "Unsupported",'
        ' "hint": "Use str", "code": "operator", "severity": "error"}\n'
        '{"file": "b.py", "line": -1, "column": -1, "message": "m", "hint": null, "code": null, "severity": "note"}\n',
        says=["b.py:3:14 ERROR operator Unsupported Use str", "b.py:1:1 INFORMATION None m"],
    ),
    "tsc": Recording(
        checker="tsc",
        output="src/a (1).ts(3,46): error TS2322: Type 'number' is not 'string'.\n  It is a number.\r\n"
        "error TS5023: Unknown compiler option 'x'.\n"
        "/n/node_modules/typescript/lib/lib.es5.d.ts\n/w/node_modules/@types/a/index.d.ts\n/w/src/a (1).ts\n",
        says=["src/a (1).ts:3:46 ERROR TS2322 Type 'number' is not 'string'. It is a number."],
        checked=1,
        failures=("error TS5023: Unknown compiler option 'x'.",),
    ),
    "go vet": Recording(
        checker="go vet",
        errors='# m/b\nvet: b/b.go:3:45: cannot use "x" as int\n# m\n./a.go:5:27: Printf format\n./c.go:7: no column\n'
        "go: downloading example.com/x v1.0.0\nexit status 1\n",
        says=[
            'b/b.go:3:45 ERROR None cannot use "x" as int',
            "./a.go:5:27 ERROR None Printf format",
            "./c.go:7:1 ERROR None no column",
        ],
    ),
    "go vet of a broken module": Recording(
        checker="go vet",
        errors="go: errors parsing go.mod:\n",
        says=[],
        failures=("go: errors parsing go.mod:",),
    ),
    "cargo check": Recording(
        checker="cargo check",
        output=json_lines(CARGO, CARGO, NOTE, {"reason": "build-finished", "success": False}),
        says=["src/lib.rs:1:35 ERROR E0308 mismatched types: expected `u32`, found `&str`"],
    ),
    "cargo check without a linker": Recording(
        checker="cargo check",
        output=json_lines(LINKER, {"reason": "build-finished", "success": False}),
        says=[],
        failures=("linker `cc` not found",),
    ),
    "cargo check that did not finish": Recording(
        checker="cargo check",
        output=json_lines(CARGO),
        errors="error: x\n",
        says=["src/lib.rs:1:35 ERROR E0308 mismatched types: expected `u32`, found `&str`"],
        failures=("error: x",),
    ),
    "dart analyze": Recording(
        checker="dart analyze",
        output='Analyzing a...\n{"version":1,"diagnostics":[{"code":"dead_code","severity":"WARNING","type":"STATIC_WARNING",'
        '"location":{"file":"/w/a.dart","range":{"start":{"offset":5,"line":2,"column":3},"end":{"offset":6,"line":2,'
        '"column":4}}},"problemMessage":"Dead code.","correctionMessage":"Remove it."}]}\n',
        says=["/w/a.dart:2:3 WARNING dead_code Dead code. Remove it."],
    ),
    "clang-tidy": Recording(
        checker="clang-tidy",
        output="../x.h:1:19: warning: non-void function [clang-diagnostic-return-type]\n    1 | static int zz() { }\n"
        "      |                   ^\n../x.h:1:19: note: put it there\n"
        "../x.h:1:19: warning: non-void function [clang-diagnostic-return-type]\n"
        "a.c:3:20: fatal error: 'y.h' file not found [clang-diagnostic-error]\n"
        "error: unknown argument: '-q' [clang-diagnostic-error]\n",
        says=[
            "../x.h:1:19 WARNING clang-diagnostic-return-type non-void function",
            "a.c:3:20 ERROR clang-diagnostic-error 'y.h' file not found",
        ],
        failures=("error: unknown argument: '-q' [clang-diagnostic-error]",),
    ),
}


def read(recording: Recording, length: int | None = None) -> Parsed:
    return BY_ID[recording.checker].parse(recording.output[:length], recording.errors)


def told(parsed: Parsed) -> list[str]:
    lines = []
    for each in parsed.items:
        start, problem = each.diagnostic.range.start, each.diagnostic
        place = f"{each.path}:{start.line + 1}:{start.character + 1}"
        lines.append(f"{place} {problem.severity.name} {problem.code} {problem.message}")
    return lines


@pytest.mark.parametrize("name", RECORDINGS)
def test_an_output_is_read_whole(name: str):
    recording = RECORDINGS[name]
    parsed = read(recording)
    assert told(parsed) == recording.says
    assert (parsed.checked, parsed.failures) == (recording.checked, recording.failures)


@pytest.mark.parametrize("name", ["pyright", "ty", "ruff", "pyrefly", "zuban", "mypy", "cargo check", "dart analyze"])
def test_a_cut_output_is_not_read_as_clean(name: str):
    recording = RECORDINGS[name]
    whole = len(recording.output.rstrip())
    for length in range(1, whole):
        try:
            parsed = read(recording, length)
        except UNEXPECTED:
            continue
        assert parsed.items or parsed.failures or parsed.checked == 0, recording.output[:length]


@pytest.mark.parametrize("name", ["pyright", "ty", "ruff", "pyrefly", "mypy", "cargo check", "dart analyze"])
@pytest.mark.parametrize("output", ["null", "3", '"x"', "{}", '{"reason": 1}', "[[]]", "[{}]", "[" * 100_000, "x"])
def test_another_output_is_not_read_as_clean(name: str, output: str):
    try:
        parsed = BY_ID[name].parse(output, "")
    except UNEXPECTED:
        return
    assert parsed.failures


class TestHowTheyAreStarted:
    def arguments(self, folder: Path, checker: str, texts: dict[str, str]) -> list[tuple[str, ...]]:
        files(folder, texts)
        with Confinement(folder) as confinement:
            project = Project(root=str(folder), folders=Folders(confinement), cache="/cache")
            return [each.arguments for each in BY_ID[checker].invocations(project)]

    def test_mypy_checks_all_unless_its_configuration_names_what(self, tmp_path: Path):
        (words,) = self.arguments(tmp_path, "mypy", {"mypy.ini": "[mypy]\nstrict = true\n"})
        assert words[-1] == "." and "/cache" in words
        (words,) = self.arguments(tmp_path, "mypy", {"mypy.ini": "[mypy]\nfiles = src\n"})
        assert "." not in words
        (words,) = self.arguments(
            tmp_path, "mypy", {"mypy.ini": "", "pyproject.toml": '[tool.mypy]\npackages = ["a"]\n'}
        )
        assert "." not in words

    def test_each_configuration_that_one_refers_to_is_compiled(self, tmp_path: Path):
        found = self.arguments(
            tmp_path,
            "tsc",
            {
                "tsconfig.json": '{"references": [{"path": "./one.json"}, {"path": "packages/a"}, {"path": "../b/c.json"},'
                ' {"path": "/etc/d.json"}, 3], "files": []}',
                "one.json": '{"references": [{"path": "./deep/two.json"}, {"path": "one.json"}]} /* done */',
                "deep/two.json": "not JSON",
            },
        )
        assert [words[-1] for words in found] == ["./one.json", "./deep/two.json"]
        assert len({words[words.index("--tsBuildInfoFile") + 1] for words in found}) == 2

    def test_a_configuration_with_files_and_references_is_compiled_too(self, tmp_path: Path):
        found = self.arguments(
            tmp_path, "tsc", {"tsconfig.json": '{"references": [{"path": "a.json"}]}', "a.json": "{}"}
        )
        assert [words[-1] for words in found] == ["./tsconfig.json", "./a.json"]

    def test_files_that_a_database_compiles_in_one_folder_are_checked_there(self, tmp_path: Path):
        entries = [
            {"directory": str(tmp_path / "build"), "file": "../a.c"},
            {"directory": str(tmp_path / "build"), "file": "../a.c"},
            {"directory": "sub", "file": "b.c"},
            {"directory": "/", "file": "/etc/c.c"},
        ]
        found = self.arguments(tmp_path, "clang-tidy", {"build/compile_commands.json": json.dumps(entries)})
        assert [words[-1] for words in found] == [f"{tmp_path}/a.c", f"{tmp_path}/build/sub/b.c"]
        assert found[0][:2] == ("-p", f"{tmp_path}/build")
        assert any(word.startswith("--checks=") for word in found[0])
        found = self.arguments(tmp_path, "clang-tidy", {".clang-tidy": "Checks: '*'"})
        assert not any(word.startswith("--checks=") for word in found[0])
