"""What is known of a language server before it runs: data, one record for each server."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import attrs

Role = Literal["types", "lint"]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@attrs.frozen(kw_only=True)
class ServerDefinition:
    """A language server; a record of the entry-point group `toolpost.language_servers`.

    Attributes:
        id: its name in answers and in the configuration.
        languages: file endings (".py") and whole names ("go.mod"), each with its LSP language id.
        command: the program's name and its arguments.
        alternatives: other such commands, tried in order where the first program is not found.
        root_markers: names or globs; the nearest folder that holds one is the project's root. `pyproject.toml#tool.ty` is
            a table of a TOML file, `package.json#workspaces` a key of a JSON file.
        workspace_markers: likewise; a folder higher up that holds one wins over the nearest project.
        excluded_by: names or globs; a project that holds one is another server's.
        chosen_by: likewise; a project that holds one has chosen this server over others with the role "types".
        role: "types" navigates and renames; "lint" only finds problems and fixes them.
        priority: of several servers with the role "types" for one language, the lowest is taken.
        initialization_options: sent with `initialize`.
        settings: what `workspace/configuration` is answered with, by section; dots nest.
        interpreter_setting: the setting that names the project's own interpreter; given where that is trusted.
        settle: seconds without a further publish after which published diagnostics are believed to be whole.
        version_probe: arguments that make the program print its version and end; None if it has none.
        env: variables that the server gets beside those that every child gets.
        install: the command that installs it, for people.
        runs_project_code: it executes code of the checkout, so it needs the trust "full".
        pinned: given detection's context, the initialization options that keep it from running the checkout's code,
            or None where they cannot be given; for servers that would run it otherwise.
        checkers: the ids of the project checkers that report what this server reports.
        ready_log: a regular expression for the log message that says that it has found the project's files; until then
            its references may be incomplete.
        rechecks_on_created: it looks for a file that an open document includes only when that document changes.
        indexes: it works through the project behind `$/progress` once the first document is open.
        announces: notifications that follow `initialized`.
        answers: what requests of its own are answered with, by method.
        reconfigures: seconds that may pass until a change of its configuration shows in what it says.
        reads_disk: it reads what a document includes from the disk, also where it was shown another text of it.
        own_text: what it says of a file does not follow from other files of its languages, so it is silent when one changes.
        reach: how far its references and renames reach, where not through the whole project: "this file only".
        finds: which problems it looks for, where those are not all errors of the language: "syntax errors only".
        finds_with: the program that finds the problems for it; without that on PATH it only navigates.
        unable: given a message that it sent (method, params), the document's URI and why it cannot tell its problems, or ""
            if it can again; None if the message says nothing of it. For servers that answer then as if there were none.
    """

    id: str
    languages: Mapping[str, str]
    command: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...] = ()
    root_markers: tuple[str, ...]
    workspace_markers: tuple[str, ...] = ()
    excluded_by: tuple[str, ...] = ()
    chosen_by: tuple[str, ...] = ()
    role: Role = "types"
    priority: int = 50
    initialization_options: Any = None
    settings: Mapping[str, Any] = _NOTHING
    interpreter_setting: str | None = None
    settle: float = 0.15
    version_probe: tuple[str, ...] | None = ("--version",)
    env: Mapping[str, str] = _NOTHING
    install: str = ""
    runs_project_code: bool = False
    pinned: Callable[[Any], Any] | None = None
    checkers: tuple[str, ...] = ()
    ready_log: str | None = None
    rechecks_on_created: bool = False
    indexes: bool = False
    announces: tuple[str, ...] = ()
    answers: Mapping[str, Any] = _NOTHING
    reconfigures: float = 0.0
    reads_disk: bool = False
    own_text: bool = False
    reach: str = ""
    finds: str = ""
    finds_with: str | None = None
    unable: Callable[[str, Any], tuple[str, str] | None] | None = None

    def language_of(self, path: str) -> str | None:
        """The LSP language id of a file by its name, the longest ending first; None if this server does not take it."""
        name = os.path.basename(path)
        if name in self.languages:
            return self.languages[name]
        endings = sorted((each for each in self.languages if name.endswith(each)), key=len)
        return self.languages[endings[-1]] if endings else None
