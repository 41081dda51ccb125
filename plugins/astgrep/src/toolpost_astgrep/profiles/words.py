"""Words that languages with braces have in common."""

from __future__ import annotations

STATEMENTS = frozenset({"if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue"})
"""They begin statements and clauses, and are no names."""

RESERVED = STATEMENTS | {"throw", "try", "catch", "finally", "new"}
