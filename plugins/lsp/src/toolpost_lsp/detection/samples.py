"""Files of each kind that a workspace holds: what stands for its languages where no file is named."""

from __future__ import annotations

import os

from toolpost_lsp.registry import Registry

_ENTRIES = 20_000
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist", "target", "vendor"})
_DEPTH = 8


def samples(workspace: str, registry: Registry) -> list[str]:
    """For each set of servers the file nearest to the top that they take, in each folder at the top; relative paths.

    It looks at 20,000 names at most, follows no links, and leaves out what is hidden or vendored. Safe in a thread.
    """
    found: dict[tuple[str, tuple[str, ...]], str] = {}
    folders, count = [("", 0)], 0
    for folder, depth in folders:  # breadth first, as it grows
        try:
            entries = sorted(os.scandir(f"{workspace}/{folder}"), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            count += 1
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED and not entry.name.startswith(".") and depth < _DEPTH:
                    folders.append((path, depth + 1))
            elif takers := registry.takers(path):
                top = path.partition("/")[0] if "/" in path else ""
                found.setdefault((top, tuple(each.id for each in takers)), path)
        if count > _ENTRIES:
            break
    return list(found.values())
