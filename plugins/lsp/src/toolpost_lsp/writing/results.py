"""What the servers of one write said, put together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import attrs

from toolpost_lsp.diagnostics.merging import Said, merged
from toolpost_lsp.diagnostics.problem import Problem
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Diagnostic, Severity
from toolpost_lsp.server.server import Server
from toolpost_lsp.writing.examination import Examination, Look
from toolpost_lsp.writing.keys import counted_keys
from toolpost_lsp.writing.ledger import Ledger, introduced, known_of, repaired
from toolpost_lsp.writing.note import News
from toolpost_lsp.writing.touched import Touched, content

if TYPE_CHECKING:
    from toolpost_lsp.supervisor import Supervisor


@attrs.define(kw_only=True, eq=False)
class Results:
    """Collects, keeps the ledger, and gives the news."""

    supervisor: Supervisor
    ledger: Ledger
    touched: Sequence[Touched]
    _looked_at: set[str] = attrs.field(factory=set, init=False)
    _new: list[Said] = attrs.field(factory=list, init=False)
    _elsewhere: list[Said] = attrs.field(factory=list, init=False)
    _fixed: int = attrs.field(default=0, init=False)
    _known: list[str] = attrs.field(factory=list, init=False)
    _pending: dict[str, list[str]] = attrs.field(factory=dict, init=False)
    _beyond: dict[str, list[str]] = attrs.field(factory=dict, init=False)
    _missing: list[str] = attrs.field(factory=list, init=False)
    _unbased: dict[str, list[str]] = attrs.field(factory=dict, init=False)
    _unreadable: dict[str, str] = attrs.field(factory=dict, init=False)
    _unchecked: set[str] = attrs.field(factory=set, init=False)
    _closed: list[Problem] = attrs.field(factory=list, init=False)
    any_known: bool = attrs.field(default=False, init=False)

    @property
    def _worst(self) -> int:
        """Up to which severity problems are told (write:modes)."""
        return Severity.ERROR if self.supervisor.config.diagnostics == "errors" else Severity.WARNING

    def missing(self, server: Server) -> None:
        """A server that is not asked."""
        self._missing.append(server.definition.id)

    def beyond(self, server: Server, files: Iterable[Touched]) -> None:
        """Files of the write that are too many to be looked at."""
        for each in files:
            if each.after is not None:
                self._beyond.setdefault(server.definition.id, []).append(each.path)

    def take(self, examination: Examination, only: set[str] | None = None) -> None:
        """Take what one server said so far.

        Args:
            only: of these files; what it said of others was taken before.
        """
        name = examination.server.definition.id
        if examination.unavailable:
            self._missing.append(name)
            return
        looks = [each for path, each in examination.looks.items() if only is None or path in only]
        own = [each for each in looks if not each.other]
        self._looked_at |= {each.path for each in looks if not each.stranger}
        for look in looks:
            if look.known:
                self.any_known = True
                self._one(examination.server, look)
            elif look.other:
                self._unchecked.add(look.path)
            elif look.reason:
                self._unreadable[look.path] = look.reason
            elif look.pending:
                self._pending.setdefault(name, []).append(look.path)
            elif name not in self._missing:
                self._missing.append(name)
        for path, (before, items) in examination.closed.items() if only is None else ():
            known = known_of((before, self.ledger.of(path, name)))
            now = counted_keys(items)
            self.ledger.replace(path, name, now)
            self._fixed += repaired(before, now, self._worst)
            self._closed += self._of_closed(examination.server, path, introduced(_errors(items), known, (0, 0)))
        if own and all(each.known and each.path not in self._unbased.get(name, ()) for each in own):
            self._known.append(name)

    def _one(self, server: Server, look: Look) -> None:
        assert look.verdict is not None and look.document is not None  # it is known
        name, path = server.definition.id, look.path
        worst = Severity.ERROR if look.stranger else self._worst
        told = [each for each in look.verdict.items if each.severity <= worst]
        now = counted_keys(look.verdict.items)
        if look.before is None:
            if told and not look.stranger:
                self._unbased.setdefault(name, []).append(path)
            if told:
                return  # what was reported stays reported; nothing is said of the rest
        before = now if look.before is None else look.before
        new = introduced(told, known_of((before, self.ledger.of(path, name))), look.touched.lines)
        self.ledger.replace(path, name, now)
        self._fixed += repaired(before, now, self._worst)
        if new:
            said = Said(server=name, document=look.document, encoding=server.encoding, items=tuple(new))
            (self._elsewhere if look.stranger else self._new).append(said)

    def _of_closed(self, server: Server, path: str, items: Sequence[Diagnostic]) -> list[Problem]:
        files = self.supervisor.scope.files
        try:
            shown = files.resolve(path).shown
        except OSError:
            return []  # outside, or gone
        data = content(files, shown)
        if not isinstance(data, bytes) or not items:
            return []
        index = LineIndex.of(data.decode("utf-8-sig", "replace"))
        return [
            Problem(
                path=shown,
                range=index.range(*index.offsets(each.range, server.encoding), "utf-32"),
                diagnostic=each,
                servers=(server.definition.id,),
            )
            for each in items
        ]

    def news(self, waited: float) -> News:
        """All of it."""
        single = len(self._looked_at.union(each.path for each in self.touched if each.after is not None)) <= 1
        return News(
            new=merged_by_file(self._new),
            elsewhere=(*merged_by_file(self._elsewhere), *self._closed),
            fixed=self._fixed,
            known=tuple(self._known),
            pending={server: [] if single else paths for server, paths in self._pending.items()},
            beyond=self._beyond,
            missing=tuple(self._missing),
            unreadable=tuple(self._unreadable.values()),
            unbased={server: [] if single else paths for server, paths in self._unbased.items()},
            unchecked=len(self._unchecked),
            waited=waited,
        )


def merged_by_file(said: Sequence[Said]) -> tuple[Problem, ...]:
    """Problems by file, each file's as several servers tell them."""
    by_file: dict[str, list[Said]] = {}
    for each in said:
        by_file.setdefault(os.path.normpath(each.document.path), []).append(each)
    return tuple(problem for path in sorted(by_file) for problem in merged(by_file[path]))


def _errors(items: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [each for each in items if each.severity is Severity.ERROR]
