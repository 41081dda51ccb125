"""Why a program could not be started, in words."""

from __future__ import annotations

import errno
import os


class SpawnError(OSError):
    """A program could not be started: the text names it and says why. `errno` is set if the system gave one."""

    def __init__(self, text: str, code: int | None = None) -> None:
        """Hold a text, and the system's error number where there is one."""
        super().__init__(code, text)

    def __str__(self) -> str:
        """The text alone."""
        return str(self.strerror)


def explain(program: str, code: int, stage: str, *, cwd: str, path: str) -> SpawnError:
    """Word a failure that a keeper reported.

    Args:
        program: what was to be started, as it was asked for.
        code: the errno.
        stage: what failed: `folder`, `program`, `descriptor`, `fork` or `killed`.
        cwd: the child's folder.
        path: the child's PATH.
    """
    reason = _reason(program, code, stage, cwd, path)
    return SpawnError(f"cannot start {program!r}: {reason}", code)


def _reason(program: str, code: int, stage: str, cwd: str, path: str) -> str:
    system = os.strerror(code)
    if stage == "folder":
        reasons = {
            errno.ENOENT: f"its working directory {cwd} does not exist",
            errno.ENOTDIR: f"its working directory {cwd} is not a directory",
        }
        return reasons.get(code, f"its working directory {cwd} cannot be entered ({system})")
    if stage == "fork":
        return f"the system gives no further process ({system}); end some, or raise the limit (ulimit -u)"
    if stage == "descriptor":
        return f"its descriptors could not be passed ({system}); close some, or raise the limit (ulimit -n)"
    if stage == "killed":
        return "it was killed while it started"
    if code == errno.ENOENT and "/" not in program:
        return f"no such program on its PATH ({path}); install it, or give its full path"
    file = os.path.join(cwd, program)
    if code == errno.ENOENT and os.path.exists(file):
        return f"{file} exists, but the interpreter or loader that it names does not (look at its first line)"
    reasons = {
        errno.ENOENT: f"{file} does not exist",
        errno.ENOTDIR: f"{file} does not exist, as a part of its path is a file",
        errno.EACCES: "it is not executable, or a folder on the way to it may not be entered (chmod +x?)",
        errno.ENOEXEC: "it is no program for this machine, nor a script whose first line begins with #!",
        errno.E2BIG: "its arguments and environment are too long for the system; pass them in a file",
    }
    return reasons.get(code, system)
