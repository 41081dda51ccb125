"""All project checkers that are known."""

from __future__ import annotations

from toolpost_lsp.checkers import dart, go, native, python, rust, typescript

CHECKERS = tuple(checker for family in (python, typescript, rust, go, dart, native) for checker in family.CHECKERS)
"""In the order in which those of one language are taken, where nothing else decides."""
