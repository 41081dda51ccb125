"""Is the rewritten file still code? (edit:reparse)"""

from __future__ import annotations

import warnings

from toolpost_astgrep.rewriting.code import Code, errors_in
from toolpost_astgrep.rewriting.draft import Draft

_COMPILED = 2_000_000  # bytes; Python compiles about 1 MB a second, and a file has a deadline


def gained_error(before: Code, draft: Draft) -> str | None:
    """The first syntax error that a draft has and the file had not: its line in the file, and what would stand there."""
    errors = errors_in(draft.code.tree)
    if not errors:
        return None
    known = {draft.place_of(node.start_byte) for node in errors_in(before.tree)}
    new = [node for node in errors if node.start_byte not in known]
    put = [node for node in new if any(span.start <= node.start_byte < span.end for span in draft.spans)]
    if not put and len(errors) <= len(known):
        return None
    first = (put or new or errors)[0]
    what = f"{first.type!r} would be missing in" if first.is_missing else "this would not parse:"
    return f"line {_origin(before.data, draft, first.start_byte)}: {what} {_line(draft.text, first.start_byte)!r}"


def compile_error(language: str, before: Code, draft: Draft) -> str | None:
    """What the language's own compiler says against a draft, if it has nothing against the file.

    Tree-sitter forgives what compilers do not: an emptied Python block, a positional argument behind a keyword.
    """
    if language != "python" or len(draft.text) > _COMPILED:
        return None
    error = _python_error(draft.text)
    if error is None or _python_error(before.data) is not None:
        return None
    at = _line_offset(draft.text, (error.lineno or 1) - 1)
    return f"line {_origin(before.data, draft, at)}: Python says {error.msg!r} of {_line(draft.text, at)!r}"


def _python_error(source: bytes) -> SyntaxError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<edit>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return None  # it cannot tell
    return None


def _origin(data: bytes, draft: Draft, offset: int) -> int:
    """The line of the file, from 1, from which a place of the draft comes."""
    return data.count(b"\n", 0, draft.origin_of(offset)) + 1


def _line_offset(source: bytes, line: int) -> int:
    at = 0
    for _ in range(line):
        at = source.find(b"\n", at) + 1 or at
    return at


def _line(source: bytes, offset: int) -> str:
    start = source.rfind(b"\n", 0, offset) + 1
    end = source.find(b"\n", offset)
    return source[start : end if end >= 0 else len(source)].strip()[:120].decode(errors="replace")
