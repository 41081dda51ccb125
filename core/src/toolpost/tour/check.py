"""The tour's own check: comments on a write that breaks a Python file, as a language server would.

It stands in for the diagnostics of a real server, and shows what a write wrapper is: 30 lines.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from toolpost import Scope, Write, hookimpl


@hookimpl
def toolpost_around_write(run: Scope, write: Write) -> AbstractAsyncContextManager[None]:
    return _checked(run, write)


@asynccontextmanager
async def _checked(run: Scope, write: Write) -> AsyncIterator[None]:
    before = {path: _problem(run, path) for path in write.paths if path.endswith(".py")}
    try:
        yield
    finally:
        new = {path: problem for path in before if (problem := _problem(run, path)) and problem != before[path]}
        fixed = sum(1 for path, problem in before.items() if problem and _problem(run, path) is None)
        if new:
            write.note("\n".join([f"{len(new)} new", *new.values()]), data=new)
        elif before:
            write.note(f"no new problems\nfixed: {fixed}" if fixed else "no new problems")


def _problem(run: Scope, path: str) -> str | None:
    try:
        compile(run.files.read(path), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"{path}:{error.lineno}:{error.offset}: error[syntax] {error.msg} (tour)"
    except (OSError, ValueError):
        return None
    return None
