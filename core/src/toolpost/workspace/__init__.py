"""File work that stays inside a workspace and is whole or not there. Imports nothing of toolpost."""

from .changes import Applied, Change, Digest, Metadata, StaleError, Staleness, UnfinishedError, digest
from .confine import Confinement
from .disk import Disk
from .journal import needs_recovery
from .places import NotAFileError, OutsideError, Parent, Place, TooLargeError
from .recovery import Kept, Recovered, recover
from .state import StateFolder
from .transaction import apply

__all__ = [
    "Applied",
    "Change",
    "Confinement",
    "Digest",
    "Disk",
    "Kept",
    "Metadata",
    "NotAFileError",
    "OutsideError",
    "Parent",
    "Place",
    "Recovered",
    "StaleError",
    "Staleness",
    "StateFolder",
    "TooLargeError",
    "UnfinishedError",
    "apply",
    "digest",
    "needs_recovery",
    "recover",
]
