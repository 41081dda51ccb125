"""One problem in a file as an answer shows it: `path:line:col: error[code] message (server)` (write:first-line)."""

from __future__ import annotations

from typing import Any

import attrs

from toolpost_lsp.protocol.types import Diagnostic, Range, Severity
from toolpost_lsp.words import clean

_NAMES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "info", Severity.HINT: "hint"}


@attrs.frozen(kw_only=True)
class Problem:
    """A diagnostic with its place in code points, and the servers that found it.

    Attributes:
        range: 0-based, in code points.
    """

    path: str
    range: Range
    diagnostic: Diagnostic
    servers: tuple[str, ...]

    @property
    def severity(self) -> Severity:
        return self.diagnostic.severity

    @property
    def line(self) -> int:
        """1-based."""
        return self.range.start.line + 1

    @property
    def column(self) -> int:
        """1-based, in code points."""
        return self.range.start.character + 1

    def __str__(self) -> str:
        code = f"[{clean(self.diagnostic.code, 80)}]" if self.diagnostic.code else ""
        where = f"{clean(self.path, 1000)}:{self.line}:{self.column}"
        message = clean(self.diagnostic.message)
        return f"{where}: {_NAMES[self.severity]}{code} {message} ({', '.join(self.servers)})"

    def data(self) -> dict[str, Any]:
        """The same as structure, in the protocol's terms."""
        return {
            "path": self.path,
            "range": self.range.json(),
            "unit": "utf-32",
            "severity": int(self.severity),
            "code": self.diagnostic.code,
            "message": self.diagnostic.message,
            "unnecessary": self.diagnostic.unnecessary,
            "deprecated": self.diagnostic.deprecated,
            "servers": list(self.servers),
        }


def summary(problems: tuple[Problem, ...]) -> str:
    """`2 errors, 1 warning, 3 hints`; `no problems`."""
    counts = [(name, sum(each.severity is severity for each in problems)) for severity, name in _NAMES.items()]
    told = [f"{count} {name}{'s' if count != 1 and name != 'info' else ''}" for name, count in counts if count]
    return ", ".join(told) or "no problems"
