"""The fake server as a distribution that is installed: the plugin finds it as it finds anybody's."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsp.fake.modes import Modes

_numbers = itertools.count()


@contextmanager
def installed(folder: Path, modes: Modes, **fields: Any) -> Iterator[None]:
    """For as long as the block runs, a distribution in *folder* gives one record in the group `toolpost.language_servers`.

    Args:
        fields: those of the record that differ, as values that `repr` shows whole.
    """
    name = f"fake_language_server_{next(_numbers)}"
    about = folder / f"{name}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[toolpost.language_servers]\nfake = {name}:FAKE\n")
    (folder / f"{name}.py").write_text(
        "from lsp.fake.definition import definition\n"
        "from lsp.fake.modes import Modes\n"
        f"FAKE = definition(Modes.of({modes.json()!r}), **{fields!r})\n"
    )
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(name, None)
