"""The arguments of `lsp`, `lsp_rename`, `lsp_fix` and `lsp_move` (contracts §4)."""

from __future__ import annotations

from typing import Annotated, Literal

import attrs
from attrs.validators import ge, min_len, optional

Action = Literal[
    "diagnostics",
    "definition",
    "type_definition",
    "implementation",
    "references",
    "hover",
    "symbols",
    "code_actions",
    "status",
    "reload",
]

_FILE = "A file, relative to the workspace."
_LINE = "The line of the symbol, counted from 1."
_SYMBOL = (
    "A piece of that line that names what is meant, such as load or self.load; load#2 is the second one on the line."
)


@attrs.frozen(kw_only=True)
class Lsp:
    """Ask the language servers of this project; they know what names mean, unlike a text search.

    definition, type_definition, implementation, references, hover and code_actions take file, line and symbol. diagnostics
    takes file (errors and warnings), or "*" to run the project's checkers. symbols takes file (its outline) or query (the
    whole workspace). status says which servers run and why others do not; reload restarts them.
    """

    action: Annotated[Action, "What to ask."]
    file: Annotated[str | None, _FILE + ' "*" with diagnostics: the whole project.'] = attrs.field(
        default=None, validator=optional(min_len(1))
    )
    line: Annotated[int | None, _LINE] = attrs.field(default=None, validator=optional(ge(1)))
    symbol: Annotated[str | None, _SYMBOL] = None
    query: Annotated[str | None, "For symbols: a part of a name, for the whole workspace."] = None


@attrs.frozen(kw_only=True)
class LspRename:
    """Rename a symbol everywhere in the project, with all its uses and imports: all of it or nothing.

    Nothing is written unless every file is as the server saw it and no use is left out. Mentions in texts and comments are
    listed afterwards. preview stages the change instead, and resolve accepts it.
    """

    file: Annotated[str, _FILE] = attrs.field(validator=min_len(1))
    new_name: Annotated[str, "The new name, alone."] = attrs.field(validator=min_len(1))
    line: Annotated[int | None, _LINE] = attrs.field(default=None, validator=optional(ge(1)))
    symbol: Annotated[str | None, _SYMBOL] = None
    preview: Annotated[bool, "Only stage it and show the changed lines."] = False


@attrs.frozen(kw_only=True)
class LspFix:
    """Stage one of the quick fixes that code_actions lists, by its title; resolve accepts it."""

    file: Annotated[str, _FILE] = attrs.field(validator=min_len(1))
    title: Annotated[str, "The title, as code_actions gives it."] = attrs.field(validator=min_len(1))
    line: Annotated[int | None, _LINE] = attrs.field(default=None, validator=optional(ge(1)))
    symbol: Annotated[str | None, _SYMBOL] = None


@attrs.frozen(kw_only=True)
class LspMove:
    """Rename or move a file or folder, with the imports of it; nothing is written: it is staged, and resolve accepts it."""

    path: Annotated[str, "The file or folder, relative to the workspace."] = attrs.field(validator=min_len(1))
    new_path: Annotated[str, "Where it goes, with its new name; nothing may be there."] = attrs.field(
        validator=min_len(1)
    )
