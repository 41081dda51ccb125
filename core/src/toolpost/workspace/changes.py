"""What is to change, and what changed: values only."""

from __future__ import annotations

import hashlib
from typing import Literal

import attrs

Digest = str
"""The SHA-256 of a file's bytes, in hex."""


def digest(data: bytes) -> Digest:
    return hashlib.sha256(data).hexdigest()


@attrs.frozen(kw_only=True)
class Metadata:
    """What a file carries beside its bytes: permission bits, owner, extended attributes."""

    mode: int
    owner: tuple[int, int] | None = None
    xattrs: tuple[tuple[str, bytes], ...] = ()


@attrs.frozen(kw_only=True)
class Change:
    """One file's step.

    Attributes:
        path: relative to the workspace.
        seen: the digest of what was read; None if the file must not be there.
        after: its new bytes; None to delete it. A move is two changes.
        like: for a new file: the metadata it gets, or the path of the file whose metadata it takes.
        prune: folders that go with a deleted file if they are empty then, innermost first.
    """

    path: str
    seen: Digest | None
    after: bytes | None
    like: Metadata | str | None = None
    prune: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Applied:
    """Changes that were made, and the changes that take them back: every byte, mode and attribute."""

    changes: tuple[Change, ...]
    undo: tuple[Change, ...]


@attrs.frozen(kw_only=True)
class Staleness:
    """A file that is not as its change says."""

    path: str
    why: Literal["changed", "missing", "exists"]


class UnfinishedError(OSError):
    """A change failed, and could not be taken back either: files may be old or new until recovery can work."""

    def __init__(self, error: BaseException, failure: OSError) -> None:
        super().__init__(
            failure.errno,
            f"{failure.strerror or failure}, while the change was taken back after: {error}. Some files may be changed; "
            "the next change or run in this workspace takes them back first",
            failure.filename,
        )


class StaleError(Exception):
    """Files are not as they were seen; nothing was written. `files` names them all."""

    def __init__(self, files: tuple[Staleness, ...]) -> None:
        super().__init__("; ".join(f"{each.path}: {each.why}" for each in files))
        self.files = files
