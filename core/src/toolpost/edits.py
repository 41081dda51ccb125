"""Changing files: the one path from a tool's Changes to the disk, and the way back (contracts resolve:undo).

Confined and stale-checked, wrapped, journalled, all or nothing, undoable: whatever a family wants to change it gives
to `call.apply` or `call.stage_edit`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from toolpost.plugin import RESOLVE
from toolpost.tiers import Tier
from toolpost.tools import Note, ToolError
from toolpost.workspace import Applied, Change, Confinement, OutsideError, StaleError, StateFolder, UnfinishedError
from toolpost.workspace import apply as apply_changes

if TYPE_CHECKING:
    from toolpost.call import Call
    from toolpost.writes import Writes


_APPLIED = "applied"


class StaleEdit(ToolError):
    """Files are not as they were when the change was made; nothing was written. `files` names them."""

    def __init__(self, error: StaleError) -> None:
        words = {"changed": "changed since", "missing": "no longer there", "exists": "there already"}
        files = "; ".join(f"{each.path} ({words[each.why]})" for each in error.files)
        super().__init__(
            f"nothing was written, since these files are not as they were: {files}. "
            "Read them again and make the change anew",
            data={"stale": [{"path": each.path, "why": each.why} for each in error.files]},
            retry=True,
        )
        self.files = error.files


@attrs.frozen(kw_only=True)
class Undo:
    """What takes one applied change back."""

    id: str
    label: str
    paths: tuple[str, ...]
    tier: Tier
    changes: tuple[Change, ...]

    @property
    def size(self) -> int:
        return sum(len(change.after or b"") for change in self.changes)

    def __str__(self) -> str:
        return f"{self.id} ({self.label})"


@attrs.frozen(kw_only=True)
class Edited:
    """An applied change: the files, as shown to people, and the id of its undo."""

    paths: tuple[str, ...]
    undo_id: str


@attrs.define(eq=False)
class Edits:
    """The applied changes of one run and their undos. Bounded like the pending stack: the oldest undo goes first."""

    files: Confinement
    state: StateFolder
    writes: Writes
    notice: Callable[[str], None]
    most: int = 64
    most_bytes: int = 64 * 1024 * 1024
    _undos: dict[str, Undo] = attrs.field(factory=dict, init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    async def apply(self, changes: Sequence[Change], *, label: str, call: Call[Any], tier: Tier) -> Edited:
        """Apply *changes* all or nothing through write wrapping, and keep their undo.

        Raises:
            StaleEdit: a file is not as `seen` says; nothing was written.
            ToolError: a path outside the workspace, or the disk's own refusal; nothing was written.
        """
        paths = tuple(self.shown(change.path) for change in changes)
        edited = None
        try:
            async with self.writes.writing(*paths, call=call):
                work = asyncio.ensure_future(asyncio.to_thread(apply_changes, self.files, changes, state=self.state))
                try:
                    await asyncio.shield(work)
                finally:
                    # However often the call is cancelled, it waits until the files are old or new, never between.
                    if await _settled(work):
                        edited = self._keep(work.result(), label, paths, tier)
        except asyncio.CancelledError:
            if edited is None:
                raise
            self.notice(f"A cancelled call had applied {label!r} ({', '.join(paths)}); {edited.undo_id} takes it back.")
            raise asyncio.CancelledError(_APPLIED) from None
        except StaleError as error:
            raise StaleEdit(error) from error
        except OutsideError as error:
            raise ToolError(str(error), retry=True) from error
        except UnfinishedError as error:
            raise ToolError(f"{error.filename}: {error.strerror}") from error
        except ValueError as error:
            raise ToolError(f"nothing was written: {error}") from error
        except OSError as error:
            what = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
            raise ToolError(f"nothing was written: {what}", retry=True) from error
        assert edited is not None
        if call.surface.has(RESOLVE):
            call.notes.append(_undo_note(edited.undo_id))
        return edited

    async def undo(self, undo: Undo, call: Call[Any]) -> Edited:
        """Take an applied change back, itself content-checked and all or nothing; gives the undo of the undo."""
        edited = await self.apply(undo.changes, label=f"undo of {undo.label}", call=call, tier=undo.tier)
        self._undos.pop(undo.id, None)
        return edited

    def undos(self, ceiling: Tier) -> list[Undo]:
        """What a caller under *ceiling* may take back, oldest first."""
        return [undo for undo in self._undos.values() if undo.tier <= ceiling]

    def shown(self, path: str) -> str:
        """*path* with its links resolved, as people see it.

        Raises:
            ToolError: it leaves the workspace.
        """
        try:
            return self.files.resolve(path, missing_ok=True).shown
        except OutsideError as error:
            raise ToolError(str(error)) from error
        except OSError as error:
            raise ToolError(f"{path}: {error.strerror or error}") from error

    def _keep(self, applied: Applied, label: str, paths: tuple[str, ...], tier: Tier) -> Edited:
        undo = Undo(id=f"undo_{next(self._numbers)}", label=label, paths=paths, tier=tier, changes=applied.undo)
        self._undos[undo.id] = undo
        while len(self._undos) > self.most or sum(each.size for each in self._undos.values()) > self.most_bytes:
            oldest = next(iter(self._undos.values()))
            del self._undos[oldest.id]
            self.notice(
                f"{oldest} can no longer be undone: the run keeps {self.most} undos of {self.most_bytes} bytes."
            )
            if oldest is undo:
                break
        return Edited(paths=paths, undo_id=undo.id)


def was_applied(error: BaseException) -> bool:
    """Whether this cancellation came after the files had changed."""
    return isinstance(error, asyncio.CancelledError) and error.args == (_APPLIED,)


def size_of(changes: Iterable[Change]) -> int:
    """Bytes that these changes hold."""
    return sum(len(change.after or b"") for change in changes)


async def _settled(work: asyncio.Future[Applied]) -> bool:
    """Wait for the thread, however often the waiting call is cancelled; tells whether it applied the change."""
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError:
            continue
    return not work.cancelled() and work.exception() is None


def _undo_note(id: str) -> Note:  # noqa: A002
    return Note(
        source="toolpost",
        text=f'{id} takes this back: resolve with action "undo" and edit_id "{id}".',
        data={"undo_id": id},
    )
