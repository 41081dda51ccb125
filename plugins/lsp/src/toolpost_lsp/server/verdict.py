"""What one server has to say of one document: its problems, or why they are not known."""

from __future__ import annotations

from typing import Literal

import attrs

from toolpost_lsp.protocol.types import Diagnostic

State = Literal["fresh", "inferred", "timeout", "starting", "crashed", "cooling", "failed"]


@attrs.frozen(kw_only=True)
class Verdict:
    """An answer to "what is wrong with this text?" (contract write:three-answers).

    Attributes:
        state: "fresh": said of this very text. "inferred": nothing new was said of it by a server that is silent when
            nothing changed. Everything else: not known, and why.
        items: the problems; nothing can be concluded from an empty tuple unless `known`.
        version: the document's version that it is about.
        waited: seconds.
    """

    state: State
    items: tuple[Diagnostic, ...] = ()
    version: int | None = None
    waited: float = 0.0

    @property
    def known(self) -> bool:
        """Whether the items are all that the server has to say of that version."""
        return self.state in ("fresh", "inferred")
