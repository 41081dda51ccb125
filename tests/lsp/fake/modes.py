"""What the fake language server is told to do: its script, which travels as JSON on its command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import attrs


@attrs.frozen(kw_only=True)
class Modes:
    """A well-behaved server that is asked for its diagnostics; each field that is set makes it another one.

    Attributes:
        log: a file that gets a JSON line for each start and each message received; None keeps no log.
        faulty_starts: from that start on (counted in the log) it behaves well; None never.

        encoding: what it counts characters in; None says nothing, which means UTF-16.
        sync: 1 wants whole texts, 2 ranges.
        save: it wants to hear of saved documents, and checks the text that comes with it.
        watches: the globs that it registers for watched files.
        ids: how it numbers its own requests.

        diagnostics: asked for, asked for by the command of typescript-language-server, published, or never.
        registers_after: seconds after `initialized` at which it registers that it can be asked; None: it says so at once.
        finds: the marks in a text that are problems to it.
        modified: so many questions of any kind are answered with -32801, the first ones.
        cancels: so many questions for diagnostics are answered with -32802 and `retriggerRequest`.
        version: the version that a publish names: that of the text, 0, null, or none.
        publishes_first: what it publishes before the truth: nothing; for the same version an empty list, or all but the
            last problem; or late what it found in the text before.
        publishes_after: seconds between a change, that publish, and the true one.
        repeats: it publishes also where nothing changed.
        publishes_closed: it publishes also of files that are not open.

        delays: seconds before an answer, by method.
        mute: methods that are never answered.
        hangs_on: the method at which it stops to read for good.
        dies_on: the method in whose answer it dies, half way.
        fails_on: methods that are answered with an error.
        exits: the code with which it ends at once, with a line on standard error.
        starts_after: seconds before it reads anything.
        stubborn: it ignores SIGTERM, `exit` and the end of its input.
        children: so many child processes, which outlive it unless somebody ends them.
        floods: bytes written to standard error, before the answer to `initialize`.
        garbage: text on standard output before each message.

        indexes: seconds of `$/progress` after `initialized`; until then answers hold the first file only.
        says_progress: whether it tells of that work.
        asks: requests of its own, each a method and its params, which it sends after `initialized`.
        tells: likewise, notifications.
        applies_edit: it asks the client to apply an edit whenever a document is opened.
        edits: what is wrong with its workspace edits: nothing; a file outside the root is edited too; two edits
            overlap; the last file is left out; a range is off by a character; the last edit is malformed.
        edit_form: how they are written.
        edit_version: the version that they name for an open document; "older" is the one before.
    """

    log: str | None = None
    faulty_starts: int | None = None

    encoding: Literal["utf-8", "utf-16", "utf-32"] | None = None
    sync: Literal[1, 2] = 2
    save: bool = True
    watches: tuple[str, ...] = ()
    ids: Literal["numbers", "strings"] = "numbers"

    diagnostics: Literal["pull", "command", "push", "none"] = "pull"
    registers_after: float | None = None
    finds: tuple[str, ...] = ("ERROR", "WARNING", "NEEDS")
    modified: int = 0
    cancels: int = 0
    version: Literal["own", "zero", "null", "missing"] = "own"
    publishes_first: Literal["nothing", "empty", "half", "older"] = "nothing"
    publishes_after: float = 0.0
    repeats: bool = True
    publishes_closed: bool = False

    delays: Mapping[str, float] = attrs.Factory(dict)
    mute: tuple[str, ...] = ()
    hangs_on: str | None = None
    dies_on: str | None = None
    fails_on: tuple[str, ...] = ()
    exits: int | None = None
    starts_after: float = 0.0
    stubborn: bool = False
    children: int = 0
    floods: int = 0
    garbage: str = ""

    indexes: float = 0.0
    says_progress: bool = True
    asks: tuple[tuple[str, Any], ...] = ()
    tells: tuple[tuple[str, Any], ...] = ()
    applies_edit: bool = False
    edits: Literal["right", "outside", "overlapping", "partial", "shifted", "malformed"] = "right"
    edit_form: Literal["changes", "documentChanges"] = "documentChanges"
    edit_version: Literal["own", "zero", "null", "older", "missing"] = "own"

    def json(self) -> str:
        return json.dumps(attrs.asdict(self))

    @classmethod
    def of(cls, text: str) -> Modes:
        said: dict[str, Any] = json.loads(text)
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in said.items()})

    def well_behaved(self) -> Modes:
        """The same server without a script."""
        return Modes(
            log=self.log,
            encoding=self.encoding,
            sync=self.sync,
            save=self.save,
            watches=self.watches,
            finds=self.finds,
        )
