"""Wheels of one module, written by hand, and where they are installed beside this environment."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

SECONDS = 120
TESTS = Path(__file__).resolve().parents[1]


def wheel(folder: Path, name: str, source: str, group: str, entry: str) -> Path:
    """Make a wheel of one module that is called as the distribution.

    Args:
        group: of entry points.
        entry: the one that it has in it, such as "lox = lox_grammar:grammar".
    """
    module, information = name.replace("-", "_"), f"{name.replace('-', '_')}-1.0.dist-info"
    files = {
        f"{module}.py": textwrap.dedent(source),
        f"{information}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{information}/WHEEL": "Wheel-Version: 1.0\nGenerator: by-hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{information}/entry_points.txt": f"[{group}]\n{entry}\n",
    }
    record = f"{information}/RECORD"
    lines = [f"{path},sha256={_digest(text)},{len(text.encode())}" for path, text in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""])
    made = folder / f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return made


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


class Site:
    """Wheels installed beside this environment, and a workspace."""

    def __init__(self, folder: Path, *wheels: Path) -> None:
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self._site = folder / "site"
        self.run("uv", "pip", "install", "--quiet", "--offline", "--no-index", "--no-deps", "--python", sys.executable,
                  "--target", str(self._site), *map(str, wheels))  # fmt: skip

    def run(self, *words: str) -> str:
        """What a command prints that sees the wheels, in the workspace; it must succeed."""
        environment = {**os.environ, "PYTHONPATH": f"{self._site}:{TESTS}", "UV_PYTHON_DOWNLOADS": "never"}
        done = subprocess.run(
            words, cwd=self.workspace, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, f"{words}:\n{done.stdout}\n{done.stderr}"
        return done.stdout
