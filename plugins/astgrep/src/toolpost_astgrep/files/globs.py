"""Which files of a walk are meant, as a caller says with globs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from toolpost_astgrep.files.ignore import Rules

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_ALTERNATIVES = 64


@attrs.frozen
class Globs:
    """Files to take and files to leave.

    A glob has gitignore's form: `*.py` anywhere, `src/**` from the top, `tests` for all that lies in a folder of that
    name. Also `*.{ts,tsx}`. With `!` before it, it leaves out, whatever its place in the list.
    """

    _take: Rules | None
    _leave: Rules

    @classmethod
    def of(cls, globs: Sequence[str]) -> Globs:
        """Parse globs; with none to take, all files are taken."""
        spread = [each for glob in globs for each in _spread(glob)]
        take = [glob for glob in spread if not glob.startswith("!")]
        return cls(Rules.of(take) if take else None, Rules.of(glob[1:] for glob in spread if glob.startswith("!")))

    def chooses(self, path: str) -> bool:
        """Whether a file is meant, by its path from the top."""
        return (self._take is None or _covers(self._take, path)) and not _covers(self._leave, path)


def _covers(rules: Rules, path: str) -> bool:
    """Whether a rule matches the file or a folder that it lies in."""
    if rules.decide(path, folder=False):
        return True
    return any(rules.decide(folder, folder=True) for folder in _folders(path))


def _folders(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _spread(glob: str) -> Iterable[str]:
    """The globs that one with braces stands for."""
    waiting, done = [glob], list[str]()
    while waiting and len(waiting) + len(done) <= _ALTERNATIVES:
        each = waiting.pop(0)
        braces = _BRACES.search(each)
        if braces is None:
            done.append(each)
        else:
            waiting += [each[: braces.start()] + choice + each[braces.end() :] for choice in braces[1].split(",")]
    return [*done, *waiting]
