"""Supervised processes: what a run starts is dead when the run is, whatever it did to get away.

Imports nothing of toolpost.
"""

from subprocess import DEVNULL, PIPE

from .environment import child_environment, redact
from .failure import SpawnError
from .framing import Decoder, FramingError, encode, read_messages
from .process import Process
from .spawn import Processes, StillAlive
from .streams import RING
from .sweep import RUN_VARIABLE, Swept, sweep

__all__ = [
    "DEVNULL",
    "PIPE",
    "RING",
    "RUN_VARIABLE",
    "Decoder",
    "FramingError",
    "Process",
    "Processes",
    "SpawnError",
    "StillAlive",
    "Swept",
    "child_environment",
    "encode",
    "read_messages",
    "redact",
    "sweep",
]
