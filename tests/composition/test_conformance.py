"""The plugins of this repository pass the suite that third parties run."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from toolpost.testing import PluginConformance


class TestFiles(PluginConformance):
    plugin = "files"
    files: ClassVar = {"a.txt": "one\ntwo\n", "b.txt": "b\n"}
    samples: ClassVar = {
        "read": {"path": "a.txt"},
        "write": {"path": "c.txt", "content": "new\n"},
        "edit": {"path": "a.txt", "old": "two", "new": "two"[::-1], "replace_all": True},
        "apply_patch": {"patch": "*** Begin Patch\n*** Update File: b.txt\n@@\n-b\n+B\n*** End Patch\n"},
    }


class TestAstGrep(PluginConformance):
    plugin = "astgrep"
    files: ClassVar = {"a.py": "f(1)\n", "b.py": "g(2)\n"}
    samples: ClassVar = {
        "ast_grep": {"pattern": "f($X)", "language": "python"},
        "ast_edit": {"pattern": "f($X)", "rewrite": "h($X)", "language": "python"},
    }


class TestLsp(PluginConformance):
    """With ty and ruff, which this repository's environment holds."""

    plugin = "lsp"
    files: ClassVar = {
        "pyproject.toml": '[project]\nname = "kiosk"\nversion = "1"\n',
        "core.py": "import os\n\n\ndef total() -> int:\n    return 1\n",
        "use.py": "from core import total\n\ntotal()\n",
    }
    samples: ClassVar = {
        "lsp": {"action": "references", "file": "core.py", "line": 4, "symbol": "total"},
        "lsp_rename": {"file": "core.py", "line": 4, "symbol": "total", "new_name": "summed"},
        "lsp_fix": {"file": "core.py", "line": 1, "symbol": "os", "title": "Ruff (F401): Remove unused import: `os`"},
        "lsp_move": {"path": "core.py", "new_path": "sums.py"},
    }

    @pytest.fixture(autouse=True)
    def servers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
