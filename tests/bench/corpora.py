"""Three trees of real code to search, made once and kept outside the checkout.

Python is an interpreter's own standard library; TypeScript and JavaScript are npm packages, at the versions that
`.ci/packages` pins. They lie below `$XDG_CACHE_HOME/toolpost-corpora`, each under a name that tells what it is made of.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import attrs

PACKAGES: Mapping[str, tuple[str, ...]] = {
    "typescript": ("effect", "viem", "rxjs", "zod"),
    "javascript": ("three", "lodash-es", "core-js", "react-dom", "vue", "rxjs"),
}
LANGUAGES = ("python", *PACKAGES)
_ENDINGS = {"typescript": (".ts",), "javascript": (".js", ".mjs", ".cjs")}
_DECLARATIONS = ".d.ts"
_LONGEST_LINE = 64 * 1024
"""Bytes. The peer prints each match with its whole lines: two minified decoders made 13 GB of one search, and said nothing of it."""
_PINS = Path(__file__).resolve().parents[2] / ".ci" / "packages"
_PYTHON = "3.13"
_ABOUT = (
    "import json, platform, sysconfig; print(json.dumps([sysconfig.get_path('stdlib'), platform.python_version()]))"
)
_NOT_THE_LIBRARY = {"site-packages", "dist-packages", "__pycache__"}


class NoCorpus(Exception):
    """A corpus cannot be made here; the text says what is missing."""


@attrs.frozen(kw_only=True)
class Corpus:
    """A tree of one language.

    Attributes:
        source: what it is made of.
    """

    language: str
    folder: Path
    source: str

    @functools.cached_property
    def sizes(self) -> dict[str, int]:
        """The bytes of each file, by path below the folder."""
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.stat().st_size for path in files}

    def __str__(self) -> str:
        megabytes = sum(self.sizes.values()) / 1e6
        return f"{self.language}: {len(self.sizes)} files, {megabytes:.1f} MB, of {self.source}"


def corpus(language: str) -> Corpus:
    """The corpus of a language, made now if it is not there yet.

    Raises:
        NoCorpus: npm is missing, or did not give the packages.
    """
    return _python() if language == "python" else _from_npm(language)


def pinned(kind: str, name: str) -> str:
    """The version that `.ci/packages` gives for a package, as `npm NAME@VERSION` or `pypi NAME==VERSION`."""
    mark = {"npm": "@", "pypi": "=="}[kind]
    for line in _PINS.read_text().splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == kind and words[1].rpartition(mark)[0] == name:
            return words[1].rpartition(mark)[2]
    raise LookupError(f"{_PINS} has no line for {kind} {name}")


def kept(name: str) -> Path:
    """Where something of that name is kept between runs."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "toolpost-corpora" / name


@contextmanager
def making(folder: Path) -> Iterator[Path]:
    """A fresh folder, which becomes *folder* when the block is through: what has that name is complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=folder.parent) as scratch:
        fresh = Path(scratch) / folder.name
        fresh.mkdir()
        yield fresh
        try:
            fresh.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise somebody else was faster
                raise


def _python() -> Corpus:
    """The standard library of the Python that the figures are about, or of the running one."""
    library, version = _standard_library()
    folder = kept(f"python-{version}")
    if not folder.is_dir():
        with making(folder) as fresh:
            for path in _sources(library):
                target = fresh / path.relative_to(library)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    return Corpus(language="python", folder=folder, source=f"CPython {version}'s standard library")


def _standard_library() -> tuple[Path, str]:
    for python in _pythons():
        try:
            told = subprocess.run([python, "-c", _ABOUT], capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        library, version = json.loads(told)
        return Path(library), version
    raise NoCorpus("python: no interpreter says where its standard library is")


def _pythons() -> Iterator[str]:
    """Interpreters that may be there, the wanted version first."""
    yield from sorted(
        map(str, Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{_PYTHON}.*/bin/python"))
    )
    command = ["uv", "python", "find", "--no-project", "--no-python-downloads", _PYTHON]
    try:
        yield subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass  # no uv here, or it knows none
    yield sys.executable


def _sources(library: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(library):
        below[:] = sorted(set(below) - _NOT_THE_LIBRARY)
        for name in names:
            path = Path(folder) / name
            if name.endswith(".py") and not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield path


def _from_npm(language: str) -> Corpus:
    wanted = [f"{name}@{pinned('npm', name)}" for name in PACKAGES[language]]
    folder = kept(f"{language}-{hashlib.sha256(' '.join([*wanted, str(_LONGEST_LINE)]).encode()).hexdigest()[:12]}")
    if not folder.is_dir():
        if shutil.which("npm") is None:
            raise NoCorpus(f"{language}: npm is not installed, and its packages are the corpus")
        with making(folder) as fresh, tempfile.TemporaryDirectory() as scratch:
            command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", scratch, *wanted]
            packed = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
            if packed.returncode:
                raise NoCorpus(f"{language}: npm pack failed: {packed.stderr.strip()[-500:]}")
            for archive in sorted(Path(scratch).glob("*.tgz")):
                _unpack(archive, fresh / archive.stem, _ENDINGS[language])
    return Corpus(language=language, folder=folder, source=", ".join(wanted))


def _unpack(archive: Path, folder: Path, endings: tuple[str, ...]) -> None:
    """Write an archive's sources, without minified ones; nothing else in it (links, modes, places outside) has any effect."""
    with tarfile.open(archive) as members:
        for member in members:
            parts = PurePosixPath(member.name).parts[1:]
            plain = parts and not any(part.startswith(".") for part in parts)
            if not (plain and member.isfile() and member.name.endswith(endings)):
                continue
            if member.name.endswith(_DECLARATIONS):
                continue
            content = members.extractfile(member)
            assert content is not None
            data = content.read()
            if max(map(len, data.split(b"\n"))) > _LONGEST_LINE:
                continue
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def main() -> None:
    for language in LANGUAGES:
        print(corpus(language))


if __name__ == "__main__":
    main()
