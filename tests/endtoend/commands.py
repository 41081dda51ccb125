"""The command line as a user starts it: a process of its own, in any folder, with a state folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

PROGRAM = str(Path(sys.executable).parent / "toolpost")
"""The installed command. `python -m` would put the checkout itself on the path: its `json` would be ours."""


@attrs.frozen(kw_only=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        """Its lines of JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


@attrs.frozen(kw_only=True)
class CommandLine:
    """Starts `toolpost` in one folder."""

    folder: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "PYTHONUTF8": "1",
        }

    def __call__(self, *words: str, stdin: str = "", seconds: float = 120) -> Ended:
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=self.folder,
            env=self.environment,
            input=stdin.encode(),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
        return Ended(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())

    def session(self, calls: Iterable[tuple[str, dict[str, Any]]], *options: str) -> list[dict[str, Any]]:
        """Calls in one run, one after the other: each is sent when the one before has answered."""
        with subprocess.Popen(
            [PROGRAM, "run", *options],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin and process.stdout
            answers = []
            for number, (tool, args) in enumerate(calls):
                process.stdin.write(json.dumps({"id": number, "tool": tool, "args": args}) + "\n")
                process.stdin.flush()
                answers.append(json.loads(process.stdout.readline()))
                assert answers[-1]["id"] == number
            process.stdin.close()
            assert process.wait(60) == 0
        return answers
