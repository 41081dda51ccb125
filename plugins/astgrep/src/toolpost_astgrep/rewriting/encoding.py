"""In which encoding a rewrite's own text is put into a file (edit:encoding). What was captured stays the bytes it is."""

from __future__ import annotations

import io
import tokenize


class Unencodable(ValueError):
    """The file cannot hold the rewrite's text; the message says which character, and why."""


def encoding_of(data: bytes, language: str) -> str | None:
    """A file's encoding: what a Python file declares, UTF-8 where the bytes are that, None where nobody can say."""
    if language == "python" and not data.startswith(b"\xef\xbb\xbf"):
        try:
            declared = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        except SyntaxError:
            declared = "utf-8"  # an unknown encoding, or none declared and no UTF-8
        if declared != "utf-8":
            return declared
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def encoded(text: str, encoding: str | None) -> bytes:
    """A rewrite's text in a file's encoding.

    Args:
        encoding: None for a file that is not UTF-8 and does not say what it is: only ASCII is safe there.

    Raises:
        Unencodable: the file cannot hold it.
    """
    try:
        return text.encode(encoding or "ascii")
    except UnicodeEncodeError as error:
        character = text[error.start]
        if encoding is None:
            reason = "the file is not UTF-8 and declares no encoding"
        else:
            reason = f"the file is {encoding}, which has no such character"
        raise Unencodable(
            f"the rewrite's {character!r} cannot be put there: {reason}; write the rewrite in ASCII"
        ) from None
