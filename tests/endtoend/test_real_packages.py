"""The main job on real packages, with the command line alone: search, rewrite, look, accept, undo, every byte as it was."""

from __future__ import annotations

import hashlib
import re
import shutil
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest
from endtoend.commands import PROGRAM, CommandLine

PACKAGES = ("email", "json", "http", "asyncio")

# What real trees hold and a careless rewrite breaks.
ODD = {
    "odd/tabs.py": b"def f(a):\n\tif a == None:\n\t\treturn 1\n",
    "odd/crlf.py": b"def f(a):\r\n    if a == None:\r\n        return 1\r\n",
    "odd/bom.py": b"\xef\xbb\xbfdef f(a):\n    return a == None\n",
    "odd/latin1.py": b"# -*- coding: latin-1 -*-\nname = 'caf\xe9'\nempty = name == None  # caf\xe9\n",
    "odd/no_newline.py": b"empty = name == None",
    "odd/words.py": b'"""x == None"""\n# x == None\ntext = "x == None"\n',
}


@pytest.fixture
def packages(toolpost: CommandLine) -> Path:
    stdlib = Path(sysconfig.get_path("stdlib"))
    for name in PACKAGES:
        shutil.copytree(stdlib / name, toolpost.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    # The standard library has few of them: real code, turned into what the rewrite is for.
    for path in toolpost.folder.rglob("*.py"):
        path.write_bytes(re.sub(rb"\b(\w+) is None\b", rb"\1 == None", path.read_bytes()))
    for name, data in ODD.items():
        path = toolpost.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return toolpost.folder


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.requirement("edit:staged", "edit:encoding", "resolve:exact-bytes", "resolve:undo", "ast:same-grammar")
def test_a_rewrite_across_packages_and_back(toolpost: CommandLine, packages: Path):
    before = digests(packages)
    modes = {path: path.stat().st_mode for path in packages.rglob("*")}
    found, staged, accepted, left, undone = toolpost.session(
        [
            ("ast_grep", {"pattern": "$A == None", "language": "python", "max_results": 5}),
            ("ast_edit", {"pattern": "$A == None", "rewrite": "$A is None", "language": "python"}),
            ("resolve", {"action": "accept"}),
            ("ast_grep", {"pattern": "$A == None", "language": "python"}),
            ("resolve", {"action": "undo", "edit_id": "undo_1"}),
        ],
        "--allow",
        "write",
    )
    total = found["data"]["total"]
    assert total > 100
    assert f"(proposed) {total} replacements" in staged["text"]
    assert "edit_1" in staged["text"]
    assert not accepted["is_error"], accepted["text"]
    assert left["data"]["total"] == 0
    assert not undone["is_error"], undone["text"]
    assert digests(packages) == before
    assert {path: path.stat().st_mode for path in packages.rglob("*")} == modes


@pytest.mark.requirement("edit:encoding")
def test_the_rewrite_changes_nothing_but_the_operators(toolpost: CommandLine, packages: Path):
    originals = {path: path.read_bytes() for path in packages.rglob("*.py")}
    words = ("pattern=$A == None", "rewrite=$A is None", "language=python", "--allow", "write", "--accept")
    ended = toolpost("call", "ast_edit", *words)
    assert ended.code == 0, ended.out
    changed = 0
    for path, original in originals.items():
        after = path.read_bytes()
        changed += after != original
        assert after.replace(b" is None", b" == None") == original.replace(b" is None", b" == None"), path
    assert changed > 30
    assert (packages / "odd/words.py").read_bytes() == ODD["odd/words.py"]
    assert (packages / "odd/crlf.py").read_bytes() == ODD["odd/crlf.py"].replace(b"==", b"is")
    assert (packages / "odd/latin1.py").read_bytes() == ODD["odd/latin1.py"].replace(b"==", b"is")


@pytest.mark.requirement("core:confined", "core:tier-call-time", "core:args-strict")
def test_harm_is_refused_and_changes_nothing(toolpost: CommandLine, packages: Path):
    secret = toolpost.home / "secret"
    secret.write_text("secret")
    (packages / "out").symlink_to(toolpost.home)
    before = digests(packages)
    patch = f"*** Begin Patch\n*** Add File: {secret}.new\n+x\n*** End Patch\n"
    answers = toolpost.session(
        [
            ("read", {"path": "../home/secret"}),
            ("read", {"path": str(secret)}),
            ("read", {"path": "out/secret"}),
            ("write", {"path": "out/new", "content": "x"}),
            ("write", {"path": "../new", "content": "x"}),
            ("edit", {"path": "out/secret", "old": "secret", "new": "x"}),
            ("apply_patch", {"patch": patch}),
            ("ast_grep", {"pattern": "f($X)", "path": "..", "language": "python"}),
            ("ast_edit", {"pattern": "f($X)", "rewrite": "g($X)", "path": str(toolpost.home), "language": "python"}),
            ("ast_grep", {"pattern": "f(", "language": "python"}),
            ("ast_grep", {"pattern": "f($X)", "language": "klingon"}),
            ("ast_grep", {"patern": "f($X)"}),
            ("ast_grep", {"pattern": "f($X)", "max_results": "5"}),
            ("read", {"path": "email"}),
            ("debug", {"op": "launch"}),
            ("resolve", {"action": "accept"}),
            ("resolve", {"action": "undo", "edit_id": "undo_9"}),
        ],
        "--allow",
        "write",
    )
    for answer in answers:
        assert answer["is_error"], answer["text"]
        assert "secret" not in answer["text"].replace("home/secret", "").replace("out/secret", "").replace(
            str(secret), ""
        )
        assert "Traceback" not in answer["text"]
    assert digests(packages) == before
    assert sorted(path.name for path in toolpost.home.iterdir()) == ["secret", "state"]


@pytest.mark.requirement("core:atomic")
@pytest.mark.parametrize("after_ms", [0, 5, 20, 60])
def test_a_killed_command_leaves_files_old_or_new(toolpost: CommandLine, packages: Path, after_ms: int):
    before = digests(packages)
    process = subprocess.Popen(
        [PROGRAM, "run", "--allow", "write"],
        cwd=toolpost.folder,
        env=toolpost.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin and process.stdout
        process.stdin.write(
            '{"id": 1, "tool": "ast_edit", "args": {"pattern": "$A == None", "rewrite": "$A is None", "language": "python"}}\n'
        )
        process.stdin.flush()
        assert "edit_1" in process.stdout.readline()
        process.stdin.write('{"id": 2, "tool": "resolve", "args": {"action": "accept"}}\n')
        process.stdin.flush()
        try:
            process.wait(after_ms / 1000)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    # The next run on this workspace makes it whole before its first call.
    assert toolpost("call", "read", "path=odd/tabs.py").code == 0
    after = digests(packages)
    assert set(after) == set(before), "a temporary file was left"
    changed = {path for path in before if after[path] != before[path]}
    left = toolpost("call", "ast_grep", "pattern=$A == None", "language=python", "--data").answers[0]["data"]["total"]
    assert not changed or left == 0
