"""What is known of a project checker before it runs, and what one of its runs told: data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import attrs

from toolpost_lsp.detection.markers import Folders
from toolpost_lsp.protocol.types import Diagnostic, Encoding, Position, Range, Severity
from toolpost_lsp.server.definition import Role

_NOTHING: Mapping[str, str] = MappingProxyType({})
UNEXPECTED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading an output raises that is cut, or of another version."""


@attrs.frozen(kw_only=True)
class Project:
    """A project that is about to be checked.

    Attributes:
        root: absolute.
        folders: what is in the workspace's folders.
        cache: a folder outside the checkout, for what this checker keeps of this project.
        interpreter: of the project's own environment, where that is trusted.
    """

    root: str
    folders: Folders
    cache: str
    interpreter: str | None = None

    def has(self, *markers: str) -> bool:
        """Whether one of some markers is at its root."""
        return self.folders.marker(self.root, markers) is not None


@attrs.frozen
class Invocation:
    """One start of a checker's program.

    Attributes:
        arguments: behind the program.
        base: the folder that paths in its output are relative to; the project's root unless given.
    """

    arguments: tuple[str, ...]
    base: str | None = None


def always(*arguments: str) -> Callable[[Project], Sequence[Invocation]]:
    """The same arguments for every project."""
    return lambda _: (Invocation(arguments),)


@attrs.frozen(kw_only=True)
class Item:
    """A problem as a checker tells it: its path as printed, its range in the checker's own encoding."""

    path: str
    diagnostic: Diagnostic

    @classmethod
    def at(
        cls,
        path: str,
        line: int,
        column: int,
        message: str,
        *,
        severity: str = "error",
        code: str | None = None,
        end: tuple[int, int] | None = None,
    ) -> Item:
        """One at a place that is counted from 1; numbers that mean nothing become the nearest that do.

        Args:
            severity: the checker's word for it.
            end: line and column behind it.
        """
        start = Position(max(line, 1) - 1, max(column, 1) - 1)
        stop = Position(max(end[0], 1) - 1, max(end[1], 1) - 1) if end else start
        return cls(
            path=path,
            diagnostic=Diagnostic(
                range=Range(start, max(start, stop)),
                message=message,
                severity=_SEVERITIES.get(severity.lower(), Severity.ERROR),
                code=code or None,
            ),
        )


@attrs.frozen(kw_only=True)
class Parsed:
    """What an output tells.

    Attributes:
        items: the problems.
        checked: how many files were looked at, if it says so; 0: the run says nothing of the project.
        failures: what kept it from checking, in its own words.
        remark: what the reader has to know of a result.
    """

    items: tuple[Item, ...] = ()
    checked: int | None = None
    failures: tuple[str, ...] = ()
    remark: str = ""


@attrs.frozen(kw_only=True, eq=False)
class Checker:
    """A project checker.

    Attributes:
        id: its name in answers, and in `checkers` of the servers that report the same.
        language: what it checks, for people.
        endings: of the files that it checks.
        program: the name of its program.
        invocations: how that is started for a project; none if there is nothing to check.
        parse: what standard output and standard error tell; where they are not as expected it raises one of `UNEXPECTED`.
        root_markers: as of a server: the nearest folder that holds one is the project's root.
        workspace_markers: as of a server.
        excluded_by: as of a server.
        chosen_by: as of a server; where none of these is there, it is run only as the family of the server that is used.
        reaches_inner: it checks the projects inside a project too; one that it is not chosen in is left to it there.
        role: one checker with the role "types" runs in a project, and every one with the role "lint".
        found: exit codes with which it ends when it found problems.
        stopped: exit codes with which it ends when problems kept it from seeing everything.
        encoding: what it counts columns in.
        env: variables that it gets beside those that every child gets.
        version_probe: as of a server.
        install: the command that installs it, for people.
        runs_project_code: it executes code of the checkout, so it needs the trust "full".
    """

    id: str
    language: str
    endings: tuple[str, ...]
    program: str
    invocations: Callable[[Project], Sequence[Invocation]]
    parse: Callable[[str, str], Parsed]
    root_markers: tuple[str, ...]
    workspace_markers: tuple[str, ...] = ()
    excluded_by: tuple[str, ...] = ()
    chosen_by: tuple[str, ...] = ()
    reaches_inner: bool = False
    role: Role = "types"
    found: frozenset[int] = frozenset({1})
    stopped: frozenset[int] = frozenset()
    encoding: Encoding = "utf-32"
    env: Mapping[str, str] = _NOTHING
    version_probe: tuple[str, ...] = ("--version",)
    install: str = ""
    runs_project_code: bool = False


def lines(output: str) -> Iterator[str]:
    """The lines of an output that hold something."""
    return (line for line in output.replace("\r\n", "\n").split("\n") if line.strip())


_SEVERITIES = {
    "error": Severity.ERROR,
    "fatal": Severity.ERROR,
    "blocker": Severity.ERROR,
    "critical": Severity.ERROR,
    "major": Severity.ERROR,
    "warn": Severity.WARNING,
    "warning": Severity.WARNING,
    "minor": Severity.WARNING,
    "information": Severity.INFORMATION,
    "info": Severity.INFORMATION,
    "note": Severity.INFORMATION,
    "help": Severity.INFORMATION,
    "hint": Severity.HINT,
}
