"""Edits of one file's text, made on its bytes: what is outside the edited ranges stays byte for byte."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
from toolpost import ToolError

from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.protocol.types import Encoding
from toolpost_lsp.rename.operations import Edit

_MARK = b"\xef\xbb\xbf"


@attrs.frozen(kw_only=True)
class Replacement:
    """One replaced range: its first line (1-based), and code points in the file's text, without its byte-order mark."""

    line: int
    start: int
    end: int
    old: str
    new: str


@attrs.define
class Rewriting:
    """Edits that are all relative to the same text, collected from several lists and servers.

    Args:
        path: for messages.
        data: the file's bytes.

    Raises:
        ToolError: the bytes are not UTF-8.
    """

    path: str
    data: bytes
    _mark: bytes = attrs.field(init=False)
    _lines: LineIndex = attrs.field(init=False)
    _crlf: bool = attrs.field(init=False)
    _made: list[Replacement] = attrs.field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self._mark = _MARK if self.data.startswith(_MARK) else b""
        try:
            text = self.data[len(self._mark) :].decode()
        except UnicodeDecodeError as error:
            raise ToolError(f"{self.path} is not UTF-8 text; nothing is changed") from error
        self._lines = LineIndex.of(text)
        returns = text.count("\r\n")
        self._crlf = bool(returns) and returns == text.count("\n")

    def add(self, edits: Iterable[Edit], encoding: Encoding) -> None:
        """Add one list; what an earlier list holds already is the same edit told twice: a header seen from two sources.

        Two equal insertions in one list are both meant, but no range is replaced twice.
        """
        earlier = set(self._made)
        for edit in edits:
            made = self._replacement(edit, encoding)
            if made not in earlier and (made.start == made.end or made not in self._made):
                self._made.append(made)

    def result(self) -> tuple[bytes, tuple[Replacement, ...]]:
        """The new bytes, and the replacements in the order of the text; those at one place in the order they came in.

        Raises:
            ToolError: two of them overlap, or a new text is none.
        """
        text = self._lines.text
        made = sorted(self._made, key=lambda each: (each.start, each.end))
        parts, at = [], 0
        for each in made:
            if each.start < at:
                raise ToolError(f"the server's edits of {self.path}:{each.line} overlap; nothing is changed")
            parts += [text[at : each.start], each.new]
            at = each.end
        try:
            return self._mark + "".join([*parts, text[at:]]).encode(), tuple(made)
        except UnicodeEncodeError as error:
            raise ToolError(f"the server's edit of {self.path} holds what is no text; nothing is changed") from error

    def _replacement(self, edit: Edit, encoding: Encoding) -> Replacement:
        start, end = (self._lines.offset(at, encoding) for at in (edit.range.start, edit.range.end))
        new = edit.new.removeprefix("\ufeff") if self._mark and start == 0 else edit.new
        if self._crlf:  # a server that thinks in bare line feeds would leave a file with both
            new = new.replace("\r\n", "\n").replace("\n", "\r\n")
        line = min(edit.range.start.line + 1, self._lines.count)
        return Replacement(line=line, start=start, end=end, old=self._lines.text[start:end], new=new)
