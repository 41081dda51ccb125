"""Fresh environments, as an outsider has them: wheels of this core, and what he wrote himself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str | Path, folder: Path, home: Path | None = None) -> str:
    """Run a command that must succeed; gives its output."""
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never", "TOOLPOST_STATE_HOME": str((home or folder) / "state")}
    environment.pop("VIRTUAL_ENV", None)
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{words}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def fresh(folder: Path, *packages: Path | str) -> Path:
    """A new environment with a wheel of the core and *packages*; gives its folder of programs."""
    wheels = folder / "wheels"
    run("uv", "build", "--quiet", "--wheel", "--package", "toolpost", "--out-dir", wheels, folder=ROOT)
    for package in packages:
        if isinstance(package, Path):
            run("uv", "build", "--quiet", "--wheel", package, "--out-dir", wheels, folder=folder)
    run("uv", "venv", "--quiet", folder / "env", folder=folder)
    named = [package for package in packages if isinstance(package, str)]
    built = sorted(str(wheel) for wheel in wheels.glob("*.whl"))
    run("uv", "pip", "install", "--quiet", "--python", folder / "env/bin/python", *built, *named, folder=folder)
    return folder / "env" / "bin"
