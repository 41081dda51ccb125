"""The protocol's numbers for kinds of symbols, as words."""

from __future__ import annotations

_KINDS = (
    "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum",
    "interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null",
    "enum member", "struct", "event", "operator", "type parameter",
)  # fmt: skip


def kind_name(kind: int) -> str:
    """`class` for 5; `symbol` for what the protocol does not know."""
    return _KINDS[kind - 1] if 1 <= kind <= len(_KINDS) else "symbol"
