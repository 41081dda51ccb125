"""The peer: ast-grep, at the version that `.ci/packages` pins."""

from __future__ import annotations

import fcntl
import functools
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
from bench.corpora import kept, making, pinned

_PACKAGE = "ast-grep-cli"
_CHUNK = 1 << 20


@attrs.frozen(kw_only=True)
class Counted:
    """A search of which only the lines were counted.

    Attributes:
        seconds: from the start of the process to its end.
        memory: bytes, the most that it held.
    """

    hits: int
    seconds: float
    memory: int


@attrs.frozen(kw_only=True, order=True)
class Site:
    """Where a match is: the path below the folder, and the range in bytes."""

    path: str
    start: int
    end: int


def count(pattern: str, language: str, folder: Path) -> Counted:
    """Search a folder, counting the lines that come through a pipe."""
    begun = time.perf_counter()
    process = _started(pattern, language, folder)
    hits = sum(chunk.count(b"\n") for chunk in _chunks(process))
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    _accept(process, pattern)
    return Counted(hits=hits, seconds=seconds, memory=usage.ru_maxrss * 1024)


def search(pattern: str, language: str, folder: Path) -> Iterator[Site]:
    """The place of each match."""
    process = _started(pattern, language, folder)
    with process.stdout as lines:
        yield from sites(lines, folder)
    process.wait()
    _accept(process, pattern)


def sites(lines: Iterable[bytes], folder: Path) -> Iterator[Site]:
    """The places that are in the peer's answer."""
    for line in lines:
        match = json.loads(line)
        offsets = match["range"]["byteOffset"]
        yield Site(path=os.path.relpath(match["file"], folder), start=offsets["start"], end=offsets["end"])


@functools.cache
def executable() -> Path:
    """The program, installed beside the corpora unless the shell has that very version."""
    version = pinned("pypi", _PACKAGE)
    found = shutil.which("ast-grep")
    if found is not None:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        if version in told.split():
            return Path(found)
    folder = kept(f"{_PACKAGE}-{version}")
    if not folder.is_dir():
        with making(folder) as fresh:
            command = ["uv", "pip", "install", "--quiet", "--target", fresh, f"{_PACKAGE}=={version}"]
            subprocess.run(command, check=True)
    return folder / "bin" / "ast-grep"


def _started(pattern: str, language: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [executable(), "run", "--pattern", pattern, "--lang", language, "--json=stream", folder]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _CHUNK)
    return process


def _chunks(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    assert process.stdout is not None
    with process.stdout as stream:
        while chunk := os.read(stream.fileno(), _CHUNK):
            yield chunk


def _accept(process: subprocess.Popen[bytes], pattern: str) -> None:
    """It ends with 1 when nothing matches."""
    if process.returncode not in (0, 1):
        raise RuntimeError(f"ast-grep ended with {process.returncode} on {pattern!r}")
